//! The value of an expression on values, as XPath 1.0 says.
//!
//! It differs from XPath 1.0 in two things, both confessed in the README: numbers are exact, and what would be *not a
//! number* or infinite has no value; and a node of type boolean stands for its value where a truth value is wanted.
//! Translation to terms shares no code with this file, so that each checks the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_data::{Op, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::ast::Arithmetic;
use super::code::{Atom, Code, CodeKind, Function, Nodes, Predicate, Root};
use super::{Object, XpathError};
use crate::schema::{decimal_text, read_decimal};

/// What an expression is computed with.
#[derive(Clone, Copy)]
pub(super) struct Environment<'e> {
    pub(super) values: &'e BTreeMap<Arc<str>, Value>,
    /// The node that is examined, its position and the number of nodes.
    pub(super) context: Option<(&'e Value, usize, usize)>,
}

/// A value with what is needed to take the text of nodes.
enum Found<'v> {
    Bool(bool),
    Number(BigRational),
    Text(Arc<str>),
    Nodes(Vec<&'v Value>, Atom),
}

/// The text of a node, typed.
enum Content<'v> {
    Bool(bool),
    Number(BigRational),
    Text(&'v Arc<str>),
}

pub(super) fn evaluate(code: &Code, environment: Environment<'_>) -> Result<Object, XpathError> {
    Ok(match found(code, environment)? {
        Found::Bool(value) => Object::Bool(value),
        Found::Number(value) => Object::Number(value),
        Found::Text(value) => Object::Text(value),
        Found::Nodes(nodes, _) => Object::Nodes(nodes.into_iter().cloned().collect()),
    })
}

/// The truth value of an expression.
pub(super) fn truth(code: &Code, environment: Environment<'_>) -> Result<bool, XpathError> {
    boolean(&found(code, environment)?)
}

fn found<'e>(code: &Code, environment: Environment<'e>) -> Result<Found<'e>, XpathError> {
    Ok(match &code.kind {
        CodeKind::Number(number) => Found::Number(number.clone()),
        CodeKind::Text(text) => Found::Text(text.clone()),
        CodeKind::Nodes(nodes) => {
            let selected = select(nodes, environment)?;
            match (nodes.is_scalar, selected.first()) {
                (true, Some(value)) => match content(value, nodes.atom)? {
                    Content::Bool(value) => Found::Bool(value),
                    Content::Number(value) => Found::Number(value),
                    Content::Text(value) => Found::Text(value.clone()),
                },
                _ => Found::Nodes(selected, nodes.atom),
            }
        }
        CodeKind::And(parts) => Found::Bool(connective(parts, environment, false)?),
        CodeKind::Or(parts) => Found::Bool(connective(parts, environment, true)?),
        CodeKind::Compare(op, left, right) => {
            let (left, right) = (found(left, environment)?, found(right, environment)?);
            Found::Bool(compare(*op, &left, &right)?)
        }
        CodeKind::Arithmetic(op, left, right) => {
            let left = number(&found(left, environment)?)?;
            let right = number(&found(right, environment)?)?;
            Found::Number(arithmetic(*op, &left, &right)?)
        }
        CodeKind::Negate(inner) => Found::Number(-number(&found(inner, environment)?)?),
        CodeKind::Call(function, arguments) => call(*function, arguments, environment)?,
    })
}

/// Kleene's connectives: what has no value does not matter beside what decides.
fn connective(
    parts: &[Code],
    environment: Environment<'_>,
    absorbing: bool,
) -> Result<bool, XpathError> {
    let mut problem = None;
    for part in parts {
        match truth(part, environment) {
            Ok(value) if value == absorbing => return Ok(absorbing),
            Ok(_) => {}
            Err(failure) => problem = problem.or(Some(failure)),
        }
    }
    problem.map_or(Ok(!absorbing), Err)
}

