//! What an edge does.

use std::borrow::Cow;

use choros_base::Name;
use choros_data::syntax::is_identifier;
use choros_data::{Term, TermKind, Terms, Value, Var};

use super::{Disturbance, Edge};
use crate::direction::Direction;

/// A participant of a choreography, or the service that plays it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Role(pub Name);

/// The operation a message invokes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation(pub Name);

/// The event of an edge; termination is not an event but a condition on nodes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    /// `τ`: something that the observer does not see.
    Silent,
    /// `τ` that gives variables new values, any of their sorts: a hidden message that brought data.
    Choose(Vec<Var>),
    /// `χ`: one unit of time passes on the clock that all timed parts of a model share: an orchestration and who tests it.
    Tick,
    /// `χ` of one role: one unit of time passes on its own clock, of which the others know nothing.
    TickOf(Role),
    /// A fault is raised.
    Raise(Name),
    /// The network or a crash disturbs the roles, or one of them notices it.
    Disturbance(Disturbance),
    /// A message is exchanged, sent or received.
    Message(Message),
}

/// A message seen from the whole system or from one of its ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Message {
    /// What is invoked.
    pub operation: Operation,
    /// Sender.
    pub from: Role,
    /// Receiver.
    pub to: Role,
    /// Whose view it is.
    pub direction: Direction,
    /// The fault it carries, if it is the faulty outcome of an operation.
    pub fault: Option<Name>,
    /// Its data.
    pub fields: Vec<Field>,
}

/// One datum of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its label; a message with a single unnamed datum has none.
    pub label: Option<Name>,
    /// What it carries.
    pub value: FieldValue,
}

/// What a field carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldValue {
    /// *Free*: a value known before.
    Free(Term),
    /// *Bound*: a new value, which the variable holds from now on.
    Bind(Var),
}

impl Event {
    pub fn message(&self) -> Option<&Message> {
        match self {
            Event::Message(message) => Some(message),
            _ => None,
        }
    }

    /// Whether it is time that passes, on whatever clock.
    pub fn is_tick(&self) -> bool {
        matches!(self, Event::Tick | Event::TickOf(_))
    }

    /// Whether the observer sees nothing of it.
    pub fn is_silent(&self) -> bool {
        matches!(self, Event::Silent | Event::Choose(_))
    }

    /// The silent step that gives some variables new values.
    pub fn silent(chosen: Vec<Var>) -> Event {
        if chosen.is_empty() {
            Event::Silent
        } else {
            Event::Choose(chosen)
        }
    }

    /// The variables it binds, in order.
    pub fn bound_variables(&self) -> impl Iterator<Item = Var> {
        let chosen = match self {
            Event::Choose(chosen) => &chosen[..],
            _ => &[],
        };
        self.message()
            .into_iter()
            .flat_map(|message| &message.fields)
            .filter_map(|field| match field.value {
                FieldValue::Bind(variable) => Some(variable),
                FieldValue::Free(_) => None,
            })
            .chain(chosen.iter().copied())
    }

    /// The terms it reads, in order.
    pub fn free_terms(&self) -> impl Iterator<Item = Term> {
        self.message()
            .into_iter()
            .flat_map(|message| &message.fields)
            .filter_map(|field| match field.value {
                FieldValue::Free(term) => Some(term),
                FieldValue::Bind(_) => None,
            })
    }

    /// The event as it is written in a SChorA script: `Request[b,v].<x>`, `tau`, `tau.<x>`.
    ///
    /// Several fields, or labelled ones, are written in parentheses: `Response[s,c]!(price = p, fee = <f>)`.
    pub fn text(&self, terms: &Terms) -> String {
        match self {
            Event::Silent => "tau".to_owned(),
            Event::Choose(chosen) => {
                let bound: Vec<String> = chosen
                    .iter()
                    .map(|&variable| format!("<{}>", terms.variable_text(variable)))
                    .collect();
                match &bound[..] {
                    [only] => format!("tau.{only}"),
                    several => format!("tau.({})", several.join(", ")),
                }
            }
            Event::Tick => "tick".to_owned(),
            Event::TickOf(role) => format!("tick of {}", name_text(role.0, terms)),
            Event::Raise(fault) => format!("raise {}", name_text(*fault, terms)),
            Event::Disturbance(disturbance) => disturbance.text(terms),
            Event::Message(message) => message.text(terms),
        }
    }
}

