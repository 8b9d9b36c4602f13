//! What is not written and may be shown all the same: sorts that were inferred, and who learns a value later.

use serde_json::{Value, json};

use super::About;

/// The hints within a range.
pub(crate) fn hints(about: About<'_>, within: std::ops::Range<usize>) -> Value {
    let reading = about.documents.reading(about.document);
    let hints = reading.symbols.hints.iter();
    let wanted = hints.filter(|it| within.contains(&it.span.range().end));
    let shown = wanted.map(|hint| {
        let document = about.document;
        let end = hint.span.range().end;
        json!({
            "position": document.lines.to_json(&document.text, end, about.encoding),
            "label": hint.text,
            "kind": 1,
        })
    });
    Value::Array(shown.collect())
}
