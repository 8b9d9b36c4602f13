//! Texts that real services accept.
//!
//! The model says that a field is a text; a service wants a UUID, a date, an article that it has.
//! What is known of that comes from outside, and is preferred wherever the path allows it.

use choros_model::stg::Operation;

/// What is known about the fields of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTexts {
    pub operation: Operation,
    /// Texts per field, the most wanted first; none where nothing is known.
    pub fields: Vec<Vec<String>>,
}

impl KnownTexts {
    /// What is known about the fields of an operation.
    pub(crate) fn of(known: &[KnownTexts], operation: Operation) -> &[Vec<String>] {
        let found = known.iter().find(|it| it.operation == operation);
        found.map_or(&[], |it| &it.fields)
    }
}
