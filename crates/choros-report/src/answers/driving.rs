//! Does the running service pass?

use choros_data::Terms;
use choros_model::Observed;

use super::Present;
use super::verdicts::sizes;
use crate::{Answer, Block, NamedResult, Plot, Report, SavedConversation, SavedDriving};

/// The answer of `drive`.
#[derive(Debug)]
pub struct Driving {
    /// The tests that were run, in order.
    pub tests: Vec<DrivenTest>,
    /// How they were run, for those who run them again.
    pub how: Box<SavedDriving>,
    /// What ended the run before all tests were run.
    pub broken: Option<String>,
}

/// What became of one test.
#[derive(Debug, Clone)]
pub struct DrivenTest {
    /// What the suite calls the test.
    pub name: String,
    /// Whether the service did what the model allows; a *holds* says how much was judged.
    pub verdict: Observed,
    /// Why, in a sentence.
    pub reason: String,
    /// What the model allowed instead, for a failure.
    pub allowed: Vec<String>,
    /// That it was run again, that values are the smallest, what came late.
    pub remarks: Vec<String>,
    /// What was said; none if the test was done in a run before.
    pub conversation: Option<Box<SavedConversation>>,
}

impl Present for Driving {
    const VERB: &'static str = "drive";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        self.tests.into_iter().map(|it| it.outcome(terms)).collect()
    }

    fn show(mut self, terms: &Terms, report: &mut Report) {
        report.driving = Some(self.how.clone());
        report.world_failed = self.broken.take();
        report.plot = plot(&self.tests).map(Box::new);
        report.outcomes = self.outcomes(terms);
    }
}

/// How many tests have passed and failed after each one.
fn plot(tests: &[DrivenTest]) -> Option<Plot> {
    let count = |is_meant: fn(&Observed) -> bool| {
        let mut sum = 0;
        let sums = (1..).zip(tests).map(move |(number, test)| {
            sum += u64::from(is_meant(&test.verdict));
            (number, sum)
        });
        sums.collect()
    };
    let curves = vec![
        (
            "pass",
            false,
            count(|it| matches!(it, Observed::Holds { .. })),
        ),
        (
            "fail",
            true,
            count(|it| matches!(it, Observed::Fails { .. })),
        ),
    ];
    Plot::of_verdicts("tests", "test", curves)
}

impl DrivenTest {
    /// How a report shows it.
    pub fn outcome(self, terms: &Terms) -> NamedResult {
        let mut lines = Vec::new();
        if let Observed::Fails { .. } = self.verdict {
            lines.push(self.reason);
            lines.extend(self.allowed.iter().map(|it| format!("allowed: {it}")));
        }
        lines.extend(self.remarks);
        NamedResult {
            name: self.name,
            sizes: sizes(&self.verdict),
            answer: Some(Answer::observed(&self.verdict, terms)),
            blocks: lines.into_iter().map(Block::Line).collect(),
            conversation: self.conversation,
            ..NamedResult::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driven(verdict: Observed) -> DrivenTest {
        DrivenTest {
            name: "test_1".to_owned(),
            verdict,
            reason: String::new(),
            allowed: Vec::new(),
            remarks: Vec::new(),
            conversation: None,
        }
    }

    #[test]
    fn failures_grow_test_by_test() {
        let fails = || driven(Observed::Fails { evidence: None });
        let unknown = || driven(Observed::unknown(String::new(), None));
        let tests = [unknown(), fails(), unknown(), fails(), fails()];
        let plot = plot(&tests).expect("five tests of which some fail");
        let counts: Vec<f64> = plot.curves[0].points.iter().map(|it| it.1).collect();
        assert_eq!(plot.curves.len(), 1, "no test passed");
        assert!(plot.curves[0].is_bad);
        assert_eq!(counts, [0.0, 1.0, 1.0, 2.0, 3.0]);
        assert!(super::plot(&tests[..4]).is_none());
    }
}
