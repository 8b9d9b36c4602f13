//! The one form of a text.

use choros::Settings;
use choros::report::answers::FormattingResult;
use choros::verbs::{FmtRequest, fmt};
use serde_json::{Value, json};

use super::About;

/// The edit that brings a buffer into its form; none where it has it, or has none.
pub(crate) fn formatting(about: About<'_>) -> Value {
    let request = FmtRequest {
        files: vec![about.document.request(None)],
        ..FmtRequest::default()
    };
    let answered = about
        .documents
        .snapshot()
        .with(|workspace| fmt(workspace, &request, &Settings::default()));
    let Ok(parts) = answered.answer else {
        return json!([]);
    };
    let changed = parts.answers().find_map(|it| match &it.form {
        FormattingResult::Changed(text) => Some(text.as_str()),
        _ => None,
    });
    match changed {
        Some(new) => json!([edit(about, new)]),
        None => json!([]),
    }
}

/// What differs, by whole lines: a cursor elsewhere stays where it is.
fn edit(about: About<'_>, new: &str) -> Value {
    let old = &*about.document.text;
    let same = |(one, other): &(&str, &str)| one == other;
    let (olds, news) = (old.split_inclusive('\n'), new.split_inclusive('\n'));
    let start: usize = olds.zip(news).take_while(same).map(|it| it.0.len()).sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let ends = |text: &'_ str| -> Vec<usize> {
        let lengths = text.split_inclusive('\n').rev().map(str::len);
        lengths.collect()
    };
    let mut end = 0;
    for (one, other) in ends(old_rest).into_iter().zip(ends(new_rest)) {
        let (old_at, new_at) = (old_rest.len() - end - one, new_rest.len() - end - other);
        let is_same =
            old_rest[old_at..old_rest.len() - end] == new_rest[new_at..new_rest.len() - end];
        if !is_same {
            break;
        }
        end += one;
    }
    json!({
        "range": about.range(start..old.len() - end),
        "newText": &new_rest[..new_rest.len() - end],
    })
}
