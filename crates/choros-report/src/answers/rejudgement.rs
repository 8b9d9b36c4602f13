//! Is a recorded conversation judged as it was?

use choros_data::Terms;
use choros_model::Observed;

use super::Present;
use crate::{Answer, Block, NamedResult, Report};

/// The answer of `replay` about a report of `drive`.
#[derive(Debug, Default)]
pub struct Rejudgement {
    /// The tests that were recorded, in order.
    pub tests: Vec<RejudgedTest>,
    /// What ended the work before all were judged.
    pub broken: Option<String>,
}

/// What is said now about a test that was recorded.
#[derive(Debug)]
pub struct RejudgedTest {
    /// What the suite calls the test.
    pub name: String,
    /// The verdict that it gets now.
    pub verdict: Observed,
    /// Whether that is the one it had, and why not.
    pub lines: Vec<String>,
}

impl Present for Rejudgement {
    const VERB: &'static str = "replay";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let tests = self.tests.into_iter().map(|it| NamedResult {
            name: it.name,
            answer: Some(Answer::observed(&it.verdict, terms)),
            blocks: it.lines.into_iter().map(Block::Line).collect(),
            ..NamedResult::default()
        });
        tests.collect()
    }

    fn show(mut self, terms: &Terms, report: &mut Report) {
        report.world_failed = self.broken.take();
        report.outcomes = self.outcomes(terms);
    }
}
