//! A run of the roles that shows messages in an order which the choreography does not have.
//!
//! Only steps of the composition that no condition guards are followed, so every such run is real; and every step of the
//! choreography, whatever its condition, so what it cannot do it cannot do for any data.
//! Ticks and receptions that are in view for the comparison only are hidden on both sides.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::rc::Rc;

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
type Pair = (NodeId, Places);

/// A shortest run that is not one of the choreography, with what is wrong.
pub(super) fn excess(
    composition: &Composition,
    choreography: &Stg,
    budget: &Budget,
    terms: &Terms,
) -> Option<(String, Evidence)> {
    let stg = &composition.stg;
    let shown_at = |stg: &Stg| -> Vec<Option<Kind>> {
        let edges = stg.edges().iter();
        edges.map(|edge| seen(edge, terms)).collect()
    };
    let kinds = shown_at(stg);
    let mut walk = Walk::of(choreography, shown_at(choreography));
    let first: Pair = (stg.initial(), walk.closed(vec![choreography.initial()]));
    let mut came: FxHashMap<Pair, Option<(Pair, EdgeId)>> = FxHashMap::default();
    came.insert(first, None);
    let mut work = VecDeque::from([first]);
    while let Some(pair) = work.pop_front() {
        budget.spend().ok()?;
        for (id, edge) in stg.outgoing(pair.0) {
            if edge.guard != Term::TRUE {
                continue;
            }
            let after = match kinds[id.index()] {
                None => Some(pair.1),
                Some(kind) => walk.after(pair.1, kind),
            };
            let Some(after) = after else {
                return Some(shown(composition, &came, &pair, id, terms));
            };
            let next = (edge.target, after);
            if let Entry::Vacant(new) = came.entry(next) {
                new.insert(Some((pair, id)));
                work.push_back(next);
            }
        }
    }
    None
}

/// What everyone sees of a step.
fn seen(edge: &Edge, terms: &Terms) -> Option<Kind> {
    let message = edge.event.message()?;
    (!is_ghost(&edge.event, terms)).then_some((message.operation, message.from, message.to))
}

/// A number for a set of places in the choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Places(u32);

/// Where the choreography may be after what was seen: many runs lead to few sets of places, so they are numbered.
struct Walk<'c> {
    choreography: &'c Stg,
    kinds: Vec<Option<Kind>>,
    sets: Vec<Rc<[NodeId]>>,
    numbers: FxHashMap<Rc<[NodeId]>, Places>,
    after: FxHashMap<(Places, Kind), Option<Places>>,
    /// When each node was reached last.
    reached: Vec<u32>,
    round: u32,
}

impl<'c> Walk<'c> {
    fn of(choreography: &'c Stg, kinds: Vec<Option<Kind>>) -> Walk<'c> {
        Walk {
            choreography,
            kinds,
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            after: FxHashMap::default(),
            reached: vec![0; choreography.nodes().len()],
            round: 0,
        }
    }

    /// The places after a message; none if it is not possible.
    fn after(&mut self, places: Places, kind: Kind) -> Option<Places> {
        if let Some(&known) = self.after.get(&(places, kind)) {
            return known;
        }
        let mut targets = Vec::new();
        for &node in self.sets[places.0 as usize].iter() {
            for (id, step) in self.choreography.outgoing(node) {
                if self.kinds[id.index()] == Some(kind) {
                    targets.push(step.target);
                }
            }
        }
        let after = (!targets.is_empty()).then(|| self.closed(targets));
        self.after.insert((places, kind), after);
        after
    }

    /// These places and those that nothing which is seen leads to.
    fn closed(&mut self, mut work: Vec<NodeId>) -> Places {
        self.round += 1;
        let mut all = Vec::new();
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut self.reached[node.index()], self.round) == self.round {
                continue;
            }
            all.push(node);
            for (id, edge) in self.choreography.outgoing(node) {
                if self.kinds[id.index()].is_none() {
                    work.push(edge.target);
                }
            }
        }
        all.sort_unstable();
        let all: Rc<[NodeId]> = all.into();
        let next = Places(self.sets.len() as u32);
        let number = *self.numbers.entry(all.clone()).or_insert(next);
        if number == next {
            self.sets.push(all);
        }
        number
    }
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