fn select<'e>(nodes: &Nodes, environment: Environment<'e>) -> Result<Vec<&'e Value>, XpathError> {
    let root = match &nodes.root {
        Root::Variable(name) => environment
            .values
            .get(name)
            .ok_or_else(|| XpathError::Unassigned(name.clone()))?,
        Root::Context => match environment.context {
            Some((value, ..)) => value,
            None => return Ok(Vec::new()),
        },
    };
    let mut selected = vec![root];
    for step in &nodes.steps {
        let mut next = Vec::new();
        for node in selected {
            let field = match (step.position, node) {
                (None, node) => node,
                (Some(position), Value::Record { fields, .. }) => match fields.get(position) {
                    Some(field) => field,
                    None => continue,
                },
                _ => continue,
            };
            let mut here: Vec<&Value> = match (step.list, field) {
                (Some(_), Value::List { items, .. }) => items.iter().collect(),
                (_, value) => vec![value],
            };
            for predicate in &step.predicates {
                here = filter(predicate, here, environment)?;
            }
            next.extend(here);
        }
        selected = next;
    }
    Ok(selected)
}

fn filter<'e>(
    predicate: &Predicate,
    nodes: Vec<&'e Value>,
    environment: Environment<'e>,
) -> Result<Vec<&'e Value>, XpathError> {
    match predicate {
        Predicate::Position(position) => {
            let index = position.checked_sub(1).and_then(|it| it.to_usize());
            let chosen = index.and_then(|index| nodes.get(index).copied());
            Ok(chosen.into_iter().collect())
        }
        Predicate::Last => Ok(nodes.last().copied().into_iter().collect()),
        Predicate::Holds(code) => {
            let count = nodes.len();
            let mut kept = Vec::new();
            for (index, node) in nodes.into_iter().enumerate() {
                let inside = Environment {
                    context: Some((node, index + 1, count)),
                    ..environment
                };
                if truth(code, inside)? {
                    kept.push(node);
                }
            }
            Ok(kept)
        }
    }
}

fn content(value: &Value, atom: Atom) -> Result<Content<'_>, XpathError> {
    let value = match (atom, value) {
        (Atom::Itself(_), value) => value,
        (Atom::Field(position, _), Value::Record { fields, .. }) => {
            fields.get(position).ok_or(XpathError::NoText)?
        }
        _ => return Err(XpathError::NoText),
    };
    match value {
        Value::Bool(value) => Ok(Content::Bool(*value)),
        Value::Int(value) => Ok(Content::Number(BigRational::from_integer(value.clone()))),
        Value::Real(value) => Ok(Content::Number(value.clone())),
        Value::String(text) => Ok(Content::Text(text)),
        _ => Err(XpathError::NoText),
    }
}

fn boolean(found: &Found<'_>) -> Result<bool, XpathError> {
    Ok(match found {
        Found::Bool(value) => *value,
        Found::Number(value) => !value.is_zero(),
        Found::Text(text) => !text.is_empty(),
        Found::Nodes(nodes, atom) => match (nodes.first(), atom.sort()) {
            (Some(first), Some(choros_data::Sort::BOOL)) => {
                matches!(content(first, *atom)?, Content::Bool(true))
            }
            (first, _) => first.is_some(),
        },
    })
}

fn number(found: &Found<'_>) -> Result<BigRational, XpathError> {
    match found {
        Found::Bool(true) => Ok(BigRational::one()),
        Found::Bool(false) => Ok(BigRational::zero()),
        Found::Number(value) => Ok(value.clone()),
        Found::Text(text) => text_number(text).ok_or(XpathError::NotANumber),
        Found::Nodes(nodes, atom) => match nodes.first() {
            Some(first) => content_number(&content(first, *atom)?).ok_or(XpathError::NotANumber),
            None => Err(XpathError::NotANumber),
        },
    }
}

fn content_number(content: &Content<'_>) -> Option<BigRational> {
    match content {
        // The text `true` is not a number.
        Content::Bool(_) => None,
        Content::Number(value) => Some(value.clone()),
        Content::Text(text) => text_number(text),
    }
}

/// XPath reads an optional minus and a decimal, with white space around it, and no plus.
fn text_number(text: &str) -> Option<BigRational> {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    if text.starts_with('+') {
        None
    } else {
        read_decimal(text)
    }
}

fn text(found: &Found<'_>) -> Result<Arc<str>, XpathError> {
    match found {
        Found::Bool(value) => Ok(value.to_string().into()),
        Found::Number(value) => number_text(value),
        Found::Text(text) => Ok(text.clone()),
        Found::Nodes(nodes, atom) => match nodes.first() {
            Some(first) => content_text(&content(first, *atom)?),
            None => Ok("".into()),
        },
    }
}

