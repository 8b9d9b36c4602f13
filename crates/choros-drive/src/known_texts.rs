//! Texts that the service accepts, from the formats and examples of a binding.

use choros_bind::{Binding, FieldValues};
use choros_data::{Sort, Terms};
use choros_model::stg::Operation;
use choros_symex::driver::KnownTexts;

/// How many texts of a format are offered for one field of one run.
const OFFERED: u64 = 3;

/// What a binding knows about the fields of messages; in every run other texts come first, because a service may take
/// an id only once.
pub(crate) fn known_texts<'m>(
    binding: &Binding,
    messages: impl Iterator<Item = (Operation, &'m [(Option<String>, Sort)])>,
    run: u64,
    terms: &Terms,
) -> Vec<KnownTexts> {
    let mut found: Vec<KnownTexts> = Vec::new();
    for (operation, fields) in messages {
        let message = terms.names.text(operation.0);
        let fields = fields.iter().enumerate();
        let fields = fields.map(|(position, (label, sort))| {
            let values = label.as_deref().and_then(|it| binding.values(message, it));
            let values = values.filter(|_| *sort == Sort::STRING);
            values.map_or_else(Vec::new, |it| texts(it, run, position as u64))
        });
        let fields: Vec<Vec<String>> = fields.collect();
        let is_new = !found.iter().any(|it| it.operation == operation);
        if is_new && fields.iter().any(|it| !it.is_empty()) {
            found.push(KnownTexts { operation, fields });
        }
    }
    found
}

/// The examples, and after them texts of the format.
fn texts(values: &FieldValues, run: u64, position: u64) -> Vec<String> {
    let examples = values.examples.iter().filter_map(|it| it.text());
    let mut texts: Vec<String> = examples.map(str::to_owned).collect();
    if !texts.is_empty() {
        let count = texts.len() as u64;
        texts.rotate_left((run % count) as usize);
    }
    if let Some(format) = values.format {
        // Fields of one message differ, and so do the runs.
        let first = run.wrapping_mul(64).wrapping_add(position * OFFERED);
        texts.extend((0..OFFERED).map(|it| format.text(first.wrapping_add(it))));
    }
    texts
}
