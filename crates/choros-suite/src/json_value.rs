//! Values of the data language as JSON, as a sort directs.

use choros_data::{Sort, SortKind, Terms, Value};
use choros_model::observation::Number as ObservedNumber;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use serde_json::{Map, Number, Value as Json};

use crate::json_exact::{number, text};

/// How deep a document may nest.
const DEPTH: usize = 64;

/// A value as JSON.
///
/// Numbers that JSON's usual readers would round (integers beyond 64 bits, fractions that are no short decimals) are
/// texts; named values are texts too.
pub fn to_json(value: &Value, terms: &Terms) -> Json {
    // Values are as deep as their sorts, which readers limit.
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => integer(value),
        Value::Real(value) if value.denom().is_one() => integer(value.numer()),
        Value::Real(value) => decimal(value).map_or_else(
            || Json::from(format!("{}/{}", value.numer(), value.denom())),
            |text| {
                text.parse::<f64>()
                    .ok()
                    .filter(|number| number.to_string() == text)
                    .and_then(Number::from_f64)
                    .map_or(Json::from(text), Json::Number)
            },
        ),
        Value::String(text) => Json::from(text.as_ref()),
        Value::Atom { name, .. } => Json::from(terms.names.text(*name)),
        Value::Constructor { sort, index } => match terms.sort_kind(*sort) {
            SortKind::Enumeration { constructors, .. } => constructors
                .get(*index as usize)
                .map_or(Json::Null, |&name| Json::from(terms.names.text(name))),
            _ => Json::Null,
        },
        Value::Record { sort, fields } => {
            let mut object = Map::new();
            if let SortKind::Record(labels) = terms.sort_kind(*sort) {
                for (&(label, _), field) in labels.iter().zip(fields) {
                    object.insert(terms.names.text(label).to_owned(), to_json(field, terms));
                }
            }
            Json::Object(object)
        }
        Value::List { items, .. } => {
            Json::Array(items.iter().map(|item| to_json(item, terms)).collect())
        }
    }
}

/// A value of a sort from JSON; the error says where and what was expected.
pub fn from_json(json: &Json, sort: Sort, terms: &mut Terms) -> Result<Value, String> {
    read(json, sort, terms, DEPTH)
}

/// The texts, numbers and words in a body, each with its place (`order/lines/0/price`) and as JSON writes it.
pub fn json_leaves(body: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = match serde_json::from_slice::<Json>(body) {
        Ok(json) => vec![(String::new(), json)],
        Err(_) => Vec::new(),
    };
    while let Some((place, json)) = open.pop() {
        let below = |key: &str| {
            if place.is_empty() {
                key.to_owned()
            } else {
                format!("{place}/{key}")
            }
        };
        match json {
            Json::Object(object) => {
                open.extend(object.into_iter().map(|(key, part)| (below(&key), part)));
            }
            Json::Array(parts) => {
                let parts = parts.into_iter().enumerate();
                open.extend(parts.map(|(key, part)| (below(&key.to_string()), part)));
            }
            leaf => found.push((place, leaf.to_string())),
        }
    }
    found.sort_unstable();
    found
}

fn read(json: &Json, sort: Sort, terms: &mut Terms, depth: usize) -> Result<Value, String> {
    if depth == 0 {
        return Err(format!("it is nested deeper than {DEPTH} levels"));
    }
    let wrong = |terms: &Terms| {
        let mut text = number(json).unwrap_or_else(|| json.to_string());
        if let Some((cut, _)) = text.char_indices().nth(40) {
            text.truncate(cut);
            text.push('…');
        }
        format!("expected {}, found {text}", terms.sort_text(sort))
    };
    match (terms.sort_kind(sort).clone(), json) {
        (SortKind::Bool, Json::Bool(value)) => Ok(Value::Bool(*value)),
        // Numbers may be in texts, as they are written by those who do not want them to be rounded.
        (SortKind::Int, Json::Number(_) | Json::String(_)) => number(json)
            .or_else(|| text(json).map(str::to_owned))
            .and_then(|written| rational(&written))
            .filter(|value| value.denom().is_one())
            .map(|value| Value::Int(value.numer().clone()))
            .ok_or_else(|| wrong(terms)),
        (SortKind::Real, Json::Number(_) | Json::String(_)) => number(json)
            .or_else(|| text(json).map(str::to_owned))
            .and_then(|written| rational(&written))
            .map(Value::Real)
            .ok_or_else(|| wrong(terms)),
        (SortKind::String, Json::String(_)) => {
            let text = text(json).ok_or_else(|| wrong(terms))?;
            Ok(Value::text(text))
        }
        (SortKind::Uninterpreted(_), Json::String(_)) => {
            let text = text(json).ok_or_else(|| wrong(terms))?;
            Ok(Value::Atom {
                sort,
                name: terms.names.intern(text),
            })
        }
        (SortKind::Enumeration { constructors, .. }, Json::String(text)) => constructors
            .iter()
            .position(|&name| terms.names.text(name) == text)
            .map(|index| Value::Constructor {
                sort,
                index: index as u32,
            })
            .ok_or_else(|| wrong(terms)),
        (SortKind::Record(labels), Json::Object(object)) => {
            let mut fields = Vec::new();
            for (label, field) in labels {
                let label = terms.names.text(label).to_owned();
                let part = object.get(&label).unwrap_or(&Json::Null);
                let value = read(part, field, terms, depth - 1)
                    .map_err(|reason| format!("`{label}`: {reason}"))?;
                fields.push(value);
            }
            Ok(Value::Record { sort, fields })
        }
        (SortKind::List(element), Json::Array(parts)) => {
            let mut items = Vec::new();
            for (position, part) in parts.iter().enumerate() {
                let item = read(part, element, terms, depth - 1)
                    .map_err(|reason| format!("[{position}]: {reason}"))?;
                items.push(item);
            }
            Ok(Value::List { sort, items })
        }
        _ => Err(wrong(terms)),
    }
}

