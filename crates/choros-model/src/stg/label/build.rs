//! Sorts and terms of labels.

use choros_base::{Name, Span};
use choros_data::syntax::{Expression, Exprs};
use choros_data::{Inference, Scope, Slot, Sort, Term, Terms, Var};
use rustc_hash::FxHashMap;

use super::{EventSyntax, FieldValueSyntax, Label, LabelSyntax};
use crate::stg::{Event, Field, FieldValue, Message, Operation, Role, Update};

/// The sort of each field of each message: all that speak of a message must agree.
///
/// Files that are composed share one, so that sender and receiver learn sorts from each other.
#[derive(Debug, Default)]
pub struct MessageSorts {
    slots: FxHashMap<(MessageKey, FieldKey), Slot>,
}

type MessageKey = (Name, Name, Name, Option<Name>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum FieldKey {
    Label(Name),
    Position(usize),
}

impl LabelSyntax {
    /// Makes known which names are variables because something is bound or assigned to them.
    ///
    /// Call it for all labels of a file before checking any: a capitalised name that is not a variable is a constant.
    pub fn declare(&self, inference: &mut Inference, scope: Scope) {
        self.event.declare(inference, scope);
        for update in &self.updates {
            inference.variable(scope, update.variable.0, update.variable.1);
        }
    }

    /// Tells the inference what the label says about sorts.
    pub fn check(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
        sorts: &mut MessageSorts,
    ) {
        if let Some(guard) = self.guard {
            inference.check_guard(terms, exprs, guard, scope, GUARDS);
        }
        self.event.check(terms, exprs, inference, scope, sorts);
        for update in &self.updates {
            let (name, span) = update.variable;
            let variable = inference.variable(scope, name, span);
            let value = inference.check(terms, exprs, update.value, scope);
            inference.unify(terms, value, update.value.span, variable);
        }
    }

    /// The label with its terms; `None` where something was reported.
    pub fn build(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
    ) -> Option<Label> {
        let guard = match self.guard {
            Some(guard) => build_guard(guard, terms, exprs, inference)?,
            None => Term::TRUE,
        };
        let event = self.event.build(terms, exprs, inference, scope)?;
        let mut updates = Vec::with_capacity(self.updates.len());
        for update in &self.updates {
            let variable = variable(update.variable, terms, inference, scope);
            let value = inference.build(terms, exprs, update.value)?;
            if terms.sort_of(value) != terms.variable_sort(variable) {
                return None;
            }
            updates.push(Update { variable, value });
        }
        Some(Label {
            guard,
            event,
            updates,
        })
    }
}

impl EventSyntax {
    /// Makes known which names are variables; see [`LabelSyntax::declare`].
    pub fn declare(&self, inference: &mut Inference, scope: Scope) {
        match self {
            EventSyntax::Message(message) => {
                for field in &message.fields {
                    if let FieldValueSyntax::Bind(name) = field.value {
                        inference.variable(scope, name, field.span);
                    }
                }
            }
            EventSyntax::Choose(chosen) => {
                for &(name, span) in chosen {
                    inference.variable(scope, name, span);
                }
            }
            EventSyntax::Silent
            | EventSyntax::Tick
            | EventSyntax::TickOf(..)
            | EventSyntax::Raise(_)
            | EventSyntax::Disturbance(_) => {}
        }
    }

    /// Tells the inference what the event says about sorts.
    pub fn check(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
        sorts: &mut MessageSorts,
    ) {
        let EventSyntax::Message(message) = self else {
            return;
        };
        let key = (
            message.operation.0,
            message.from.0,
            message.to.0,
            message.fault,
        );
        for (position, field) in message.fields.iter().enumerate() {
            let slot = match field.value {
                FieldValueSyntax::Bind(name) => inference.variable(scope, name, field.span),
                FieldValueSyntax::Free(value) => inference.check(terms, exprs, value, scope),
            };
            let place = match field.label {
                Some(label) => FieldKey::Label(label),
                None => FieldKey::Position(position),
            };
            match sorts.slots.get(&(key, place)) {
                Some(&known) => {
                    inference.unify(terms, slot, field.span, known);
                }
                None => {
                    sorts.slots.insert((key, place), slot);
                }
            }
        }
    }

    /// The event with its terms; `None` where something was reported.
    pub fn build(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
    ) -> Option<Event> {
        let message = match self {
            EventSyntax::Silent => return Some(Event::Silent),
            EventSyntax::Choose(chosen) => {
                let chosen = chosen
                    .iter()
                    .map(|&name| variable(name, terms, inference, scope))
                    .collect();
                return Some(Event::silent(chosen));
            }
            EventSyntax::Tick => return Some(Event::Tick),
            EventSyntax::TickOf(role, _) => return Some(Event::TickOf(Role(*role))),
            EventSyntax::Raise(fault) => return Some(Event::Raise(*fault)),
            EventSyntax::Disturbance(disturbance) => {
                return Some(Event::Disturbance(*disturbance));
            }
            EventSyntax::Message(message) => message,
        };
        let mut fields = Vec::with_capacity(message.fields.len());
        for field in &message.fields {
            fields.push(Field {
                label: field.label,
                value: match field.value {
                    FieldValueSyntax::Bind(name) => {
                        FieldValue::Bind(variable((name, field.span), terms, inference, scope))
                    }
                    FieldValueSyntax::Free(value) => {
                        FieldValue::Free(inference.build(terms, exprs, value)?)
                    }
                },
            });
        }
        Some(Event::Message(Message {
            operation: Operation(message.operation.0),
            from: Role(message.from.0),
            to: Role(message.to.0),
            direction: message.direction,
            fault: message.fault,
            fields,
        }))
    }
}

/// Why a guard must be of sort Bool, in words that read after "because".
pub(crate) const GUARDS: &str = "a guard is true or false";

/// The term of a guard that was checked.
pub(crate) fn build_guard(
    guard: Expression,
    terms: &mut Terms,
    exprs: &Exprs,
    inference: &Inference,
) -> Option<Term> {
    let guard = inference.build(terms, exprs, guard)?;
    (terms.sort_of(guard) == Sort::BOOL).then_some(guard)
}

fn variable(
    (name, span): (Name, Span),
    terms: &mut Terms,
    inference: &mut Inference,
    scope: Scope,
) -> Var {
    let slot = inference.variable(scope, name, span);
    let sort = inference.sort(terms, slot);
    terms.variable(name, sort)
}
