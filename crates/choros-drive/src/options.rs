//! How a running service is tested, as the user says it.

use std::path::PathBuf;
use std::time::Duration;

use choros_report::{SavedDriving, SavedSymbolicSuite, SavedTiming};
use choros_suite::{read_verdict, save_timing};
use choros_symex::SymbolicSuite;
use choros_symex::driver::{SearchBounds, TestVerdict, Timing};

use crate::{PartnerFault, Plan, ValueChoice, WireLimits};

/// How a running service is tested.
#[derive(Debug, Clone)]
pub struct DriveOptions {
    /// The address of the service.
    pub target: Option<String>,
    /// The file that says how messages look as JSON over HTTP.
    pub mapping: Option<String>,
    /// Play all partners, not only the user.
    pub mock_partners: bool,
    /// Where partners are played: `ROLE=ADDR`.
    pub mock_at: Vec<String>,
    /// A file of certificates that services are checked against, instead of the system's.
    pub roots: Option<PathBuf>,
    /// How values are chosen.
    pub values: ValueChoice,
    /// Seed for random values.
    pub seed: u64,
    /// How often an inconclusive test is run again.
    pub retries: u32,
    /// Go on along another path when the service takes another branch.
    pub adaptive: bool,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// The verdict when an answer that is due does not come.
    pub timeout_verdict: Option<TestVerdict>,
    /// This many tests at a time.
    pub parallel: usize,
    /// Each test in this many sessions at a time, with values of their own.
    pub sessions: usize,
    /// How long a tick of the model is, where the model does not say.
    pub tick: Option<Duration>,
    /// By how much a tick is stretched.
    pub time_scale: Option<f64>,
    /// By how much a service may be early or late.
    pub tolerance: Option<Duration>,
    /// How long an answer may take.
    pub answer_within: Option<Duration>,
    /// How long to listen at the end of a test.
    pub quiet: Option<Duration>,
    /// How long to wait between tests.
    pub pause: Duration,
    /// The longest body that is read.
    pub body_limit: usize,
    /// The file of what is done already.
    pub resume: Option<String>,
    /// The file that everything is written to.
    pub transcript: Option<String>,
    /// The tests of a saved report that are run again; where none are named, those that did not pass.
    pub tests: Vec<String>,
    /// What partners do wrong, one after the other, once a test has passed.
    pub faults: Vec<PartnerFault>,
}

impl Default for DriveOptions {
    fn default() -> Self {
        DriveOptions {
            target: None,
            mapping: None,
            mock_partners: false,
            mock_at: Vec::new(),
            roots: None,
            values: ValueChoice::Edges,
            seed: 0,
            retries: 0,
            adaptive: false,
            fail_fast: false,
            timeout_verdict: None,
            parallel: 1,
            sessions: 1,
            tick: None,
            time_scale: None,
            tolerance: None,
            answer_within: None,
            quiet: None,
            pause: Duration::ZERO,
            body_limit: 1 << 24,
            resume: None,
            transcript: None,
            tests: Vec::new(),
            faults: Vec::new(),
        }
    }
}

impl DriveOptions {
    /// The verdict when an answer that is due does not come.
    fn on_timeout(&self) -> TestVerdict {
        self.timeout_verdict.unwrap_or(TestVerdict::Fail)
    }

    /// Takes over what a saved report says, where the user does not say otherwise.
    pub(crate) fn restore(&mut self, of: &SavedDriving) {
        self.target = self.target.take().or_else(|| of.target.clone());
        self.mapping = self.mapping.take().or_else(|| of.mapping.clone());
        self.mock_partners |= of.mock_partners;
        // The first address that is named for a role counts.
        self.mock_at.extend(of.mock_at.iter().cloned());
        self.adaptive |= of.adaptive;
        self.timeout_verdict
            .get_or_insert(read_verdict(&of.timeout_verdict));
    }

    /// How the service is driven, for those who do it again.
    pub(crate) fn save(&self, suite: SavedSymbolicSuite, timing: Timing) -> SavedDriving {
        SavedDriving {
            suite,
            target: self.target.clone(),
            mapping: self.mapping.clone(),
            mock_partners: self.mock_partners,
            mock_at: self.mock_at.clone(),
            adaptive: self.adaptive,
            timeout_verdict: self.on_timeout().word().to_owned(),
            tempo: save_timing(timing),
        }
    }

    pub(crate) fn plan(&self, suite: &SymbolicSuite, timing: Timing) -> Plan {
        Plan {
            values: self.values,
            seed: self.seed,
            retries: self.retries,
            adaptive: self.adaptive,
            fail_fast: self.fail_fast,
            on_timeout: self.on_timeout(),
            parallel: self.parallel,
            sessions: self.sessions,
            pause: self.pause,
            tempo: timing,
            bounds: SearchBounds::default(),
            limits: WireLimits {
                body: self.body_limit,
                connect: Duration::from_secs(5),
                // A response that is later than any verdict is of no use; connections are not kept for it.
                response: longest(suite, timing),
            },
            roots: self.roots.clone(),
            faults: self.faults.clone(),
        }
    }

    /// How time passes: as the user says, or else as in the run before, or else as usual.
    ///
    /// The tick is that of the model, where it has one.
    pub(crate) fn timing(
        &self,
        before: Option<SavedTiming>,
        tick: Option<Duration>,
        is_called: bool,
    ) -> Timing {
        let micros = |duration: Duration| {
            u64::try_from(duration.as_micros())
                .map_or(LONGEST_WAIT_MICROS, |it| it.min(LONGEST_WAIT_MICROS))
        };
        let known = before.unwrap_or(USUAL);
        let tick = tick.or(self.tick).unwrap_or(Duration::from_secs(1));
        let tick = tick.as_secs_f64() * self.time_scale.unwrap_or(1.0);
        // A tick of nothing would let time stand still.
        let unit = Duration::try_from_secs_f64(tick.max(0.001)).unwrap_or(Duration::MAX);
        // Without a place to be called at, only answers to open calls can come, and those are waited for apart.
        let quiet = if is_called {
            self.quiet.map_or(known.quiet, micros)
        } else {
            0
        };
        Timing {
            unit: match before {
                Some(before) if self.tick.is_none() && self.time_scale.is_none() => before.tick,
                _ => micros(unit),
            },
            tolerance: self.tolerance.map_or(known.tolerance, micros),
            answer: self.answer_within.map_or(known.answer, micros),
            quiet,
        }
    }
}

/// How time passes by default, in microseconds.
const USUAL: SavedTiming = SavedTiming {
    tick: 0,
    tolerance: 200_000,
    answer: 10_000_000,
    quiet: 50_000,
};

/// Some 35 years in microseconds: who waits longer waits forever, and moments beyond would not fit.
const LONGEST_WAIT_MICROS: u64 = 1 << 50;

/// How long a test can take: ticks and answers along the longest path, and some more for what may be waited on top.
fn longest(suite: &SymbolicSuite, timing: Timing) -> Duration {
    let steps = suite.paths.iter().map(|path| path.steps.len()).max();
    let steps = steps.unwrap_or(0) as u64 + 2;
    let step = timing.unit + timing.answer + 2 * timing.tolerance;
    Duration::from_micros(steps.saturating_mul(step).min(LONGEST_WAIT_MICROS))
        + Duration::from_secs(1)
}
