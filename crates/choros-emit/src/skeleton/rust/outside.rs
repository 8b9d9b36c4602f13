//! How messages look outside, in Rust.

use choros_data::Terms;

use crate::skeleton::outside::{
    OutsideConstant, OutsideField, OutsideMessage, OutsidePlace, payloads,
};
use crate::skeleton::vocabulary::{Shape, Type, Vocabulary};
use crate::{Code, TargetLanguage};

const TEMPLATE: &str = include_str!("../../../templates/outside.rs");

pub(super) fn file(
    head: &str,
    vocabulary: &Vocabulary,
    outside: &[OutsideMessage],
    terms: &Terms,
) -> String {
    let mut code = Code::new();
    code.line(head).lines(TEMPLATE);
    for declared in &vocabulary.types {
        code.blank();
        let head = format!("impl ToJson for messages::{} {{", declared.name);
        code.block(&head, "}", |code| {
            code.block("fn to_json(&self) -> Json {", "}", |code| {
                value(code, declared, terms);
            });
        });
        code.blank();
        let head = format!("impl FromJson for messages::{} {{", declared.name);
        code.block(&head, "}", |code| {
            let head = "fn from_json(found: &Json) -> Result<Self, String> {";
            code.block(head, "}", |code| read_value(code, declared, terms));
        });
    }
    kinds(&mut code, vocabulary, outside);
    code.blank().line("/// The values of its fields, in order.");
    let head = "fn values(payload: &messages::Payload) -> Vec<Json> {";
    code.block(head, "}", |code| {
        code.block("match payload {", "}", |code| {
            for payload in &vocabulary.payloads {
                let names = payload.fields.iter().map(|(name, _)| name.as_str());
                let names = names.collect::<Vec<_>>().join(", ");
                let values = payload.fields.iter();
                let values = values.map(|(name, _)| format!("{name}.to_json()"));
                let values = values.collect::<Vec<_>>().join(", ");
                let pattern = match &names[..] {
                    "" => payload.name.clone(),
                    names => format!("{} {{ {names} }}", payload.name),
                };
                code.line(format!("messages::Payload::{pattern} => vec![{values}],"));
            }
        });
    });
    code.finish()
}

/// The kinds of messages, how each looks, and its fields read again.
fn kinds(code: &mut Code, vocabulary: &Vocabulary, outside: &[OutsideMessage]) {
    let names = || vocabulary.payloads.iter().map(|it| it.name.as_str());
    code.blank().line("/// What a message may be.");
    code.line("#[derive(Debug, Clone, Copy, PartialEq, Eq)]");
    code.block("pub enum Kind {", "}", |code| {
        for name in names() {
            code.line(format!("{name},"));
        }
    });
    code.blank();
    code.block("impl Kind {", "}", |code| {
        let all = slice(names().map(|it| format!("Kind::{it}")));
        code.line(format!("pub const ALL: &'static [Kind] = {all};"));
    });
    code.blank().line("/// How a message of a kind looks.");
    let head = "pub fn outside_of(kind: Kind) -> Option<&'static Outside> {";
    code.block(head, "}", |code| {
        code.block("Some(match kind {", "})", |code| {
            for (payload, outside) in payloads(vocabulary, outside) {
                let pattern = format!("Kind::{}", payload.name);
                let Some(outside) = outside else {
                    code.line(format!("{pattern} => return None,"));
                    continue;
                };
                let head = format!("{pattern} => &Outside {{");
                code.block(&head, "},", |code| message(code, outside));
            }
        });
    });
    code.blank().line("/// How a message looks.");
    let head = "pub fn outside(payload: &messages::Payload) -> Option<&'static Outside> {";
    code.block(head, "}", |code| {
        code.block("outside_of(match payload {", "})", |code| {
            for name in names() {
                code.line(format!(
                    "messages::Payload::{name} {{ .. }} => Kind::{name},"
                ));
            }
        });
    });
    code.blank()
        .line("/// A message with these values of its fields, in order.");
    let head = "fn payload(kind: Kind, values: &[Json]) -> Result<messages::Payload, String> {";
    code.block(head, "}", |code| {
        code.block("Ok(match kind {", "})", |code| {
            for payload in &vocabulary.payloads {
                let fields = payload.fields.iter().enumerate();
                let fields =
                    fields.map(|(number, (name, _))| format!("{name}: inward(values, {number})?"));
                let fields = fields.collect::<Vec<_>>().join(", ");
                let name = &payload.name;
                let made = match &fields[..] {
                    "" => name.clone(),
                    fields => format!("{name} {{ {fields} }}"),
                };
                code.line(format!("Kind::{name} => messages::Payload::{made},"));
            }
        });
    });
}

