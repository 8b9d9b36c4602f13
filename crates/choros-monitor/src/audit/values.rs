//! What a log says, as values of the sorts that a model asks for.

use choros_data::{Sort, SortKind, Term, Terms, Value};
use choros_model::observation::{Datum, Observation};
use num_rational::BigRational;

use super::automaton::Carried;
use super::redacted::Redacted;

/// What an observation has for a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// A constant, but for what was redacted in it.
    Value(Term),
    /// The observation has no data at all, or not all of them were written down, so nothing is known.
    Nothing,
    /// The field is missing, or what is there is of another sort.
    Misfit,
}

/// The value of one of the fields: by its label, whose `/` separate the parts of a path.
///
/// A field without a label is the datum with the name of its variable, or the one in its position.
/// Where the observation has more data than the message has fields, and none of that name, it is unknown which is meant:
/// the order in which a log writes them means nothing.
pub(crate) fn find(
    observation: &Observation<'_>,
    fields: &[Carried],
    position: usize,
    redacted: &mut Redacted,
    terms: &mut Terms,
) -> Found {
    if observation.data.is_empty() {
        return Found::Nothing;
    }
    let field = &fields[position];
    let sort = field.sort;
    let called = field.variable.map(|it| plain_name(terms.variable_text(it)));
    let path = match field.label {
        Some(label) => terms.names.text(label).replace('/', "."),
        // A record without a label is the whole message.
        None if matches!(terms.sort_kind(sort), SortKind::Record(_)) => String::new(),
        None => match observation.data.get(position) {
            _ if called.is_some_and(|it| observation.datum(it).is_some()) => {
                called.unwrap_or_default().to_owned()
            }
            Some(_) if has_more(observation, fields, terms) => {
                return Found::Nothing;
            }
            _ if observation.is_partial => return Found::Nothing,
            Some((path, _)) => path.to_string(),
            None => return Found::Misfit,
        },
    };
    match at(observation, &path, sort, MAX_NESTING, redacted, terms) {
        Some(value) => Found::Value(value),
        None if observation.is_partial => Found::Nothing,
        None => Found::Misfit,
    }
}

/// The value that a field had and that was not written down.
pub(crate) fn unwritten(
    observation: &Observation<'_>,
    field: &Carried,
    position: usize,
    redacted: &mut Redacted,
    terms: &mut Terms,
) -> Term {
    let Observation {
        by,
        line,
        operation,
        direction,
        ..
    } = observation;
    let text = format!("{by} {line} {operation} {direction:?} {position}");
    let called = match (field.label, field.variable) {
        (Some(label), _) => label,
        (None, Some(variable)) => terms.variable_name(variable),
        (None, None) => terms.names.intern("value"),
    };
    redacted.value(&text, field.sort, called, terms)
}

/// The name of a variable as it was written; generated ones have an ending of their own.
pub(super) fn plain_name(text: &str) -> &str {
    let end = text.find(['\'', '@']).unwrap_or(text.len());
    &text[..end]
}

/// Whether there are more data than fields, each of which is one datum.
fn has_more(observation: &Observation<'_>, fields: &[Carried], terms: &Terms) -> bool {
    let is_plain = |field: &Carried| {
        let kind = terms.sort_kind(field.sort);
        !matches!(kind, SortKind::Record(_) | SortKind::List(_))
    };
    observation.data.len() > fields.len() && fields.iter().all(is_plain)
}

/// Records and lists within each other; sorts of models are not deeper.
const MAX_NESTING: usize = 64;

