//! Does this machine pass the tests?

use choros_data::Terms;

use super::{Observed, Present};
use crate::{Outcome, Sizes, Stat};

/// The answer of `comply`.
#[derive(Debug, Default)]
pub struct ComplianceOfTests {
    /// The tests, in order.
    pub tests: Vec<TestRun>,
}

/// A machine in one test.
#[derive(Debug, Clone)]
pub struct TestRun {
    /// The name of the test.
    pub name: String,
    /// Whether every run succeeds; a *holds* says how many configurations were judged.
    pub verdict: Observed,
}

impl Present for ComplianceOfTests {
    const VERB: &'static str = "comply";

    fn outcomes(self, _: &Terms) -> Vec<Outcome> {
        self.tests.into_iter().map(TestRun::outcome).collect()
    }
}

impl TestRun {
    /// As it stands in a report.
    pub fn outcome(self) -> Outcome {
        let Sizes { stats, complete } = self.verdict.sizes();
        Outcome {
            name: self.name,
            sizes: Sizes {
                stats: stats.with(Stat::Tests, 1),
                complete,
            },
            answer: Some(self.verdict.into()),
            ..Outcome::default()
        }
    }
}