fn content_text(content: &Content<'_>) -> Result<Arc<str>, XpathError> {
    match content {
        Content::Bool(value) => Ok(value.to_string().into()),
        Content::Number(value) => number_text(value),
        Content::Text(text) => Ok((*text).clone()),
    }
}

fn number_text(value: &BigRational) -> Result<Arc<str>, XpathError> {
    decimal_text(value)
        .map(Arc::from)
        .ok_or(XpathError::NotANumber)
}

/// Section 3.4: with nodes, whether some node (or some pair) compares.
fn compare(op: Op, left: &Found<'_>, right: &Found<'_>) -> Result<bool, XpathError> {
    let is_equality = matches!(op, Op::Equal | Op::NotEqual);
    match (left, right) {
        (Found::Nodes(one, first), Found::Nodes(two, second)) => {
            for a in one {
                for b in two {
                    let (a, b) = (content(a, *first)?, content(b, *second)?);
                    let holds = if is_equality {
                        equal(op, &content_text(&a)?, &content_text(&b)?)
                    } else {
                        numbers(op, content_number(&a), content_number(&b))
                    };
                    if holds {
                        return Ok(true);
                    }
                }
            }
            Ok(false)
        }
        (Found::Nodes(..), Found::Bool(value)) => truths(op, boolean(left)?, *value),
        (Found::Bool(value), Found::Nodes(..)) => truths(op, *value, boolean(right)?),
        (Found::Nodes(nodes, atom), scalar) => {
            let mut holds = false;
            for node in nodes {
                holds |= with_scalar(op, &content(node, *atom)?, scalar)?;
            }
            Ok(holds)
        }
        (scalar, Found::Nodes(nodes, atom)) => {
            let mut holds = false;
            for node in nodes {
                holds |= with_scalar(op.mirrored(), &content(node, *atom)?, scalar)?;
            }
            Ok(holds)
        }
        (Found::Bool(_), _) | (_, Found::Bool(_)) if is_equality => {
            truths(op, boolean(left)?, boolean(right)?)
        }
        (Found::Text(one), Found::Text(two)) if is_equality => Ok(equal(op, one, two)),
        _ => {
            let (one, two) = (number(left)?, number(right)?);
            Ok(numbers(op, Some(one), Some(two)))
        }
    }
}

fn with_scalar(op: Op, node: &Content<'_>, scalar: &Found<'_>) -> Result<bool, XpathError> {
    match scalar {
        Found::Text(text) if matches!(op, Op::Equal | Op::NotEqual) => {
            Ok(equal(op, &content_text(node)?, text))
        }
        Found::Text(text) => Ok(numbers(op, content_number(node), text_number(text))),
        Found::Number(value) => Ok(numbers(op, content_number(node), Some(value.clone()))),
        Found::Bool(_) | Found::Nodes(..) => Ok(false),
    }
}

fn truths(op: Op, left: bool, right: bool) -> Result<bool, XpathError> {
    Ok(match op {
        Op::Equal => left == right,
        Op::NotEqual => left != right,
        _ => {
            let number = |value: bool| BigRational::from_integer(BigInt::from(u8::from(value)));
            numbers(op, Some(number(left)), Some(number(right)))
        }
    })
}

fn equal(op: Op, left: &str, right: &str) -> bool {
    (left == right) == (op == Op::Equal)
}

/// What is not a number is unequal to everything, and stands in no order.
fn numbers(op: Op, left: Option<BigRational>, right: Option<BigRational>) -> bool {
    let (Some(left), Some(right)) = (left, right) else {
        return op == Op::NotEqual;
    };
    match op {
        Op::Equal => left == right,
        Op::NotEqual => left != right,
        Op::Less => left < right,
        Op::LessEqual => left <= right,
        Op::Greater => left > right,
        _ => left >= right,
    }
}

fn arithmetic(
    op: Arithmetic,
    left: &BigRational,
    right: &BigRational,
) -> Result<BigRational, XpathError> {
    Ok(match op {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide | Arithmetic::Modulo if right.is_zero() => {
            return Err(XpathError::NotANumber);
        }
        Arithmetic::Divide => left / right,
        // The remainder of truncation: it has the sign of the dividend.
        Arithmetic::Modulo => left - (left / right).trunc() * right,
    })
}

