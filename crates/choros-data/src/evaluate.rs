//! The value of a term under an assignment.

use std::sync::Arc;

use num_integer::Integer;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use crate::{Op, RegularExpression, Term, TermKind, Terms, Value, Var};

/// Values of variables.
pub type Assignment = FxHashMap<Var, Value>;

/// Why a term has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoValue {
    /// A partial operation was applied outside its domain.
    Undefined,
    /// A variable has no value in the assignment.
    Unassigned(Var),
    /// A quantifier ranges over infinitely many values; only a solver can decide it.
    Quantified,
}

/// What connectives make of an undefined argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Connectives {
    /// Nothing, if the other arguments decide.
    Kleene,
    /// Something undefined.
    Strict,
}

impl Terms {
    /// The value of a term.
    ///
    /// Connectives follow Kleene: `false and undefined` is false, in any order, which is what a solver makes of a
    /// closed formula ([`Terms::close`]) too, and of formulas built from closed ones.
    /// For a condition as someone wrote it, there is [`Terms::condition_holds`].
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Result<Value, NoValue> {
        self.value_under(term, assignment, Connectives::Kleene)
    }

    /// Whether a condition holds as it was written: where an operation in it is undefined, it does not, wherever the
    /// operation stands but in a branch of an `if` that is not taken (ADR 0005).
    ///
    /// This is what [`Terms::evaluate_guard`] says of the closed condition.
    pub fn condition_holds(
        &self,
        condition: Term,
        assignment: &Assignment,
    ) -> Result<bool, NoValue> {
        match self.value_under(condition, assignment, Connectives::Strict) {
            Ok(value) => Ok(value == Value::Bool(true)),
            Err(NoValue::Undefined) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn value_under(
        &self,
        term: Term,
        assignment: &Assignment,
        connectives: Connectives,
    ) -> Result<Value, NoValue> {
        let mut values: FxHashMap<Term, Result<Value, NoValue>> = FxHashMap::default();
        for subterm in self.postorder([term]) {
            let value = match self.kind(subterm) {
                TermKind::Constant(value) => Ok(value.clone()),
                TermKind::Variable(variable) => assignment
                    .get(&variable)
                    .cloned()
                    .ok_or(NoValue::Unassigned(variable)),
                TermKind::Quantified(..) => Err(NoValue::Quantified),
                TermKind::Apply(op, arguments) => {
                    let argument = |position: usize| -> &Result<Value, NoValue> {
                        &values[&arguments[position]]
                    };
                    self.apply_value(op, subterm, arguments.len(), &argument, connectives)
                }
            };
            values.insert(subterm, value);
        }
        values.remove(&term).unwrap_or(Err(NoValue::Undefined))
    }

    /// Whether a condition holds for these values of its variables.
    pub fn holds_for<'v>(
        &self,
        condition: Term,
        values: impl IntoIterator<Item = (&'v str, impl Into<Value>)>,
    ) -> Result<bool, NoValue> {
        let free = self.free_variables(condition);
        let variable = |name: &str| free.iter().find(|&&it| self.variable_text(it) == name);
        let given = values.into_iter();
        let assignment = given.filter_map(|(name, value)| Some((*variable(name)?, value.into())));
        self.evaluate_guard(condition, &assignment.collect())
    }

    /// Whether a closed guard lets through: an undefined one does not.
    pub fn evaluate_guard(&self, guard: Term, assignment: &Assignment) -> Result<bool, NoValue> {
        match self.evaluate(guard, assignment) {
            Ok(value) => Ok(value == Value::Bool(true)),
            Err(NoValue::Undefined) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// The value of an operator on constant arguments, if it has one.
    pub(crate) fn fold_constants(&self, op: Op, term: Term, arguments: &[Term]) -> Option<Value> {
        let values: Option<Vec<Result<Value, NoValue>>> = arguments
            .iter()
            .map(|&argument| self.value(argument).cloned().map(Ok))
            .collect();
        let values = values?;
        let argument = |position: usize| &values[position];
        self.apply_value(op, term, values.len(), &argument, Connectives::Strict)
            .ok()
    }

    fn apply_value<'v>(
        &self,
        op: Op,
        term: Term,
        count: usize,
        argument: &dyn Fn(usize) -> &'v Result<Value, NoValue>,
        connectives: Connectives,
    ) -> Result<Value, NoValue> {
        let kleene = connectives == Connectives::Kleene;
        match op {
            Op::And if kleene => return connective(count, argument, false),
            Op::Or if kleene => return connective(count, argument, true),
            Op::Implies if kleene => {
                return match (argument(0), argument(1)) {
                    (Ok(Value::Bool(false)), _) | (_, Ok(Value::Bool(true))) => {
                        Ok(Value::Bool(true))
                    }
                    (Ok(_), other) => other.clone(),
                    (Err(reason), _) => Err(*reason),
                };
            }
            Op::If => {
                return match argument(0) {
                    Ok(Value::Bool(true)) => argument(1).clone(),
                    Ok(_) => argument(2).clone(),
                    Err(reason) => Err(*reason),
                };
            }
            _ => {}
        }
        let mut values: Vec<&'v Value> = Vec::with_capacity(count);
        for position in 0..count {
            match argument(position) {
                Ok(value) => values.push(value),
                Err(reason) => return Err(*reason),
            }
        }
        strict(op, &values).map(|value| match (op, value) {
            // These need the sort that only the term knows.
            (Op::MakeRecord, _) => Value::Record {
                sort: self.sort_of(term),
                fields: values.iter().map(|&value| value.clone()).collect(),
            },
            (Op::MakeList, _) => Value::List {
                sort: self.sort_of(term),
                items: values.iter().map(|&value| value.clone()).collect(),
            },
            (_, value) => value,
        })
    }
}

/// Kleene's conjunction (`absorbing` false) and disjunction (`absorbing` true).
fn connective<'v>(
    count: usize,
    argument: &dyn Fn(usize) -> &'v Result<Value, NoValue>,
    absorbing: bool,
) -> Result<Value, NoValue> {
    let mut problem = None;
    for position in 0..count {
        match argument(position) {
            Ok(Value::Bool(value)) if *value == absorbing => return Ok(Value::Bool(absorbing)),
            Ok(_) => {}
            Err(reason) => problem = problem.or(Some(*reason)),
        }
    }
    match problem {
        Some(reason) => Err(reason),
        None => Ok(Value::Bool(!absorbing)),
    }
}

/// Operators that need all their arguments.
fn strict(op: Op, values: &[&Value]) -> Result<Value, NoValue> {
    use Value::{Bool, Int, List, Real, Record, String};
    let value = match (op, values) {
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::And, all) => Bool(all.iter().all(|value| **value == Bool(true))),
        (Op::Or, all) => Bool(all.iter().any(|value| **value == Bool(true))),
        (Op::Implies, [Bool(a), Bool(b)]) => Bool(!a || *b),
        (Op::Equal, [a, b]) => Bool(a == b),
        (Op::NotEqual, [a, b]) => Bool(a != b),
        (Op::Less, [Int(a), Int(b)]) => Bool(a < b),
        (Op::Less, [Real(a), Real(b)]) => Bool(a < b),
        (Op::LessEqual, [Int(a), Int(b)]) => Bool(a <= b),
        (Op::LessEqual, [Real(a), Real(b)]) => Bool(a <= b),
        (Op::Greater, [Int(a), Int(b)]) => Bool(a > b),
        (Op::Greater, [Real(a), Real(b)]) => Bool(a > b),
        (Op::GreaterEqual, [Int(a), Int(b)]) => Bool(a >= b),
        (Op::GreaterEqual, [Real(a), Real(b)]) => Bool(a >= b),
        (Op::Add, [Int(_), ..]) => Int(integers(values).sum()),
        (Op::Add, [Real(_), ..]) => Real(rationals(values).sum()),
        (Op::Multiply, [Int(_), ..]) => Int(integers(values).product()),
        (Op::Multiply, [Real(_), ..]) => Real(rationals(values).product()),
        (Op::Subtract, [Int(a), Int(b)]) => Int(a - b),
        (Op::Subtract, [Real(a), Real(b)]) => Real(a - b),
        (Op::Negate, [Int(a)]) => Int(-a),
        (Op::Negate, [Real(a)]) => Real(-a),
        (Op::Divide, [Real(a), Real(b)]) if !b.is_zero() => Real(a / b),
        (Op::IntegerDivide, [Int(a), Int(b)]) if !b.is_zero() => Int(euclidean(a, b).0),
        (Op::Modulo, [Int(a), Int(b)]) if !b.is_zero() => Int(euclidean(a, b).1),
        (Op::Length, [String(a)]) => Value::int(a.chars().count()),
        (Op::Length, [List { items, .. }]) => Value::int(items.len()),
        (Op::Concat, [String(_), ..]) => {
            let whole: std::string::String = values
                .iter()
                .filter_map(|value| match value {
                    String(text) => Some(&**text),
                    _ => None,
                })
                .collect();
            String(Arc::from(whole))
        }
        (Op::Concat, [List { sort, .. }, ..]) => List {
            sort: *sort,
            items: values
                .iter()
                .filter_map(|value| match value {
                    List { items, .. } => Some(items.iter().cloned()),
                    _ => None,
                })
                .flatten()
                .collect(),
        },
        (Op::Prefix, [String(prefix), String(whole)]) => Bool(whole.starts_with(&**prefix)),
        (Op::Contains, [String(whole), String(part)]) => Bool(whole.contains(&**part)),
        (Op::Matches, [String(text), String(expression)]) => {
            let expression = RegularExpression::read(expression).ok_or(NoValue::Undefined)?;
            Bool(expression.matches(text))
        }
        (Op::Member, [item, List { items, .. }]) => Bool(items.contains(item)),
        (Op::Index, [List { items, .. }, Int(position)]) => {
            let position = usize::try_from(position).map_err(|_| NoValue::Undefined)?;
            items.get(position).cloned().ok_or(NoValue::Undefined)?
        }
        (Op::Field(position), [Record { fields, .. }]) => fields[position as usize].clone(),
        // Their value is put together by the caller, who knows the sort.
        (Op::MakeRecord | Op::MakeList, _) => Bool(true),
        _ => return Err(NoValue::Undefined),
    };
    Ok(value)
}

fn integers<'a>(values: &'a [&Value]) -> impl Iterator<Item = &'a num_bigint::BigInt> {
    values.iter().filter_map(|value| match value {
        Value::Int(value) => Some(value),
        _ => None,
    })
}

fn rationals<'a>(values: &'a [&Value]) -> impl Iterator<Item = &'a num_rational::BigRational> {
    values.iter().filter_map(|value| match value {
        Value::Real(value) => Some(value),
        _ => None,
    })
}

/// Quotient and remainder with `0 <= remainder < |divisor|`, as SMT-LIB defines `div` and `mod`.
fn euclidean(
    dividend: &num_bigint::BigInt,
    divisor: &num_bigint::BigInt,
) -> (num_bigint::BigInt, num_bigint::BigInt) {
    let (quotient, remainder) = dividend.div_mod_floor(divisor);
    if remainder.is_negative() {
        (quotient + 1, remainder - divisor)
    } else {
        (quotient, remainder)
    }
}
