//! What each role has to do (Definition 6 and Table 3.3 of Nguyen's thesis).
//!
//! | choreography | sender `a` | receiver `b` | any other role |
//! |---|---|---|---|
//! | `s –[φ] o[a,b].x→ s'` | `s –[φ] o[a,b]!x→ s'` | `s – o[a,b]?<x>→ s'` | `s –τ→ s'` |
//! | `s –[φ] o[a,b].<x>→ s'` | `s –[φ] o[a,b]!<x>→ s'` | `s – o[a,b]?<x>→ s'` | `s –τ→ s'` |
//! | `s –[φ] o[a,b]!x→ s'`, where it is received later | `s –[φ] o[a,b]!x→ s'` | `s –τ→ s'` | `s –τ→ s'` |
//! | `s – o[a,b]?x→ s'`, where it was sent before | `s –τ→ s'` | `s – o[a,b]?<x>→ s'` | `s –τ→ s'` |
//! | `s –[φ] χr→ s'` | at `r`: `s –[φ if it decides] χr→ s'` | the same | `s –τ→ s'` |
//! | `s` may terminate under `φ` | under what it knows of `φ` ([`as_known`]) | the same | the same |
//!
//! The guard also stays at a role that *decides by data*: where guards that differ exclude each other, at a role that
//! knows their variables and whose first event is not a reception on every branch.
//! A role that *decides by event* needs no guard, because what it receives tells it the branch.
//!
//! Every role remembers what it knows of the guards that it does not keep: it takes any message, but does not wait for
//! one that cannot come for all it knows.
//!
//! Then the silent steps go ([`determinise`]) and what behaves alike becomes one state ([`minimise`]).

mod alike;
pub(crate) mod determinise;
pub(crate) mod minimise;
mod steps;
mod webs;

use choros_base::Budget;
use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{
    Direction, Disturbance, Edge, Event, Field, FieldValue, Message, NodeId, Role, Stg, StgBuilder,
    Update,
};
use choros_smt::Solver;
use rustc_hash::{FxHashMap, FxHashSet};

use self::determinise::{Precision, determinise_expecting};
use self::minimise::{minimise, minimise_knowing};
use crate::as_known::as_known;
use crate::branching::branchings;
use crate::knowledge::Knowledge;
use crate::offered::offered;
use crate::outlook::Outlook;
use crate::reachability::contradiction::Oracle;
use crate::roles::Roles;
use crate::{AnalysisStop, Mode};

/// What one role has to do.
#[derive(Debug, Clone)]
pub struct Projection {
    pub role: Role,
    /// Its behaviour, without silent steps; the graph has the role's name.
    pub stg: Stg,
    /// For each node, what the role can say there by what it knows.
    pub foresights: Vec<Foresight>,
}

/// What a role can say of what is to come, by what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Foresight {
    /// When all may be over.
    pub ends: Term,
    /// When a message may come; the role takes any message all the same.
    pub listens: Term,
}

impl Foresight {
    /// For each node, of a role that knows no more than its guards.
    pub(crate) fn by_guards(stg: &Stg, terms: &mut Terms) -> Vec<Foresight> {
        let nodes = stg.node_ids();
        let foresights = nodes.map(|node| Foresight {
            ends: stg.termination(node, terms),
            listens: offered(stg, node, Direction::Receive, terms),
        });
        foresights.collect()
    }
}

impl Projection {
    /// A role that expects what its guards allow.
    pub(crate) fn by_guards(role: Role, stg: Stg, terms: &mut Terms) -> Projection {
        Projection {
            role,
            foresights: Foresight::by_guards(&stg, terms),
            stg,
        }
    }

    /// The role as people look at it: states that differ only in what it knows of what comes are one.
    pub fn at_a_glance(&self, terms: &mut Terms) -> Projection {
        let smallest = minimise(&self.stg, terms);
        Projection::by_guards(self.role, smallest, terms)
    }
}

