//! Quick fixes: every change that a finding suggests.

use serde_json::{Value, json};

use super::About;
use crate::findings::{Change, Finding, Fix, changes};

/// The fixes for what was found within a range.
pub(crate) fn actions(
    about: About<'_>,
    shown: &[Finding],
    within: std::ops::Range<usize>,
    only: Option<&Value>,
) -> Value {
    let is_wanted = |kind: &str| match only.and_then(Value::as_array) {
        Some(kinds) => kinds.iter().filter_map(Value::as_str).any(|it| {
            // `quickfix` asks for `quickfix.some`, and the empty word for all.
            it.is_empty() || it == kind || kind.starts_with(&format!("{it}."))
        }),
        None => true,
    };
    if !is_wanted("quickfix") {
        return json!([]);
    }
    let touches = |it: &&Finding| it.range.start <= within.end && within.start <= it.range.end;
    let found = shown.iter().filter(touches);
    let actions = found.filter_map(|finding| {
        let fix = finding.fix.as_ref()?;
        let mut action = json!({
            "title": title(fix),
            "kind": "quickfix",
            "diagnostics": [finding.json],
            "isPreferred": true,
        });
        match &fix.change {
            Change::Edits(edits) => {
                let uri = |path: &str| about.documents.uri(path);
                action["edit"] = json!({"changes": changes(edits, uri)});
            }
            Change::Repair(component) => {
                let asked = json!({
                    "uri": about.document.uri,
                    "component": component,
                    "repair": true,
                    "apply": true,
                });
                let command = "choros.realize";
                action["command"] =
                    json!({"title": fix.title, "command": command, "arguments": [asked]});
            }
        }
        Some(action)
    });
    Value::Array(actions.collect())
}

/// What it does, and what is written then.
fn title(fix: &Fix) -> String {
    let text = match &fix.change {
        Change::Edits(edits) if edits.len() == 1 => edits[0].text.trim(),
        _ => "",
    };
    if text.is_empty() || text.contains('\n') || fix.title.contains(text) {
        fix.title.clone()
    } else {
        format!("{}: `{text}`", fix.title)
    }
}
