//! Where an implementation can get in silence (Figure 3.7 of Nguyen's thesis), with conditions and updates.
//!
//! A *silent situation* is a node together with the values of its free variables in terms of those at the start.
//! Two ways that end in the same situation are one, with the disjunction of their conditions, so that interleavings
//! of hidden messages are not enumerated.
//! The conditions are the least solution of *c(situation) = ⋁ c(predecessor) ∧ guard*: they all speak of the values
//! at the start, so a way that goes round a cycle adds nothing, and as many rounds as there are situations suffice.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{Event, FreeVariables, NodeId, Stg};
use rustc_hash::FxHashMap;

use crate::formula::{Substitution, plainly_false};
use crate::matching::after;

/// A place that can be reached in silence.
#[derive(Debug, Clone)]
pub(crate) struct Situation {
    /// The node.
    pub(crate) node: NodeId,
    /// The values of its free variables, where they are not the same as at the start.
    pub(crate) values: Substitution,
    /// When it is reached.
    pub(crate) condition: Term,
}

/// All of them, the start first.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    pub(crate) situations: Vec<Situation>,
    /// There are more than were looked at: a silent loop that computes.
    pub(crate) cut: bool,
}

/// More situations than this are not looked at.
const MOST: usize = 256;

/// Follows silent edges.
pub(crate) fn silent_reach(
    stg: &Stg,
    free: &FreeVariables,
    start: NodeId,
    terms: &mut Terms,
) -> Reach {
    let mut situations = vec![Situation {
        node: start,
        values: Substitution::default(),
        condition: Term::TRUE,
    }];
    let mut known: FxHashMap<(NodeId, Vec<(Var, Term)>), usize> = FxHashMap::default();
    known.insert((start, Vec::new()), 0);
    // For each situation, the situations before it and the guards between.
    let mut incoming: Vec<Vec<(usize, Term)>> = vec![Vec::new()];
    let mut cut = false;
    let mut next = 0;
    while next < situations.len() {
        let (node, values) = (situations[next].node, situations[next].values.clone());
        for (_, edge) in stg.outgoing(node) {
            if edge.event != Event::Silent {
                continue;
            }
            let guard = terms.substitute(edge.guard, &values);
            let guard = terms.simplify(guard);
            if plainly_false(terms, &[guard]) {
                continue;
            }
            let current = after(edge, &values, &[], terms);
            let kept = changed(&current, free, edge.target, terms);
            let key = (edge.target, kept.clone());
            let index = match known.get(&key) {
                Some(&index) => index,
                None if situations.len() >= MOST => {
                    cut = true;
                    continue;
                }
                None => {
                    let index = situations.len();
                    known.insert(key, index);
                    situations.push(Situation {
                        node: edge.target,
                        values: kept.into_iter().collect(),
                        condition: Term::FALSE,
                    });
                    incoming.push(Vec::new());
                    index
                }
            };
            incoming[index].push((next, guard));
        }
        next += 1;
    }
    solve(&mut situations, &incoming, terms);
    Reach { situations, cut }
}

/// The values of variables that matter at a node and have changed, sorted.
fn changed(
    current: &Substitution,
    free: &FreeVariables,
    node: NodeId,
    terms: &mut Terms,
) -> Vec<(Var, Term)> {
    if current.is_empty() {
        return Vec::new();
    }
    let mut kept = Vec::new();
    for variable in free.at(node, terms) {
        if let Some(&value) = current.get(&variable)
            && terms.var(variable) != value
        {
            kept.push((variable, value));
        }
    }
    kept
}

fn solve(situations: &mut [Situation], incoming: &[Vec<(usize, Term)>], terms: &mut Terms) {
    for _ in 0..situations.len() {
        let mut stable = true;
        for index in 1..situations.len() {
            let mut ways = Vec::with_capacity(incoming[index].len());
            for &(from, guard) in &incoming[index] {
                ways.push(terms.and([situations[from].condition, guard]));
            }
            let condition = terms.or(ways);
            let condition = terms.simplify(condition);
            stable &= condition == situations[index].condition;
            situations[index].condition = condition;
        }
        if stable {
            return;
        }
    }
}
