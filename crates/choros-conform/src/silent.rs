//! Where an implementation can get in silence (Figure 3.7 of Nguyen's thesis), with conditions and updates.
//!
//! A *silent situation* is a node together with the values of its free variables in terms of those at the start, and of
//! values that silent steps chose on the way.
//! Two ways that end in the same situation are one, with the disjunction of their conditions, so that interleavings
//! of hidden messages are not enumerated.
//! The conditions are the least solution of *c(situation) = ⋁ c(predecessor) ∧ guard*.
//! Without choices they all speak of the values at the start, so a way that goes round a cycle adds nothing, and as many
//! rounds as there are situations suffice.
//! With choices the solution is approached in `silent/chosen.rs`.

mod chosen;

use choros_data::{Term, Terms, Var};
use choros_model::stg::{FreeVariables, NodeId, Stg};
use rustc_hash::FxHashMap;

use crate::formula::{Substitution, plainly_false};
use crate::matching::{accepted, after};
use chosen::{Arrival, solve_chosen};

pub(crate) use chosen::Choices;

/// A place that can be reached in silence.
#[derive(Debug, Clone)]
pub(crate) struct Situation {
    pub(crate) node: NodeId,
    /// The values of its free variables, where they are not the same as at the start.
    pub(crate) values: Substitution,
    /// Variables that stand for chosen values, in `values` and in the condition.
    pub(crate) chosen: Vec<Var>,
    /// When it is reached; with chosen values, for which of them.
    pub(crate) condition: Term,
}

/// All of them, the start first.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    pub(crate) situations: Vec<Situation>,
    /// There are more than were examined: a silent loop that computes.
    pub(crate) cut: bool,
}

/// More situations than this are not examined.
const MAX_SITUATIONS: usize = 256;

/// Follows silent edges.
pub(crate) fn silent_reach(
    stg: &Stg,
    free: &FreeVariables,
    start: NodeId,
    choices: &mut Choices,
    terms: &mut Terms,
) -> Reach {
    let mut situations = vec![Situation {
        node: start,
        values: Substitution::default(),
        chosen: Vec::new(),
        condition: Term::TRUE,
    }];
    let mut known: FxHashMap<(NodeId, Vec<(Var, Term)>), usize> = FxHashMap::default();
    known.insert((start, Vec::new()), 0);
    // For each situation, how it is reached from others.
    let mut incoming: Vec<Vec<Arrival>> = vec![Vec::new()];
    let mut cut = false;
    let mut chooses = false;
    let mut next = 0;
    while next < situations.len() {
        let (node, values) = (situations[next].node, situations[next].values.clone());
        for (_, edge) in stg.outgoing(node) {
            if !edge.event.is_silent() {
                continue;
            }
            let guard = terms.substitute(edge.guard, &values);
            let mut guard = terms.simplify(guard);
            if plainly_false(terms, &[guard]) {
                continue;
            }
            let brought = choices.brought(&edge.event, terms);
            let current = after(edge, &values, &brought, terms);
            let mut kept = changed(&current, free, edge.target, terms);
            let mut arrival = Arrival {
                from: next,
                guard,
                renamed: Substitution::default(),
                lost: Vec::new(),
            };
            let mut chosen = Vec::new();
            if !brought.is_empty() || !situations[next].chosen.is_empty() {
                chooses = true;
                let accepted = accepted(edge, &values, &brought, terms);
                guard = terms.and([guard, accepted]);
                arrival.guard = guard;
                let mut there = situations[next].chosen.clone();
                there.extend(brought.iter().filter_map(|it| terms.as_variable(it.1)));
                chosen = choices.named_anew(&mut kept, &there, &mut arrival, terms);
            }
            let key = (edge.target, kept.clone());
            let index = match known.get(&key) {
                Some(&index) => index,
                None if situations.len() >= MAX_SITUATIONS => {
                    cut = true;
                    continue;
                }
                None => {
                    let index = situations.len();
                    known.insert(key, index);
                    situations.push(Situation {
                        node: edge.target,
                        values: kept.into_iter().collect(),
                        chosen,
                        condition: Term::FALSE,
                    });
                    incoming.push(Vec::new());
                    index
                }
            };
            incoming[index].push(arrival);
        }
        next += 1;
    }
    if chooses {
        cut |= !solve_chosen(&mut situations, &incoming, terms)
    } else {
        solve(&mut situations, &incoming, terms)
    }
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
    for variable in free.at(node) {
        if let Some(&value) = current.get(&variable)
            && terms.var(variable) != value
        {
            kept.push((variable, value));
        }
    }
    kept
}

fn solve(situations: &mut [Situation], incoming: &[Vec<Arrival>], terms: &mut Terms) {
    for _ in 0..situations.len() {
        let mut stable = true;
        for index in 1..situations.len() {
            let mut ways = Vec::with_capacity(incoming[index].len());
            for arrival in &incoming[index] {
                ways.push(terms.and([situations[arrival.from].condition, arrival.guard]));
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
