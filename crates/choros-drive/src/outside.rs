//! How the messages of a model look outside, for programs that are written for its roles.

use choros_bind::{Binding, MessageBinding, Place, Statuses, Step};
use choros_data::{Sort, SortKind, Terms};
use choros_emit::{OutsideConstant, OutsideField, OutsideMessage, OutsidePlace};
use choros_model::observation::Datum;
use choros_model::stg::{Role, Stg};
use serde_json::{Map, Value as Json};

use crate::MessageFields;
use crate::field_place::{Placed, placed, put};
use crate::json_codec::line;
use crate::message_fields::{shapes, variable_names};

/// How the messages of these roles look by a binding; or why one of them cannot be sent.
pub fn outside(
    roles: &[(Role, &Stg)],
    binding: &Binding,
    terms: &Terms,
) -> Result<Vec<OutsideMessage>, String> {
    let mut all: Vec<(MessageFields, Vec<Option<String>>)> = Vec::new();
    for (_, stg) in roles {
        let shapes = shapes(stg, terms);
        let named = match binding.model {
            Some(_) => variable_names(stg, &shapes, terms),
            None => shapes.into_iter().map(|it| (it, Vec::new())).collect(),
        };
        for (shape, names) in named {
            if !all.iter().any(|(it, _)| is_same(it, &shape)) {
                all.push((shape, names));
            }
        }
    }
    let said = (0..all.len()).map(|number| said(&all, number, binding, terms));
    said.collect()
}

/// Whether two shapes are one message, whatever their fields are called.
fn is_same(one: &MessageFields, other: &MessageFields) -> bool {
    let key = |it: &MessageFields| (it.operation, it.from, it.to);
    key(one) == key(other) && sorts(one) == sorts(other)
}

fn sorts(shape: &MessageFields) -> Vec<Sort> {
    shape.fields.iter().map(|(_, sort)| *sort).collect()
}

fn said(
    all: &[(MessageFields, Vec<Option<String>>)],
    number: usize,
    binding: &Binding,
    terms: &Terms,
) -> Result<OutsideMessage, String> {
    let (shape, names) = &all[number];
    let name = terms.names.text(shape.operation.0);
    let by_rule = MessageBinding::new(name);
    let bound = binding.message(name).unwrap_or(&by_rule);
    let is_call = |position: usize, call: &MessageFields| {
        let calls = terms.names.text(call.operation.0);
        // Of two that have one name, the first is the call.
        (call.from, call.to) == (shape.to, shape.from)
            && binding.calls(bound).any(|it| it == calls)
            && (calls != name || position < number)
    };
    let mut calls = all.iter().enumerate();
    let is_answer = calls.any(|(position, (call, _))| is_call(position, call));
    let request = (!is_answer).then(|| line(bound)).transpose()?;
    let content = content(shape, names, bound, terms);
    let (constants, fields) = content.map_err(|reason| format!("`{name}`: {reason}"))?;
    let exact = bound.names.iter().find(|it| it.is_exact());
    let topic = bound.topic.as_ref().filter(|it| it.is_exact());
    let status = bound.status.first().copied();
    Ok(OutsideMessage {
        operation: shape.operation,
        from: shape.from,
        to: shape.to,
        sorts: sorts(shape),
        name: exact.map_or(name, |it| it.text()).to_owned(),
        topic: topic.map(|it| it.text().to_owned()),
        request: request.map(|(method, path)| (method, path.text().to_owned())),
        statuses: bound.status.iter().map(Statuses::to_string).collect(),
        status: status.map_or(200, Statuses::example),
        constants,
        fields,
    })
}

/// What is always there, and where the fields are.
type Content = (Vec<(OutsidePlace, OutsideConstant)>, Vec<OutsideField>);

fn content(
    shape: &MessageFields,
    names: &[Option<String>],
    bound: &MessageBinding,
    terms: &Terms,
) -> Result<Content, String> {
    let fields = placed(shape, names, bound)?;
    let mut body = Json::Object(Map::new());
    let mut constants = Vec::new();
    for (at, value) in &bound.when {
        let Some(place) = place(at) else { continue };
        room(&mut body, at)?;
        constants.push((place, constant(value)));
    }
    let mut sent = Vec::new();
    for (field, (_, sort)) in fields.iter().zip(&shape.fields) {
        sent.push(self::field(field, *sort, terms)?);
        room(&mut body, &field.place)?;
    }
    Ok((constants, sent))
}

fn field(field: &Placed, sort: Sort, terms: &Terms) -> Result<OutsideField, String> {
    let kind = terms.sort_kind(sort);
    if !field.steps.is_empty() && !matches!(kind, SortKind::Int | SortKind::Real) {
        return Err(format!("`{}` is computed, but not a number", **field));
    }
    let has_parts = matches!(kind, SortKind::List(_) | SortKind::Record(_));
    if has_parts && !matches!(field.place, Place::Body(_)) {
        return Err(format!(
            "`{}` has parts, and only a body has room for them",
            field.place
        ));
    }
    let steps = field.steps.iter().map(|step| match step {
        Step::Plus(number) => ('+', number.to_string()),
        Step::Minus(number) => ('-', number.to_string()),
        Step::Times(number) => ('*', number.to_string()),
        Step::DividedBy(number) => ('/', number.to_string()),
    });
    Ok(OutsideField {
        place: place(&field.place)
            .ok_or_else(|| format!("`{}` is not a place of a message that is sent", field.place))?,
        steps: steps.collect(),
    })
}

/// The place, unless only records have it.
fn place(place: &Place) -> Option<OutsidePlace> {
    Some(match place {
        Place::Body(path) => OutsidePlace::Body(path.labels().to_vec()),
        Place::Path(name) => OutsidePlace::Path(name.clone()),
        Place::Query(name) => OutsidePlace::Query(name.clone()),
        Place::Header(name) => OutsidePlace::Header(name.clone()),
        Place::Status | Place::Attribute(_) | Place::Record(_) => return None,
    })
}

/// Whether a body has room for a value at a place, beside those that are there.
fn room(body: &mut Json, place: &Place) -> Result<(), String> {
    match place {
        Place::Body(path) => put(body, path, Json::Null),
        _ => Ok(()),
    }
}

fn constant(value: &Datum<'_>) -> OutsideConstant {
    match value {
        Datum::Null => OutsideConstant::Null,
        Datum::Bool(truth) => OutsideConstant::Bool(*truth),
        Datum::Number(number) => OutsideConstant::Number(number.to_string()),
        Datum::Text(text) | Datum::Untyped(text) => OutsideConstant::Text(text.to_string()),
    }
}
