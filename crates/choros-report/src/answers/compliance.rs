//! Does this machine pass the tests?

use choros_data::Terms;
use choros_model::Observed;

use super::Present;
use super::verdicts::sizes;
use crate::{Answer, NamedResult, Sizes, Stat};

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

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        self.tests.into_iter().map(|it| it.outcome(terms)).collect()
    }
}

impl TestRun {
    /// As it stands in a report.
    pub fn outcome(self, terms: &Terms) -> NamedResult {
        let Sizes { stats, complete } = sizes(&self.verdict);
        NamedResult {
            name: self.name,
            sizes: Sizes {
                stats: stats.with(Stat::Tests, 1),
                complete,
            },
            answer: Some(Answer::observed(&self.verdict, terms)),
            ..NamedResult::default()
        }
    }
}
