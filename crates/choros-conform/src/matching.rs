//! When two events are the same one, and what that means for data.
//!
//! Free fields match free ones if their values are equal, bound ones match bound ones with one new value for both
//! (Definition 4 of Nguyen's thesis, items 3, 4, 6 and 7).
//! Equality is *required*: the print puts it into the index of the relation, which would assume it.
//! A free field of the implementation matches a bound one of the specification only when the caller allows an
//! implementation to fix what the specification leaves open.

use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{Edge, Event, Field, FieldValue, Message};
use rustc_hash::FxHashMap;

use crate::formula::{Substitution, equality};

/// What two events have to agree on to be one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matched {
    /// Equalities between values known before, in terms of the variables before the events.
    pub(crate) conditions: Vec<Term>,
    /// The new values that both sides get.
    pub(crate) bound: Vec<Var>,
    /// What the variables that the implementation's event binds are now.
    pub(crate) left: Vec<(Var, Term)>,
    /// The same for the specification.
    pub(crate) right: Vec<(Var, Term)>,
}

/// Variables that stand for new values: one per sort and position in a message.
#[derive(Debug, Default)]
pub(crate) struct NewValues {
    known: FxHashMap<(Sort, usize), Var>,
}

impl NewValues {
    /// What a silent step of the implementation chooses: new values, which no message of the other side repeats.
    pub(crate) fn chosen(&mut self, event: &Event, terms: &mut Terms) -> Vec<(Var, Term)> {
        let mut chosen = Vec::new();
        if let Event::Choose(variables) = event {
            for (position, &variable) in variables.iter().enumerate() {
                let value = self.at(position, variable, terms);
                chosen.push((variable, terms.var(value)));
            }
        }
        chosen
    }

    fn at(&mut self, position: usize, like: Var, terms: &mut Terms) -> Var {
        let sort = terms.variable_sort(like);
        *self
            .known
            .entry((sort, position))
            .or_insert_with(|| terms.fresh_variable(like))
    }
}

/// Matches an event of the implementation, whose values before are given by `before`, with one of the specification.
pub(crate) fn matched(
    left: &Event,
    before: &Substitution,
    right: &Event,
    allow_fixed: bool,
    new_values: &mut NewValues,
    terms: &mut Terms,
) -> Option<Matched> {
    let (left, right) = match (left, right) {
        (Event::Message(left), Event::Message(right)) => (left, right),
        (left, right) if left.is_silent() || right.is_silent() => return None,
        (left, right) => return (left == right).then(Matched::default),
    };
    if !same_heading(left, right) {
        return None;
    }
    let mut result = Matched::default();
    for (position, (own, other)) in pair_fields(left, right)?.into_iter().enumerate() {
        match (own.value, other.value) {
            (FieldValue::Free(sent), FieldValue::Free(expected)) => {
                if terms.sort_of(sent) != terms.sort_of(expected) {
                    return None;
                }
                let sent = terms.substitute(sent, before);
                result.conditions.push(equality(terms, sent, expected));
            }
            (FieldValue::Bind(own), FieldValue::Bind(other)) => {
                if terms.variable_sort(own) != terms.variable_sort(other) {
                    return None;
                }
                let value = new_values.at(position, own, terms);
                result.bound.push(value);
                let value = terms.var(value);
                result.left.push((own, value));
                result.right.push((other, value));
            }
            (FieldValue::Free(sent), FieldValue::Bind(other)) if allow_fixed => {
                if terms.sort_of(sent) != terms.variable_sort(other) {
                    return None;
                }
                let sent = terms.substitute(sent, before);
                result.right.push((other, sent));
            }
            _ => return None,
        }
    }
    Some(result)
}

/// Whether two messages are the same operation between the same roles, seen from the same side.
pub(crate) fn same_heading(left: &Message, right: &Message) -> bool {
    left.operation == right.operation
        && left.from == right.from
        && left.to == right.to
        && left.direction == right.direction
        && left.fault == right.fault
}

/// The fields of two messages in pairs: by label where all have one, by position otherwise.
pub(crate) fn pair_fields<'m>(
    left: &'m Message,
    right: &'m Message,
) -> Option<Vec<(&'m Field, &'m Field)>> {
    if left.fields.len() != right.fields.len() {
        return None;
    }
    let labelled = |message: &Message| message.fields.iter().all(|field| field.label.is_some());
    if !left.fields.is_empty() && labelled(left) && labelled(right) {
        return left
            .fields
            .iter()
            .map(|field| {
                let other = right
                    .fields
                    .iter()
                    .find(|other| other.label == field.label)?;
                Some((field, other))
            })
            .collect();
    }
    Some(left.fields.iter().zip(&right.fields).collect())
}

/// The values after an edge in terms of those before it.
///
/// `before` holds the values that the variables have when the edge starts, `brought` those that its event binds.
pub(crate) fn after(
    edge: &Edge,
    before: &Substitution,
    brought: &[(Var, Term)],
    terms: &mut Terms,
) -> Substitution {
    let mut current = before.clone();
    current.extend(brought.iter().copied());
    for update in &edge.updates {
        let value = terms.substitute(update.value, &current);
        let value = terms.simplify(value);
        current.insert(update.variable, value);
    }
    current
}

/// The condition on what the event brings under which the updates of an edge are defined.
pub(crate) fn accepted(
    edge: &Edge,
    before: &Substitution,
    brought: &[(Var, Term)],
    terms: &mut Terms,
) -> Term {
    let condition = edge.accepts(terms);
    if condition == Term::TRUE {
        return condition;
    }
    let mut current = before.clone();
    current.extend(brought.iter().copied());
    terms.substitute(condition, &current)
}
