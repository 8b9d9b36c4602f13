//! Types with listed values.

use crate::names::{self, GivenNames};
use crate::schema::{Basic, Limit, Literal, Scalar};

/// Types of the language, which no declaration can have the name of.
const SORTS: [&str; 6] = ["Bool", "Int", "List", "Real", "String", "Symbol"];

/// The types that the file declares.
#[derive(Debug, Default)]
pub(crate) struct Enumerations {
    /// Name and values.
    pub(crate) declared: Vec<(String, Vec<String>)>,
    /// Names of types, of their values and of choreographies: one name, one meaning.
    pub(crate) names: GivenNames,
}

impl Enumerations {
    /// The type of a text with listed values, if each value is a name that means nothing else.
    pub(crate) fn sort(&mut self, scalar: &Scalar, label: &str) -> Option<String> {
        if scalar.basic != Basic::String || scalar.values.is_empty() {
            return None;
        }
        let mut values: Vec<String> = Vec::new();
        for value in &scalar.values {
            match value {
                Literal::Text(text) if !keeps(text, &scalar.limits) => {}
                Literal::Text(text) if names::is_name(text) => {
                    if !values.contains(text) {
                        values.push(text.clone());
                    }
                }
                _ => return None,
            }
        }
        if values.is_empty() {
            return None;
        }
        if let Some((name, _)) = self.declared.iter().find(|(_, it)| *it == values) {
            return Some(name.clone());
        }
        let is_taken = |it: &String| self.names.has(it) || SORTS.contains(&it.as_str());
        if values.iter().any(is_taken) {
            return None;
        }
        let mut wanted = names::pascal(scalar.name.as_deref().unwrap_or(label));
        if SORTS.contains(&wanted.as_str()) {
            wanted.push_str("Value");
        }
        for value in &values {
            self.names.give(value);
        }
        let name = self.names.give(&wanted);
        self.declared.push((name.clone(), values));
        Some(name)
    }
}

/// Whether a text has a length that is allowed.
fn keeps(text: &str, limits: &[Limit]) -> bool {
    let length = text.chars().count() as u64;
    limits.iter().all(|limit| match limit {
        Limit::LengthAtLeast(least) => length >= *least,
        Limit::LengthAtMost(most) => length <= *most,
        _ => true,
    })
}
