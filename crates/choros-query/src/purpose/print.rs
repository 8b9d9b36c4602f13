//! Purposes and contracts as text that reads back as the same statements.

use choros_base::Name;
use choros_data::syntax::is_identifier;
use choros_data::{Terms, Value};
use choros_model::stg::Direction;

use super::syntax::{PurposeLabel, PurposeSyntax, Statement, TriggerMessage, TriggerSyntax};

/// The file as it is formatted: one statement per line, comments kept, runs of empty lines made one.
pub fn print(syntax: &PurposeSyntax, terms: &Terms) -> String {
    let mut out = String::new();
    let mut empty = true;
    for line in &syntax.lines {
        let statement = line
            .statement
            .as_ref()
            .map(|statement| statement_text(statement, syntax, terms));
        let text = match (statement, line.comment.as_str()) {
            (Some(statement), "") => statement,
            (Some(statement), comment) => format!("{statement}  {comment}"),
            (None, comment) => comment.to_owned(),
        };
        if text.is_empty() && empty {
            continue;
        }
        empty = text.is_empty();
        out.push_str(&text);
        out.push('\n');
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn statement_text(statement: &Statement, syntax: &PurposeSyntax, terms: &Terms) -> String {
    let word = |name: Name| name_text(name, terms);
    match statement {
        Statement::Purpose(name) => format!("purpose {}", word(name.name)),
        Statement::Initial(name) => format!("initial {}", word(name.name)),
        Statement::Variables(declared) => {
            let declared: Vec<String> = declared
                .iter()
                .map(|(name, sort)| {
                    format!(
                        "{}: {}",
                        word(name.name),
                        syntax.exprs.print_sort(&terms.names, *sort)
                    )
                })
                .collect();
            format!("variables {}", declared.join(", "))
        }
        Statement::Contract(contract) => format!(
            "contract {}.{}: {}",
            word(contract.partner.name),
            word(contract.operation.name),
            syntax.exprs.print(&terms.names, contract.formula)
        ),
        Statement::Edge {
            source,
            target,
            label,
        } => {
            let label = label_text(label, syntax, terms);
            match target {
                Some(target) => {
                    format!("{} -> {}: {label}", word(source.name), word(target.name))
                }
                None => format!("{}: {label}", word(source.name)),
            }
        }
    }
}

fn label_text(label: &PurposeLabel, syntax: &PurposeSyntax, terms: &Terms) -> String {
    let mut text = String::new();
    if let Some(guard) = label.guard {
        text.push_str(&format!("[{}] ", syntax.exprs.print(&terms.names, guard)));
    }
    match &label.trigger {
        TriggerSyntax::Any => text.push('*'),
        TriggerSyntax::Accept => text.push('#'),
        TriggerSyntax::Silent => text.push_str("tau"),
        TriggerSyntax::Tick => text.push_str("tick"),
        TriggerSyntax::End => text.push_str("end"),
        TriggerSyntax::Raise(fault) => {
            text.push_str(&format!("raise {}", name_text(fault.name, terms)));
        }
        TriggerSyntax::Message(message) => text.push_str(&message_text(message, terms)),
    }
    for (position, (variable, value)) in label.updates.iter().enumerate() {
        text.push_str(if position == 0 { " / " } else { "; " });
        text.push_str(&format!(
            "{} := {}",
            name_text(variable.name, terms),
            syntax.exprs.print(&terms.names, *value)
        ));
    }
    text
}

fn message_text(message: &TriggerMessage, terms: &Terms) -> String {
    let sign = match message.direction {
        Direction::Receive => "?",
        Direction::Send | Direction::Interaction => "!",
    };
    let mut text = format!(
        "{}.{}{sign}",
        name_text(message.partner.name, terms),
        name_text(message.operation.name, terms)
    );
    if let Some(fault) = message.fault {
        text.push_str(&format!("{sign}{}", name_text(fault.name, terms)));
    }
    match &message.binders[..] {
        [] => {}
        [(None, variable)]
            if message.fault.is_none() && is_identifier(terms.names.text(variable.name)) =>
        {
            text.push_str(terms.names.text(variable.name));
        }
        binders => {
            let binders: Vec<String> = binders
                .iter()
                .map(|(label, variable)| match label {
                    Some(label) => format!(
                        "{} = {}",
                        name_text(*label, terms),
                        name_text(variable.name, terms)
                    ),
                    None => name_text(variable.name, terms),
                })
                .collect();
            text.push_str(&format!("({})", binders.join(", ")));
        }
    }
    text
}

/// A name as it is written: bare where the lexer takes it so, otherwise in quotes.
pub(super) fn name_text(name: Name, terms: &Terms) -> String {
    let text = terms.names.text(name);
    let bare =
        is_identifier(text) || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    if bare {
        text.to_owned()
    } else {
        terms.print_value(&Value::text(text))
    }
}
