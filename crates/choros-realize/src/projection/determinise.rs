//! Silent steps out of a role's behaviour, so that it never has to guess one (section 3.4: weak determinisation).
//!
//! The subset construction, with conditions: a state is a set of places where the role may stand, each with the
//! condition on the role's own data under which it stands there.
//!
//! - A silent step `s –[φ]τ→ s'` adds the place `s'` under the condition of `s` and `φ`; two ways to one place are
//!   one place under *or*.
//! - Steps with the same event whose conditions may hold together become one step to all their targets, each under
//!   its own condition while the step leaves the variables of it alone; steps whose conditions exclude each other stay
//!   apart, because the role's data tell them apart.
//! - A state may terminate if one of its places may.
//!
//! A guarded silent step is thereby moved into the guards of what follows: `[x <= 0]τ; √` becomes `√` under `x <= 0`.
//! A silent step that chooses or assigns values stays, as a step like others.
//!
//! The natural projection may forget a condition that a step overwrites, because a receiver takes everything.
//! The part of a role may not: there such steps stay apart ([`Precision`]).

use std::collections::BTreeMap;

use choros_base::Budget;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, Event, NodeId, Stg, StgBuilder, Update};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Stopped;
use crate::reachability::contradiction::{Oracle, Together};

/// A place may be reached by this many different conditions before it counts as reached under any.
const MAX_CONDITIONS: u32 = 16;

/// A graph that has to stay exact may grow by so much.
const MAX_GROWTH: usize = 8;

/// Places in the order of nodes, with their conditions.
type Places = Vec<(NodeId, Term)>;

/// What becomes of a condition that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// It is forgotten: the result may do more than the graph.
    Forgetful,
    /// Steps under different conditions stay apart, and a graph with too many conditions stays as it is: the result
    /// has the same runs as the graph.
    Exact,
}

/// The graph without silent steps; its nodes are labelled 1, 2, … breadth-first.
pub(crate) fn determinise(
    stg: &Stg,
    precision: Precision,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    budget: &Budget,
) -> Result<Stg, Stopped> {
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    let mut states: Vec<Places> = Vec::new();
    let mut numbers: FxHashMap<Places, NodeId> = FxHashMap::default();
    let first = vec![(stg.initial(), Term::TRUE)];
    let Some(start) = close(stg, first, precision, terms, oracle)? else {
        return Ok(stg.clone());
    };
    let initial = state(start, &mut states, &mut numbers, &mut builder);
    let mut next = 0;
    while next < states.len() {
        budget.spend()?;
        // The graph as it is has the same runs, and is smaller.
        if precision == Precision::Exact && states.len() > MAX_GROWTH * stg.nodes().len() {
            return Ok(stg.clone());
        }
        let (source, places) = (NodeId(next as u32), states[next].clone());
        next += 1;
        let mut ends = Vec::new();
        for &(node, condition) in &places {
            for termination in &stg.node(node).terminations {
                ends.push(terms.and([condition, termination.guard]));
            }
        }
        let end = disjunction(&ends, terms, oracle)?;
        if end != Term::FALSE {
            builder.terminate(terms, source, end, None);
        }
        let groups = steps(stg, &places, terms, oracle)?;
        let groups: Vec<Vec<VisibleStep<'_>>> = match precision {
            Precision::Forgetful => groups,
            Precision::Exact => groups
                .into_iter()
                .flat_map(|group| apart(group, terms))
                .collect(),
        };
        for group in groups {
            let guards: Vec<Term> = group.iter().map(|step| step.guard).collect();
            let guard = disjunction(&guards, terms, oracle)?;
            let one = guards.iter().all(|&other| other == guards[0]);
            let targets = group
                .iter()
                .map(|step| {
                    let kept = !one && keeps(step.edge, step.guard, terms);
                    (step.edge.target, if kept { step.guard } else { Term::TRUE })
                })
                .collect();
            let Some(targets) = close(stg, targets, precision, terms, oracle)? else {
                return Ok(stg.clone());
            };
            let target = state(targets, &mut states, &mut numbers, &mut builder);
            let first = group[0].edge;
            let edge = Edge {
                source,
                target,
                guard,
                event: first.event.clone(),
                updates: first.updates.clone(),
                origin: first.origin,
            };
            builder.edge(terms, edge);
        }
    }
    Ok(builder.finish_as_built(initial))
}

/// The number of a state, which is added if it is new.
fn state(
    places: Places,
    states: &mut Vec<Places>,
    numbers: &mut FxHashMap<Places, NodeId>,
    builder: &mut StgBuilder,
) -> NodeId {
    if let Some(&known) = numbers.get(&places) {
        return known;
    }
    let node = builder.node((states.len() + 1).to_string());
    numbers.insert(places.clone(), node);
    states.push(places);
    node
}

