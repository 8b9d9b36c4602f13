//! Concrete values.

use std::sync::Arc;

use choros_base::Name;
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::Sort;

/// A value of some sort of a [`crate::Terms`] store.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of sort Bool.
    Bool(bool),
    /// Of sort Int.
    Int(BigInt),
    /// Of sort Real.
    Real(BigRational),
    /// Of sort String.
    String(Arc<str>),
    /// A named value of an uninterpreted sort.
    Atom {
        /// The uninterpreted sort.
        sort: Sort,
        /// Its name; different names are different values.
        name: Name,
    },
    /// A value of an enumeration.
    Constructor {
        /// The enumeration.
        sort: Sort,
        /// Position among its constructors.
        index: u32,
    },
    /// One value per field, in the order of the sort.
    Record {
        /// The record sort.
        sort: Sort,
        /// The fields' values.
        fields: Vec<Value>,
    },
    /// A finite sequence.
    List {
        /// The list sort (not the element sort).
        sort: Sort,
        /// Its elements.
        items: Vec<Value>,
    },
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl Value {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::BOOL,
            Value::Int(_) => Sort::INT,
            Value::Real(_) => Sort::REAL,
            Value::String(_) => Sort::STRING,
            Value::Atom { sort, .. }
            | Value::Constructor { sort, .. }
            | Value::Record { sort, .. }
            | Value::List { sort, .. } => *sort,
        }
    }

    /// An integer value.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// A string value.
    pub fn text(value: impl Into<Arc<str>>) -> Value {
        Value::String(value.into())
    }
}
