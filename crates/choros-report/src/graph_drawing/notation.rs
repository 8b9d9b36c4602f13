//! Events in the notation of the file that a graph comes from.

use choros_data::Terms;
use choros_model::stg::{Direction, Event, Field, FieldValue, Message};

/// How events are written on a drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Notation {
    /// As in the papers and SChorA scripts: `Charge[order,payment].(id = id)`.
    #[default]
    Calculus,
    /// As in the native language: `order -> payment: Charge(id)`.
    Native,
}

impl Notation {
    pub(crate) fn event(self, event: &Event, terms: &Terms) -> String {
        match (self, event) {
            (Notation::Native, Event::Message(message)) => message_text(message, terms),
            (Notation::Native, Event::Tick) => "wait 1".to_owned(),
            _ => event.text(terms),
        }
    }
}

fn message_text(message: &Message, terms: &Terms) -> String {
    let name = |name| terms.names.text(name);
    let (from, to) = (name(message.from.0), name(message.to.0));
    let ends = match message.direction {
        Direction::Interaction => format!("{from} -> {to}"),
        Direction::Send => format!("-> {to}"),
        Direction::Receive => format!("<- {from}"),
    };
    let fields = message.fields.iter().map(|field| field_text(field, terms));
    let fields: Vec<String> = fields.collect();
    let operation = name(message.operation.0);
    let fault = message.fault.map(|fault| format!("#{}", name(fault)));
    let fault = fault.unwrap_or_default();
    if fields.is_empty() {
        format!("{ends}: {operation}{fault}")
    } else {
        format!("{ends}: {operation}{fault}({})", fields.join(", "))
    }
}

/// `x: Int` for a new value, `x` or `fee = 2 * x` for one that was known before.
fn field_text(field: &Field, terms: &Terms) -> String {
    let label = field.label.map(|label| terms.names.text(label));
    match field.value {
        FieldValue::Bind(variable) => {
            let sort = terms.sort_text(terms.variable_sort(variable));
            let name = terms.variable_text(variable);
            // Parts of a system have variables of their own: `x@buyer`.
            let written = name.split('@').next().unwrap_or(name);
            match label.filter(|label| *label != written) {
                Some(label) => format!("{label} = {name}: {sort}"),
                None => format!("{name}: {sort}"),
            }
        }
        FieldValue::Free(term) => match (label, terms.print(term)) {
            (Some(label), value) if value != label => format!("{label} = {value}"),
            (_, value) => value,
        },
    }
}
