//! Following counters: a graph in which a node is a node of the original and the constants that its variables hold.
//!
//! A loop `m := 0; while m < 300 { …; m := m + 1 }` is finite, but its equations are solved one round after the other,
//! each round with a larger formula.
//! Where a variable always holds a constant when a node is reached, as here, the node is split by that constant, and the
//! invariants of pairs (`equalities.rs`) then know it.
//! Guards that are false with these constants are cut; everything else stays as it is, so that a run of the unfolded
//! graph *is* a run of the original, and a relation between unfolded nodes is one between the originals, with the
//! constants as conditions.
//! Both are checked on the originals.

use choros_base::Budget;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, EdgeId, FreeVariables, NodeId, Stg, StgBuilder};
use rustc_hash::FxHashMap;

use crate::formula::Substitution;

/// An unfolded graph.
pub(crate) struct Unfolded {
    pub(crate) stg: Stg,
    /// What each node stands for.
    pub(crate) nodes: Vec<NodeId>,
    /// What each edge stands for.
    pub(crate) edges: Vec<EdgeId>,
}

/// Why a graph was not unfolded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooFar {
    /// It has more nodes than allowed then, or the budget is spent.
    Perhaps,
    /// The same, and constants alone decide none of its guards, so its counters continue forever.
    Endless,
}

/// Unfolds a graph into at most this many nodes.
pub(crate) fn unfold(
    stg: &Stg,
    most: usize,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Unfolded, TooFar> {
    let free = FreeVariables::of(stg, terms);
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    let mut ids: FxHashMap<Place, NodeId> = FxHashMap::default();
    let mut places: Vec<Place> = Vec::new();
    let mut edges = Vec::new();
    let start: Place = (stg.initial(), Vec::new());
    ids.insert(start.clone(), builder.node(label(stg, start.0)));
    places.push(start);
    let mut next = 0;
    let mut decides = false;
    while next < places.len() {
        if budget.spend().is_err() {
            return Err(TooFar::Perhaps);
        }
        let (source, (node, known)) = (NodeId(next as u32), places[next].clone());
        next += 1;
        let constants: Substitution = known.into_iter().collect();
        for termination in &stg.node(node).terminations {
            let guard = under(termination.guard, &constants, &mut decides, terms);
            if guard != Term::FALSE {
                builder.terminate(terms, source, termination.guard, termination.origin);
            }
        }
        for (id, edge) in stg.outgoing(node) {
            if under(edge.guard, &constants, &mut decides, terms) == Term::FALSE {
                continue;
            }
            let place = (edge.target, held(edge, &constants, &free, terms));
            let target = match ids.get(&place) {
                Some(&target) => target,
                None if places.len() >= most && decides => return Err(TooFar::Perhaps),
                None if places.len() >= most => return Err(TooFar::Endless),
                None => {
                    let target = builder.node(label(stg, edge.target));
                    ids.insert(place.clone(), target);
                    places.push(place);
                    target
                }
            };
            edges.push(id);
            builder.edge(
                terms,
                Edge {
                    source,
                    target,
                    ..edge.clone()
                },
            );
        }
    }
    Ok(Unfolded {
        stg: builder.finish_as_built(NodeId(0)),
        nodes: places.into_iter().map(|place| place.0).collect(),
        edges,
    })
}

/// A node and the constants that variables hold there, in the order of its free variables.
type Place = (NodeId, Vec<(Var, Term)>);

fn label(stg: &Stg, node: NodeId) -> String {
    stg.node(node).label.clone()
}

/// A guard with these constants; `decides` is set where nothing else is left to ask.
fn under(guard: Term, constants: &Substitution, decides: &mut bool, terms: &mut Terms) -> Term {
    let here = terms.substitute(guard, constants);
    let here = terms.simplify(here);
    let is_settled = |term: Term| term == Term::TRUE || term == Term::FALSE;
    *decides |= is_settled(here) && !is_settled(guard);
    here
}

/// The constants that the free variables of an edge's target hold after it.
fn held(
    edge: &Edge,
    before: &Substitution,
    free: &FreeVariables,
    terms: &mut Terms,
) -> Vec<(Var, Term)> {
    let mut after = before.clone();
    for variable in edge.event.bound_variables() {
        after.remove(&variable);
    }
    for update in &edge.updates {
        let value = terms.substitute(update.value, &after);
        let value = terms.simplify(value);
        if terms.value(value).is_some() {
            after.insert(update.variable, value)
        } else {
            after.remove(&update.variable)
        };
    }
    free.at(edge.target)
        .into_iter()
        .filter_map(|variable| Some((variable, *after.get(&variable)?)))
        .collect()
}
