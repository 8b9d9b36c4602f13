//! How messages look outside, in Python.

use choros_data::Terms;

use crate::skeleton::outside::{
    OutsideConstant, OutsideField, OutsideMessage, OutsidePlace, payloads, records,
};
use crate::skeleton::vocabulary::Vocabulary;
use crate::{Code, TargetLanguage};

const TEMPLATE: &str = include_str!("../../../templates/outside.py");

pub(super) fn file(
    head: &str,
    vocabulary: &Vocabulary,
    outside: &[OutsideMessage],
    terms: &Terms,
) -> String {
    let mut code = Code::new();
    code.line(head).lines(TEMPLATE).blank().line("");
    code.line("# The labels of records in the model.");
    code.line("LABELS: dict[type, tuple[str, ...]] = {");
    code.indented(|code| {
        for (record, labels) in records(vocabulary, terms) {
            let labels = tuple(labels.into_iter().map(literal));
            code.line(format!("messages.{}: {labels},", record.name));
        }
    });
    code.line("}").blank();
    code.line("# How each message looks.");
    code.line("OUTSIDE: dict[type, Outside] = {");
    code.indented(|code| {
        for (payload, outside) in payloads(vocabulary, outside) {
            let Some(outside) = outside else { continue };
            let head = format!("messages.{}: Outside(", payload.name);
            code.block(&head, "),", |code| message(code, outside));
        }
    });
    code.line("}");
    code.finish()
}

fn message(code: &mut Code, message: &OutsideMessage) {
    code.line(format!("name={},", literal(&message.name)));
    let topic = message.topic.as_deref().map(literal);
    code.line(format!("topic={},", topic.unwrap_or("None".to_owned())));
    code.line(match &message.request {
        Some((method, path)) => format!("request=({}, {}),", literal(method), literal(path)),
        None => "request=None,".to_owned(),
    });
    let statuses = message.statuses.iter().map(|it| literal(it));
    code.line(format!("statuses={},", tuple(statuses)));
    code.line(format!("status={},", message.status));
    let constants = message.constants.iter().map(|(at, value)| {
        let value = match value {
            OutsideConstant::Null => "None".to_owned(),
            OutsideConstant::Bool(true) => "True".to_owned(),
            OutsideConstant::Bool(false) => "False".to_owned(),
            OutsideConstant::Number(number) => format!("Fraction({})", literal(number)),
            OutsideConstant::Text(text) => literal(text),
        };
        format!("({}, {value})", place(at, &[]))
    });
    code.line(format!("constants={},", tuple(constants)));
    let fields = message.fields.iter();
    let fields = fields.map(|OutsideField { place: at, steps }| place(at, steps));
    code.line(format!("fields={},", tuple(fields)));
}

fn place(place: &OutsidePlace, steps: &[(char, String)]) -> String {
    let (part, labels) = place.parts();
    let labels = tuple(labels.iter().map(|it| literal(it)));
    let steps = steps.iter();
    let steps = steps.map(|(sign, number)| format!("(\"{sign}\", Fraction({}))", literal(number)));
    let steps = tuple(steps);
    if steps == "()" {
        return format!("Place(\"{part}\", {labels})");
    }
    format!("Place(\"{part}\", {labels}, {steps})")
}

fn tuple(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match &items[..] {
        [one] => format!("({one},)"),
        several => format!("({})", several.join(", ")),
    }
}

fn literal(text: &str) -> String {
    TargetLanguage::Python.text_literal(text)
}
