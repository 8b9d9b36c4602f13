//! Does the running service pass?

mod again;
mod codec;
mod judge;
mod outcome;
mod record;
mod soap;

use std::path::PathBuf;
use std::time::Duration;

use choros_base::has_errors;
use choros_drive::{Files, NotOpened, Plan, Run, Values, WireLimits, check_target, run};
use choros_report::answers::{Answered, Driving};
use choros_report::{Report, SavedReport, SavedSymbolicSuite, SavedTiming, read_report};
use choros_symex::Suite;
use choros_symex::driver::{Bounds, TestVerdict, Timing};

use self::again::{chosen, restore_driving};
use self::codec::{Reached, reach};
pub(super) use self::codec::{json_codec, mapping};
pub use self::judge::judge;
use self::record::save_driving;
pub(super) use self::soap::{partner_place, soap_codec};
use super::symbolic::{SymbolicTesting, derive, model_of, restore, save, settings_of, testing_of};
use crate::diagnostics::{
    changed_model, drive_mapping, nothing_to_drive, other_suite, strange_target,
};
use crate::{Request, Settings, Workspace};

/// How a running service is tested.
#[derive(Debug, Clone)]
pub struct DriveRequest {
    /// How tests are derived, unless a suite says so.
    pub testing: SymbolicTesting,
    /// Where the service is.
    pub target: Option<String>,
    /// The file that says how messages look as JSON over HTTP.
    pub mapping: Option<String>,
    /// Play all partners, not only the user.
    pub mock_partners: bool,
    /// Where partners are played: `ROLE=ADDR`.
    pub mock_at: Vec<String>,
    /// What must not be shown: mappings add to it, and whoever writes asks it.
    pub secrets: Secrets,
    /// A file of certificates that services are checked against, instead of the system's.
    pub roots: Option<PathBuf>,
    /// Which values are sent.
    pub values: Values,
    /// The seed of random values.
    pub seed: u64,
    /// How often an inconclusive test is run again.
    pub retries: u32,
    /// Go on along another path when the service takes another branch.
    pub adaptive: bool,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// The verdict when an answer that is due does not come.
    pub timeout_verdict: Option<TestVerdict>,
    /// So many tests at a time.
    pub parallel: usize,
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
}

impl DriveRequest {
    /// The verdict when an answer that is due does not come.
    fn on_timeout(&self) -> TestVerdict {
        self.timeout_verdict.unwrap_or(TestVerdict::Fail)
    }
}