impl Message {
    /// `operation[from,to]`: which message it is, without direction and data.
    pub fn heading(&self, terms: &Terms) -> String {
        let names = [self.operation.0, self.from.0, self.to.0];
        let [operation, from, to] = names.map(|it| name_text(it, terms));
        // Large graphs have very many of them.
        [&operation, "[", &from, ",", &to, "]"].concat()
    }

    /// The message as it is written in a SChorA script.
    pub fn text(&self, terms: &Terms) -> String {
        let mut text = self.heading(terms);
        if let Some(fault) = self.fault {
            text.push('#');
            text.push_str(&name_text(fault, terms));
        }
        match (self.direction, self.fields.is_empty()) {
            (Direction::Interaction, true) => {}
            (Direction::Interaction, false) => text.push('.'),
            (Direction::Send, _) => text.push('!'),
            (Direction::Receive, _) => text.push('?'),
        }
        match &self.fields[..] {
            [] => {}
            [only] if only.label.is_none() && !self.tests(only, terms) => {
                text.push_str(&only.value_text(terms));
            }
            fields => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|field| {
                        let value = if self.tests(field, terms) {
                            format!("({})", field.value_text(terms))
                        } else {
                            field.value_text(terms)
                        };
                        match field.label {
                            Some(label) => format!("{} = {value}", name_text(label, terms)),
                            None => value,
                        }
                    })
                    .collect();
                text.push('(');
                text.push_str(&fields.join(", "));
                text.push(')');
            }
        }
        text
    }

    /// Whether a field accepts just the value of a variable.
    ///
    /// SChorA reads `?x` as a binding, so this one is written in parentheses.
    fn tests(&self, field: &Field, terms: &Terms) -> bool {
        self.direction == Direction::Receive
            && matches!(field.value, FieldValue::Free(term) if terms.as_variable(term).is_some())
    }
}

impl Field {
    fn value_text(&self, terms: &Terms) -> String {
        match self.value {
            FieldValue::Free(term) => {
                let text = terms.print(term);
                let compound = match terms.kind(term) {
                    TermKind::Apply(..) | TermKind::Quantified(..) => true,
                    // Some rationals are printed as quotients.
                    TermKind::Constant(Value::Real(_)) => text.contains('/'),
                    _ => false,
                };
                if compound { format!("({text})") } else { text }
            }
            FieldValue::Bind(variable) => format!("<{}>", terms.variable_text(variable)),
        }
    }
}

impl Edge {
    /// Guard, event and updates as they are written: `[x < 5] Confirm[v,b] / y := x`.
    pub fn label_text(&self, terms: &Terms) -> String {
        let mut text = String::new();
        if self.guard != Term::TRUE {
            text.push_str(&format!("[{}] ", terms.print(self.guard)));
        }
        text.push_str(&self.event.text(terms));
        for (position, update) in self.updates.iter().enumerate() {
            text.push_str(if position == 0 { " / " } else { "; " });
            text.push_str(&format!(
                "{} := {}",
                terms.variable_text(update.variable),
                terms.print(update.value)
            ));
        }
        text
    }
}

/// A name as it is written: bare where the lexer takes it so, otherwise in quotes.
pub(crate) fn name_text(name: Name, terms: &Terms) -> Cow<'_, str> {
    let text = terms.names.text(name);
    let bare =
        is_identifier(text) || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    if bare {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(terms.print_value(&Value::text(text)))
    }
}
