//! Where the fields of a message stand over HTTP, and what is done with their values on the way.

use choros_bind::{FieldPlace, Fields, MessageBinding, Place, ValuePath};
use choros_data::{Sort, SortKind, Terms, Value};
use choros_model::observation::{Datum, Number};
use num_rational::BigRational;
use serde_json::{Map, Value as Json};

use crate::MessageFields;

/// A field in its place; numbers may be computed.
pub(crate) struct Placed(FieldPlace);

impl std::ops::Deref for Placed {
    type Target = FieldPlace;

    fn deref(&self) -> &FieldPlace {
        &self.0
    }
}

impl Placed {
    /// The sort of what stands at the place: computed fields may be fractions there.
    pub(crate) fn read_sort(&self, sort: Sort) -> Sort {
        if self.steps.is_empty() {
            sort
        } else {
            Sort::REAL
        }
    }
}

/// Where each field of a message stands; places that only records have do not count.
///
/// `names` are those of fields without labels, as far as they are known.
pub(crate) fn placed(
    shape: &MessageFields,
    names: &[Option<String>],
    message: &MessageBinding,
) -> Result<Vec<Placed>, String> {
    let count = shape.fields.len();
    let named = match &message.fields {
        Fields::Listed(places) if places.len() == count => {
            return Ok(places.iter().cloned().map(Placed).collect());
        }
        Fields::Listed(places) => {
            return Err(format!(
                "the binding has {} fields where the message has {count}",
                places.len()
            ));
        }
        Fields::Named(named) => named,
    };
    let labels = shape.fields.iter().enumerate();
    let named_by_variable = |position: usize| names.get(position).cloned().flatten();
    let labels = labels.map(|(position, (label, _))| match label {
        Some(label) => label.clone(),
        None if named_by_variable(position).is_some() => {
            named_by_variable(position).unwrap_or_default()
        }
        None if count == 1 => "value".to_owned(),
        None => format!("value{}", position + 1),
    });
    Ok(labels
        .map(|label| {
            let own = named.iter().find(|(name, _)| *name == label);
            let places = own.map_or(&[][..], |(_, places)| places);
            let is_sent = |it: &&FieldPlace| {
                matches!(
                    it.place,
                    Place::Body(_) | Place::Path(_) | Place::Query(_) | Place::Header(_)
                )
            };
            let place = places.iter().find(is_sent).cloned();
            Placed(place.unwrap_or_else(|| by_rule(label, message).into()))
        })
        .collect())
}

/// Where a field stands that no one placed: the parameter of its name, or else the body.
fn by_rule(label: String, message: &MessageBinding) -> Place {
    let request = message.request.as_ref();
    if request.is_some_and(|it| it.path.parameters().any(|name| name == label)) {
        return Place::Path(label);
    }
    Place::Body(ValuePath::dotted(&label))
}

/// What is to stand at the place of a field.
pub(crate) fn write_field(field: &Placed, value: &Value) -> Result<Value, String> {
    let number = match value {
        _ if field.steps.is_empty() => return Ok(value.clone()),
        Value::Int(value) => Number::from(BigRational::from(value.clone())),
        Value::Real(value) => Number::from(value.clone()),
        _ => return Err(format!("`{}` is computed, but not a number", field.0)),
    };
    let undone = field.undone(&number);
    let undone = undone.ok_or_else(|| format!("`{}` cannot be undone", field.0))?;
    Ok(Value::Real(undone.rational()))
}

/// The value of a field, from what stands at its place.
pub(crate) fn read_field(
    field: &Placed,
    value: Value,
    sort: Sort,
    terms: &Terms,
) -> Result<Value, String> {
    let Value::Real(found) = &value else {
        return Ok(value);
    };
    if field.steps.is_empty() {
        return Ok(value);
    }
    let computed = field.computed(&Datum::Number(Number::from(found.clone())));
    let number = computed.and_then(|it| it.number()).map(|it| it.rational());
    match (terms.sort_kind(sort), number) {
        (SortKind::Real, Some(number)) => Ok(Value::Real(number)),
        (SortKind::Int, Some(number)) if number.is_integer() => Ok(Value::Int(number.to_integer())),
        (SortKind::Int, Some(number)) => {
            Err(format!("`{}` is {number}, not a whole number", field.0))
        }
        _ => Err(format!(
            "`{}` is computed, but the field is not a number",
            field.0
        )),
    }
}

/// A constant of a binding.
pub(crate) fn json_of(value: &Datum<'_>) -> Json {
    match value {
        Datum::Null => Json::Null,
        Datum::Bool(truth) => Json::Bool(*truth),
        Datum::Number(number) => {
            let text = number.to_string();
            serde_json::from_str(&text).unwrap_or(Json::String(text))
        }
        Datum::Text(text) | Datum::Untyped(text) => Json::from(text.as_ref()),
    }
}

/// What stands at a path of a body.
pub(crate) fn get<'j>(body: &'j Json, path: &ValuePath) -> Option<&'j Json> {
    path.labels().iter().try_fold(body, |at, label| match at {
        Json::Array(items) => items.get(label.parse::<usize>().ok()?),
        at => at.get(label),
    })
}

/// Longer lists are not made of a single place.
const LONGEST: usize = 1000;

/// Puts a value at a path of a body; numbers among the labels make lists.
pub(crate) fn put(body: &mut Json, path: &ValuePath, value: Json) -> Result<(), String> {
    let mut at = body;
    let labels = path.labels();
    for (position, label) in labels.iter().enumerate() {
        let number = label.parse::<usize>().ok().filter(|it| *it < LONGEST);
        // What is there only because nothing else was said may become a list.
        if let (Some(_), Json::Object(fields)) = (number, &*at)
            && fields.is_empty()
            && position > 0
        {
            *at = Json::Array(Vec::new());
        }
        at = match (at, number) {
            (Json::Array(items), Some(number)) => {
                while items.len() <= number {
                    items.push(Json::Object(Map::new()));
                }
                &mut items[number]
            }
            (Json::Object(fields), _) => fields
                .entry(label.clone())
                .or_insert_with(|| Json::Object(Map::new())),
            _ => {
                return Err(format!(
                    "`{}` goes through something that is not an object",
                    path.text()
                ));
            }
        };
    }
    *at = value;
    Ok(())
}

#[cfg(test)]
mod tests {
    use choros_bind::ValuePath;
    use serde_json::json;

    use super::{get, put};

    #[test]
    fn numbers_among_labels_make_lists() {
        let mut body = json!({});
        for (path, value) in [("items.0.qty", 2), ("items.1.qty", 3), ("total", 5)] {
            put(&mut body, &ValuePath::dotted(path), json!(value)).expect("it has room");
        }
        assert_eq!(body, json!({"items": [{"qty": 2}, {"qty": 3}], "total": 5}));
        assert_eq!(
            get(&body, &ValuePath::dotted("items.1.qty")),
            Some(&json!(3))
        );
        assert_eq!(get(&body, &ValuePath::dotted("items.2.qty")), None);
        put(&mut body, &ValuePath::dotted("total.net"), json!(1)).expect_err("no room");
        // A message that is one number has a label that looks like one.
        let mut body = json!({});
        put(&mut body, &ValuePath::dotted("1"), json!(7)).expect("it has room");
        assert_eq!(body, json!({"1": 7}));
    }
}
