//! One value of a message.

use std::borrow::Cow;
use std::fmt;

use super::{Number, pseudonym};

/// A value that a message carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum<'t> {
    /// Nothing, said explicitly.
    Null,
    /// A truth value.
    Bool(bool),
    Number(Number),
    Text(Cow<'t, str>),
    /// Characters of a format that has no types (XML, CSV): a number where a number is asked for, otherwise a text.
    Untyped(Cow<'t, str>),
}

impl From<i64> for Datum<'_> {
    fn from(number: i64) -> Self {
        Datum::Number(Number::from(number))
    }
}

impl From<bool> for Datum<'_> {
    fn from(truth: bool) -> Self {
        Datum::Bool(truth)
    }
}

impl<'t> From<&'t str> for Datum<'t> {
    fn from(text: &'t str) -> Self {
        Datum::Text(text.into())
    }
}

impl<'t> Datum<'t> {
    /// The number it is, or can be read as.
    pub fn number(&self) -> Option<Number> {
        match self {
            Datum::Number(number) => Some(number.clone()),
            Datum::Untyped(text) => Number::parse(text.trim()).ok(),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Datum::Text(text) | Datum::Untyped(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it stands in place of a value that is not shown, wholly or in part.
    pub fn is_redacted(&self) -> bool {
        self.text().is_some_and(pseudonym::is_in)
    }

    /// The truth value it is, or can be read as.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Datum::Bool(value) => Some(*value),
            Datum::Untyped(text) => match text.trim() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text by which two messages can be found to agree: `42` and `"42"` do.
    pub fn key(&self) -> Cow<'_, str> {
        match self {
            Datum::Null => Cow::Borrowed("null"),
            Datum::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Datum::Number(number) => Cow::Owned(number.to_string()),
            Datum::Text(text) | Datum::Untyped(text) => Cow::Borrowed(text),
        }
    }

    /// Whether both are the same value; what has no type agrees with what it can be read as.
    pub fn agrees(&self, other: &Datum<'_>) -> bool {
        match (self, other) {
            (Datum::Untyped(left), Datum::Untyped(right)) => {
                left.trim() == right.trim()
                    || matches!(
                        (self.number(), other.number()),
                        (Some(left), Some(right)) if left == right
                    )
            }
            (Datum::Number(number), untyped @ Datum::Untyped(_))
            | (untyped @ Datum::Untyped(_), Datum::Number(number)) => {
                untyped.number().as_ref() == Some(number)
            }
            (Datum::Bool(value), untyped @ Datum::Untyped(_))
            | (untyped @ Datum::Untyped(_), Datum::Bool(value)) => untyped.truth() == Some(*value),
            (Datum::Text(left), Datum::Untyped(right))
            | (Datum::Untyped(left), Datum::Text(right)) => left == right,
            (left, right) => left == right,
        }
    }

    /// The kind of value, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Datum::Null => "null",
            Datum::Bool(_) => "a truth value",
            Datum::Number(_) => "a number",
            Datum::Text(_) => "a text",
            Datum::Untyped(_) => "untyped characters",
        }
    }

    /// A copy that borrows from nothing.
    pub fn into_owned(self) -> Datum<'static> {
        match self {
            Datum::Null => Datum::Null,
            Datum::Bool(value) => Datum::Bool(value),
            Datum::Number(number) => Datum::Number(number),
            Datum::Text(text) => Datum::Text(Cow::Owned(text.into_owned())),
            Datum::Untyped(text) => Datum::Untyped(Cow::Owned(text.into_owned())),
        }
    }
}

impl fmt::Display for Datum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Null => write!(f, "null"),
            Datum::Bool(value) => write!(f, "{value}"),
            Datum::Number(number) => write!(f, "{number}"),
            Datum::Text(text) => write!(f, "{text:?}"),
            Datum::Untyped(text) => write!(f, "{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Datum, Number};

    #[test]
    fn untyped_characters_are_what_is_asked_for() {
        let three = Datum::Untyped(" 3.0 ".into());
        assert!(three.agrees(&Datum::Number(Number::from(3))));
        assert!(three.agrees(&Datum::Untyped("3".into())));
        assert!(!three.agrees(&Datum::Untyped("4".into())));
        assert!(Datum::Untyped("gold".into()).agrees(&Datum::Text("gold".into())));
    }

    #[test]
    fn typed_values_of_different_kinds_differ() {
        assert!(!Datum::Number(Number::from(3)).agrees(&Datum::Text("3".into())));
        assert!(!Datum::Bool(true).agrees(&Datum::Text("true".into())));
    }
}
