//! `<name>_types.py`: participants and messages.

use std::collections::BTreeSet;

use choros_base::Name;

use crate::sessions::payloads::{Field, FieldKind};
use crate::sessions::plan::Plan;
use crate::{Code, Identifiers, NamingCase, TargetLanguage};

pub(super) fn text(plan: &Plan<'_>) -> String {
    let mut body = Code::new();
    let mut typing = BTreeSet::from(["final"]);
    let mut ours = BTreeSet::from(["Message", "Participant"]);
    for (name, class) in &plan.participants {
        participant(plan, *name, class, &mut body);
    }
    for (name, class) in &plan.messages {
        message(plan, *name, class, &mut body, &mut typing, &mut ours);
    }
    let mut code = Code::new();
    code.line("\"\"\"The participants and messages of the protocol.");
    code.blank();
    code.line(
        "This file is yours: give messages the fields they have, as annotations, and the tests",
    );
    code.line(
        "draw values for them. `Annotated[int, Between(1, 500)]` says more about a value, and a",
    );
    code.line(
        "method `valid(self) -> bool` about a whole message. A method `check(self, history)` is",
    );
    code.line("called with every message that the implementation under test has sent.");
    code.line("\"\"\"");
    code.blank();
    code.line("from dataclasses import dataclass");
    super::import(&mut code, "typing", &owned(&typing));
    code.blank();
    super::import(&mut code, "choros_sessions", &owned(&ours));
    format!("{}{}", code.finish(), body.finish())
}

fn owned(names: &BTreeSet<&str>) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn participant(plan: &Plan<'_>, name: Name, class: &str, code: &mut Code) {
    code.line("").line("").line("@final");
    let base = head(plan, name, class, "Participant");
    code.line(base).indented(|code| {
        code.line("pass");
    });
}

fn message(
    plan: &Plan<'_>,
    name: Name,
    class: &str,
    code: &mut Code,
    typing: &mut BTreeSet<&'static str>,
    ours: &mut BTreeSet<&'static str>,
) {
    let payload = plan.payload(name);
    code.line("").line("").line("@final");
    code.line("@dataclass(frozen=True)");
    code.line(head(plan, name, class, "Message"));
    code.indented(|code| {
        if payload.fields.is_empty() {
            code.line("pass");
        }
        let mut identifiers = Identifiers::new(TargetLanguage::Python);
        identifiers.reserve(&["check", "choros_name", "strategy", "valid"]);
        for field in &payload.fields {
            let label = identifiers.name(NamingCase::Snake, &field.label);
            code.line(format!("{label}: {}", annotation(field, typing, ours)));
        }
    });
}

/// `class withdraw(Message):`, with the name in the model where that is another.
fn head(plan: &Plan<'_>, name: Name, class: &str, base: &str) -> String {
    let text = plan.tests.names.text(name);
    if text == class {
        format!("class {class}({base}):")
    } else {
        format!(
            "class {class}({base}, name={}):",
            TargetLanguage::Python.text_literal(text)
        )
    }
}

fn annotation(
    field: &Field,
    typing: &mut BTreeSet<&'static str>,
    ours: &mut BTreeSet<&'static str>,
) -> String {
    let plain = kind(&field.kind, typing);
    if field.limits.is_open() {
        return plain;
    }
    typing.insert("Annotated");
    ours.insert("Between");
    let side = |limit: Option<i64>| limit.map_or("None".to_owned(), |it| it.to_string());
    let (low, high) = (side(field.limits.low), side(field.limits.high));
    format!("Annotated[{plain}, Between({low}, {high})]")
}

fn kind(kind_: &FieldKind, typing: &mut BTreeSet<&'static str>) -> String {
    match kind_ {
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int => "int".to_owned(),
        FieldKind::Real => "float".to_owned(),
        FieldKind::Text => "str".to_owned(),
        FieldKind::OneOf(values) => {
            typing.insert("Literal");
            let values: Vec<String> = values
                .iter()
                .map(|value| TargetLanguage::Python.text_literal(value))
                .collect();
            format!("Literal[{}]", values.join(", "))
        }
        FieldKind::List(element) => format!("tuple[{}, ...]", kind(element, typing)),
        FieldKind::Record(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(_, field)| kind(field, typing))
                .collect();
            format!("tuple[{}]", fields.join(", "))
        }
    }
}
