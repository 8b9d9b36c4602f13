//! Colours: what each piece of a text is.

use std::ops::Range;

use choros::lexicon;
use choros::model::symbols::SymbolKind;
use choros::syntax::TokenRole;
use serde_json::{Value, json};

use super::About;

/// The kinds of pieces, in the order of their numbers.
pub(crate) const TYPES: [&str; 13] = [
    "comment",
    "keyword",
    "string",
    "number",
    "operator",
    "type",
    "enumMember",
    "variable",
    "function",
    "class",
    "property",
    "namespace",
    "event",
];

/// What else can be said of a piece.
pub(crate) const MODIFIERS: [&str; 1] = ["declaration"];

/// The pieces of a buffer, or of a part of it.
pub(crate) fn tokens(about: About<'_>, within: Option<Range<usize>>) -> Value {
    let text = &about.document.text;
    let mut pieces = named(about);
    let names: Vec<Range<usize>> = pieces.iter().map(|it| it.range.clone()).collect();
    let words = lexicon(&about.document.request(None));
    for piece in words.pieces(text) {
        let Some(number) = look(piece.look) else {
            continue;
        };
        // A name is what its language says, whatever it looks like.
        let next = names.partition_point(|it| it.end <= piece.range.start);
        let is_named = names.get(next).is_some_and(|it| it.start < piece.range.end);
        if !is_named {
            pieces.push(Piece {
                range: piece.range,
                number,
                declares: false,
            });
        }
    }
    pieces.sort_by_key(|it| it.range.start);
    if let Some(within) = within {
        pieces.retain(|it| it.range.start < within.end && within.start < it.range.end);
    }
    json!({"data": encoded(about, &pieces)})
}

struct Piece {
    range: Range<usize>,
    number: usize,
    declares: bool,
}

/// The names, in the order of the text, none over another.
fn named(about: About<'_>) -> Vec<Piece> {
    let symbols = &about.documents.reading(about.document).symbols;
    let mut pieces = Vec::new();
    for symbol in &symbols.symbols {
        // A field that takes its name from a variable is shown as the variable.
        for place in &symbol.places {
            pieces.push(Piece {
                range: place.span.range(),
                number: kind(symbol.kind),
                declares: place.declares,
            });
        }
    }
    let is_field = |it: &Piece| it.number == kind(SymbolKind::Field);
    pieces.sort_by_key(|it| (it.range.start, is_field(it), it.range.end));
    let mut end = 0;
    pieces.retain(|it| {
        let keeps = it.range.start >= end && !it.range.is_empty();
        if keeps {
            end = it.range.end;
        }
        keeps
    });
    pieces
}

fn kind(kind: SymbolKind) -> usize {
    match kind {
        SymbolKind::Component | SymbolKind::Question | SymbolKind::Rules => 9,
        SymbolKind::Role => 11,
        SymbolKind::Message => 8,
        SymbolKind::Field => 10,
        SymbolKind::Sort => 5,
        SymbolKind::Value | SymbolKind::State => 6,
        SymbolKind::Variable => 7,
        SymbolKind::Label => 12,
    }
}

fn look(look: TokenRole) -> Option<usize> {
    Some(match look {
        TokenRole::Comment => 0,
        TokenRole::Keyword => 1,
        TokenRole::Text => 2,
        TokenRole::Number => 3,
        TokenRole::Sign => 4,
        TokenRole::Sort => 5,
        TokenRole::Value => 6,
        TokenRole::Marked => 7,
        TokenRole::Word | TokenRole::Open | TokenRole::Close => return None,
    })
}

/// Five numbers for each piece: lines and columns since the one before, length, kind, modifiers.
///
/// A piece over several lines is one for each line.
fn encoded(about: About<'_>, pieces: &[Piece]) -> Vec<usize> {
    let text = &about.document.text;
    let lines = &about.document.lines;
    let mut data = Vec::with_capacity(pieces.len() * 5);
    let (mut last_line, mut last_column) = (0, 0);
    for piece in pieces {
        let mut start = piece.range.start;
        for line_text in text[piece.range.clone()].split_inclusive(['\n', '\r']) {
            let shown = line_text.trim_end_matches(['\n', '\r']);
            let length = about.encoding.length(shown);
            if length > 0 {
                let (line, column) = lines.position(text, start, about.encoding);
                let columns = if line == last_line {
                    column - last_column
                } else {
                    column
                };
                data.extend([
                    line - last_line,
                    columns,
                    length,
                    piece.number,
                    usize::from(piece.declares),
                ]);
                (last_line, last_column) = (line, column);
            }
            start += line_text.len();
        }
    }
    data
}
