//! `types.rs`: messages.

use choros_base::Name;

use crate::sessions::payloads::{Field, FieldKind, Limits};
use crate::sessions::plan::Plan;
use crate::{Code, Identifiers, NamingCase, TargetLanguage};

pub(super) fn text(plan: &Plan<'_>) -> String {
    let mut code = Code::new();
    code.lines(
        "//! The messages of the protocol.\n//!\n\
         //! This file is yours: give messages the fields they have, and say in `drawn` which values\n\
         //! the tests draw. `check` is called with every message that the implementation under test\n\
         //! has sent, and with those received before.\n",
    );
    code.blank();
    code.line("use proptest::prelude::*;");
    code.blank();
    code.line("#[allow(unused_imports)]");
    code.line("use crate::runtime::Exchange;");
    for (name, class) in &plan.messages {
        code.blank();
        message(plan, *name, class, &mut code);
    }
    code.finish()
}

fn message(plan: &Plan<'_>, name: Name, class: &str, code: &mut Code) {
    let payload = plan.payload(name);
    let mut identifiers = Identifiers::new(TargetLanguage::Rust);
    let fields: Vec<(String, &Field)> = payload
        .fields
        .iter()
        .map(|field| (identifiers.name(NamingCase::Snake, &field.label), field))
        .collect();
    code.line("#[derive(Debug, Clone, PartialEq)]");
    if fields.is_empty() {
        code.line(format!("pub struct {class};"));
    } else {
        code.block(&format!("pub struct {class} {{"), "}", |code| {
            for (label, field) in &fields {
                code.line(format!("pub {label}: {},", kind(&field.kind)));
            }
        });
    }
    code.blank();
    code.block(&format!("impl {class} {{"), "}", |code| {
        code.block("pub fn drawn() -> BoxedStrategy<Self> {", "}", |code| {
            if fields.is_empty() {
                code.line(format!("Just({class}).boxed()"));
                return;
            }
            let strategies: Vec<String> = fields
                .iter()
                .map(|(_, field)| strategy(&field.kind, field.limits))
                .collect();
            let labels: Vec<&str> = fields.iter().map(|(label, _)| label.as_str()).collect();
            code.line(format!("({},)", strategies.join(", ")));
            code.indented(|code| {
                let labels = labels.join(", ");
                code.line(format!(".prop_map(|({labels},)| {class} {{ {labels} }})"));
                code.line(".boxed()");
            });
        });
        code.blank();
        code.block(
            "pub fn check(&self, _history: &[Exchange]) -> Result<(), String> {",
            "}",
            |code| {
                code.line("Ok(())");
            },
        );
    });
}

fn kind(kind_: &FieldKind) -> String {
    match kind_ {
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int => "i64".to_owned(),
        FieldKind::Real => "f64".to_owned(),
        FieldKind::Text => "String".to_owned(),
        FieldKind::OneOf(_) => "&'static str".to_owned(),
        FieldKind::List(element) => format!("Vec<{}>", kind(element)),
        FieldKind::Record(fields) => {
            let fields: String = fields
                .iter()
                .map(|(_, field)| format!("{}, ", kind(field)))
                .collect();
            format!("({})", fields.trim_end())
        }
    }
}

fn strategy(kind_: &FieldKind, limits: Limits) -> String {
    let range = |suffix: &str| {
        let low = limits
            .low
            .map_or(String::new(), |it| format!("{it}{suffix}"));
        let high = limits
            .high
            .map_or(String::new(), |it| format!("={it}{suffix}"));
        format!("{low}..{high}")
    };
    match kind_ {
        FieldKind::Bool => "any::<bool>()".to_owned(),
        FieldKind::Int if limits.is_open() => "any::<i64>()".to_owned(),
        FieldKind::Int => match (limits.low, limits.high) {
            (Some(low), Some(high)) if low <= high => range("_i64"),
            (Some(low), None) => format!("{low}_i64..=i64::MAX"),
            (None, Some(high)) => format!("i64::MIN..={high}_i64"),
            _ => "any::<i64>()".to_owned(),
        },
        FieldKind::Real => match (limits.low, limits.high) {
            (Some(low), Some(high)) if low <= high => range("_f64"),
            (Some(low), None) => format!("{low}_f64..1e9"),
            (None, Some(high)) => format!("-1e9..={high}_f64"),
            _ => "-1e9..1e9".to_owned(),
        },
        FieldKind::Text => "\".*\"".to_owned(),
        FieldKind::OneOf(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|value| TargetLanguage::Rust.text_literal(value))
                .collect();
            format!("prop::sample::select(vec![{}])", values.join(", "))
        }
        FieldKind::List(element) => format!(
            "prop::collection::vec({}, 0..8)",
            strategy(element, Limits::default())
        ),
        FieldKind::Record(fields) => {
            let fields: String = fields
                .iter()
                .map(|(_, field)| format!("{}, ", strategy(field, Limits::default())))
                .collect();
            format!("({})", fields.trim_end())
        }
    }
}
