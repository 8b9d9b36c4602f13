//! How messages look outside: names, methods, paths and places of fields are those of the binding.

use std::fmt;

use crate::messages;
use crate::network::Failure;
use crate::real::Real;

/// How a message looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outside {
    /// What events and logs call it.
    pub name: &'static str,
    pub topic: Option<&'static str>,
    /// Method and path of a request; none if it is a response.
    pub request: Option<(&'static str, &'static str)>,
    /// A response has one of these statuses, such as `201` or `4xx`; any of success if there are none.
    pub statuses: &'static [&'static str],
    /// The status that a response is sent with.
    pub status: u16,
    /// What is always there.
    pub constants: &'static [(Place, Constant)],
    /// Where each field is.
    pub fields: &'static [Place],
}

/// Where a field is, and what is computed from what is found there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// `body`, `path`, `query` or `header`.
    pub part: &'static str,
    pub labels: &'static [&'static str],
    /// A sign and a number.
    pub steps: &'static [(char, &'static str)],
}

/// A value that is always the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    Null,
    Bool(bool),
    Number(&'static str),
    Text(&'static str),
}

/// A message as it is sent: a request with a method and a target, or a response with a status.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    pub name: &'static str,
    pub topic: Option<&'static str>,
    pub method: Option<&'static str>,
    /// The path and the query.
    pub target: Option<String>,
    pub status: Option<u16>,
    pub headers: Vec<(&'static str, String)>,
    pub body: Option<Json>,
}

impl fmt::Display for Envelope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.method, &self.target, self.status) {
            (Some(method), Some(target), _) => write!(out, "{method} {target}")?,
            (_, _, Some(status)) => write!(out, "{status}")?,
            _ => {}
        }
        self.body.iter().try_for_each(|body| write!(out, " {body}"))
    }
}

/// A message as it is sent.
pub fn encode(payload: &messages::Payload) -> Result<Envelope, Failure> {
    let (Some(outside), values) = (outside(payload), values(payload)) else {
        return Err(Failure::Network(format!("{payload:?} has no form outside")));
    };
    let mut body = Json::Object(Vec::new());
    let (mut path, mut query, mut headers) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = Vec::new();
    for (place, constant) in outside.constants {
        all.push((place, constant.to_json()?));
    }
    for (place, value) in outside.fields.iter().zip(values) {
        all.push((place, undone(place, value)?));
    }
    for (place, value) in all {
        let name = place.labels.first().copied().unwrap_or_default();
        match place.part {
            "path" => path.push((name, value.bare())),
            "query" => query.push((name, value.bare())),
            "header" => headers.push((name, value.bare())),
            _ => body.put(place.labels, value, false),
        }
    }
    let method = outside.request.map(|(method, _)| method);
    let is_empty = body == Json::Object(Vec::new());
    let needs_none = matches!(method, Some("GET" | "HEAD" | "DELETE" | "OPTIONS"));
    Ok(Envelope {
        name: outside.name,
        topic: outside.topic,
        method,
        target: outside.request.map(|(_, template)| target(template, &path, &query)),
        status: outside.request.is_none().then_some(outside.status),
        headers,
        body: (!is_empty || !needs_none).then_some(body),
    })
}

fn target(template: &str, path: &[(&str, String)], query: &[(&str, String)]) -> String {
    let parts = template.split('/').map(|part| {
        match part.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            None => part.to_owned(),
            Some(name) => {
                let found = path.iter().find(|(it, _)| *it == name);
                found.map_or_else(String::new, |(_, text)| escaped(text))
            }
        }
    });
    let mut target = parts.collect::<Vec<_>>().join("/");
    for (name, text) in query {
        target.push(if target.contains('?') { '&' } else { '?' });
        target.push_str(&format!("{}={}", escaped(name), escaped(text)));
    }
    target
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

/// What is to be found at a place, so that the field that is computed from it has this value.
fn undone(place: &Place, value: Json) -> Result<Json, Failure> {
    let Json::Number(mut number) = value else {
        return Ok(value);
    };
    for (sign, other) in place.steps.iter().rev() {
        let other: Real = other.parse()?;
        number = match sign {
            '+' => number.minus(other)?,
            '-' => number.plus(other)?,
            '*' => number.divided_by(other)?,
            _ => number.times(other)?,
        };
    }
    Ok(Json::Number(number))
}

