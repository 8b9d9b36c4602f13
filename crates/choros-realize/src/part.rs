//! The part of a role that remembers: the projection on it of the choreography's runs.
//!
//! The graph stays that of the choreography, with its guards, its updates and its data; what the role takes part in is
//! its half of the message, everything else is silent.
//! So a reception of `o.x` accepts the value of `x`, and not any value as in the natural projection: what the role knows
//! stays known, and what it does not know yet is one unknown value along the whole history.
//!
//! | choreography | sender | receiver | any other role |
//! |---|---|---|---|
//! | `[φ] o[a,b].x` | `[φ] o[a,b]!x` | `[φ] o[a,b]?(x)` | `[φ] τ` |
//! | `[φ] o[a,b].<x>` | `[φ] o[a,b]!<x>` | `[φ] o[a,b]?<x>` | `[φ] τ`, and `x` is unknown from here |
//!
//! What hidden messages bind becomes a parameter, or is chosen at the silent step where it may be bound again
//! ([`hide`]): a variable that is bound again is another unknown.
//! Where nothing was said about an unknown value before it is received, the reception binds it ([`learn`]).
//!
//! Silent steps without effect are then absorbed exactly: `L(r)` does not change.
//! A guard of a reception, or a value that it names, is what the role may assume of its partners and what partners that
//! keep the choreography guarantee; a guard of a sending is what the role guarantees.

use choros_base::Budget;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{
    Alphabet, Direction, Disturbance, Edge, Event, FieldValue, FreeVariables, Message, NodeId,
    Role, Stg, StgBuilder, hide,
};
use choros_smt::Solver;
use rustc_hash::FxHashSet;

use crate::projection::determinise::{Precision, determinise, disjunction};
use crate::projection::minimise::minimise;
use crate::reachability::contradiction::Oracle;
use crate::{AnalysisStop, Projection};

