//! What is run and how, and what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use choros_base::Choice;
use choros_model::stg::Role;
use choros_report::answers::DrivenTest;
use choros_report::{LiveMessage, NamedResult};
use choros_smt::Solver;
use choros_symex::DerivedTests;
use choros_symex::driver::{
    ConcreteMessage, SearchBounds, TestOutcome, TestVerdict, Timing, View, is_same_reason,
};

use crate::{Codec, FinishedTest, PartnerFault, WireLimits};

/// How tests are run.
#[derive(Debug, Clone)]
pub struct Plan {
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
    pub on_timeout: TestVerdict,
    /// This many tests at a time.
    pub parallel: usize,
    /// Each test in this many sessions at a time.
    pub sessions: usize,
    /// How long to wait between tests.
    pub pause: Duration,
    /// How time passes.
    pub tempo: Timing,
    /// How far the specification is searched.
    pub bounds: SearchBounds,
    /// What the transport puts up with.
    pub limits: WireLimits,
    /// A file of certificates that services are checked against, instead of the system's.
    pub roots: Option<PathBuf>,
    /// What partners do wrong, one after the other, once a test has passed.
    pub faults: Vec<PartnerFault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueChoice {
    /// Whatever the solver finds.
    Any,
    /// Small ones, and then large ones: the bounds that a path sets.
    Bounds,
    /// The same, and those at which one comparison of a guard decides.
    Edges,
    /// Different ones for each seed.
    Random,
}

impl Choice for ValueChoice {
    const CHOICES: &'static [(&'static str, ValueChoice, &'static str)] = &[
        ("any", ValueChoice::Any, "Whatever the solver finds"),
        (
            "bounds",
            ValueChoice::Bounds,
            "The smallest, then the largest that the path allows",
        ),
        (
            "edges",
            ValueChoice::Edges,
            "As `bounds`, and values on both sides of every comparison in a guard",
        ),
        (
            "random",
            ValueChoice::Random,
            "Random, different for each seed",
        ),
    ];
}

/// Everything that a run needs and does not change.
pub struct RunContext<'r> {
    /// The model.
    pub derived: &'r DerivedTests,
    /// Who is the service, and whom the tester plays.
    pub view: &'r View,
    /// How they are run.
    pub plan: Plan,
    /// How messages travel.
    pub codec: Box<dyn Codec>,
    /// Where roles are played that the service calls.
    pub listeners: &'r [(Role, String)],
    /// The tests that are done already.
    pub done: Vec<FinishedTest>,
    /// The tests that are run again, by number, and no others; none if all are run for the first time.
    pub again: Option<BTreeMap<usize, EarlierResult>>,
    /// Ends the run when it becomes true.
    pub cancel: &'r AtomicBool,
    /// Makes a solver for another thread.
    pub solver: &'r (dyn Fn() -> Box<dyn Solver> + Sync),
    /// Is told what is being done.
    pub progress: &'r (dyn Fn(String) + Sync),
    /// Is told what became of each test.
    pub answered: &'r (dyn Fn(NamedResult) + Sync),
    /// Is told of each message.
    pub seen: &'r (dyn Fn(LiveMessage) + Sync),
}

/// A test as it went before.
#[derive(Debug, Clone)]
pub struct EarlierResult {
    /// How it ended.
    pub verdict: TestVerdict,
    pub why: String,
    /// What the tester sent.
    pub sent: Vec<ConcreteMessage>,
}

impl EarlierResult {
    /// What it means that the test ends so this time.
    pub(crate) fn remark(&self, now: TestVerdict, why: &str) -> String {
        let is_same = is_same_reason(why, &self.why);
        match (self.verdict, now) {
            (TestVerdict::Fail, TestVerdict::Fail) if is_same => {
                "sent again: the failure is seen again".to_owned()
            }
            (TestVerdict::Fail, TestVerdict::Fail) => {
                format!("sent again: it fails otherwise than before: {}", self.why)
            }
            (TestVerdict::Fail, _) => {
                format!("sent again: the failure is not seen again: {}", self.why)
            }
            (before, now) if before == now => format!("sent again: {}, as before", now.word()),
            (before, _) => format!("sent again: before it was {}: {}", before.word(), self.why),
        }
    }
}

/// What became of a test.
#[derive(Debug, Clone)]
pub struct TestResult {
    /// Its name, its verdict, and what it took of the model.
    pub done: FinishedTest,
    /// The run that decided it; none if it was done before.
    pub outcome: Option<TestOutcome>,
    /// Remarks: that it was run again, that values are the smallest, what came late.
    pub remarks: Vec<String>,
    /// Messages that were exchanged, in all runs.
    pub messages: usize,
    /// What is said of it, in words: names of values are known to the worker that ran it and to no one else.
    pub told: Option<Box<DrivenTest>>,
}

/// What became of the tests.
#[derive(Debug, Default)]
pub struct DriveResults {
    /// By the number of the path.
    pub tests: BTreeMap<usize, TestResult>,
    /// What ended the run before all were run.
    pub broken: Option<String>,
}

impl DriveResults {
    pub(crate) fn broken(reason: String) -> DriveResults {
        DriveResults {
            tests: BTreeMap::new(),
            broken: Some(reason),
        }
    }
}