fn call<'e>(
    function: Function,
    arguments: &[Code],
    environment: Environment<'e>,
) -> Result<Found<'e>, XpathError> {
    let value = |index: usize| found(&arguments[index], environment);
    let a_number = |index: usize| number(&value(index)?);
    let a_text = |index: usize| text(&value(index)?);
    let half = BigRational::new(BigInt::one(), BigInt::from(2u8));
    let context = environment.context.map_or((0, 0), |(_, at, of)| (at, of));
    Ok(match function {
        Function::True => Found::Bool(true),
        Function::False => Found::Bool(false),
        Function::Not => Found::Bool(!boolean(&value(0)?)?),
        Function::Boolean => Found::Bool(boolean(&value(0)?)?),
        Function::Number => Found::Number(a_number(0)?),
        Function::String => Found::Text(a_text(0)?),
        Function::Position => Found::Number(BigRational::from_integer(context.0.into())),
        Function::Last => Found::Number(BigRational::from_integer(context.1.into())),
        Function::Count => match value(0)? {
            Found::Nodes(nodes, _) => Found::Number(BigRational::from_integer(nodes.len().into())),
            _ => return Err(XpathError::NoText),
        },
        Function::Sum => match value(0)? {
            Found::Nodes(nodes, atom) => {
                let mut sum = BigRational::zero();
                for node in nodes {
                    sum += content_number(&content(node, atom)?).ok_or(XpathError::NotANumber)?;
                }
                Found::Number(sum)
            }
            _ => return Err(XpathError::NoText),
        },
        Function::Floor => Found::Number(a_number(0)?.floor()),
        Function::Ceiling => Found::Number(a_number(0)?.ceil()),
        Function::Round => Found::Number((a_number(0)? + half).floor()),
        Function::Concat => {
            let mut whole = String::new();
            for index in 0..arguments.len() {
                whole.push_str(&a_text(index)?);
            }
            Found::Text(whole.into())
        }
        Function::StartsWith => Found::Bool(a_text(0)?.starts_with(&*a_text(1)?)),
        Function::Contains => Found::Bool(a_text(0)?.contains(&*a_text(1)?)),
        Function::SubstringBefore => {
            let (whole, part) = (a_text(0)?, a_text(1)?);
            let before = whole.find(&*part).map_or("", |at| &whole[..at]);
            Found::Text(before.into())
        }
        Function::SubstringAfter => {
            let (whole, part) = (a_text(0)?, a_text(1)?);
            let after = whole
                .find(&*part)
                .map_or("", |at| &whole[at + part.len()..]);
            Found::Text(after.into())
        }
        Function::Substring => {
            let start = (a_number(1)? + &half).floor();
            let end = match arguments.len() {
                3 => Some(&start + (a_number(2)? + &half).floor()),
                _ => None,
            };
            let part: String = a_text(0)?
                .chars()
                .enumerate()
                .filter(|(index, _)| {
                    let position = BigRational::from_integer((index + 1).into());
                    position >= start && end.as_ref().is_none_or(|end| position < *end)
                })
                .map(|(_, character)| character)
                .collect();
            Found::Text(part.into())
        }
        Function::StringLength => {
            let length = a_text(0)?.chars().count();
            Found::Number(BigRational::from_integer(length.into()))
        }
        Function::NormalizeSpace => {
            let whole = a_text(0)?;
            let words: Vec<&str> = whole
                .split([' ', '\t', '\n', '\r'])
                .filter(|word| !word.is_empty())
                .collect();
            Found::Text(words.join(" ").into())
        }
        Function::Translate => {
            let (from, to): (Vec<char>, Vec<char>) =
                (a_text(1)?.chars().collect(), a_text(2)?.chars().collect());
            let translated: String = a_text(0)?
                .chars()
                .filter_map(
                    |character| match from.iter().position(|&one| one == character) {
                        Some(at) => to.get(at).copied(),
                        None => Some(character),
                    },
                )
                .collect();
            Found::Text(translated.into())
        }
    })
}
