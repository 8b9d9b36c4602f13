//! Events as people read them: in the notation of the file that they come from.

use choros_data::{Notation, Term, Terms};

use super::{Direction, Edge, Event, Field, FieldValue, Message};

impl Event {
    /// The event in the notation of its file: `order -> payment: Charge(id)`, or as [`Event::text`] writes it.
    pub fn shown(&self, terms: &Terms) -> String {
        match (terms.notation, self) {
            (Notation::Native, Event::Message(message)) => native(message, terms),
            (Notation::Native, Event::Tick) => "wait 1".to_owned(),
            (Notation::Native, Event::TickOf(role)) => {
                format!("wait 1 at {}", terms.names.text(role.0))
            }
            (Notation::Native, Event::Disturbance(disturbance)) => disturbance.shown(terms),
            _ => self.text(terms),
        }
    }
}

impl Message {
    /// The message in the notation of its file.
    pub fn shown(&self, terms: &Terms) -> String {
        match terms.notation {
            Notation::Native => native(self, terms),
            Notation::Calculus => self.text(terms),
        }
    }

    /// Which message it is, without its data, in the notation of its file.
    pub fn shown_heading(&self, terms: &Terms) -> String {
        match terms.notation {
            Notation::Native => native_heading(self, Direction::Interaction, terms),
            Notation::Calculus => self.heading(terms),
        }
    }
}

impl Edge {
    /// Guard, event and updates in the notation of their file.
    pub fn shown(&self, terms: &Terms) -> String {
        match terms.notation {
            Notation::Calculus => self.label_text(terms),
            Notation::Native => {
                let mut text = self.event.shown(terms);
                for update in &self.updates {
                    let (name, value) = (terms.variable_text(update.variable), update.value);
                    text.push_str(&format!("; {name} := {}", terms.print(value)));
                }
                if self.guard == Term::TRUE {
                    text
                } else {
                    format!("when {} {{ {text} }}", terms.print(self.guard))
                }
            }
        }
    }
}

fn native(message: &Message, terms: &Terms) -> String {
    let heading = native_heading(message, message.direction, terms);
    let fields = message.fields.iter().map(|field| field_text(field, terms));
    let fields: Vec<String> = fields.collect();
    if fields.is_empty() {
        heading
    } else {
        format!("{heading}({})", fields.join(", "))
    }
}

/// As it is seen from the outside, or by its sender or receiver.
fn native_heading(message: &Message, direction: Direction, terms: &Terms) -> String {
    let name = |name| terms.names.text(name);
    let (from, to) = (name(message.from.0), name(message.to.0));
    let ends = match direction {
        Direction::Interaction => format!("{from} -> {to}"),
        Direction::Send => format!("-> {to}"),
        Direction::Receive => format!("<- {from}"),
    };
    let fault = message.fault.map(|fault| format!("#{}", name(fault)));
    let fault = fault.unwrap_or_default();
    format!("{ends}: {}{fault}", name(message.operation.0))
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
