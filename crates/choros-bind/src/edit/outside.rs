//! What the world calls messages and fields of which the binding says nothing.
//!
//! A message without a request is sent as `POST /Name` and looked for under its name, and a field without a place is in
//! the body under its name.
//! Another name in the model would be another name outside, which no service has heard of.

use choros_model::symbols::OutsideName;

use crate::{Binding, Fields, MessageBinding, Vocabulary};

/// The names that the world shares with the model, in the order of the model.
pub(super) fn outside(binding: &Binding, vocabulary: &Vocabulary) -> Vec<OutsideName> {
    let mut found = Vec::new();
    for known in &vocabulary.messages {
        let own = known.name.as_str();
        let unsaid = MessageBinding::new(own);
        let message = binding.message(own).unwrap_or(&unsaid);
        let is_said = message.request.is_some()
            || message.topic.is_some()
            || message.is_response()
            || !message.names.is_empty();
        found.push(OutsideName {
            name: if is_said {
                String::new()
            } else {
                own.to_owned()
            },
            advice: format!("write `names = [\"{own}\"]` under `[messages.{own}]` first"),
        });
        for field in &known.fields {
            let place = field.as_deref().and_then(|it| unsaid_place(message, it));
            let name = field.as_deref().unwrap_or_default();
            let place = place.unwrap_or_default();
            found.push(OutsideName {
                advice: format!(
                    "write `{name} = \"{place}\"` under `[messages.{own}.fields]` first"
                ),
                name: place,
            });
        }
    }
    found
}

/// Where a field is, if the binding does not say it.
fn unsaid_place(message: &MessageBinding, field: &str) -> Option<String> {
    let is_said = match &message.fields {
        Fields::Listed(_) => true,
        Fields::Named(named) => named.iter().any(|(name, _)| name == field),
    };
    let mut parameters = message.request.iter().flat_map(|it| it.path.parameters());
    let kind = if parameters.any(|it| it == field) {
        "path"
    } else {
        "body"
    };
    (!is_said).then(|| format!("{kind}.{field}"))
}
