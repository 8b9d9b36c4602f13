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
#[derive(Debug)]
pub struct TestRun {
    /// The name of the test.
    pub name: String,
    /// Whether every run succeeds; a *holds* says how many configurations were judged.
    pub verdict: Observed,
}

impl Present for ComplianceOfTests {
    const VERB: &'static str = "comply";

    fn outcomes(self, _: &Terms) -> Vec<Outcome> {
        let outcome = |test: TestRun| {
            let Sizes { stats, complete } = test.verdict.sizes();
            Outcome {
                name: test.name,
                sizes: Sizes {
                    stats: stats.with(Stat::Tests, 1),
                    complete,
                },
                answer: Some(test.verdict.into()),
                ..Outcome::default()
            }
        };
        self.tests.into_iter().map(outcome).collect()
    }
}
