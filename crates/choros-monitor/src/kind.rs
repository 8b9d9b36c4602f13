//! The kind of value that a condition needs of each of its variables.
//!
//! Logs carry values of any kind, so a variable that a condition only compares with other variables may be anything.
//! One that is used as a number, a text or a truth value must be one, wherever it stands: the rule is the same for all
//! three, for both sides of a comparison, and for variables that are compared with such a one.

use choros_data::{Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};
use choros_model::observation::Datum;
use rustc_hash::FxHashMap;

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Number,
    Text,
    /// True or false.
    Truth,
}

impl ValueKind {
    /// Whether a value is of this kind, or can be read as one.
    pub(crate) fn takes(self, value: &Datum<'_>) -> bool {
        match self {
            ValueKind::Number => value.number().is_some(),
            ValueKind::Text => value.text().is_some(),
            ValueKind::Truth => value.truth().is_some(),
        }
    }

    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            ValueKind::Number => "a number",
            ValueKind::Text => "a text",
            ValueKind::Truth => "a truth value",
        }
    }
}

/// The kinds that the conditions of one property ask of their variables.
pub(crate) fn kinds(conditions: &[Term], terms: &Terms) -> FxHashMap<Var, ValueKind> {
    let mut kinds: FxHashMap<Var, ValueKind> = FxHashMap::default();
    let mut equal: Vec<(Var, Var)> = Vec::new();
    for part in terms.postorder(conditions.iter().copied()) {
        if let Some(variable) = terms.as_variable(part) {
            // Inference makes a Real of what it knows nothing about, so a Real may still be anything.
            let kind = match terms.sort_kind(terms.variable_sort(variable)) {
                SortKind::Bool => Some(ValueKind::Truth),
                SortKind::String | SortKind::Uninterpreted(_) | SortKind::Enumeration { .. } => {
                    Some(ValueKind::Text)
                }
                _ => None,
            };
            kinds.extend(kind.map(|kind| (variable, kind)));
        }
        let TermKind::Apply(op, arguments) = terms.kind(part) else {
            continue;
        };
        let variables = || {
            let variables = arguments.iter().filter_map(|&it| terms.as_variable(it));
            variables.filter(|&it| terms.variable_sort(it).is_number())
        };
        let as_numbers = match op {
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => true,
            Op::Equal | Op::NotEqual => {
                if let [left, right] = variables().collect::<Vec<Var>>()[..] {
                    equal.push((left, right));
                }
                arguments.iter().any(|&argument| is_number(argument, terms))
            }
            Op::Length => false,
            _ => is_number(part, terms),
        };
        if as_numbers {
            kinds.extend(variables().map(|it| (it, ValueKind::Number)));
        }
    }
    // What is compared with a number must be one.
    loop {
        let before = kinds.len();
        for &(left, right) in &equal {
            for (known, other) in [(left, right), (right, left)] {
                if let Some(&kind) = kinds.get(&known) {
                    kinds.entry(other).or_insert(kind);
                }
            }
        }
        if kinds.len() == before {
            return kinds;
        }
    }
}

fn is_number(part: Term, terms: &Terms) -> bool {
    match terms.kind(part) {
        TermKind::Constant(value) => matches!(value, Value::Int(_) | Value::Real(_)),
        TermKind::Apply(op, _) => {
            op != Op::If && matches!(terms.sort_of(part), Sort::INT | Sort::REAL)
        }
        _ => false,
    }
}
