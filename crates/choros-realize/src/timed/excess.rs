//! A run of the roles that shows messages in an order which the choreography does not have.
//!
//! Only steps of the composition that no condition guards are followed, so every such run is real; and every step of the
//! choreography, whatever its condition, so what it cannot do it cannot do for any data.
//! Ticks and receptions that are in view for the comparison only are hidden on both sides.

use std::collections::VecDeque;

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::Evidence;
use choros_model::evidence::Trace;
use choros_model::stg::{Edge, EdgeId, NodeId, Stg};
use rustc_hash::FxHashMap;

use super::spec::{Kind, is_ghost};
use crate::composition::Composition;
use crate::stranded::steps;

/// Where the roles stand, and where the choreography may.
type Pair = (NodeId, Vec<NodeId>);

/// A shortest run that is not one of the choreography, with what is wrong.
pub(super) fn excess(
    composition: &Composition,
    choreography: &Stg,
    budget: &Budget,
    terms: &Terms,
) -> Option<(String, Evidence)> {
    let stg = &composition.stg;
    let seen = |edge: &Edge| -> Option<Kind> {
        let message = edge.event.message()?;
        (!is_ghost(&edge.event, terms)).then_some((message.operation, message.from, message.to))
    };
    let closed = |start: Vec<NodeId>| -> Vec<NodeId> {
        let mut all = start;
        let mut next = 0;
        while next < all.len() {
            for (_, edge) in choreography.outgoing(all[next]) {
                if seen(edge).is_none() && !all.contains(&edge.target) {
                    all.push(edge.target);
                }
            }
            next += 1;
        }
        all.sort_unstable();
        all
    };
    let first: Pair = (stg.initial(), closed(vec![choreography.initial()]));
    let mut came: FxHashMap<Pair, Option<(Pair, EdgeId)>> = FxHashMap::default();
    came.insert(first.clone(), None);
    let mut work = VecDeque::from([first]);
    while let Some(pair) = work.pop_front() {
        budget.spend().ok()?;
        for (id, edge) in stg.outgoing(pair.0) {
            if edge.guard != Term::TRUE {
                continue;
            }
            let after = match seen(edge) {
                None => pair.1.clone(),
                Some(kind) => {
                    let mut after: Vec<NodeId> = Vec::new();
                    for &node in &pair.1 {
                        for (_, step) in choreography.outgoing(node) {
                            if seen(step) == Some(kind) && !after.contains(&step.target) {
                                after.push(step.target);
                            }
                        }
                    }
                    if after.is_empty() {
                        return Some(shown(composition, &came, &pair, id, terms));
                    }
                    closed(after)
                }
            };
            let next = (edge.target, after);
            if !came.contains_key(&next) {
                came.insert(next.clone(), Some((pair.clone(), id)));
                work.push_back(next);
            }
        }
    }
    None
}

fn shown(
    composition: &Composition,
    came: &FxHashMap<Pair, Option<(Pair, EdgeId)>>,
    pair: &Pair,
    last: EdgeId,
    terms: &Terms,
) -> (String, Evidence) {
    let mut edges = vec![last];
    let mut at = pair;
    while let Some(Some((before, id))) = came.get(at) {
        edges.push(*id);
        at = before;
    }
    edges.reverse();
    let steps = steps(composition, &composition.stg, &edges, terms);
    let event = composition.stg.edge(last).event.shown(terms);
    let reason = format!(
        "run together, the roles do what the choreography does not say: `{event}` cannot come there"
    );
    let trace = Trace {
        steps,
        conclusion: format!("`{event}` is not possible here in the choreography"),
        ..Trace::default()
    };
    (reason, Evidence::Trace(trace))
}
