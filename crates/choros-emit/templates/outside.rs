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

/// A message as it came: a request with a method and a target, or a response with a status.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Received {
    pub method: Option<String>,
    /// The path and the query.
    pub target: Option<String>,
    pub status: Option<u16>,
    pub headers: Vec<(String, String)>,
    pub body: Option<Json>,
    /// The parameters of the path; of a response, those of the request that it answers.
    pub parameters: Vec<(String, String)>,
}

/// The message that came, which is one of these kinds; the one that says most about it.
pub fn decode(received: &Received, kinds: &[Kind]) -> Result<messages::Payload, Failure> {
    let mut best: Vec<messages::Payload> = Vec::new();
    let mut most = (0, 0, 0);
    let mut reasons = Vec::new();
    for &kind in kinds {
        let Some(outside) = outside_of(kind) else {
            continue;
        };
        let payload = match read(kind, outside, received) {
            Ok(payload) => payload,
            Err(reason) => {
                reasons.push(format!("{kind:?}: {reason}"));
                continue;
            }
        };
        let path = outside.request.map_or("", |(_, path)| path);
        let fixed = path.split('/').filter(|it| !it.starts_with('{')).count();
        let said = outside.constants.len() + usize::from(!outside.statuses.is_empty());
        let rank = (fixed, said, outside.fields.len());
        if best.is_empty() || rank > most {
            (best, most) = (vec![payload], rank);
        } else if rank == most {
            best.push(payload);
        }
    }
    let why = match &best[..] {
        [only] => return Ok(only.clone()),
        [] => reasons.join("; "),
        [one, other, ..] => format!("it may be {one:?} or {other:?}"),
    };
    Err(Failure::Network(format!("{received:?} is not a message that is expected: {why}")))
}

fn read(kind: Kind, outside: &Outside, received: &Received) -> Result<messages::Payload, String> {
    let target = received.target.as_deref().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let parameters = match outside.request {
        Some((method, template)) => {
            if received.method.as_deref() != Some(method) {
                return Err(format!("it is a {method}"));
            }
            let template = template.split('?').next().unwrap_or_default();
            matched(template, path).ok_or_else(|| format!("its path is {template}"))?
        }
        None => {
            let status = received.status.filter(|it| has_status(outside, *it));
            status.ok_or("it has another status")?;
            received.parameters.clone()
        }
    };
    let query: Vec<(String, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, text)| (unescaped(&name.replace('+', " ")), unescaped(&text.replace('+', " "))))
        .collect();
    let found = |place: &Place| -> Result<Json, String> {
        let name = place.labels.first().copied().unwrap_or_default();
        let named = |list: &[(String, String)]| {
            let is_it = |it: &&(String, String)| match place.part {
                "header" => it.0.eq_ignore_ascii_case(name),
                _ => it.0 == name,
            };
            list.iter().find(is_it).map(|(_, text)| Json::Text(text.clone()))
        };
        let there = match place.part {
            "path" => named(&parameters),
            "query" => named(&query),
            "header" => named(&received.headers),
            _ => received.body.as_ref().and_then(|it| it.at(place.labels)).cloned(),
        };
        there.ok_or_else(|| format!("there is no {}", place.labels.join(".")))
    };
    for (place, constant) in outside.constants {
        let expected = constant.to_json().map_err(|failure| failure.to_string())?;
        let there = found(place)?;
        let is_same = match place.part {
            // A number that usual readers would round is a text outside.
            "body" => there.to_string() == expected.to_string(),
            _ => there.bare() == expected.bare(),
        };
        if !is_same {
            return Err(format!("{} is not {expected}", place.labels.join(".")));
        }
    }
    let mut values = Vec::new();
    for place in outside.fields {
        let mut there = found(place)?;
        if !place.steps.is_empty() {
            let number = Real::from_json(&there)?;
            there = Json::Number(computed(place, number).map_err(|failure| failure.to_string())?);
        }
        values.push(there);
    }
    payload(kind, &values)
}

fn has_status(outside: &Outside, status: u16) -> bool {
    let forms = [status.to_string(), format!("{}xx", status / 100), "*".to_owned()];
    if outside.statuses.is_empty() {
        return (200..300).contains(&status);
    }
    outside.statuses.iter().any(|it| forms.iter().any(|form| form == it))
}

/// The parameters of a path.
fn matched(template: &str, path: &str) -> Option<Vec<(String, String)>> {
    let mut parts = path.split('/');
    let mut parameters = Vec::new();
    for known in template.split('/') {
        let part = unescaped(parts.next()?);
        match known.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some(name) => parameters.push((name.to_owned(), part)),
            None if unescaped(known) == part => {}
            None => return None,
        }
    }
    parts.next().is_none().then_some(parameters)
}

fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let escape = escape.and_then(|it| std::str::from_utf8(it).ok());
        match escape.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

fn computed(place: &Place, mut number: Real) -> Result<Real, Failure> {
    for (sign, other) in place.steps {
        let other: Real = other.parse()?;
        number = match sign {
            '+' => number.plus(other)?,
            '-' => number.minus(other)?,
            '*' => number.times(other)?,
            _ => number.divided_by(other)?,
        };
    }
    Ok(number)
}

impl Json {
    /// The value at a place.
    fn at(&self, labels: &[&str]) -> Option<&Json> {
        labels.iter().try_fold(self, |it, label| match it {
            Json::List(items) => items.get(label.parse::<usize>().ok()?),
            Json::Object(_) => it.field(label),
            _ => None,
        })
    }

