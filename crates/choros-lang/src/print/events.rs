//! Events and labels as text.

use choros_base::{Name, Names};
use choros_data::syntax::{ExprKind, Exprs, is_identifier};
use choros_model::stg::Direction;
use choros_model::stg::label::{
    EventSyntax, FieldSyntax, FieldValueSyntax, LabelSyntax, MessageSyntax,
};

use crate::parse::RESERVED;

/// How strings are written: within a quoted label their quotes are escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    Plain,
    Escaped,
}

/// `[guard] event / updates`, to stand within quotes.
pub(super) fn label_text(label: &LabelSyntax, exprs: &Exprs, names: &Names) -> String {
    let escaped = |text: String| text.replace('"', "\\\"");
    let guard = match label.guard {
        Some(guard) => format!("[{}] ", escaped(exprs.print(names, guard))),
        None => String::new(),
    };
    let event = event_text(&label.event, exprs, names, Quotes::Escaped);
    let updates: Vec<String> = label
        .updates
        .iter()
        .map(|update| {
            let value = escaped(exprs.print(names, update.value));
            format!("{} := {value}", names.text(update.variable.0))
        })
        .collect();
    if updates.is_empty() {
        format!("{guard}{event}")
    } else {
        format!("{guard}{event} / {}", updates.join("; "))
    }
}

pub(super) fn event_text(
    event: &EventSyntax,
    exprs: &Exprs,
    names: &Names,
    quotes: Quotes,
) -> String {
    let text = match event {
        EventSyntax::Silent => "tau".to_owned(),
        EventSyntax::Choose(chosen) => {
            let bound: Vec<String> = chosen
                .iter()
                .map(|&(name, _)| format!("<{}>", names.text(name)))
                .collect();
            match &bound[..] {
                [only] => format!("tau.{only}"),
                several => format!("tau.({})", several.join(", ")),
            }
        }
        EventSyntax::Tick => "tick".to_owned(),
        EventSyntax::TickOf(role, _) => format!("tick of {}", name_text(*role, names)),
        EventSyntax::Raise(fault) => format!("raise {}", name_text(*fault, names)),
        EventSyntax::Disturbance(it) => it.written(&|name| name_text(name, names)),
        EventSyntax::Message(message) => message_text(message, exprs, names),
    };
    match quotes {
        Quotes::Plain => text,
        Quotes::Escaped => text.replace('"', "\\\""),
    }
}

fn message_text(message: &MessageSyntax, exprs: &Exprs, names: &Names) -> String {
    let mut text = format!(
        "{}[{},{}]",
        name_text(message.operation.0, names),
        name_text(message.from.0, names),
        name_text(message.to.0, names)
    );
    if let Some(fault) = message.fault {
        text.push('#');
        text.push_str(&name_text(fault, names));
    }
    match (message.direction, message.fields.is_empty()) {
        (Direction::Interaction, true) => {}
        (Direction::Interaction, false) => text.push('.'),
        (Direction::Send, _) => text.push('!'),
        (Direction::Receive, _) => text.push('?'),
    }
    let is_reception = message.direction == Direction::Receive;
    match &message.fields[..] {
        [] => {}
        [field] if field.label.is_none() && stands_alone(field, exprs, is_reception) => {
            text.push_str(&value_text(field, exprs, names, is_reception));
        }
        fields => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| {
                    let value = value_text(field, exprs, names, is_reception);
                    match field.label {
                        Some(label) => format!("{} = {value}", name_text(label, names)),
                        None => value,
                    }
                })
                .collect();
            text.push_str(&format!("({})", fields.join(", ")));
        }
    }
    text
}

/// Whether a datum is read as one without parentheses around it.
fn stands_alone(field: &FieldSyntax, exprs: &Exprs, is_reception: bool) -> bool {
    match field.value {
        FieldValueSyntax::Bind(_) => true,
        FieldValueSyntax::Free(expression) => {
            !is_reception
                && matches!(
                    exprs.kind(expression.root),
                    ExprKind::Name(_) | ExprKind::Integer(_) | ExprKind::Text(_)
                )
        }
    }
}

fn value_text(field: &FieldSyntax, exprs: &Exprs, names: &Names, is_reception: bool) -> String {
    match field.value {
        FieldValueSyntax::Bind(variable) => format!("<{}>", names.text(variable)),
        FieldValueSyntax::Free(expression) => {
            let text = exprs.print(names, expression);
            // A bare variable of a reception would be read as a binding.
            if is_reception {
                format!("({text})")
            } else {
                text
            }
        }
    }
}

/// A name as it is written: bare where it is a word or a number, otherwise in quotes.
pub(crate) fn name_text(name: Name, names: &Names) -> String {
    let text = names.text(name);
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = is_identifier(text) && !RESERVED.contains(&text);
    if is_number || is_word {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}
