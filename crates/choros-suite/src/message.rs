//! Messages with values as suites and reports save them, and how they are read back.

use choros_data::{Sort, Terms, Value};
use choros_model::interface::Side;
use choros_model::stg::{FieldValue, Operation, Role};
use choros_report::SavedMessage;
use choros_symex::ServiceModel;
use choros_symex::driver::ConcreteMessage;

use crate::{from_json, to_json};

/// A message in the form that is saved.
pub fn save_message(message: &ConcreteMessage, terms: &Terms) -> SavedMessage {
    let name = |name| terms.names.text(name).to_owned();
    SavedMessage {
        op: name(message.operation.0),
        from: name(message.from.0),
        to: name(message.to.0),
        fault: message.fault.map(name),
        data: message
            .values
            .iter()
            .map(|value| to_json(value, terms))
            .collect(),
    }
}

/// A message with the sorts of the model; the error says what does not fit.
pub fn read_message(
    saved: &SavedMessage,
    model: &ServiceModel,
    terms: &mut Terms,
) -> Result<ConcreteMessage, String> {
    let mut message = ConcreteMessage {
        operation: Operation(terms.names.intern(&saved.op)),
        from: Role(terms.names.intern(&saved.from)),
        to: Role(terms.names.intern(&saved.to)),
        fault: saved.fault.as_ref().map(|fault| terms.names.intern(fault)),
        values: Vec::new(),
    };
    let sorts = sorts(&message, saved.data.len(), model, terms);
    for (position, datum) in saved.data.iter().enumerate() {
        let value = match sorts.as_ref().and_then(|sorts| sorts.get(position)) {
            Some(&sort) => {
                from_json(datum, sort, terms).map_err(|reason| format!("{}: {reason}", saved.op))?
            }
            // The model has no such message, so what it carries is no matter.
            None => Value::text(datum.to_string()),
        };
        message.values.push(value);
    }
    Ok(message)
}

/// The sorts of a message's fields: of the graph, or of the interface where the graph does not have it.
fn sorts(
    message: &ConcreteMessage,
    count: usize,
    model: &ServiceModel,
    terms: &Terms,
) -> Option<Vec<Sort>> {
    let alike = model.stg.messages().find(|it| {
        it.operation == message.operation
            && it.from == message.from
            && it.to == message.to
            && it.fault == message.fault
            && it.fields.len() == count
    });
    if let Some(alike) = alike {
        let fields = alike.fields.iter().map(|field| match field.value {
            FieldValue::Free(term) => terms.sort_of(term),
            FieldValue::Bind(variable) => terms.variable_sort(variable),
        });
        return Some(fields.collect());
    }
    let is_sent = message.from == model.interface.orchestrator;
    let partner = if is_sent { message.to } else { message.from };
    let signature = model
        .interface
        .operations
        .iter()
        .find(|one| one.partner == partner && one.operation == message.operation)?;
    let carried = match message.fault {
        Some(fault) => &signature.faults.iter().find(|(name, _)| *name == fault)?.1,
        None if is_sent == (signature.side == Side::Provided) => signature.output.as_ref()?,
        None => &signature.input,
    };
    Some(vec![carried.sort; count])
}