/// A value of JSON; its text is JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(Real),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Puts a value at a place; numbers among the labels make lists.
    fn put(&mut self, labels: &[&str], value: Json, is_inside: bool) {
        let Some((label, rest)) = labels.split_first() else {
            *self = value;
            return;
        };
        let number = label.parse::<usize>().ok().filter(|it| *it < 1000);
        if is_inside && number.is_some() && *self == Json::Object(Vec::new()) {
            *self = Json::List(Vec::new());
        }
        match (self, number) {
            (Json::List(items), Some(number)) => {
                while items.len() <= number {
                    items.push(Json::Object(Vec::new()));
                }
                items[number].put(rest, value, true);
            }
            (Json::Object(fields), _) => {
                let at = fields.iter().position(|(name, _)| name == label);
                let at = at.unwrap_or_else(|| {
                    fields.push(((*label).to_owned(), Json::Object(Vec::new())));
                    fields.len() - 1
                });
                fields[at].1.put(rest, value, true);
            }
            // The binding was checked: no place goes through a value.
            _ => {}
        }
    }

    /// As in a path, a query or a header: texts without quotes.
    fn bare(&self) -> String {
        match self {
            Json::Text(text) => text.clone(),
            other => other.to_string().trim_matches('"').to_owned(),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => write!(out, "null"),
            Json::Bool(truth) => write!(out, "{truth}"),
            Json::Number(number) => write!(out, "{}", number_text(*number)),
            Json::Text(text) => quoted(text, out),
            Json::List(items) => {
                write!(out, "[")?;
                for (position, item) in items.iter().enumerate() {
                    let separator = if position == 0 { "" } else { ", " };
                    write!(out, "{separator}{item}")?;
                }
                write!(out, "]")
            }
            Json::Object(fields) => {
                write!(out, "{{")?;
                for (position, (name, value)) in fields.iter().enumerate() {
                    write!(out, "{}", if position == 0 { "" } else { ", " })?;
                    quoted(name, out)?;
                    write!(out, ": {value}")?;
                }
                write!(out, "}}")
            }
        }
    }
}

fn quoted(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(out, "\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            other if other.is_control() => write!(out, "\\u{:04x}", u32::from(other))?,
            other => write!(out, "{other}")?,
        }
    }
    write!(out, "\"")
}

/// A number of JSON, or a text where usual readers of JSON would round it.
fn number_text(number: Real) -> String {
    let (above, below) = (number.numerator(), number.denominator());
    if below == 1 && i64::try_from(above).is_ok() {
        return above.to_string();
    }
    for places in 1..=15_u32 {
        let scale = 10_i128.pow(places);
        let digits = if scale % below == 0 { above.checked_mul(scale / below) } else { None };
        if let Some(digits) = digits.filter(|it| below != 1 && it.unsigned_abs() < 10_u128.pow(15)) {
            let sign = if digits < 0 { "-" } else { "" };
            let text = format!("{:0width$}", digits.unsigned_abs(), width = places as usize + 1);
            let (whole, fraction) = text.split_at(text.len() - places as usize);
            return format!("{sign}{whole}.{fraction}");
        }
    }
    format!("\"{number}\"")
}

impl Constant {
    fn to_json(self) -> Result<Json, Failure> {
        Ok(match self {
            Constant::Null => Json::Null,
            Constant::Bool(truth) => Json::Bool(truth),
            Constant::Number(text) => Json::Number(text.parse()?),
            Constant::Text(text) => Json::Text(text.to_owned()),
        })
    }
}

/// A value of the model as JSON.
pub trait ToJson {
    fn to_json(&self) -> Json;
}

impl ToJson for bool {
    fn to_json(&self) -> Json {
        Json::Bool(*self)
    }
}

impl ToJson for i64 {
    fn to_json(&self) -> Json {
        Json::Number(Real::from(*self))
    }
}

impl ToJson for Real {
    fn to_json(&self) -> Json {
        Json::Number(*self)
    }
}

impl ToJson for String {
    fn to_json(&self) -> Json {
        Json::Text(self.clone())
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Json {
        Json::List(self.iter().map(ToJson::to_json).collect())
    }
}
