//! One run as one chart, however many claims within claims it goes through.

use choros_model::Evidence;
use choros_model::evidence::Tree;

use crate::sequence::Chart;

/// The run along an explanation, with its claims as remarks where they are made, and the parts of the last claim if
/// there are several: each of them continues in its own way.
///
/// `None` where there are no steps to show.
pub(crate) fn run_chart(tree: &Tree) -> Option<(Chart, &[Tree])> {
    let mut chart = Chart {
        numbered: true,
        ..Chart::default()
    };
    let mut at = tree;
    let rest = loop {
        chart.add_note(&at.claim);
        match at.evidence.as_deref() {
            None => {}
            Some(Evidence::Trace(trace)) => {
                chart.add_run(trace);
                if !trace.conclusion.is_empty() {
                    chart.add_note(&trace.conclusion);
                }
            }
            // Such evidence has a form of its own.
            Some(_) => return None,
        }
        match &at.because[..] {
            [only] => at = only,
            rest => break rest,
        }
    };
    let has_steps = chart.rows.iter().any(|row| row.number.is_some());
    has_steps.then_some((chart, rest))
}