/// Derives tests from a model, or takes those of a suite, and runs them against the service.
pub fn drive(
    workspace: &mut Workspace<'_>,
    request: &Request,
    driving: &DriveRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
) -> Answered<Driving> {
    let mut report = Report {
        verb: "drive",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    report.semantics.relation = Some("online testing against all branches".to_owned());
    report.semantics.seed = Some(driving.seed);
    let answer = driven(workspace, request, driving, settings, announce, &mut report);
    Answered::of(report, answer)
}

/// What became of the tests; nothing where the report says why.
fn driven(
    workspace: &mut Workspace<'_>,
    request: &Request,
    driving: &DriveRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
    report: &mut Report,
) -> Option<Driving> {
    let mut driving = driving.clone();
    let asked = asked(workspace, request, &mut driving, report)?;
    let (request, driving) = (&asked.model, &driving);
    let settings = &match &asked.saved {
        Some((_, saved)) => settings_of(saved, settings),
        None => settings.clone(),
    };
    let derived = match &asked.saved {
        Some((file, saved)) => {
            let restored = restore(workspace, saved, &asked.testing, settings, report);
            if let Some(Err(reason)) = &restored {
                let finding = changed_model::diagnostic(file, reason);
                report.diagnostics.push(finding);
            }
            restored.and_then(Result::ok)
        }
        None => derive(workspace, request, &asked.testing, settings, report),
    };
    let derived = derived?;
    let digest = derived.digest(&workspace.terms);
    let suite = &derived.suite;
    if suite.paths.iter().all(|path| path.steps.is_empty()) {
        let finding = nothing_to_drive::diagnostic(&derived.orchestration.name);
        report.diagnostics.push(finding);
        return None;
    }
    let again = match &asked.before {
        None => None,
        Some((path, saved)) => {
            let again = chosen(
                (path, saved),
                suite,
                &driving.tests,
                &derived.orchestration,
                &mut workspace.terms,
                report,
            );
            Some(again?)
        }
    };
    let reached = reach(workspace, request, &derived, driving, settings, report);
    let reached = reached.filter(|_| !has_errors(&report.diagnostics))?;
    if let Err(reason) = check_target(reached.codec.target(), driving.roots.as_deref()) {
        let finding = strange_target::diagnostic(reached.codec.target(), &reason);
        report.diagnostics.push(finding);
        return None;
    }
    let fingerprint = suite.fingerprint(&digest, &workspace.terms);
    let (resume, transcript) = (driving.resume.as_deref(), driving.transcript.as_deref());
    let opened = Files::open(resume, transcript, &fingerprint, &driving.secrets);
    let (files, done) = match opened {
        Ok(opened) => opened,
        Err(NotOpened::OtherSuite { path, reason }) => {
            let finding = other_suite::diagnostic(&path, &reason);
            report.diagnostics.push(finding);
            return None;
        }
        Err(NotOpened::World(reason)) => {
            report.world_failed = Some(reason);
            return None;
        }
    };
    let view = derived.orchestration.view();
    let tempo = tempo(driving, asked.tempo, &reached);
    let saved = match asked.saved {
        Some((_, saved)) => saved,
        None => save(
            &derived,
            request,
            &asked.testing,
            settings,
            &workspace.terms,
        ),
    };
    let how = save_driving(saved, driving, tempo);
    // What cannot be judged is not begun.
    let mut first = settings.solver();
    if let Err(error) = first.start() {
        report.world_failed = Some(error.to_string());
        return None;
    }
    settings.name_solver(&first, &mut report.semantics);
    let run_of = Run {
        derived: &derived,
        view: &view,
        plan: Plan {
            values: driving.values,
            seed: driving.seed,
            retries: driving.retries,
            adaptive: driving.adaptive,
            fail_fast: driving.fail_fast,
            on_timeout: driving.on_timeout(),
            parallel: driving.parallel,
            pause: driving.pause,
            tempo,
            bounds: Bounds::default(),
            limits: WireLimits {
                body: driving.body_limit,
                connect: Duration::from_secs(5),
                // A response that is later than any verdict is of no use; connections are not kept for it.
                response: longest(suite, tempo),
            },
            roots: driving.roots.clone(),
        },
        codec: reached.codec,
        listeners: &reached.listeners,
        done,
        again,
        cancel: &settings.cancel,
        solver: &|| Box::new(settings.solver()),
        progress: &|what| settings.events.doing(what),
    };
    let driven = run(&run_of, files, Box::new(first), &workspace.terms, announce);
    report.interrupted = settings.is_cancelled();
    let (tests, notes) = outcome::tell(&run_of, driven.tests, &workspace.terms);
    report.semantics.notes.extend(notes);
    Some(Driving {
        tests,
        how: Box::new(how),
        broken: driven.broken,
    })
}

/// The model, and how its tests are derived or which tests of it are saved.
struct Asked {
    model: Request,
    testing: SymbolicTesting,
    /// The suite as it was saved, by itself or in a report, and its file.
    saved: Option<(String, SavedSymbolicSuite)>,
    /// The report whose tests are run again, and its file.
    before: Option<(String, SavedReport)>,
    tempo: Option<SavedTiming>,
}

fn asked(
    workspace: &Workspace<'_>,
    request: &Request,
    driving: &mut DriveRequest,
    report: &mut Report,
) -> Option<Asked> {
    if !request.path.ends_with(".json") {
        return Some(Asked {
            model: request.clone(),
            testing: SymbolicTesting {
                play_all: driving.mock_partners,
                ..driving.testing.clone()
            },
            saved: None,
            before: None,
            tempo: None,
        });
    }
    let text = match workspace.read(&request.path) {
        Ok(text) => text,
        Err(error) => {
            report
                .diagnostics
                .push(crate::diagnostics::unreadable::diagnostic(&error));
            return None;
        }
    };
    let inputs = &mut report.semantics.inputs;
    let of_suite = |saved: SavedSymbolicSuite| Asked {
        model: model_of(&saved),
        testing: testing_of(&saved),
        saved: Some((request.path.clone(), saved)),
        before: None,
        tempo: None,
    };
    if let Ok(before) = read_report(&text)
        && let Some(of) = &before.driving
    {
        inputs.insert(request.path.clone(), "report".to_owned());
        let tempo = restore_driving(of, driving);
        return Some(Asked {
            tempo: Some(tempo),
            before: Some((request.path.clone(), before.clone())),
            ..of_suite(of.suite.clone())
        });
    }
    match SavedSymbolicSuite::of_json(&text) {
        Ok(saved) => {
            inputs.insert(request.path.clone(), "suite".to_owned());
            let asked = of_suite(saved);
            Some(Asked {
                testing: SymbolicTesting {
                    play_all: driving.mock_partners,
                    ..asked.testing
                },
                ..asked
            })
        }
        Err(error) => {
            let reason = format!(
                "no suite of symbolic tests, and no report of `choros drive`: {}",
                error.reason
            );
            let finding = drive_mapping::diagnostic(&request.path, &reason);
            report.diagnostics.push(finding);
            None
        }
    }
}

/// How long a test can take: ticks and answers along the longest path, and some more for what may be waited on top.
fn longest(suite: &Suite, tempo: Timing) -> Duration {
    let steps = suite.paths.iter().map(|path| path.steps.len()).max();
    let steps = steps.unwrap_or(0) as u64 + 2;
    let step = tempo.unit + tempo.answer + 2 * tempo.tolerance;
    Duration::from_micros(steps.saturating_mul(step).min(LONG)) + Duration::from_secs(1)
}

/// Some 35 years in microseconds: who waits longer waits for ever, and moments beyond would not fit.
const LONG: u64 = 1 << 50;

/// How time passes: as the command line says, or else as in the run before, or else as usual.
fn tempo(driving: &DriveRequest, before: Option<SavedTiming>, reached: &Reached) -> Timing {
    let micros =
        |duration: Duration| u64::try_from(duration.as_micros()).map_or(LONG, |it| it.min(LONG));
    let usual = SavedTiming {
        tick: 0,
        tolerance: 200_000,
        answer: 10_000_000,
        quiet: 50_000,
    };
    let known = before.unwrap_or(usual);
    let tick = driving.tick.unwrap_or(Duration::from_secs(1));
    let tick = reached.tick.unwrap_or(tick).as_secs_f64() * driving.time_scale.unwrap_or(1.0);
    // A tick of nothing would let time stand still.
    let unit = Duration::try_from_secs_f64(tick.max(0.001)).unwrap_or(Duration::MAX);
    // Without a place to be called at, only answers to open calls can come, and those are waited for apart.
    let quiet = match reached.listeners.is_empty() {
        true => 0,
        false => driving.quiet.map_or(known.quiet, micros),
    };
    Timing {
        unit: match before {
            Some(before) if driving.tick.is_none() && driving.time_scale.is_none() => before.tick,
            _ => micros(unit),
        },
        tolerance: driving.tolerance.map_or(known.tolerance, micros),
        answer: driving.answer_within.map_or(known.answer, micros),
        quiet,
    }
}
