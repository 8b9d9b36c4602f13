//! A shortest pair of runs that ends in a breach, and that some values allow.

use choros_data::Term;
use choros_model::stg::EdgeId;

use super::twin::Twin;
use crate::AnalysisStop;
use crate::feasible::shortest_run;
use crate::tools::Tools;

/// The first of the breaches that is found, with the edges that lead to it; `None` if none is found.
pub(super) fn shortest(
    twin: &Twin,
    breaches: &[usize],
    tools: &mut Tools<'_>,
) -> Result<Option<(usize, Vec<EdgeId>)>, AnalysisStop> {
    let node = |index: usize| twin.breaches()[index].node;
    let goals = breaches.iter().map(|&index| (node(index), Term::TRUE));
    let Some(run) = shortest_run(twin.stg(), &goals.collect(), tools)? else {
        return Ok(None);
    };
    // Of several breaches at one node the last is meant.
    let index = breaches.iter().rev().find(|&&index| node(index) == run.at);
    Ok(index.map(|&index| (index, run.edges)))
}
