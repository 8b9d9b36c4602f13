//! Conditions over the values of messages, compiled so that one evaluation allocates nothing.
//!
//! A value of the wrong kind is undefined, and so is a comparison of values of different kinds; an undefined
//! operation makes the whole condition false, beside a true disjunct too ([ADR 0005]).
//! So the connectives are strict, and only `if` leaves a branch unseen: a condition is true here just when the closed
//! condition ([`Terms::close`]) is true for the evaluator and for a solver.
//!
//! [ADR 0005]: ../../../docs/adr/0005-partial-operations-make-guards-false.md

mod quick;
mod redacted;

use std::borrow::Cow;

use choros_data::{Op, Term, TermKind, Terms, Value, Var};
use choros_model::observation::{Datum, Number};
use rustc_hash::FxHashMap;

use self::quick::Quick;

/// A condition whose variables are numbered places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Code {
    /// Parts before the whole; the last one is the condition.
    parts: Vec<Part>,
    /// The same for small whole numbers.
    quick: Option<Quick>,
}

/// What a condition comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    /// It is false, or an operation in it is undefined.
    False,
    /// That depends on values that were redacted.
    Redacted,
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Truth {
        if truth { Truth::True } else { Truth::False }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Constant(Datum<'static>),
    Slot(usize),
    Apply(Op, Vec<usize>),
}

/// Where the values of variables stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots<'v> {
    /// What earlier messages bound.
    pub(crate) before: &'v [Datum<'static>],
    /// What this message binds.
    pub(crate) own: &'v [Datum<'static>],
    /// The number of the first place that this message fills.
    pub(crate) first: usize,
}

impl<'v> Slots<'v> {
    pub(crate) fn get(self, slot: usize) -> Option<&'v Datum<'v>> {
        match slot.checked_sub(self.first) {
            Some(position) => self.own.get(position),
            None => self.before.get(slot),
        }
    }
}

impl Code {
    /// Translates a term; `slots` says where each variable's value stands.
    pub(crate) fn new(term: Term, terms: &Terms, slots: &FxHashMap<Var, usize>) -> Option<Code> {
        let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
        let mut parts = Vec::new();
        for part in terms.postorder([term]) {
            let made = match terms.kind(part) {
                TermKind::Constant(value) => Part::Constant(constant(value, terms)?),
                TermKind::Variable(variable) => Part::Slot(*slots.get(&variable)?),
                TermKind::Quantified(..) => return None,
                TermKind::Apply(op, arguments) => Part::Apply(
                    op,
                    arguments
                        .iter()
                        .map(|argument| numbers.get(argument).copied())
                        .collect::<Option<_>>()?,
                ),
            };
            numbers.insert(part, parts.len());
            parts.push(made);
        }
        let quick = Quick::new(&parts);
        Some(Code { parts, quick })
    }

