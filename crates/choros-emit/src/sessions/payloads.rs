//! What messages carry.

use std::collections::BTreeMap;

/// The payload of every message about which something is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payloads {
    by_message: BTreeMap<String, Payload>,
}

/// What one message carries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload {
    /// Its fields, in order.
    pub fields: Vec<Field>,
}

/// One field of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What it is called in the model.
    pub label: String,
    /// What it holds.
    pub kind: FieldKind,
    /// What else is known of its value.
    pub limits: Limits,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// A truth value.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Real,
    /// A text; values about which only equality is known are texts too.
    Text,
    /// One of these names.
    OneOf(Vec<String>),
    /// Any number of these.
    List(Box<FieldKind>),
    /// Several values with names.
    Record(Vec<(String, FieldKind)>),
}

/// Bounds of a number, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// The least value.
    pub low: Option<i64>,
    /// The greatest value.
    pub high: Option<i64>,
}

impl Payloads {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what a message carries.
    pub fn set(&mut self, message: &str, payload: Payload) {
        self.by_message.insert(message.to_owned(), payload);
    }

    /// Whether something is said about a message.
    pub fn has(&self, message: &str) -> bool {
        self.by_message.contains_key(message)
    }

    /// What a message carries.
    ///
    /// In g-choreographies a message is the name of a data type; where that is a type everyone knows, such as `int`,
    /// the message carries one value of it.
    pub fn of(&self, message: &str) -> Payload {
        if let Some(known) = self.by_message.get(message) {
            return known.clone();
        }
        let kind = match message {
            "int" | "Int" | "integer" => FieldKind::Int,
            "bool" | "Bool" | "boolean" => FieldKind::Bool,
            "real" | "Real" | "float" | "double" => FieldKind::Real,
            "str" | "string" | "String" | "text" | "Text" => FieldKind::Text,
            _ => return Payload::default(),
        };
        Payload {
            fields: vec![Field {
                label: "value".to_owned(),
                kind,
                limits: Limits::default(),
            }],
        }
    }
}

impl Limits {
    /// Whether they say nothing.
    pub fn is_open(self) -> bool {
        self.low.is_none() && self.high.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, FieldKind, Limits, Payload, Payloads};

    #[test]
    fn what_is_said_comes_before_what_is_guessed() {
        let mut payloads = Payloads::new();
        assert_eq!(payloads.of("int").fields[0].kind, FieldKind::Int);
        assert_eq!(payloads.of("withdraw"), Payload::default());
        payloads.set(
            "int",
            Payload {
                fields: vec![Field {
                    label: "n".to_owned(),
                    kind: FieldKind::Real,
                    limits: Limits::default(),
                }],
            },
        );
        assert_eq!(payloads.of("int").fields[0].kind, FieldKind::Real);
    }
}
