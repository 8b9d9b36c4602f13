//! What a text is made of.

use choros::model::symbols::{Section, SymbolKind};
use serde_json::{Value, json};

use super::About;

/// The parts of a buffer, each with those within it.
pub(crate) fn outline(about: About<'_>) -> Value {
    let sections = &about.documents.reading(about.document).symbols.sections;
    let mut at = 0;
    let mut top = Vec::new();
    while at < sections.len() {
        top.push(part(about, sections, &mut at, 0));
    }
    Value::Array(top)
}

/// Deeper parts are shown beside the one that they lie in.
const MAX_NESTING: usize = 20;

/// One part; `at` is then after it and what lies in it.
fn part(about: About<'_>, sections: &[Section], at: &mut usize, depth: usize) -> Value {
    let section = &sections[*at];
    *at += 1;
    let mut inner = Vec::new();
    while let Some(next) = sections.get(*at)
        && next.span.range().end <= section.span.range().end
        && depth < MAX_NESTING
    {
        inner.push(part(about, sections, at, depth + 1));
    }
    let name = match section.name.as_str() {
        "" => section.word,
        name => name,
    };
    json!({
        "name": name,
        "detail": section.word,
        "kind": kind(section.kind),
        "range": about.span(section.span.to(section.name_span)),
        "selectionRange": about.span(section.name_span),
        "children": inner,
    })
}

/// The numbers that the protocol has for kinds.
fn kind(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Component => 2,
        SymbolKind::Role => 5,
        SymbolKind::Message => 12,
        SymbolKind::Field => 8,
        SymbolKind::Sort => 10,
        SymbolKind::Value => 14,
        SymbolKind::Variable => 13,
        SymbolKind::Label => 24,
        SymbolKind::State => 22,
        SymbolKind::Question => 17,
        SymbolKind::Rules => 3,
    }
}