fn integer(value: &BigInt) -> Json {
    let text = value.to_string();
    match (text.parse::<i64>(), text.parse::<u64>()) {
        (Ok(value), _) => Json::from(value),
        (_, Ok(value)) => Json::from(value),
        _ => Json::from(text),
    }
}

/// A fraction as a decimal of at most twelve places, if it is one.
fn decimal(value: &BigRational) -> Option<String> {
    let mut scaled = value.clone();
    let ten = BigRational::from_integer(BigInt::from(10));
    for places in 0..=12_usize {
        if scaled.denom().is_one() {
            let digits = scaled.numer().magnitude().to_string();
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, rest) = digits.split_at(digits.len() - places);
            let sign = if scaled.numer() < &BigInt::zero() {
                "-"
            } else {
                ""
            };
            return Some(format!("{sign}{whole}.{rest}"));
        }
        scaled *= &ten;
    }
    None
}

/// `12`, `-1.5`, `2e3`, `+7` or `61/5`.
fn rational(text: &str) -> Option<BigRational> {
    let decimal = |text: &str| {
        let plain = text.strip_prefix('+').unwrap_or(text);
        Some(ObservedNumber::parse(plain).ok()?.rational())
    };
    let Some((above, below)) = text.split_once('/') else {
        return decimal(text);
    };
    let (above, below) = (decimal(above)?, decimal(below)?);
    let whole = above.is_integer() && below.is_integer() && !below.is_zero();
    whole.then(|| above / below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use choros_testkit::WrittenValue;

    #[test]
    fn values_are_what_the_table_says() {
        let mut terms = Terms::new();
        for row in WrittenValue::table() {
            let body = format!("{{\"x\": {}}}", row.written);
            let body = crate::json_exact::read_exactly(body.as_bytes()).expect("JSON");
            let read = from_json(&body["x"], row.sort(), &mut terms);
            assert_eq!(read == Ok(row.value.clone()), row.is_same, "{row:?}");
        }
    }

    #[test]
    fn endless_numbers_are_none() {
        let mut terms = Terms::new();
        for digits in ["9".repeat(10_001), format!("1/{}", "9".repeat(10_001))] {
            let endless = Json::from(digits);
            assert!(from_json(&endless, Sort::INT, &mut terms).is_err());
            assert!(from_json(&endless, Sort::REAL, &mut terms).is_err());
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut terms = Terms::new();
        let (a, b) = (terms.names.intern("a"), terms.names.intern("b"));
        let list = terms.list_sort(Sort::REAL);
        let sort = terms.sort(SortKind::Record(vec![(a, Sort::INT), (b, list)]));
        let real = |above: i64, below: i64| {
            Value::Real(BigRational::new(BigInt::from(above), BigInt::from(below)))
        };
        let big: BigInt = "-123456789012345678901234567890".parse().expect("a number");
        let value = Value::Record {
            sort,
            fields: vec![
                Value::Int(big),
                Value::List {
                    sort: list,
                    items: vec![real(61, 5), real(1, 3), real(-3, 1), real(-1, 8)],
                },
            ],
        };
        let json = to_json(&value, &terms);
        assert_eq!(
            json.to_string(),
            r#"{"a":"-123456789012345678901234567890","b":[12.2,"1/3",-3,-0.125]}"#
        );
        assert_eq!(from_json(&json, sort, &mut terms), Ok(value));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let mut terms = Terms::new();
        let a = terms.names.intern("a");
        let sort = terms.sort(SortKind::Record(vec![(a, Sort::INT)]));
        for (text, expected) in [
            ("{}", "`a`: expected Int, found null"),
            (r#"{"a": 1.5}"#, "`a`: expected Int, found 1.5"),
            (r#"{"a": "x"}"#, "`a`: expected Int, found \"x\""),
            ("[]", "expected {a: Int}, found []"),
        ] {
            let json: Json = serde_json::from_str(text).expect("JSON");
            assert_eq!(from_json(&json, sort, &mut terms), Err(expected.to_owned()));
        }
    }
}
