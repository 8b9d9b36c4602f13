//! Properties as text that reads back as the same properties.

use choros_data::syntax::is_identifier;
use choros_model::observation::Correlation;
use choros_model::stg::Direction;
use choros_syntax::quote::json;

use super::ast::{CandidateEvent, GlobalProperty, Part, Properties, Property, Sense, Window};

/// All properties: local ones first, then global ones, with an empty line between.
pub fn print(properties: &Properties) -> String {
    let local = properties.local.iter().map(local_text);
    let global = properties.global.iter().map(global_text);
    local.chain(global).collect::<Vec<_>>().join("\n")
}

fn local_text(property: &Property) -> String {
    let mut text = format!("property {}", name_text(&property.name));
    if let Some(service) = &property.service {
        text.push_str(&format!(" on {}", name_text(service)));
    }
    text.push_str(" {\n  context ");
    let context: Vec<String> = property.context.iter().map(event_text).collect();
    text.push_str(&context.join("\n          "));
    match &property.correlation {
        None => {}
        Some(Correlation::Path(path)) => {
            text.push_str(&format!("\n  with {}", path_text(path)));
        }
        Some(correlation) => text.push_str(&format!("\n  with {correlation}")),
    }
    text.push_str(&match property.window {
        Window::Messages(count) => format!("\n  within {count} messages"),
        Window::Milliseconds(count) => match count % 1000 {
            0 => format!("\n  within {} s", count / 1000),
            _ => format!("\n  within {count} ms"),
        },
    });
    if property.per_session {
        text.push_str(" per session");
    }
    let word = match property.sense {
        Sense::Expect => "expect",
        Sense::Never => "never",
    };
    let consequence: Vec<String> = property.consequence.iter().map(event_text).collect();
    text.push_str(&format!(
        "\n  {word} {}\n}}\n",
        consequence.join("\n      or ")
    ));
    text
}

/// A pattern for one message: `Request[c,s]?(weight = w) where w > 3`.
pub fn event_text(event: &CandidateEvent) -> String {
    let any = |name: &Option<String>| match name {
        Some(name) => name_text(name),
        None => "any".to_owned(),
    };
    let sign = match event.direction {
        Some(Direction::Send) => "!",
        Some(Direction::Receive) => "?",
        _ => "",
    };
    // A bare `at` in a condition binds itself.
    let bindings: Vec<String> = event
        .bindings
        .iter()
        .filter(|binding| !(binding.part == Part::At && binding.variable == "at"))
        .map(|binding| format!("{} = {}", binding.part.text(), binding.variable))
        .collect();
    let bindings = if bindings.is_empty() {
        "any".to_owned()
    } else {
        bindings.join(", ")
    };
    let mut text = format!(
        "{}[{},{}]{sign}({bindings})",
        any(&event.operation),
        any(&event.from),
        any(&event.to)
    );
    if let Some(condition) = &event.condition {
        text.push_str(&format!(" where {}", condition.text));
    }
    text
}

fn global_text(global: &GlobalProperty) -> String {
    let names = |names: &[String]| -> String {
        let names: Vec<String> = names.iter().map(|name| name_text(name)).collect();
        if names.is_empty() {
            "{ }".to_owned()
        } else {
            format!("{{ {} }}", names.join(" "))
        }
    };
    let word = match global.sense {
        Sense::Expect => "then",
        Sense::Never => "never",
    };
    format!(
        "global property {} {{\n  when {}\n  {word} {}\n}}\n",
        name_text(&global.name),
        names(&global.when),
        names(&global.then)
    )
}

/// Words of the language, which must be quoted where a name is meant.
const WORDS: [&str; 14] = [
    "property", "global", "on", "context", "with", "within", "per", "expect", "never", "or",
    "where", "any", "when", "then",
];

fn name_text(name: &str) -> String {
    let is_plain = is_identifier(name) && !WORDS.contains(&name);
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain || is_number {
        name.to_owned()
    } else {
        json(name)
    }
}

/// A path with its labels quoted where they must be.
pub(super) fn path_text(path: &str) -> String {
    let labels: Vec<String> = path
        .split('.')
        .enumerate()
        .map(|(position, label)| match position {
            // `session` and `id` alone mean those of the envelope after `with`.
            0 if matches!(label, "session" | "id") => json(label),
            _ => name_text(label),
        })
        .collect();
    labels.join(".")
}