    fn field(&self, name: &str) -> Option<&Json> {
        let Json::Object(fields) = self else {
            return None;
        };
        // Of two with one name, the last counts, as usual.
        let found = fields.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }
}

/// A value of the model, from JSON or from the text of a path, a query or a header.
pub trait FromJson: Sized {
    fn from_json(found: &Json) -> Result<Self, String>;
}

fn unexpected<T>(expected: &str, found: &Json) -> Result<T, String> {
    Err(format!("expected {expected}, found {found}"))
}

/// The value of a field.
fn inward<T: FromJson>(values: &[Json], number: usize) -> Result<T, String> {
    T::from_json(values.get(number).ok_or("a field is missing")?)
}

/// The value of a field of a record.
pub fn inward_field<T: FromJson>(found: &Json, label: &str) -> Result<T, String> {
    T::from_json(found.field(label).ok_or_else(|| format!("there is no {label}"))?)
}

impl FromJson for bool {
    fn from_json(found: &Json) -> Result<bool, String> {
        match found {
            Json::Bool(truth) => Ok(*truth),
            Json::Text(text) if text == "true" || text == "false" => Ok(text == "true"),
            _ => unexpected("a truth value", found),
        }
    }
}

impl FromJson for Real {
    fn from_json(found: &Json) -> Result<Real, String> {
        match found {
            Json::Number(number) => Ok(*number),
            Json::Text(text) => text.parse().or_else(|_| unexpected("a number", found)),
            _ => unexpected("a number", found),
        }
    }
}

impl FromJson for i64 {
    fn from_json(found: &Json) -> Result<i64, String> {
        let number = Real::from_json(found)?;
        let whole = i64::try_from(number.numerator()).ok();
        whole.filter(|_| number.denominator() == 1).map_or_else(|| unexpected("a whole number", found), Ok)
    }
}

impl FromJson for String {
    fn from_json(found: &Json) -> Result<String, String> {
        match found {
            Json::Text(text) => Ok(text.clone()),
            _ => unexpected("a text", found),
        }
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(found: &Json) -> Result<Vec<T>, String> {
        match found {
            Json::List(items) => items.iter().map(T::from_json).collect(),
            _ => unexpected("a list", found),
        }
    }
}

/// The body that a text is; none if there is no text. Numbers are exact.
pub fn read_body(text: &str) -> Result<Option<Json>, Failure> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0).filter(|_| {
        reader.blank();
        reader.at == text.len()
    });
    let wrong = || Failure::Network(format!("the body is not JSON at byte {}", reader.at));
    value.map(Some).ok_or_else(wrong)
}

/// Nothing that is nested deeper is read.
const DEEPEST: usize = 100;

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    /// Goes past a text, if it is there.
    fn has(&mut self, wanted: &str) -> bool {
        self.blank();
        let is_there = self.rest().starts_with(wanted);
        self.at += if is_there { wanted.len() } else { 0 };
        is_there
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        for (word, value) in
            [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))]
        {
            if self.has(word) {
                return Some(value);
            }
        }
        if self.has("[") {
            let mut items = Vec::new();
            if self.has("]") {
                return Some(Json::List(items));
            }
            loop {
                items.push(self.value(depth + 1)?);
                if !self.has(",") {
                    return self.has("]").then_some(Json::List(items));
                }
            }
        }
        if self.has("{") {
            let mut fields = Vec::new();
            if self.has("}") {
                return Some(Json::Object(fields));
            }
            loop {
                let name = self.string()?;
                if !self.has(":") {
                    return None;
                }
                fields.push((name, self.value(depth + 1)?));
                if !self.has(",") {
                    return self.has("}").then_some(Json::Object(fields));
                }
            }
        }
        if self.rest().starts_with('"') {
            return self.string().map(Json::Text);
        }
        self.number()
    }

    fn number(&mut self) -> Option<Json> {
        let rest = self.rest();
        let length = rest.find(|it: char| !(it.is_ascii_digit() || "+-.eE".contains(it)));
        let text = &rest[..length.unwrap_or(rest.len())];
        let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        if !digits.trim_start_matches('-').starts_with(|it: char| it.is_ascii_digit()) {
            return None;
        }
        let mut number: Real = digits.parse().ok()?;
        let power: i32 = power.parse().ok()?;
        let scale = Real::new(10_i128.checked_pow(power.unsigned_abs())?, 1).ok()?;
        number = if power < 0 { number.divided_by(scale) } else { number.times(scale) }.ok()?;
        self.at += text.len();
        Some(Json::Number(number))
    }

    fn string(&mut self) -> Option<String> {
        if !self.has("\"") {
            return None;
        }
        let mut text = String::new();
        loop {
            let letter = self.letter()?;
            match letter {
                '"' => return Some(text),
                '\\' => text.push(match self.letter()? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'u' => self.escaped()?,
                    same @ ('"' | '\\' | '/') => same,
                    _ => return None,
                }),
                letter if letter < ' ' => return None,
                letter => text.push(letter),
            }
        }
    }

    fn letter(&mut self) -> Option<char> {
        let letter = self.rest().chars().next()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// After `\u`: a letter, or the first half of one, after which the other half comes.
    fn escaped(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.rest().starts_with("\\u") {
            return None;
        }
        self.at += 2;
        let second = self.unit()?.checked_sub(0xDC00).filter(|it| *it < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + second)
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let is_plain = digits.bytes().all(|it| it.is_ascii_hexdigit());
        let unit = is_plain.then(|| u32::from_str_radix(digits, 16).ok())?;
        self.at += 4;
        unit
    }
}
