//! Questions to ask with a click: *check · realize · draw*, and *drive* where the client says where the service is.

use choros::{Content, FileKind};
use serde_json::{Value, json};

use super::About;

/// The questions about each model of a buffer, at its name; about the whole at the top where it is one.
pub(crate) fn lenses(about: About<'_>) -> Value {
    let Some(kind) = about.document.language() else {
        return json!([]);
    };
    let mut found = Vec::new();
    let verbs = verbs(kind);
    let sections = &about.documents.reading(about.document).symbols.sections;
    let models: Vec<_> = sections.iter().filter(|it| it.is_model).collect();
    if models.is_empty() {
        for verb in verbs {
            found.push(lens(about, about.range(0..0), verb, None));
        }
    }
    for section in models {
        for verb in verbs {
            // Only what all roles do together can be realised.
            if *verb == "realize" && matches!(section.word, "role" | "system") {
                continue;
            }
            let range = about.span(section.name_span);
            found.push(lens(about, range, verb, Some(&section.name)));
        }
        if about.drives && section.word == "choreography" {
            let range = about.span(section.name_span);
            found.push(lens(about, range, "drive", Some(&section.name)));
        }
    }
    Value::Array(found)
}

/// What can be asked about what a file holds.
pub(crate) fn verbs(kind: FileKind) -> &'static [&'static str] {
    match kind.content() {
        Content::Graphs | Content::Gchor => &["check", "realize", "draw"],
        Content::Process | Content::Machines | Content::Service | Content::States => {
            &["check", "explore", "draw"]
        }
        Content::Properties
        | Content::Purpose
        | Content::Contracts
        | Content::Formulas
        | Content::Rules
        | Content::Binding => &["check"],
    }
}

fn lens(about: About<'_>, range: Value, verb: &str, component: Option<&str>) -> Value {
    let mut arguments = json!({"uri": about.document.uri});
    if let Some(component) = component {
        arguments["component"] = json!(component);
    }
    json!({
        "range": range,
        "command": {
            "title": verb,
            "command": format!("choros.{verb}"),
            "arguments": [arguments],
        },
    })
}