/// Whether a step does nothing but continue.
fn is_absorbed(edge: &Edge) -> bool {
    edge.event == Event::Silent && edge.updates.is_empty()
}

/// The places and all that silent steps lead to; `None` where a place is reached by too many conditions.
fn close(
    stg: &Stg,
    places: Places,
    precision: Precision,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Option<Places>, Stopped> {
    let mut reached: BTreeMap<NodeId, (Term, u32)> = BTreeMap::new();
    let mut work = places;
    while let Some((node, condition)) = work.pop() {
        let condition = match reached.get(&node) {
            None => condition,
            Some(&(Term::TRUE, _)) => continue,
            Some(&(known, changes)) if changes < MAX_CONDITIONS => {
                let either = disjunction(&[known, condition], terms, oracle)?;
                if either == known {
                    continue;
                }
                either
            }
            Some(_) if precision == Precision::Exact => return Ok(None),
            Some(_) => Term::TRUE,
        };
        let changes = reached.get(&node).map_or(0, |&(_, changes)| changes + 1);
        reached.insert(node, (condition, changes));
        for (_, edge) in stg.outgoing(node) {
            if is_absorbed(edge) {
                let both = terms.and([condition, edge.guard]);
                if possible(both, terms, oracle)? {
                    work.push((edge.target, both));
                }
            }
        }
    }
    let places = reached.into_iter();
    let places = places.map(|(node, (condition, _))| (node, condition));
    Ok(Some(places.collect()))
}

/// A visible step from one of the places.
struct VisibleStep<'a> {
    guard: Term,
    edge: &'a Edge,
}

/// The visible steps, in groups that become one step each.
fn steps<'a>(
    stg: &'a Stg,
    places: &Places,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Vec<Vec<VisibleStep<'a>>>, Stopped> {
    let mut groups: Vec<Vec<VisibleStep<'a>>> = Vec::new();
    let mut by_event: FxHashMap<(&Event, &[Update]), Vec<usize>> = FxHashMap::default();
    for &(node, condition) in places {
        for (_, edge) in stg.outgoing(node) {
            if is_absorbed(edge) {
                continue;
            }
            let guard = terms.and([condition, edge.guard]);
            if !possible(guard, terms, oracle)? {
                continue;
            }
            let known = by_event.entry((&edge.event, &edge.updates)).or_default();
            // All groups that may happen for the same data become one with the new step.
            let mut meets = Vec::new();
            for &index in known.iter() {
                for step in &groups[index] {
                    let both = terms.and([guard, step.guard]);
                    if step.guard == guard || possible(both, terms, oracle)? {
                        meets.push(index);
                        break;
                    }
                }
            }
            let step = VisibleStep { guard, edge };
            match meets.split_first() {
                None => {
                    known.push(groups.len());
                    groups.push(vec![step]);
                }
                Some((&first, others)) => {
                    for &other in others {
                        let moved = std::mem::take(&mut groups[other]);
                        groups[first].extend(moved);
                    }
                    known.retain(|index| !others.contains(index));
                    groups[first].push(step);
                }
            }
        }
    }
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

/// The steps of a group by their conditions, where these differ and one of them would be lost.
fn apart<'a>(group: Vec<VisibleStep<'a>>, terms: &Terms) -> Vec<Vec<VisibleStep<'a>>> {
    let one = group.iter().all(|step| step.guard == group[0].guard);
    if one || group.iter().all(|step| keeps(step.edge, step.guard, terms)) {
        return vec![group];
    }
    let mut parts: Vec<Vec<VisibleStep<'a>>> = Vec::new();
    for step in group {
        match parts.iter_mut().find(|part| part[0].guard == step.guard) {
            Some(part) => part.push(step),
            None => parts.push(vec![step]),
        }
    }
    parts
}

/// Whether a step leaves the variables of a condition alone.
fn keeps(edge: &Edge, condition: Term, terms: &Terms) -> bool {
    let written: FxHashSet<Var> = edge
        .event
        .bound_variables()
        .chain(edge.updates.iter().map(|update| update.variable))
        .collect();
    !terms
        .free_variables(condition)
        .iter()
        .any(|variable| written.contains(variable))
}

/// Whether a condition may hold; what is not decided may.
fn possible(condition: Term, terms: &mut Terms, oracle: &mut Oracle<'_>) -> Result<bool, Stopped> {
    Ok(condition == Term::TRUE || oracle.together(terms, &[condition])? != Together::Impossible)
}

/// Conditions joined by *or*: *true* if that always holds.
pub(crate) fn disjunction(
    conditions: &[Term],
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Term, Stopped> {
    let whole = terms.or(conditions.iter().copied());
    if whole == Term::TRUE || conditions.len() < 2 {
        return Ok(whole);
    }
    let never = terms.not(whole);
    Ok(match oracle.together(terms, &[never])? {
        Together::Impossible => Term::TRUE,
        _ => whole,
    })
}
