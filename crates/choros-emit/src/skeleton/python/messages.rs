//! Roles, types and messages, in Python.

use choros_data::{Sort, SortKind, Terms};

use super::plain;
use crate::skeleton::expression::{type_name, type_names};
use crate::skeleton::vocabulary::{Shape, Vocabulary};
use crate::{Code, TargetLanguage};

pub(super) fn file(head: &str, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let literal = |text: &str| TargetLanguage::Python.text_literal(text);
    let mut body = Code::new();
    body.line("class Role(Enum):");
    body.indented(|code| {
        code.line("\"\"\"A participant.\"\"\"").blank();
        for role in &vocabulary.roles {
            code.line(format!("{} = {}", role.name, literal(&role.text)));
        }
    });
    for declared in &vocabulary.types {
        body.blank().line("");
        let name = &declared.name;
        let remark = format!("\"\"\"`{}`\"\"\"", plain(&declared.text));
        match &declared.shape {
            Shape::Opaque => {
                let fields = [("value".to_owned(), Sort::STRING)];
                class(&mut body, name, &remark, &fields, vocabulary, terms);
            }
            Shape::Enumeration(values) => {
                body.line(format!("class {name}(Enum):"));
                body.indented(|code| {
                    code.line(remark).blank();
                    for (value, text) in values {
                        code.line(format!("{value} = {}", literal(text)));
                    }
                });
            }
            Shape::Record(fields) => class(&mut body, name, &remark, fields, vocabulary, terms),
        }
    }
    for payload in &vocabulary.payloads {
        body.blank().line("");
        let remark = format!("\"\"\"`{}`\"\"\"", plain(&payload.text));
        let (name, fields) = (&payload.name, &payload.fields);
        class(&mut body, name, &remark, fields, vocabulary, terms);
    }
    body.blank().line("");
    let names: Vec<&str> = vocabulary
        .payloads
        .iter()
        .map(|payload| payload.name.as_str())
        .collect();
    body.line(format!("Payload = {}", names.join(" | ")));
    body.blank().line("");
    body.line("@dataclass(frozen=True)").line("class Message:");
    body.indented(|code| {
        code.line("\"\"\"A message in transit.\"\"\"").blank();
        code.line("sender: Role")
            .line("receiver: Role")
            .line("payload: Payload");
    });
    let has_fractions = body.used().contains("Fraction");
    let body = body.finish();
    let mut code = Code::new();
    code.line(head);
    code.line("\"\"\"What the services say to each other.\"\"\"")
        .blank();
    code.line("from dataclasses import dataclass")
        .line("from enum import Enum");
    if has_fractions {
        code.line("from fractions import Fraction");
    }
    code.blank().line("").lines(&body);
    code.finish()
}

/// A class whose values are of the kinds that the model says; others cannot be made.
fn class(
    code: &mut Code,
    name: &str,
    remark: &str,
    fields: &[(String, Sort)],
    vocabulary: &Vocabulary,
    terms: &Terms,
) {
    code.line("@dataclass(frozen=True)");
    code.line(format!("class {name}:"));
    code.indented(|code| {
        code.line(remark);
        if fields.is_empty() {
            return;
        }
        code.blank();
        for (field, sort) in fields {
            code.uses(type_names(vocabulary, *sort, terms));
            code.line(format!("{field}: {}", type_name(vocabulary, *sort, terms)));
        }
        code.blank().line("def __post_init__(self) -> None:");
        code.indented(|code| {
            for (field, sort) in fields {
                let kind = type_name(vocabulary, *sort, terms);
                let fits = fits(&format!("self.{field}"), *sort, vocabulary, terms);
                code.line(format!("if not ({fits}):"));
                code.indented(|code| {
                    code.line(format!(
                        "raise TypeError(f\"{field}: expected {kind}, found {{self.{field}!r}}\")"
                    ));
                });
            }
        });
    });
}

/// Whether a value is of a sort; sorts are as deep as their readers allow.
fn fits(value: &str, sort: Sort, vocabulary: &Vocabulary, terms: &Terms) -> String {
    match terms.sort_kind(sort) {
        // A `bool` of Python is an `int`, and not one of the model.
        SortKind::Int => format!("type({value}) is int"),
        SortKind::Real => format!("type({value}) in (int, Fraction)"),
        SortKind::List(element) => {
            let fits = fits("item", *element, vocabulary, terms);
            format!("isinstance({value}, tuple) and all({fits} for item in {value})")
        }
        _ => format!(
            "isinstance({value}, {})",
            type_name(vocabulary, sort, terms)
        ),
    }
}
