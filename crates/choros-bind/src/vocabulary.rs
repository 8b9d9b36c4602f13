//! The words of a model: its roles, its messages and their fields.

use choros_data::Terms;
use choros_model::stg::{FieldValue, Stg};

/// What a model talks about, as far as a binding needs to know it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    pub roles: Vec<String>,
    /// One per name, sender and receiver.
    pub messages: Vec<KnownMessage>,
}

/// A message between two roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownMessage {
    pub name: String,
    pub from: String,
    pub to: String,
    /// Its fields in order, by their labels or the names of their variables; none where they have neither.
    pub fields: Vec<Option<String>>,
}

impl Vocabulary {
    /// The words of a graph.
    pub fn of(stg: &Stg, terms: &Terms) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(stg, terms);
        vocabulary
    }

    /// Adds the words of a graph.
    pub fn add(&mut self, stg: &Stg, terms: &Terms) {
        for role in stg.roles() {
            let name = terms.names.text(role.0);
            if !self.has_role(name) {
                self.roles.push(name.to_owned());
            }
        }
        for message in stg.messages() {
            let fields = message.fields.iter().map(|field| {
                let variable = match field.value {
                    FieldValue::Bind(variable) => Some(variable),
                    FieldValue::Free(term) => terms.as_variable(term),
                };
                match field.label {
                    Some(label) => Some(terms.names.text(label).to_owned()),
                    None => variable.map(|it| {
                        let text = terms.variable_text(it);
                        // Generated names have an ending of their own.
                        text.split(['\'', '@']).next().unwrap_or(text).to_owned()
                    }),
                }
            });
            let known = KnownMessage {
                name: terms.names.text(message.operation.0).to_owned(),
                from: terms.names.text(message.from.0).to_owned(),
                to: terms.names.text(message.to.0).to_owned(),
                fields: fields.collect(),
            };
            let is_it = |it: &KnownMessage| {
                (&it.name, &it.from, &it.to) == (&known.name, &known.from, &known.to)
            };
            if !self.messages.iter().any(is_it) {
                self.messages.push(known);
            }
        }
    }

    /// The messages with this name.
    pub fn called<'v>(&'v self, name: &str) -> impl Iterator<Item = &'v KnownMessage> {
        self.messages.iter().filter(move |it| it.name == name)
    }

    pub fn has_message(&self, name: &str) -> bool {
        self.called(name).next().is_some()
    }

    pub fn has_role(&self, name: &str) -> bool {
        self.roles.iter().any(|it| it == name)
    }
}
