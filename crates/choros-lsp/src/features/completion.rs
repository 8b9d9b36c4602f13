//! What could stand here.

use std::collections::BTreeMap;

use choros::model::symbols::{Symbol, SymbolKind, Wanted};
use choros::syntax::{Lexeme, TokenRole};
use choros::{lexicon, wanted};
use serde_json::{Value, json};

use super::About;
use super::neighbours::neighbours;

/// Signs after which an editor asks by itself.
pub(crate) const TRIGGERS: [&str; 6] = [">", ":", "[", "(", ",", "\""];

/// Names and words that fit at a position, what fits best first.
pub(crate) fn completion(about: About<'_>, offset: usize) -> Value {
    let request = about.document.request(None);
    if let Some(wanted) = wanted(&request, &about.document.text, offset) {
        return proposals(about, &wanted);
    }
    let words = lexicon(&request);
    let pieces = words.pieces(&about.document.text);
    if pieces.iter().any(|it| is_closed(it, offset)) {
        return json!([]);
    }
    let place = Here::of(about, &pieces, offset);
    let mut items: BTreeMap<(usize, String), Value> = BTreeMap::new();
    let mut add = |rank: usize, label: &str, kind: u8, detail: &str| {
        let taken = items.keys().any(|(_, it)| it == label);
        if !label.is_empty() && !taken {
            let item = json!({
                "label": label,
                "kind": kind,
                "detail": detail,
                "sortText": format!("{rank}{label}"),
            });
            items.insert((rank, label.to_owned()), item);
        }
    };
    let reading = about.documents.reading(about.document);
    let mut names: Vec<Symbol> = reading.symbols.in_scope(offset).cloned().collect();
    for beside in neighbours(about) {
        let shared = beside.reading.symbols.symbols.into_iter();
        names.extend(shared.filter(|it| it.kind.is_shared() || it.kind == SymbolKind::Field));
    }
    // The name that is being written is not worth proposing.
    names.retain(|it| {
        let mut elsewhere = it.places.iter().map(|place| place.span.range());
        elsewhere.any(|range| !(range.start <= offset && offset <= range.end))
    });
    let ranked = names.iter().filter_map(|it| Some((place.rank(it)?, it)));
    let mut ranked: Vec<(usize, &Symbol)> = ranked.collect();
    // A word that is several things is proposed as what fits best.
    ranked.sort_by_key(|it| it.0);
    for (rank, name) in ranked {
        let detail = match name.facts.first() {
            Some(fact) => fact.as_str(),
            None => name.kind.word(),
        };
        add(rank, &name.name, item_kind(name.kind), detail);
    }
    if place.takes_words() {
        for word in words.reserved() {
            add(5, word, 14, "keyword");
        }
        for word in words.sorts {
            add(6, word, 22, "sort");
        }
        for word in words.values {
            add(6, word, 12, "value");
        }
    }
    Value::Array(items.into_values().collect())
}

/// What a language says may be written, the names being those of the other files about the model.
fn proposals(about: About<'_>, wanted: &Wanted) -> Value {
    let mut items: BTreeMap<String, Value> = BTreeMap::new();
    let mut add = |label: &str, kind: u8, detail: &str| {
        let text = if wanted.needs_quotes {
            choros::syntax::quote::json(label)
        } else {
            label.to_owned()
        };
        let item = json!({"label": label, "kind": kind, "detail": detail, "insertText": text});
        items.entry(label.to_owned()).or_insert(item);
    };
    if let Some((kind, owner)) = &wanted.names {
        for beside in neighbours(about) {
            let names = beside.reading.symbols.symbols.iter();
            let fits = |it: &&Symbol| {
                it.kind == *kind && owner.as_ref().is_none_or(|owner| it.owner == *owner)
            };
            for name in names.filter(fits) {
                let detail = name.facts.first().map_or(kind.word(), String::as_str);
                add(&name.name, item_kind(name.kind), detail);
            }
        }
    }
    for word in &wanted.words {
        add(word, 14, "keyword");
    }
    Value::Array(items.into_values().collect())
}

/// Inside comments and texts there is nothing to propose.
fn is_closed(piece: &Lexeme, offset: usize) -> bool {
    matches!(piece.look, TokenRole::Comment | TokenRole::Text)
        && piece.range.start < offset
        && offset <= piece.range.end
}

/// What kind of name is wanted at a position.
enum Here {
    Role,
    Message,
    /// Data of this message.
    Data(String),
    Anything,
}

impl Here {
    fn of(about: About<'_>, pieces: &[Lexeme], offset: usize) -> Here {
        let text = &about.document.text;
        let text_of = |piece: &Lexeme| &text[piece.range.clone()];
        let behind = pieces.partition_point(|it| it.range.end < offset);
        // The word that is being written is not what stands before it.
        let before: Vec<&Lexeme> = pieces[..behind.min(pieces.len())]
            .iter()
            .chain(pieces.get(behind).filter(|it| {
                it.range.end == offset && !matches!(it.look, TokenRole::Word | TokenRole::Keyword)
            }))
            .collect();
        let back = |count: usize| {
            let at = before.len().checked_sub(count)?;
            before.get(at).map(|it| text_of(it))
        };
        match (back(2), back(1)) {
            (Some("-" | "="), Some(">")) | (Some("<"), Some("-")) | (_, Some("at" | "plays")) => {
                return Here::Role;
            }
            _ => {}
        }
        let reading = about.documents.reading(about.document);
        let is_role = |word: &str| {
            let mut symbols = reading.symbols.symbols.iter();
            symbols.any(|it| it.kind == SymbolKind::Role && it.name == word)
        };
        if back(1) == Some(":") && back(2).is_some_and(is_role) {
            return Here::Message;
        }
        // The innermost bracket that is open.
        let mut open = 0usize;
        for (at, piece) in before.iter().enumerate().rev().take(200) {
            match (piece.look, open) {
                (TokenRole::Close, _) => open += 1,
                (TokenRole::Open, 0) => {
                    let name = at.checked_sub(1).map(|it| text_of(before[it]));
                    return match (text_of(piece), name) {
                        ("(", Some(name)) => Here::Data(name.to_owned()),
                        ("[", Some(_)) => Here::Role,
                        _ => Here::Anything,
                    };
                }
                (TokenRole::Open, _) => open -= 1,
                _ => {}
            }
        }
        Here::Anything
    }

    /// How well a name fits; `None` if not at all.
    fn rank(&self, name: &Symbol) -> Option<usize> {
        use SymbolKind::{Field, Message, Role, Value, Variable};
        match (self, name.kind) {
            (Here::Role, Role) | (Here::Message, Message) => Some(0),
            (Here::Role | Here::Message, _) => None,
            (Here::Data(message), Field) => (name.owner == *message).then_some(1),
            (Here::Data(_), Variable) => Some(0),
            (Here::Data(_), Value) => Some(2),
            (Here::Data(_), Role | Message) => Some(4),
            (Here::Anything, Field) => None,
            (Here::Anything, Variable) => Some(1),
            (Here::Anything, Role) => Some(2),
            _ => Some(3),
        }
    }

    fn takes_words(&self) -> bool {
        matches!(self, Here::Anything | Here::Data(_))
    }
}

/// The numbers that the protocol has for kinds.
fn item_kind(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Component => 9,
        SymbolKind::Role => 7,
        SymbolKind::Message => 3,
        SymbolKind::Field => 5,
        SymbolKind::Sort => 22,
        SymbolKind::Value => 12,
        SymbolKind::Variable => 6,
        SymbolKind::Label | SymbolKind::State => 20,
        SymbolKind::Question | SymbolKind::Rules => 18,
    }
}