    /// Whether the condition is true.
    pub(crate) fn judge<'v>(&'v self, slots: Slots<'v>) -> Truth {
        if let Some(known) = self.quick.as_ref().and_then(|quick| quick.holds(slots)) {
            return Truth::from(known);
        }
        if self.is_redacted(slots) {
            return self.judge_redacted(slots);
        }
        let Some(last) = self.parts.len().checked_sub(1) else {
            return Truth::True;
        };
        Truth::from(self.truth(last, slots) == Some(true))
    }

    /// The truth value of a part; terms share parts, but conditions are small, so each is evaluated where it is used.
    fn truth<'v>(&'v self, part: usize, slots: Slots<'v>) -> Option<bool> {
        let Part::Apply(op, arguments) = &self.parts[part] else {
            return self.value(part, slots)?.truth();
        };
        match op {
            Op::And | Op::Or => {
                let absorbing = *op == Op::Or;
                let mut whole = !absorbing;
                for &argument in arguments {
                    if self.truth(argument, slots)? == absorbing {
                        whole = absorbing;
                    }
                }
                Some(whole)
            }
            Op::Not => self.truth(arguments[0], slots).map(|value| !value),
            Op::Implies => {
                let premise = self.truth(arguments[0], slots)?;
                let conclusion = self.truth(arguments[1], slots)?;
                Some(!premise || conclusion)
            }
            Op::Equal | Op::NotEqual => {
                let (left, right) = (
                    self.value(arguments[0], slots)?,
                    self.value(arguments[1], slots)?,
                );
                comparable(&left, &right).then(|| left.agrees(&right) == (*op == Op::Equal))
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                let left = self.value(arguments[0], slots)?.number()?;
                let right = self.value(arguments[1], slots)?.number()?;
                Some(match op {
                    Op::Less => left < right,
                    Op::LessEqual => left <= right,
                    Op::Greater => left > right,
                    _ => left >= right,
                })
            }
            Op::Prefix => {
                let (prefix, whole) = (
                    self.value(arguments[0], slots)?,
                    self.value(arguments[1], slots)?,
                );
                Some(whole.text()?.starts_with(prefix.text()?))
            }
            Op::Contains => {
                let (whole, piece) = (
                    self.value(arguments[0], slots)?,
                    self.value(arguments[1], slots)?,
                );
                Some(whole.text()?.contains(piece.text()?))
            }
            _ => self.value(part, slots)?.truth(),
        }
    }

    /// The value of a part; depth is limited by the parser of expressions.
    fn value<'v>(&'v self, part: usize, slots: Slots<'v>) -> Option<Cow<'v, Datum<'v>>> {
        let (op, arguments) = match &self.parts[part] {
            Part::Constant(value) => return Some(Cow::Borrowed(value)),
            Part::Slot(place) => return slots.get(*place).map(Cow::Borrowed),
            Part::Apply(op, arguments) => (op, arguments),
        };
        let numeric = |position: usize| self.value(arguments[position], slots)?.number();
        let result = match op {
            Op::Add | Op::Multiply => {
                let mut result = numeric(0)?;
                for position in 1..arguments.len() {
                    let next = numeric(position)?;
                    result = match op {
                        Op::Add => result.plus(&next),
                        _ => result.times(&next),
                    };
                }
                result
            }
            Op::Subtract => numeric(0)?.minus(&numeric(1)?),
            Op::Negate => Number::from(0).minus(&numeric(0)?),
            Op::Divide => numeric(0)?.divided_by(&numeric(1)?)?,
            Op::IntegerDivide => numeric(0)?.euclidean(&numeric(1)?)?.0,
            Op::Modulo => numeric(0)?.euclidean(&numeric(1)?)?.1,
            Op::Length => {
                let value = self.value(arguments[0], slots)?;
                Number::from(i64::try_from(value.text()?.chars().count()).ok()?)
            }
            Op::Concat => {
                let mut whole = String::new();
                for &argument in arguments {
                    whole.push_str(self.value(argument, slots)?.text()?);
                }
                return Some(Cow::Owned(Datum::Text(Cow::Owned(whole))));
            }
            Op::If => {
                let branch = if self.truth(arguments[0], slots)? {
                    arguments[1]
                } else {
                    arguments[2]
                };
                return self.value(branch, slots);
            }
            _ => {
                return self
                    .truth(part, slots)
                    .map(|value| Cow::Owned(Datum::Bool(value)));
            }
        };
        Some(Cow::Owned(Datum::Number(result)))
    }
}

fn constant(value: &Value, terms: &Terms) -> Option<Datum<'static>> {
    Some(match value {
        Value::Bool(value) => Datum::Bool(*value),
        Value::Int(value) => Datum::Number(Number::from(
            <choros_model::observation::Rational>::from_integer(value.clone()),
        )),
        Value::Real(value) => Datum::Number(Number::from(value.clone())),
        Value::String(text) => Datum::Text(Cow::Owned(text.to_string())),
        Value::Atom { name, .. } => Datum::Text(Cow::Owned(terms.names.text(*name).to_owned())),
        _ => return None,
    })
}

/// Whether two values are of one kind; what has no type is of every kind it can be read as.
fn comparable(left: &Datum<'_>, right: &Datum<'_>) -> bool {
    let readable = |typed: &Datum<'_>, untyped: &Datum<'_>| match typed {
        Datum::Null => false,
        Datum::Bool(_) => untyped.truth().is_some(),
        Datum::Number(_) => untyped.number().is_some(),
        Datum::Text(_) | Datum::Untyped(_) => true,
    };
    match (left, right) {
        (untyped @ Datum::Untyped(_), typed) | (typed, untyped @ Datum::Untyped(_)) => {
            readable(typed, untyped)
        }
        (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}