/// Projects a graph of interactions without dead transitions on each of its roles, in the order of first occurrence.
pub fn project(
    stg: &Stg,
    mode: Mode,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Vec<Projection>, AnalysisStop> {
    let mut oracle = Oracle::new(solver);
    let roles = Roles::of(stg);
    let (branchings, _) = branchings(stg, &[], mode, &roles, terms, &mut oracle)?;
    let mut by_data: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, branching) in branchings.iter().enumerate() {
        if branching.conditional {
            by_data.extend(branching.branches.iter().map(|branch| (branch.0, number)));
        }
    }
    let knowledge = Knowledge::of(stg, &roles, terms);
    let outlook = Outlook::of(stg, &roles);
    let carriers = carriers(stg, terms);
    let mut projections = Vec::new();
    let tick = stg.tick();
    let once = stg.once().to_vec();
    for &role in roles.all() {
        let knows_all = |node: NodeId, guard: Term, terms: &Terms| {
            terms
                .free_variables(guard)
                .into_iter()
                .all(|variable| knowledge.knows(node, role, variable, &roles))
        };
        let decides_by_data = |index: usize, edge: &Edge, terms: &Terms| {
            by_data.get(&(index as u32)).is_some_and(|&number| {
                let branches = &branchings[number].branches;
                let by_event = branches
                    .iter()
                    .all(|&branch| outlook.starts_with_reception(stg.edge(branch), role, &roles));
                !by_event && knows_all(edge.source, edge.guard, terms)
            })
        };
        let mut local = StgBuilder::new(terms.names.text(role.0), stg.ending());
        // Steps of others that look alike to the role become one edge.
        let mut known: FxHashMap<Alike, Vec<Term>> = FxHashMap::default();
        for node in stg.node_ids() {
            let new = local.node(stg.node(node).label.clone());
            for termination in &stg.node(node).terminations {
                let is_known = |variable| knowledge.knows(node, role, variable, &roles);
                let guard = as_known(termination.guard, &is_known, terms);
                local.terminate(terms, new, guard, termination.origin);
            }
        }
        for (index, edge) in stg.edges().iter().enumerate() {
            budget.spend()?;
            let side = match &edge.event {
                Event::Message(message) => {
                    half(message, role, &carriers[index]).map(Event::Message)
                }
                // A role knows its own clock and no other.
                Event::TickOf(clock) if *clock == role => Some(edge.event.clone()),
                Event::Disturbance(Disturbance::Noticed { by, .. }) if *by == role => {
                    Some(edge.event.clone())
                }
                _ => None,
            };
            let sends = matches!(
                &side,
                Some(Event::Message(message)) if message.direction == Direction::Send
            );
            let is_known = |variable| knowledge.knows(edge.source, role, variable, &roles);
            let expected = as_known(edge.guard, &is_known, terms);
            let guard = if sends || decides_by_data(index, edge, terms) {
                edge.guard
            } else {
                Term::TRUE
            };
            // An update is carried out by those who take part and know what it reads.
            let mut updates: Vec<Update> = Vec::new();
            if side.is_some() {
                let mut written: FxHashSet<Var> = edge.event.bound_variables().collect();
                // What is received is known as well, under the name it is kept in.
                if !sends {
                    written.extend(carriers[index].iter().flatten().copied());
                }
                for update in &edge.updates {
                    let read = terms.free_variables(update.value);
                    let known = |&variable: &Var| {
                        written.contains(&variable)
                            || knowledge.knows(edge.source, role, variable, &roles)
                    };
                    if read.iter().all(known) {
                        written.insert(update.variable);
                        updates.push(*update);
                    }
                }
            }
            let edge = Edge {
                source: edge.source,
                target: edge.target,
                guard,
                event: side.unwrap_or(Event::Silent),
                updates,
                origin: edge.origin,
            };
            let guard = local.edge(terms, edge.clone());
            let alike = (edge.source, edge.target, guard, edge.event, edge.updates);
            known.entry(alike).or_default().push(expected);
        }
        let natural = local.finish_as_built(stg.initial());
        let mut expected = Vec::with_capacity(natural.edges().len());
        for edge in natural.edges() {
            let (event, updates) = (edge.event.clone(), edge.updates.clone());
            let alike = (edge.source, edge.target, edge.guard, event, updates);
            expected.push(terms.or(known[&alike].iter().copied()));
        }
        let precision = Precision::Forgetful;
        let determined =
            determinise_expecting(&natural, &expected, precision, terms, &mut oracle, budget)?;
        let (stg, foresights) = minimise_knowing(&determined.stg, &determined.foresights, terms);
        projections.push(Projection {
            role,
            stg: stg.with_tick(tick).with_once(once.clone()),
            foresights,
        });
    }
    Ok(projections)
}

/// What edges have in common that are one to a role.
type Alike = (NodeId, NodeId, Term, Event, Vec<Update>);

/// A role's half of an interaction; `None` for a role that takes no part.
fn half(message: &Message, role: Role, carriers: &[Option<Var>]) -> Option<Message> {
    // In a split choreography the two halves are steps of their own.
    let other = match message.direction {
        Direction::Interaction => None,
        Direction::Send => Some(message.to),
        Direction::Receive => Some(message.from),
    };
    if other == Some(role) {
        return None;
    }
    if role == message.from {
        return Some(Message {
            direction: Direction::Send,
            ..message.clone()
        });
    }
    if role != message.to {
        return None;
    }
    let fields = message
        .fields
        .iter()
        .zip(carriers)
        .map(|(field, carrier)| Field {
            label: field.label,
            value: carrier.map_or(field.value, FieldValue::Bind),
        })
        .collect();
    Some(Message {
        direction: Direction::Receive,
        fields,
        ..message.clone()
    })
}

/// For each field of each edge, the variable in which the receiver keeps what it gets.
///
/// A variable that is passed on is known under its name; the value of any other term gets a name of its own.
fn carriers(stg: &Stg, terms: &mut Terms) -> Vec<Vec<Option<Var>>> {
    let mut used: FxHashSet<String> = stg
        .variables(terms)
        .into_iter()
        .map(|variable| terms.variable_text(variable).to_owned())
        .collect();
    let mut made: FxHashMap<(String, Sort), Var> = FxHashMap::default();
    let mut all = Vec::with_capacity(stg.edges().len());
    for edge in stg.edges() {
        let fields = edge
            .event
            .message()
            .map(|message| (message.operation, message.fields.clone()));
        let Some((operation, fields)) = fields else {
            all.push(Vec::new());
            continue;
        };
        let mut carriers = Vec::with_capacity(fields.len());
        for (position, field) in fields.iter().enumerate() {
            carriers.push(Some(match field.value {
                FieldValue::Bind(variable) => variable,
                FieldValue::Free(term) => match terms.as_variable(term) {
                    Some(variable) => variable,
                    None => {
                        let what = field.label.map_or_else(
                            || (position + 1).to_string(),
                            |label| terms.names.text(label).to_owned(),
                        );
                        let base = format!("{}_{what}", terms.names.text(operation.0));
                        let sort = terms.sort_of(term);
                        match made.get(&(base.clone(), sort)) {
                            Some(&variable) => variable,
                            None => {
                                let mut name = base.clone();
                                while !used.insert(name.clone()) {
                                    name.push('_');
                                }
                                let name = terms.names.intern(&name);
                                let variable = terms.variable(name, sort);
                                made.insert((base, sort), variable);
                                variable
                            }
                        }
                    }
                },
            }));
        }
        all.push(carriers);
    }
    all
}
