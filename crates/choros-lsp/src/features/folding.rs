//! What can be folded: what stands between brackets on different lines, long comments, and named parts.

use std::collections::BTreeSet;

use choros::lexicon;
use choros::syntax::TokenRole;
use serde_json::{Value, json};

use super::About;

/// The folds of a buffer.
pub(crate) fn folds(about: About<'_>) -> Value {
    let document = about.document;
    let lines = &document.lines;
    let mut found: BTreeSet<(usize, usize, bool)> = BTreeSet::new();
    let mut open: Vec<usize> = Vec::new();
    let pieces = lexicon(&document.request(None)).pieces(&document.text);
    for piece in &pieces {
        let line = lines.line(piece.range.start);
        match piece.look {
            TokenRole::Open => open.push(line),
            TokenRole::Close => {
                if let Some(start) = open.pop() {
                    // The line of the closing bracket stays to be seen.
                    found.insert((start, line.saturating_sub(1), false));
                }
            }
            TokenRole::Comment => {
                let last = lines.line(piece.range.end.saturating_sub(1).max(piece.range.start));
                found.insert((line, last, true));
            }
            _ => {}
        }
    }
    for section in &about.documents.reading(document).symbols.sections {
        let range = section.span.range();
        let last = lines.line(range.end.saturating_sub(1).max(range.start));
        let closes = document.text[range.clone()].ends_with(['}', ')']);
        let first = lines.line(range.start);
        found.insert((first, last.saturating_sub(usize::from(closes)), false));
    }
    let folds =
        found
            .into_iter()
            .filter(|(start, end, _)| start < end)
            .map(|(start, end, is_comment)| {
                let mut fold = json!({"startLine": start, "endLine": end});
                if is_comment {
                    fold["kind"] = json!("comment");
                }
                fold
            });
    Value::Array(folds.collect())
}
