//! What is known of a name.

use std::ops::Range;

use choros::model::symbols::SymbolKind;
use serde_json::{Value, json};

use super::About;
use super::neighbours::{is_same, neighbours};

/// More facts than this are no help.
const MAX_FACTS: usize = 12;

/// What is known of the name at a position: what it is, sort, signature, who knows it, where it is used.
pub(crate) fn hover(about: About<'_>, offset: usize) -> Value {
    let reading = about.documents.reading(about.document);
    let Some((symbol, place)) = reading.symbols.at(offset) else {
        return Value::Null;
    };
    let mut facts = symbol.facts.clone();
    let mut uses = symbol.places.len();
    if symbol.kind.is_shared() || symbol.kind == SymbolKind::Field {
        for beside in neighbours(about) {
            let symbols = beside.reading.symbols.symbols.iter();
            for other in symbols.filter(|it| is_same(symbol, it)) {
                uses += other.places.len();
                facts.extend(other.facts.iter().cloned());
            }
        }
    }
    if symbol.kind == SymbolKind::Role {
        facts.extend(messages_of(about, &symbol.name));
    }
    let mut seen = std::collections::BTreeSet::new();
    facts.retain(|it| seen.insert(it.clone()));
    let left_out = facts.len().saturating_sub(MAX_FACTS);
    facts.truncate(MAX_FACTS);
    let mut text = format!("**{}** `{}`", symbol.kind.word(), symbol.name);
    if !symbol.owner.is_empty() {
        text.push_str(&format!(" of message `{}`", symbol.owner));
    }
    if !facts.is_empty() {
        text.push_str(&format!("\n\n```chor\n{}\n```", facts.join("\n")));
    }
    let derived = (symbol.kind == SymbolKind::Message)
        .then(|| condition(about, &place.span.range()))
        .flatten();
    match derived {
        Some(condition) => text.push_str(&format!("\n\nhappens only if `{condition}`")),
        None => {
            let notes = reading.symbols.notes.iter();
            for note in notes.filter(|it| it.span == place.span) {
                text.push_str(&format!("\n\n{}", note.text));
            }
        }
    }
    for said in answered(about, &symbol.name, symbol.kind) {
        text.push_str(&format!("\n\n{said}"));
    }
    if left_out > 0 {
        text.push_str(&format!("\n\nand {left_out} more"));
    }
    let places = if uses == 1 { "place" } else { "places" };
    text.push_str(&format!("\n\nin {uses} {places}"));
    json!({
        "contents": {"kind": "markdown", "value": text},
        "range": about.span(place.span),
    })
}

/// Under which condition the message at a place happens, by all that leads to it; not known before a check.
fn condition<'a>(about: About<'a>, place: &Range<usize>) -> Option<&'a str> {
    let checked = about.document.checked.as_ref()?;
    let around = checked
        .conditions
        .iter()
        .filter(|(it, _)| it.start <= place.start && place.end <= it.end);
    let nearest = around.min_by_key(|(it, _)| it.len())?;
    Some(nearest.1.as_str())
}

/// What verbs have said so far about a model of this name: verdict and sizes.
fn answered(about: About<'_>, name: &str, kind: SymbolKind) -> Vec<String> {
    if !matches!(kind, SymbolKind::Component | SymbolKind::Role) {
        return Vec::new();
    }
    let document = about.document;
    let checked = document.checked.iter().map(|it| ("check", it));
    let others = document.answers.iter().filter(|it| it.0 != "check");
    let answers = checked.chain(others.map(|(verb, it)| (verb.as_str(), it)));
    let said = answers.filter_map(|(verb, answer)| {
        let results = answer.result["report"]["results"].as_array()?;
        let own = results.iter().find(|it| it["name"] == name)?;
        let verdict = own["verdict"]
            .as_str()
            .or(answer.result["verdict"].as_str());
        let mut parts: Vec<String> = verdict.map(str::to_owned).into_iter().collect();
        let stats = &own["stats"];
        let sizes = ["states", "transitions", "deadlocks"];
        parts.extend(
            sizes
                .iter()
                .filter_map(|it| Some(format!("{} {it}", stats[it].as_u64()?))),
        );
        Some(format!("*{verb}*: {}", parts.join(", ")))
    });
    said.collect()
}

/// The messages that a role sends and receives.
fn messages_of(about: About<'_>, role: &str) -> Vec<String> {
    let reading = about.documents.reading(about.document);
    let symbols = reading.symbols.symbols.iter();
    let messages = symbols.filter(|it| it.kind == SymbolKind::Message);
    let facts = messages.flat_map(|it| &it.facts);
    facts
        .filter(|fact| {
            let ends = fact.split_once(": ").map_or("", |it| it.0);
            let mut ends = ends.split([' ', ',']);
            ends.any(|it| it == role)
        })
        .cloned()
        .collect()
}