/// The value of a declared type, read again.
fn read_value(code: &mut Code, declared: &Type, terms: &Terms) {
    let name = &declared.name;
    match &declared.shape {
        Shape::Opaque => {
            code.line(format!("String::from_json(found).map(messages::{name})"));
        }
        Shape::Enumeration(values) => {
            code.block(
                "Ok(match String::from_json(found)?.as_str() {",
                "})",
                |code| {
                    for (value, text) in values {
                        code.line(format!("{} => messages::{name}::{value},", literal(text)));
                    }
                    code.line(format!("_ => return unexpected({}, found),", literal(name)));
                },
            );
        }
        Shape::Record(fields) => {
            code.block(&format!("Ok(messages::{name} {{"), "})", |code| {
                for ((field, _), label) in fields.iter().zip(declared.labels(terms)) {
                    let label = literal(label);
                    code.line(format!("{field}: inward_field(found, {label})?,"));
                }
            });
        }
    }
}

/// The value of a declared type.
fn value(code: &mut Code, declared: &Type, terms: &Terms) {
    match &declared.shape {
        Shape::Opaque => {
            code.line("self.0.to_json()");
        }
        Shape::Enumeration(values) => {
            code.block("Json::Text(match self {", "}.to_owned())", |code| {
                for (value, text) in values {
                    let name = &declared.name;
                    code.line(format!("messages::{name}::{value} => {},", literal(text)));
                }
            });
        }
        Shape::Record(fields) => {
            code.block("Json::Object(vec![", "])", |code| {
                for ((field, _), label) in fields.iter().zip(declared.labels(terms)) {
                    let label = literal(label);
                    code.line(format!("({label}.to_owned(), self.{field}.to_json()),"));
                }
            });
        }
    }
}

fn message(code: &mut Code, message: &OutsideMessage) {
    code.line(format!("name: {},", literal(&message.name)));
    code.line(match &message.topic {
        Some(topic) => format!("topic: Some({}),", literal(topic)),
        None => "topic: None,".to_owned(),
    });
    code.line(match &message.request {
        Some((method, path)) => {
            format!("request: Some(({}, {})),", literal(method), literal(path))
        }
        None => "request: None,".to_owned(),
    });
    let statuses = message.statuses.iter().map(|it| literal(it));
    code.line(format!("statuses: {},", slice(statuses)));
    code.line(format!("status: {},", message.status));
    let constants = message.constants.iter().map(|(at, value)| {
        let value = match value {
            OutsideConstant::Null => "Null".to_owned(),
            OutsideConstant::Bool(truth) => format!("Bool({truth})"),
            OutsideConstant::Number(number) => format!("Number({})", literal(number)),
            OutsideConstant::Text(text) => format!("Text({})", literal(text)),
        };
        format!("({}, Constant::{value})", place(at, &[]))
    });
    code.line(format!("constants: {},", slice(constants)));
    let fields = message.fields.iter();
    let fields = fields.map(|OutsideField { place: at, steps }| place(at, steps));
    code.line(format!("fields: {},", slice(fields)));
}

fn place(place: &OutsidePlace, steps: &[(char, String)]) -> String {
    let (part, labels) = place.parts();
    let labels = slice(labels.iter().map(|it| literal(it)));
    let steps = steps.iter();
    let steps = slice(steps.map(|(sign, number)| format!("('{sign}', {})", literal(number))));
    format!("Place {{ part: \"{part}\", labels: {labels}, steps: {steps} }}")
}

fn slice(items: impl Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

fn literal(text: &str) -> String {
    TargetLanguage::Rust.text_literal(text)
}
