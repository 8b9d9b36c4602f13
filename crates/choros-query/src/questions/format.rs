//! The one form of files of formulas.
//!
//! Rules, questions and the braces around them have lines of their own; a formula keeps the ends of lines that were
//! written between its parts, since where a long one is best broken its author knows.

use choros_base::{FileId, Names, NotFormatted, has_errors};

use super::file::parse_questions;
use crate::abstraction::{rule_lines, separators};
use crate::socl::layout::{INDENT, Lines, Piece, comment_texts, pieces};
use crate::socl::parse::KEYWORDS;
use crate::socl::sentence::{INNER_WORDS, SENTENCE_WORDS};
use crate::socl::token::TokenKind;

/// A file of formulas in its standard layout; it is read again and compared, comments included, before anyone gets it.
pub fn format_questions(
    file: FileId,
    text: &str,
    names: &mut Names,
) -> Result<String, NotFormatted> {
    let (questions, diagnostics) = parse_questions(file, text, names);
    if has_errors(&diagnostics) {
        return Err(NotFormatted::Mistakes(diagnostics));
    }
    let written = pieces(file, text);
    let formatted = layout(&written);
    let (again, diagnostics) = parse_questions(file, &formatted, names);
    let same = !has_errors(&diagnostics)
        && comment_texts(&pieces(file, &formatted)) == comment_texts(&written)
        && again.print(names) == questions.print(names);
    if same {
        Ok(formatted)
    } else {
        Err(NotFormatted::Unfaithful)
    }
}

fn layout(pieces: &[Piece<'_>]) -> String {
    let mut lines = Lines::new();
    let mut at = 0;
    while !pieces[at].is(TokenKind::End) {
        let length = match item(&pieces[at..]) {
            Item::Rules => {
                let header = header_length(&pieces[at..]);
                lines.statement(&pieces[at..at + header], 0, |_, _| true);
                if pieces[at + header - 1].is(TokenKind::Sign('{')) {
                    lines.open_block();
                    let inside = rule_lines(&mut lines, &pieces[at + header..], INDENT);
                    lines.close_block(&pieces[at + header + inside], 0);
                    header + inside + 1
                } else {
                    header + separators(&mut lines, &pieces[at + header..], 0)
                }
            }
            Item::Group => {
                let header = header_length(&pieces[at..]);
                lines.statement(&pieces[at..at + header], 0, |_, _| true);
                lines.open_block();
                let mut inside = at + header;
                while !pieces[inside].is(TokenKind::Sign('}')) {
                    inside += question(&mut lines, &pieces[inside..], INDENT);
                }
                lines.close_block(&pieces[inside], 0);
                inside + 1 - at
            }
            Item::Question => question(&mut lines, &pieces[at..], 0),
        };
        at += length;
    }
    lines.end(&pieces[at]);
    lines.finish()
}

enum Item {
    Rules,
    Group,
    Question,
}

/// What begins here, as the reader of files decides it.
fn item(pieces: &[Piece<'_>]) -> Item {
    let is_question = pieces.get(1).is_some_and(|it| it.is(TokenKind::Sign(':')));
    match () {
        () if is_question => Item::Question,
        () if pieces[0].is_word("rules") => Item::Rules,
        () if pieces[0].is_word("group") => Item::Group,
        () => Item::Question,
    }
}

/// `rules NAME from PATH`, or everything up to the opening brace.
fn header_length(pieces: &[Piece<'_>]) -> usize {
    if pieces[0].is_word("rules") && pieces[2].is_word("from") {
        return 4;
    }
    let brace = pieces.iter().position(|it| it.is(TokenKind::Sign('{')));
    brace.map_or(pieces.len() - 1, |brace| brace + 1)
}

/// Writes one question, and says how many pieces it takes up.
fn question(lines: &mut Lines, pieces: &[Piece<'_>], indent: usize) -> usize {
    let mut depth = 0;
    let mut length = 0;
    for piece in pieces {
        match piece.token.kind {
            TokenKind::End => break,
            TokenKind::Sign('{') => depth += 1,
            TokenKind::Sign('}') if depth == 0 => break,
            TokenKind::Sign('}') => depth -= 1,
            _ => {}
        }
        length += 1;
        if piece.is(TokenKind::Sign(';')) {
            break;
        }
    }
    let pieces = &pieces[..length];
    let is_named = pieces.get(1).is_some_and(|it| it.is(TokenKind::Sign(':')));
    if pieces[0].is_word("pattern") && !is_named {
        lines.statement(pieces, indent, |before, _| std::ptr::eq(before, &pieces[0]));
    } else {
        lines.statement(pieces, indent, is_spaced);
    }
    if !pieces[length - 1].is(TokenKind::Sign(';')) {
        lines.append(";");
    }
    length
}

fn is_keyword(word: &str) -> bool {
    [KEYWORDS, SENTENCE_WORDS, INNER_WORDS]
        .concat()
        .contains(&word)
}

/// Whether there is a space between two parts of a formula.
fn is_spaced(before: &Piece<'_>, piece: &Piece<'_>) -> bool {
    let quantifier = before.is_word("A") || before.is_word("E");
    let keyword = before.is(TokenKind::Word) && is_keyword(before.token.text);
    let head = matches!(before.token.kind, TokenKind::Word | TokenKind::Quoted);
    if let TokenKind::Sign('(' | '[' | '<' | '{' | ',' | '~' | '!') = before.token.kind {
        return false;
    }
    // `>=`, `==` and their like are one sign to people.
    if piece.is(TokenKind::Sign('=')) && matches!(before.token.kind, TokenKind::Sign('=' | '>')) {
        return false;
    }
    match piece.token.kind {
        // A comparison; angle brackets never close after a variable.
        TokenKind::Sign('>')
            if matches!(before.token.kind, TokenKind::Dollar | TokenKind::Percent) =>
        {
            true
        }
        TokenKind::Sign(')' | ']' | '>' | '}' | ',' | ';' | ':') => false,
        TokenKind::Sign('(') => !quantifier && (keyword || !head),
        TokenKind::Sign('[') => !quantifier,
        _ => true,
    }
}
