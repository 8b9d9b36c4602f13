//! The names of machines as text, for editors.

use choros_base::{FileId, Span};
use choros_syntax::{Comments, Lexicon};

use super::read::{Block, blocks};
use crate::symbols::{Section, SymbolKind, Symbols};

/// The words of `.fsa` files.
pub static LEXICON: Lexicon = Lexicon {
    comments: Comments {
        lines: &["--", "#"],
        blocks: &[],
    },
    keywords: &["outputs", "state", "graph", "marking", "end"],
    ..Lexicon::EMPTY
};

/// The names in a text; a partner that is given by its number has no name there.
pub fn fsa_symbols(file: FileId, text: &str) -> Symbols {
    let mut found = Symbols::default();
    let blocks = blocks(file, text, &mut Vec::new());
    for block in &blocks {
        let whole = whole(block);
        if let Some(name) = block.name {
            found
                .symbol(SymbolKind::Role, name.text, None)
                .declared(name.span);
            found.sections.push(Section {
                kind: SymbolKind::Role,
                name: name.text.to_owned(),
                word: "machine",
                span: whole,
                name_span: name.span,
                is_model: false,
            });
        }
        for line in &block.lines {
            for state in [line.source, line.target] {
                found
                    .symbol(SymbolKind::State, state.text, Some(whole))
                    .used(state.span);
            }
            if line.partner.text.parse::<usize>().is_err() {
                found
                    .symbol(SymbolKind::Role, line.partner.text, None)
                    .used(line.partner.span);
            }
            found
                .symbol(SymbolKind::Message, line.message.text, None)
                .used(line.message.span);
        }
        if let Some(marking) = block
            .marking
            .filter(|it| it.span.range().len() == it.text.len())
        {
            found
                .symbol(SymbolKind::State, marking.text, Some(whole))
                .used(marking.span);
        }
    }
    found.in_order()
}

/// From the heading of a block to its last line.
fn whole(block: &Block<'_>) -> Span {
    let last = block.lines.last().map(|it| it.target.span);
    let marking = block.marking.map(|it| it.span);
    [last, marking]
        .into_iter()
        .flatten()
        .fold(block.span, Span::to)
}
