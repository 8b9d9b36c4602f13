//! Roles, types and messages, in Rust.

use choros_data::{Sort, Terms};

use crate::Code;
use crate::skeleton::expression::type_name;
use crate::skeleton::vocabulary::{Shape, Vocabulary};

pub(super) fn file(head: &str, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let type_of = |sort: Sort| type_name(vocabulary, sort, terms);
    let mut code = Code::new();
    code.line(head);
    code.line("//! What the services say to each other.");
    code.blank();
    if vocabulary.has_reals {
        code.line("pub use crate::real::Real;").blank();
    }
    code.line("/// A participant.");
    code.line("#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]");
    code.block("pub enum Role {", "}", |code| {
        for role in &vocabulary.roles {
            code.line(remark(&role.text));
            code.line(format!("{},", role.name));
        }
    });
    for declared in &vocabulary.types {
        code.blank();
        code.line(remark(&declared.text));
        let name = &declared.name;
        match &declared.shape {
            Shape::Opaque => {
                code.line("#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]");
                code.line(format!("pub struct {name}(pub String);"));
            }
            Shape::Enumeration(values) => {
                code.line("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]");
                code.block(&format!("pub enum {name} {{"), "}", |code| {
                    for (position, (value, text)) in values.iter().enumerate() {
                        code.line(remark(text));
                        if position == 0 {
                            code.line("#[default]");
                        }
                        code.line(format!("{value},"));
                    }
                });
            }
            Shape::Record(fields) => {
                code.line("#[derive(Debug, Clone, PartialEq, Default)]");
                code.block(&format!("pub struct {name} {{"), "}", |code| {
                    for (field, sort) in fields {
                        code.line(format!("pub {field}: {},", type_of(*sort)));
                    }
                });
            }
        }
    }
    code.blank();
    code.line("/// What a message carries.");
    code.line("#[derive(Debug, Clone, PartialEq)]");
    code.block("pub enum Payload {", "}", |code| {
        for payload in &vocabulary.payloads {
            code.line(remark(&payload.text));
            if payload.fields.is_empty() {
                code.line(format!("{},", payload.name));
                continue;
            }
            let fields: Vec<String> = payload
                .fields
                .iter()
                .map(|(field, sort)| format!("{field}: {}", type_of(*sort)))
                .collect();
            code.line(format!("{} {{ {} }},", payload.name, fields.join(", ")));
        }
    });
    code.blank();
    code.line("/// A message in transit.");
    code.line("#[derive(Debug, Clone, PartialEq)]");
    code.block("pub struct Message {", "}", |code| {
        code.line("pub from: Role,")
            .line("pub to: Role,")
            .line("pub payload: Payload,");
    });
    code.finish()
}

/// A text of the model as documentation.
pub(super) fn remark(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|character| !character.is_control() && *character != '`')
        .collect();
    format!("/// `{plain}`")
}
