//! What a role can do and check by itself: its part without what it cannot know.
//!
//! The part of a role speaks of values that the role does not see; a program cannot.
//! A role *knows* a variable where every way has bound it, sent it, received it or computed it from what it knew.
//!
//! - A reception that names an unknown variable binds it; one that names another term of unknown variables binds a
//!   variable of its own. One that names what is known stays as it is: the program checks it.
//! - Of the guard of a reception, and of the condition to end, stays what the role knows.
//! - The guard of a sending stays: a role that has to decide by what it does not know cannot be written, and the
//!   program shows where.
//! - An assignment from unknown values goes, and so does a silent step that chooses values.
//!
//! What is left may be ambiguous where unknown values decided, so it is made deterministic like a natural projection.
//! The result takes more than the part and sends the same.

use choros_base::Budget;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, Event, Field, FieldValue, Message, NodeId, Stg, StgBuilder, Update,
};
use choros_smt::Solver;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::as_known::as_known;
use crate::projection::Projection;
use crate::projection::determinise::{Precision, determinise};
use crate::projection::minimise::minimise;
use crate::reachability::contradiction::Oracle;
use crate::stopped::AnalysisStop;

/// The part of a role without what it cannot know; `parameters` are those of the choreography, which everyone knows.
pub fn knowable(
    part: &Projection,
    parameters: &[Var],
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Projection, AnalysisStop> {
    let stg = &part.stg;
    let known = Known::of(stg, parameters, terms);
    let mut carriers = Carriers::of(stg, terms);
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.node_ids() {
        let new = builder.node(stg.node(node).label.clone());
        for termination in &stg.node(node).terminations {
            let guard = known.of_guard(node, termination.guard, terms);
            builder.terminate(terms, new, guard, termination.origin);
        }
    }
    for edge in stg.edges() {
        let at = edge.source;
        let mut edge = edge.clone();
        let is_sent = match &mut edge.event {
            Event::Message(message) if message.direction == Direction::Send => true,
            Event::Message(message) => {
                for (position, field) in message.fields.clone().iter().enumerate() {
                    if let FieldValue::Free(term) = field.value
                        && !known.all(at, term, terms)
                    {
                        let carrier = match terms.as_variable(term) {
                            Some(variable) => variable,
                            None => carriers.variable(message, position, field, term, terms),
                        };
                        message.fields[position].value = FieldValue::Bind(carrier);
                    }
                }
                false
            }
            // Its own clock; those of others are silent in its part.
            Event::TickOf(_) => false,
            event => {
                *event = Event::Silent;
                false
            }
        };
        if !is_sent {
            edge.guard = known.of_guard(at, edge.guard, terms);
        }
        let mut now = known.at(at).clone();
        now.extend(edge.event.bound_variables());
        let mut updates: Vec<Update> = Vec::new();
        for update in &edge.updates {
            let reads = terms.free_variables(update.value);
            // A silent step with an assignment would not be absorbed, and no one tells the role of it.
            if reads.iter().all(|it| now.contains(it)) && edge.event != Event::Silent {
                now.insert(update.variable);
                updates.push(*update);
            }
        }
        builder.edge(terms, Edge { updates, ..edge });
    }
    let natural = builder.finish_as_built(stg.initial());
    let mut oracle = Oracle::new(solver);
    let determined = determinise(&natural, Precision::Forgetful, terms, &mut oracle, budget)?;
    let minimal = minimise(&determined, terms);
    Ok(Projection::by_guards(part.role, minimal, terms))
}

/// What a role knows at each node, whichever way it came.
struct Known {
    nodes: Vec<FxHashSet<Var>>,
}

impl Known {
    fn of(stg: &Stg, parameters: &[Var], terms: &Terms) -> Known {
        let mut nodes: Vec<Option<FxHashSet<Var>>> = vec![None; stg.nodes().len()];
        nodes[stg.initial().index()] = Some(parameters.iter().copied().collect());
        let mut work: Vec<NodeId> = vec![stg.initial()];
        while let Some(node) = work.pop() {
            for (_, edge) in stg.outgoing(node) {
                let Some(before) = &nodes[node.index()] else {
                    continue;
                };
                let after = after(edge, before, terms);
                let target = &mut nodes[edge.target.index()];
                let changed = match target {
                    None => {
                        *target = Some(after);
                        true
                    }
                    Some(known) => {
                        let size = known.len();
                        known.retain(|it| after.contains(it));
                        known.len() < size
                    }
                };
                if changed {
                    work.push(edge.target);
                }
            }
        }
        Known {
            nodes: nodes.into_iter().map(Option::unwrap_or_default).collect(),
        }
    }

    fn at(&self, node: NodeId) -> &FxHashSet<Var> {
        &self.nodes[node.index()]
    }

    fn all(&self, node: NodeId, term: Term, terms: &Terms) -> bool {
        let known = self.at(node);
        terms
            .free_variables(term)
            .iter()
            .all(|it| known.contains(it))
    }

    /// What a role can say of a guard.
    fn of_guard(&self, node: NodeId, guard: Term, terms: &mut Terms) -> Term {
        as_known(guard, &|variable| self.at(node).contains(&variable), terms)
    }
}

/// What a role knows after an edge.
fn after(edge: &Edge, before: &FxHashSet<Var>, terms: &Terms) -> FxHashSet<Var> {
    let mut known = before.clone();
    match &edge.event {
        Event::Message(message) => {
            let named = message.fields.iter().filter_map(|field| match field.value {
                FieldValue::Free(term) => terms.as_variable(term),
                FieldValue::Bind(variable) => Some(variable),
            });
            known.extend(named);
        }
        event => event.bound_variables().for_each(|it| {
            known.remove(&it);
        }),
    }
    for update in &edge.updates {
        let reads = terms.free_variables(update.value);
        if reads.iter().all(|it| known.contains(it)) && edge.event.message().is_some() {
            known.insert(update.variable)
        } else {
            known.remove(&update.variable)
        };
    }
    known
}

/// Variables for values that are received and have no name.
struct Carriers {
    used: FxHashSet<String>,
    made: FxHashMap<(String, choros_data::Sort), Var>,
}

impl Carriers {
    fn of(stg: &Stg, terms: &Terms) -> Carriers {
        let variables = stg.variables(terms).into_iter();
        Carriers {
            used: variables
                .map(|variable| terms.variable_text(variable).to_owned())
                .collect(),
            made: FxHashMap::default(),
        }
    }

    fn variable(
        &mut self,
        message: &Message,
        position: usize,
        field: &Field,
        term: Term,
        terms: &mut Terms,
    ) -> Var {
        let what = match field.label {
            Some(label) => terms.names.text(label).to_owned(),
            None => (position + 1).to_string(),
        };
        let base = format!("{}_{what}", terms.names.text(message.operation.0));
        let sort = terms.sort_of(term);
        if let Some(&known) = self.made.get(&(base.clone(), sort)) {
            return known;
        }
        let mut name = base.clone();
        while !self.used.insert(name.clone()) {
            name.push('_');
        }
        let name = terms.names.intern(&name);
        let variable = terms.variable(name, sort);
        self.made.insert((base, sort), variable);
        variable
    }
}
