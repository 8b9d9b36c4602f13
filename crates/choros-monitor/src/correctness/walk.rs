//! Symbolic runs of a model: which messages can be seen, for which data.
//!
//! A run binds a fresh variable for every value that comes from outside; everything else is a term over these and
//! over the parameters.

use choros_base::Name;
use choros_data::{Term, Terms, Var};
use choros_model::stg::run::RunStep;
use choros_model::stg::{Direction, EdgeId, Event, FieldValue, FreeVariables, NodeId, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

/// A message of a run.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) operation: Name,
    pub(super) from: Name,
    pub(super) to: Name,
    pub(super) direction: Direction,
    pub(super) fields: Vec<(Option<Name>, Term)>,
}

/// Where a run stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) node: NodeId,
    values: FxHashMap<Var, Term>,
    /// What must be true for the run to be possible.
    pub(super) conditions: Vec<Term>,
    /// The edges taken, each with the fresh variables that it bound.
    pub(super) taken: Vec<(EdgeId, Vec<Var>)>,
    /// The messages so far.
    pub(super) messages: Vec<Seen>,
}

/// The beginning of all runs.
pub(super) fn start(stg: &Stg) -> Place {
    Place {
        node: stg.initial(),
        values: FxHashMap::default(),
        conditions: Vec::new(),
        taken: Vec::new(),
        messages: Vec::new(),
    }
}

/// The steps from a place, whether or not their conditions can be true.
pub(super) fn steps(stg: &Stg, place: &Place, terms: &mut Terms) -> Vec<Place> {
    let mut found = Vec::new();
    for (id, edge) in stg.outgoing(place.node) {
        let mut next = place.clone();
        next.node = edge.target;
        let guard = terms.substitute(edge.guard, &place.values);
        if guard == Term::FALSE {
            continue;
        }
        if guard != Term::TRUE {
            next.conditions.push(guard);
        }
        let mut brought = Vec::new();
        match &edge.event {
            Event::Message(message) => {
                let mut fields = Vec::new();
                for field in &message.fields {
                    let value = match field.value {
                        FieldValue::Free(term) => terms.substitute(term, &place.values),
                        FieldValue::Bind(variable) => {
                            let fresh = terms.fresh_variable(variable);
                            brought.push(fresh);
                            let value = terms.var(fresh);
                            next.values.insert(variable, value);
                            value
                        }
                    };
                    fields.push((field.label, value));
                }
                next.messages.push(Seen {
                    operation: message.operation.0,
                    from: message.from.0,
                    to: message.to.0,
                    direction: message.direction,
                    fields,
                });
            }
            Event::Choose(chosen) => {
                for &variable in chosen {
                    let fresh = terms.fresh_variable(variable);
                    brought.push(fresh);
                    let value = terms.var(fresh);
                    next.values.insert(variable, value);
                }
            }
            Event::Silent
            | Event::Tick
            | Event::TickOf(_)
            | Event::Raise(_)
            | Event::Disturbance(_) => {}
        }
        for update in &edge.updates {
            let value = terms.substitute(update.value, &next.values);
            // An update that is undefined does not happen, and neither does its step.
            let defined = terms.defined(value);
            if defined != Term::TRUE {
                next.conditions.push(defined);
            }
            next.values.insert(update.variable, value);
        }
        next.taken.push((id, brought));
        found.push(next);
    }
    found
}

/// What matters of a place for what can come after it, the same for places that differ in names only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    node: NodeId,
    values: Vec<(Var, Term)>,
    conditions: Vec<Term>,
}

/// The key of a place.
///
/// Conditions that share no variable, not even through others, with the values that can still be read are left out:
/// they can be true together with the rest, and can never matter again.
pub(super) fn key(
    place: &Place,
    free: &FreeVariables,
    parameters: &[Var],
    terms: &mut Terms,
) -> Key {
    let values: Vec<(Var, Term)> = free
        .at(place.node)
        .into_iter()
        .filter_map(|variable| Some((variable, *place.values.get(&variable)?)))
        .collect();
    let mut known: FxHashSet<Var> = parameters.iter().copied().collect();
    for (_, value) in &values {
        known.extend(terms.free_variables(*value));
    }
    let mut conditions: Vec<Term> = Vec::new();
    let mut rest = place.conditions.clone();
    loop {
        let before = rest.len();
        let mut left = Vec::new();
        for condition in rest {
            let variables = terms.free_variables(condition);
            if variables.iter().any(|variable| known.contains(variable)) {
                known.extend(variables);
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            } else {
                left.push(condition)
            }
        }
        rest = left;
        if rest.len() == before {
            break;
        }
    }
    // Fresh variables get names by their first occurrence.
    let mut renaming: FxHashMap<Var, Term> = FxHashMap::default();
    let all = values
        .iter()
        .map(|(_, value)| *value)
        .chain(conditions.iter().copied());
    let mut order: Vec<Var> = Vec::new();
    for term in all {
        for variable in terms.free_variables(term) {
            if !parameters.contains(&variable) && !order.contains(&variable) {
                order.push(variable);
            }
        }
    }
    for (number, variable) in order.into_iter().enumerate() {
        let sort = terms.variable_sort(variable);
        let name = terms.names.intern(&format!("place'{number}"));
        let canonical = terms.variable(name, sort);
        let term = terms.var(canonical);
        renaming.insert(variable, term);
    }
    let values = values
        .into_iter()
        .map(|(variable, value)| (variable, terms.substitute(value, &renaming)))
        .collect();
    let mut conditions: Vec<Term> = conditions
        .into_iter()
        .map(|condition| terms.substitute(condition, &renaming))
        .collect();
    conditions.sort_by_key(|condition| condition.index());
    conditions.dedup();
    Key {
        node: place.node,
        values,
        conditions,
    }
}

/// The steps as choices, given the values of the fresh variables.
pub(super) fn choices(place: &Place, values: &choros_data::Assignment) -> Option<Vec<RunStep>> {
    place
        .taken
        .iter()
        .map(|(edge, brought)| {
            let brought = brought
                .iter()
                .map(|variable| values.get(variable).cloned())
                .collect::<Option<_>>()?;
            Some(RunStep {
                edge: *edge,
                bound_values: brought,
            })
        })
        .collect()
}

/// A term over the variables of the model, with the values of a place.
pub(super) fn at(place: &Place, term: Term, terms: &mut Terms) -> Term {
    terms.substitute(term, &place.values)
}
