//! What the messages of a model carry.

use choros_data::{Sort, Terms};
use choros_model::stg::{Direction, FieldValue, Operation, Role, Stg};

/// A message of the model: what its values are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageFields {
    pub operation: Operation,
    /// Sender.
    pub from: Role,
    /// Receiver.
    pub to: Role,
    /// Label, if there is one, and sort of each field.
    pub fields: Vec<(Option<String>, Sort)>,
}

/// What the messages of a model carry.
pub(crate) fn shapes(stg: &Stg, terms: &Terms) -> Vec<MessageFields> {
    let mut shapes: Vec<MessageFields> = Vec::new();
    for message in stg.messages() {
        if message.direction == Direction::Interaction || message.fault.is_some() {
            continue;
        }
        let fields = message.fields.iter().map(|field| {
            let label = field.label.map(|label| terms.names.text(label).to_owned());
            let sort = match field.value {
                FieldValue::Free(term) => terms.sort_of(term),
                FieldValue::Bind(variable) => terms.variable_sort(variable),
            };
            (label, sort)
        });
        let shape = MessageFields {
            operation: message.operation,
            from: message.from,
            to: message.to,
            fields: fields.collect(),
        };
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// What fields without labels are called: as their variables, where all messages of a shape agree and no two fields of
/// it have one name.
pub(crate) fn variable_names(
    stg: &Stg,
    shapes: &[MessageFields],
    terms: &Terms,
) -> Vec<(MessageFields, Vec<Option<String>>)> {
    let mut all = Vec::new();
    for shape in shapes {
        let mut names: Vec<Option<String>> = Vec::new();
        for (position, (label, _)) in shape.fields.iter().enumerate() {
            let messages = stg.messages().filter(|it| {
                (it.operation, it.from, it.to) == (shape.operation, shape.from, shape.to)
            });
            let mut known: Vec<&str> = messages
                .filter_map(|it| match it.fields.get(position)?.value {
                    FieldValue::Free(term) => terms.as_variable(term),
                    FieldValue::Bind(variable) => Some(variable),
                })
                .map(|it| {
                    let text = terms.variable_text(it);
                    // Generated names have an ending of their own.
                    text.split(['\'', '@']).next().unwrap_or(text)
                })
                .collect();
            known.sort_unstable();
            known.dedup();
            names.push(match (&known[..], label) {
                ([one], None) => Some((*one).to_owned()),
                _ => None,
            });
        }
        let labels: Vec<&String> = shape.fields.iter().filter_map(|it| it.0.as_ref()).collect();
        let taken = names.clone();
        for name in &mut names {
            let is_taken = |it: &String| {
                labels.contains(&it)
                    || taken.iter().flatten().filter(|other| *other == it).count() > 1
            };
            *name = name.take().filter(|it| !is_taken(it));
        }
        all.push((shape.clone(), names));
    }
    all
}