fn at(
    observation: &Observation<'_>,
    path: &str,
    sort: Sort,
    depth: usize,
    redacted: &mut Redacted,
    terms: &mut Terms,
) -> Option<Term> {
    let below = |part: &str| match path {
        "" => part.to_owned(),
        path => format!("{path}.{part}"),
    };
    let depth = depth.checked_sub(1)?;
    // A pseudonym is a text, whatever it stands for.
    if let Some(datum) = observation.datum(path).filter(|it| it.is_redacted()) {
        let called = path.rsplit('.').next().unwrap_or(path);
        let called = terms.names.intern(called);
        return Some(redacted.value(datum.text()?, sort, called, terms));
    }
    match terms.sort_kind(sort).clone() {
        SortKind::Record(fields) => {
            let mut values = Vec::with_capacity(fields.len());
            for (name, field) in fields {
                let part = below(terms.names.text(name));
                values.push(at(observation, &part, field, depth, redacted, terms)?);
            }
            Some(terms.record(sort, &values))
        }
        SortKind::List(element) => {
            let mut items = Vec::new();
            loop {
                let part = below(&items.len().to_string());
                let there = observation.data.iter().any(|(known, _)| {
                    known
                        .strip_prefix(part.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                });
                if !there {
                    break;
                }
                items.push(at(observation, &part, element, depth, redacted, terms)?);
            }
            Some(terms.list(sort, &items))
        }
        _ => {
            let value = fit(observation.datum(path)?, sort, terms)?;
            Some(terms.constant(value))
        }
    }
}

/// A single value as one of a sort.
fn fit(datum: &Datum<'_>, sort: Sort, terms: &mut Terms) -> Option<Value> {
    match terms.sort_kind(sort).clone() {
        SortKind::Bool => datum.truth().map(Value::Bool),
        SortKind::Int => {
            let number = datum.number().filter(|number| number.is_whole())?;
            Some(match number.to_i64() {
                Some(small) => Value::int(small),
                None => Value::Int(number.rational().to_integer()),
            })
        }
        SortKind::Real => {
            let number = datum.number()?;
            Some(Value::Real(match number.to_i64() {
                Some(small) => BigRational::from_integer(small.into()),
                None => number.rational(),
            }))
        }
        SortKind::String => datum.text().map(Value::text),
        SortKind::Uninterpreted(_) => {
            let name = terms.names.intern(&datum.key());
            Some(Value::Atom { sort, name })
        }
        SortKind::Enumeration { .. } => {
            let name = terms.names.get(datum.text()?)?;
            let (known, index) = terms.constructor(name)?;
            (known == sort).then_some(Value::Constructor { sort, index })
        }
        SortKind::Record(_) | SortKind::List(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use choros_base::Name;
    use choros_model::observation::Number;
    use choros_model::stg::Direction;

    use super::*;

    fn number(text: &str) -> Datum<'static> {
        Datum::Number(Number::parse(text).unwrap())
    }

    fn carried(label: Option<Name>, sort: Sort) -> Carried {
        Carried {
            label,
            variable: None,
            sort,
            test: None,
            keep: None,
        }
    }

    #[test]
    fn a_fraction_is_no_integer() {
        let mut terms = Terms::new();
        let label = terms.names.intern("weight");
        let message =
            Observation::new("m", "a", "b", Direction::Send).with("weight", number("4.96"));
        assert_eq!(
            find(
                &message,
                &[carried(Some(label), Sort::INT)],
                0,
                &mut Redacted::default(),
                &mut terms
            ),
            Found::Misfit
        );
        let real = find(
            &message,
            &[carried(Some(label), Sort::REAL)],
            0,
            &mut Redacted::default(),
            &mut terms,
        );
        assert!(
            matches!(real, Found::Value(value) if matches!(terms.value(value), Some(Value::Real(_))))
        );
    }

    #[test]
    fn paths_are_read_with_either_sign_and_into_records() {
        let mut terms = Terms::new();
        let message = Observation::new("m", "a", "b", Direction::Send)
            .with("country.code", number("33"))
            .with("country.name", Datum::Text("France".into()));
        let slash = terms.names.intern("country/code");
        let found = find(
            &message,
            &[carried(Some(slash), Sort::INT)],
            0,
            &mut Redacted::default(),
            &mut terms,
        );
        assert_eq!(found, Found::Value(terms.constant(Value::int(33))));
        let (code, name) = (terms.names.intern("code"), terms.names.intern("name"));
        let sort = terms.sort(SortKind::Record(vec![
            (code, Sort::INT),
            (name, Sort::STRING),
        ]));
        let country = terms.names.intern("country");
        let found = find(
            &message,
            &[carried(Some(country), sort)],
            0,
            &mut Redacted::default(),
            &mut terms,
        );
        let fields = vec![Value::int(33), Value::text("France")];
        let record = terms.constant(Value::Record { sort, fields });
        assert_eq!(found, Found::Value(record));
    }

    #[test]
    fn without_data_nothing_is_known() {
        let mut terms = Terms::new();
        let message = Observation::new("m", "a", "b", Direction::Send);
        assert_eq!(
            find(
                &message,
                &[carried(None, Sort::INT)],
                0,
                &mut Redacted::default(),
                &mut terms
            ),
            Found::Nothing
        );
    }

    #[test]
    fn without_a_label_the_name_of_the_variable_counts_before_the_position() {
        let mut terms = Terms::new();
        let name = terms.names.intern("y");
        let variable = terms.variable(name, Sort::INT);
        let field = Carried {
            variable: Some(variable),
            ..carried(None, Sort::INT)
        };
        let message = |data: &[(&'static str, &str)]| {
            let empty = Observation::new("m", "a", "b", Direction::Send);
            let data = data.iter();
            data.fold(empty, |message, (path, text)| {
                message.with(*path, number(text))
            })
        };
        let [one, two] = [1, 2].map(|it| terms.constant(Value::int(it)));
        let mut found = |data: &[(&'static str, &str)]| {
            find(
                &message(data),
                std::slice::from_ref(&field),
                0,
                &mut Redacted::default(),
                &mut terms,
            )
        };
        assert_eq!(found(&[("x", "1"), ("y", "2")]), Found::Value(two));
        assert_eq!(found(&[("x", "1")]), Found::Value(one));
        assert_eq!(found(&[("x", "1"), ("z", "2")]), Found::Nothing);
    }
}
