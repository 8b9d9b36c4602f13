//! Roles, types and messages, in Python.

use choros_data::{Sort, Terms};

use super::plain;
use crate::skeleton::expression::type_name;
use crate::skeleton::vocabulary::{Shape, Vocabulary};
use crate::{Code, Language};

pub(super) fn file(head: &str, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let type_of = |sort: Sort| type_name(vocabulary, sort, terms);
    let literal = |text: &str| Language::Python.text_literal(text);
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
            Shape::Opaque => class(&mut body, name, &remark, &["value: str".to_owned()]),
            Shape::Enumeration(values) => {
                body.line(format!("class {name}(Enum):"));
                body.indented(|code| {
                    code.line(remark).blank();
                    for (value, text) in values {
                        code.line(format!("{value} = {}", literal(text)));
                    }
                });
            }
            Shape::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, sort)| format!("{field}: {}", type_of(*sort)))
                    .collect();
                class(&mut body, name, &remark, &fields);
            }
        }
    }
    for payload in &vocabulary.payloads {
        body.blank().line("");
        let fields: Vec<String> = payload
            .fields
            .iter()
            .map(|(field, sort)| format!("{field}: {}", type_of(*sort)))
            .collect();
        let remark = format!("\"\"\"`{}`\"\"\"", plain(&payload.text));
        class(&mut body, &payload.name, &remark, &fields);
    }
    body.blank().line("");
    let names: Vec<&str> = vocabulary
        .payloads
        .iter()
        .map(|payload| payload.name.as_str())
        .collect();
    body.line(format!("Payload = {}", names.join(" | ")));
    body.blank().line("");
    let fields = ["sender: Role", "receiver: Role", "payload: Payload"].map(str::to_owned);
    class(
        &mut body,
        "Message",
        "\"\"\"A message on its way.\"\"\"",
        &fields,
    );
    let body = body.finish();
    let mut code = Code::new();
    code.line(head);
    code.line("\"\"\"What the services say to each other.\"\"\"")
        .blank();
    code.line("from dataclasses import dataclass")
        .line("from enum import Enum");
    if body.contains("Fraction") {
        code.line("from fractions import Fraction");
    }
    code.blank().line("").lines(&body);
    code.finish()
}

fn class(code: &mut Code, name: &str, remark: &str, fields: &[String]) {
    code.line("@dataclass(frozen=True)");
    code.line(format!("class {name}:"));
    code.indented(|code| {
        code.line(remark);
        if !fields.is_empty() {
            code.blank();
        }
        for field in fields {
            code.line(field);
        }
    });
}
