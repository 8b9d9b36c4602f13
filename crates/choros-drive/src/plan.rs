//! What is run and how, and what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use choros_base::Choice;
use choros_model::stg::Role;
use choros_report::{LiveMessage, NamedResult};
use choros_smt::Solver;
use choros_symex::Derived;
use choros_symex::driver::{
    Bounds, ConcreteMessage, TestOutcome, TestVerdict, Timing, View, is_same_reason,
};

use crate::{Codec, Done, WireLimits};

/// How tests are run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How values are chosen.
    pub values: Values,
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
    /// How long to wait between tests.
    pub pause: Duration,
    /// How time passes.
    pub tempo: Timing,
    /// How far the specification is searched.
    pub bounds: Bounds,
    /// What the transport puts up with.
    pub limits: WireLimits,
    /// A file of certificates that services are checked against, instead of the system's.
    pub roots: Option<PathBuf>,
}

/// How values are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Whatever the solver finds.
    Any,
    /// Small ones, and then large ones: the bounds that a path sets.
    Bounds,
    /// The same, and those at which one comparison of a guard decides.
    Edges,
    /// Different ones for each seed.
    Random,
}

impl Choice for Values {
    const CHOICES: &'static [(&'static str, Values, &'static str)] = &[
        ("any", Values::Any, "Whatever the solver finds"),
        (
            "bounds",
            Values::Bounds,
            "The smallest, then the largest that the path allows",
        ),
        (
            "edges",
            Values::Edges,
            "As `bounds`, and values on both sides of every comparison in a guard",
        ),
        ("random", Values::Random, "Random, different for each seed"),
    ];
}

/// Everything that a run needs and does not change.
pub struct Run<'r> {
    /// The model.
    pub derived: &'r Derived,
    /// Who is the service, and whom the tester plays.
    pub view: &'r View,
    /// How they are run.
    pub plan: Plan,
    /// How messages travel.
    pub codec: Box<dyn Codec>,
    /// Where roles are played that the service calls.
    pub listeners: &'r [(Role, String)],
    /// The tests that are done already.
    pub done: Vec<Done>,
    /// The tests that are run again, by number, and no others; none if all are run for the first time.
    pub again: Option<BTreeMap<usize, Before>>,
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
pub struct Before {
    /// How it ended.
    pub verdict: TestVerdict,
    pub why: String,
    /// What the tester sent.
    pub sent: Vec<ConcreteMessage>,
}

impl Before {
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
pub struct Tested {
    /// Its name, its verdict, and what it took of the model.
    pub done: Done,
    /// The run that decided it; none if it was done before.
    pub outcome: Option<TestOutcome>,
    /// Remarks: that it was run again, that values are the smallest, what came late.
    pub remarks: Vec<String>,
    /// Messages that were exchanged, in all runs.
    pub messages: usize,
}

/// What became of the tests.
#[derive(Debug, Default)]
pub struct Driven {
    /// By the number of the path.
    pub tests: BTreeMap<usize, Tested>,
    /// What ended the run before all were run.
    pub broken: Option<String>,
}

impl Driven {
    pub(crate) fn broken(reason: String) -> Driven {
        Driven {
            tests: BTreeMap::new(),
            broken: Some(reason),
        }
    }
}