/// The part of a role in a graph of interactions without dead transitions.
pub fn part(
    stg: &Stg,
    role: Role,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Projection, AnalysisStop> {
    let unseen = unseen(stg, role);
    let stg = &without_other_halves(stg, role, terms);
    let halves = halves(stg, role, terms);
    let learnt = learn(&halves, &unseen, stg.parameters(terms), terms);
    let lean = without_idle_effects(&learnt, terms);
    let mut oracle = Oracle::new(solver);
    let determined = determinise(&lean, Precision::Exact, terms, &mut oracle, budget)?;
    let minimal = minimise(&determined, terms);
    let minimal = minimise(&side_by_side(&minimal, terms, &mut oracle)?, terms);
    let minimal = minimal.with_tick(stg.tick()).with_once(stg.once().to_vec());
    Ok(Projection::by_guards(role, minimal, terms))
}

/// Where both halves of a message are steps, the role does one of them, and the other settles the values; time passes
/// on its own clock only.
fn without_other_halves(stg: &Stg, role: Role, terms: &mut Terms) -> Stg {
    let own = |_: &mut Terms, edge: &Edge| {
        let event = match &edge.event {
            Event::Message(message) if is_other_half(message, role) => {
                Event::silent(edge.event.bound_variables().collect())
            }
            Event::TickOf(clock) if *clock != role => Event::Silent,
            Event::Disturbance(Disturbance::Noticed { by, .. }) if *by != role => Event::Silent,
            other => other.clone(),
        };
        Edge {
            event,
            ..edge.clone()
        }
    };
    stg.map(terms, own, |_, guard| guard)
}

fn is_other_half(message: &Message, role: Role) -> bool {
    match message.direction {
        Direction::Interaction => false,
        Direction::Send => message.from != role,
        Direction::Receive => message.to != role,
    }
}

/// Steps that differ in nothing but their guards are one step under either.
fn side_by_side(
    stg: &Stg,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Stg, AnalysisStop> {
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.nodes() {
        let new = builder.node(node.label.clone());
        for termination in &node.terminations {
            builder.terminate(terms, new, termination.guard, termination.origin);
        }
    }
    for node in stg.node_ids() {
        let mut joined: Vec<(Edge, Vec<Term>)> = Vec::new();
        for (_, edge) in stg.outgoing(node) {
            let like = joined.iter_mut().find(|(it, _)| {
                it.target == edge.target && it.event == edge.event && it.updates == edge.updates
            });
            match like {
                Some((_, guards)) => guards.push(edge.guard),
                None => joined.push((edge.clone(), vec![edge.guard])),
            }
        }
        for (edge, guards) in joined {
            let guard = disjunction(&guards, terms, oracle)?;
            builder.edge(terms, Edge { guard, ..edge });
        }
    }
    Ok(builder.finish_as_built(stg.initial()))
}

/// The role's half of every message; the others are silent.
fn halves(stg: &Stg, role: Role, terms: &mut Terms) -> Stg {
    let others: Alphabet = stg
        .messages()
        .filter(|message| message.from != role && message.to != role)
        .map(|message| (message.operation, message.from, message.to))
        .collect();
    let turn = |_: &mut Terms, edge: &Edge| {
        let mut edge = edge.clone();
        if let Event::Message(message) = &mut edge.event {
            message.direction = if message.from == role {
                Direction::Send
            } else {
                Direction::Receive
            };
        }
        edge
    };
    let halves = hide(stg, &others, terms).map(terms, turn, |_, guard| guard);
    halves.renamed(terms.names.text(role.0))
}

/// What messages bind that the role does not see.
fn unseen(stg: &Stg, role: Role) -> FxHashSet<Var> {
    let hidden = |message: &Message| {
        (message.from != role && message.to != role) || is_other_half(message, role)
    };
    stg.edges()
        .iter()
        .filter(|edge| edge.event.message().is_some_and(hidden))
        .flat_map(|edge| edge.event.bound_variables())
        .collect()
}

/// A value about which nothing was said before it is received is bound there: an unknown that may be anything, and that
/// is any value from now on, are the same.
fn learn(stg: &Stg, unseen: &FxHashSet<Var>, parameters: Vec<Var>, terms: &mut Terms) -> Stg {
    let spoken = spoken_of(stg, parameters, terms);
    stg.map(
        terms,
        |terms, edge| {
            let mut event = edge.event.clone();
            if let Event::Message(message) = &mut event
                && message.direction == Direction::Receive
            {
                let mut read: Vec<Var> = terms.free_variables(edge.guard).into_iter().collect();
                for term in edge.event.free_terms() {
                    read.extend(terms.free_variables(term));
                }
                for field in &mut message.fields {
                    let FieldValue::Free(term) = field.value else {
                        continue;
                    };
                    let Some(variable) = terms.as_variable(term) else {
                        continue;
                    };
                    let once = read.iter().filter(|&&it| it == variable).count() == 1;
                    let is_new = !spoken[edge.source.index()].contains(&variable);
                    if once && is_new && unseen.contains(&variable) {
                        field.value = FieldValue::Bind(variable);
                    }
                }
            }
            Edge {
                event,
                ..edge.clone()
            }
        },
        |_, guard| guard,
    )
}

/// For each node, the variables about which some way to it has said something since they were bound.
fn spoken_of(stg: &Stg, parameters: Vec<Var>, terms: &Terms) -> Vec<FxHashSet<Var>> {
    let mut spoken: Vec<FxHashSet<Var>> = vec![FxHashSet::default(); stg.nodes().len()];
    let start = stg.initial().index();
    spoken[start].extend(parameters);
    let mut seen = vec![false; spoken.len()];
    seen[start] = true;
    let mut work: Vec<NodeId> = vec![stg.initial()];
    while let Some(node) = work.pop() {
        for (_, edge) in stg.outgoing(node) {
            let mut after = spoken[node.index()].clone();
            after.extend(terms.free_variables(edge.guard));
            for term in edge.event.free_terms() {
                after.extend(terms.free_variables(term));
            }
            match &edge.event {
                Event::Choose(chosen) => after.retain(|it| !chosen.contains(it)),
                event => after.extend(event.bound_variables()),
            }
            for update in &edge.updates {
                after.extend(terms.free_variables(update.value));
                after.insert(update.variable);
            }
            let target = edge.target.index();
            let before = spoken[target].len();
            spoken[target].extend(after);
            if !std::mem::replace(&mut seen[target], true) || spoken[target].len() > before {
                work.push(edge.target);
            }
        }
    }
    spoken
}

/// The graph in which silent steps neither choose nor assign what nothing reads afterwards.
fn without_idle_effects(stg: &Stg, terms: &mut Terms) -> Stg {
    let free = FreeVariables::of(stg, terms);
    stg.map(
        terms,
        |terms, edge| {
            if !edge.event.is_silent() {
                return edge.clone();
            }
            let mut live: FxHashSet<Var> = FxHashSet::default();
            let is_live = |variable: Var, live: &FxHashSet<Var>| {
                live.contains(&variable) || free.contains(edge.target, variable)
            };
            let mut updates = Vec::new();
            for update in edge.updates.iter().rev() {
                if is_live(update.variable, &live) {
                    live.extend(terms.free_variables(update.value));
                    updates.push(*update);
                }
            }
            updates.reverse();
            let chosen = edge.event.bound_variables();
            let chosen = chosen.filter(|&it| is_live(it, &live)).collect();
            Edge {
                event: Event::silent(chosen),
                updates,
                ..edge.clone()
            }
        },
        |_, guard| guard,
    )
}
