//! Tokens shared by the languages that embed expressions.
//!
//! Keywords are ordinary identifiers: whether `end` is one is for the parser to say.
//! There is no token `<-` and none for `<>`: `x<-1` is a comparison.

use choros_base::{Diagnostic, FileId, Span};
use choros_syntax::{Comments, scan};
use unicode_ident::{is_xid_continue, is_xid_start};

use crate::diagnostics::{unknown_character, unterminated};

/// A token with its place.
pub type Token = choros_syntax::Token<TokenKind>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name; `'7` and `@component` are endings that only generated names have.
    Identifier,
    /// Digits.
    Integer,
    /// Digits, a dot, digits.
    Decimal,
    /// A string in double quotes with the escapes of JSON; one that is not closed ends with its line.
    Text,
    /// A string within a quoted label, as DOT writes it: `\"OK\"`.
    EscapedText,
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `:=`
    Assign,
    /// `.`
    Dot,
    /// `?`
    Question,
    /// `!`
    Exclamation,
    /// `#`
    Hash,
    /// `+`
    Plus,
    /// `++`
    PlusPlus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=>`
    DoubleArrow,
    /// `->`
    Arrow,
    /// `|`
    Bar,
    /// `||`
    BarBar,
    /// `|>`
    Guard,
    /// `[>`
    Interrupt,
    /// `&`
    Ampersand,
    /// `&&`
    AmpersandAmpersand,
    /// The end of the text; [`lex`] puts one at the end.
    End,
}

impl choros_syntax::TokenKind for TokenKind {
    const WORD: TokenKind = TokenKind::Identifier;
    const END: TokenKind = TokenKind::End;
}

const COMMENTS: Comments = Comments {
    lines: &["//"],
    blocks: &[("/*", "*/")],
};

/// The tokens of `text`, which starts at byte `offset` of a file; the last one is [`TokenKind::End`].
pub fn lex(file: FileId, text: &str, offset: u32) -> (Vec<Token>, Vec<Diagnostic>) {
    let scanned = scan(file, text, 0..text.len(), COMMENTS, first);
    let at = |span: Span, length: usize| {
        let start = offset + span.start().offset;
        Span::new(file, start, start + length as u32)
    };
    let place = |span: Span| at(span, span.range().len());
    let mut diagnostics = Vec::new();
    for token in &scanned.tokens {
        if token.kind == TokenKind::Text && !is_closed(&text[token.span.range()]) {
            diagnostics.push(unterminated::text(place(token.span)));
        }
    }
    for &run in &scanned.strange {
        let found = unknown_character::diagnostic(place(run), &text[run.range()]);
        diagnostics.push(found);
    }
    if let Some(comment) = scanned.unclosed {
        diagnostics.push(unterminated::comment(at(comment, "/*".len())));
    }
    diagnostics.sort_by_key(Diagnostic::primary);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    let tokens = scanned
        .tokens
        .into_iter()
        .map(|Token { kind, span }| Token {
            kind,
            span: place(span),
        });
    (tokens.collect(), diagnostics)
}

/// Whether a text is a single [`TokenKind::Identifier`].
pub fn is_identifier(text: &str) -> bool {
    first(text) == Some((TokenKind::Identifier, text.len()))
}

/// More lexical errors than this in one text tell nothing new.
const MAX_DIAGNOSTICS: usize = 50;

/// The token that a text begins with, and how long it is.
fn first(rest: &str) -> Option<(TokenKind, usize)> {
    match rest.as_bytes() {
        [b'0'..=b'9', ..] => Some(number(rest)),
        [b'"', ..] => Some((TokenKind::Text, text_length(rest))),
        [b'\\', b'"', ..] => escaped_text(rest),
        signs => match sign(signs) {
            None => Some((TokenKind::Identifier, identifier(rest)?)),
            sign => sign,
        },
    }
}

fn sign(signs: &[u8]) -> Option<(TokenKind, usize)> {
    let long = signs.get(..2).and_then(|it| match it {
        b":=" => Some(TokenKind::Assign),
        b"++" => Some(TokenKind::PlusPlus),
        b"==" => Some(TokenKind::EqualEqual),
        b"!=" => Some(TokenKind::NotEqual),
        b"<=" => Some(TokenKind::LessEqual),
        b">=" => Some(TokenKind::GreaterEqual),
        b"=>" => Some(TokenKind::DoubleArrow),
        b"->" => Some(TokenKind::Arrow),
        b"||" => Some(TokenKind::BarBar),
        b"|>" => Some(TokenKind::Guard),
        b"[>" => Some(TokenKind::Interrupt),
        b"&&" => Some(TokenKind::AmpersandAmpersand),
        _ => None,
    });
    if let Some(kind) = long {
        return Some((kind, 2));
    }
    let kind = match signs.first()? {
        b'(' => TokenKind::LeftParenthesis,
        b')' => TokenKind::RightParenthesis,
        b'[' => TokenKind::LeftBracket,
        b']' => TokenKind::RightBracket,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semicolon,
        b':' => TokenKind::Colon,
        b'.' => TokenKind::Dot,
        b'?' => TokenKind::Question,
        b'!' => TokenKind::Exclamation,
        b'#' => TokenKind::Hash,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'*' => TokenKind::Star,
        b'/' => TokenKind::Slash,
        b'=' => TokenKind::Equal,
        b'<' => TokenKind::Less,
        b'>' => TokenKind::Greater,
        b'|' => TokenKind::Bar,
        b'&' => TokenKind::Ampersand,
        _ => return None,
    };
    Some((kind, 1))
}

/// A name, perhaps with one of the endings that only generated names have: `'7`, `@component`.
fn identifier(text: &str) -> Option<usize> {
    let mut length = word(text)?;
    if let Some(number) = text[length..].strip_prefix('\'') {
        let digits = digits(number);
        if digits > 0 {
            length += 1 + digits;
        }
    }
    let component = text[length..].strip_prefix('@').and_then(word);
    Some(length + component.map_or(0, |it| 1 + it))
}

/// How long the word at the start of a text is.
fn word(text: &str) -> Option<usize> {
    let begins = text.starts_with(|it| is_xid_start(it) || it == '_');
    let goes_on = |it: char| is_xid_continue(it);
    begins.then(|| text.find(|it| !goes_on(it)).unwrap_or(text.len()))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn number(text: &str) -> (TokenKind, usize) {
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if fraction > 0 => (TokenKind::Decimal, whole + 1 + fraction),
        _ => (TokenKind::Integer, whole),
    }
}

/// How long the string at the start of a text is, which ends with its line at the latest.
fn text_length(text: &str) -> usize {
    let mut signs = text.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return at + 1,
            '\n' => return at,
            '\\' => match signs.next() {
                None | Some((_, '\n')) => return at,
                Some(_) => {}
            },
            _ => {}
        }
    }
    text.len()
}

/// Whether a string literal ends with the quote that closes it.
fn is_closed(literal: &str) -> bool {
    let escapes = |inner: &str| inner.len() - inner.trim_end_matches('\\').len();
    let inner = literal
        .strip_prefix('"')
        .and_then(|it| it.strip_suffix('"'));
    inner.is_some_and(|it| escapes(it) % 2 == 0)
}

fn escaped_text(text: &str) -> Option<(TokenKind, usize)> {
    let inner = text.strip_prefix("\\\"")?;
    let length = inner.find(['"', '\\', '\n'])?;
    let is_closed = inner[length..].starts_with("\\\"");
    is_closed.then_some((TokenKind::EscapedText, length + 4))
}

/// The contents of a string literal, with or without its quotes.
pub fn unquote(literal: &str) -> String {
    let inner = match literal.strip_prefix("\\\"") {
        Some(escaped) => return escaped.strip_suffix("\\\"").unwrap_or(escaped).to_owned(),
        None => literal.strip_prefix('"').unwrap_or(literal),
    };
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let digits: String = characters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).unwrap_or(0xFFFD);
                out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_told_from_other_texts() {
        for text in ["x", "_1", "größe", "x'7", "x@component", "x'7@c"] {
            assert!(is_identifier(text), "{text}");
        }
        for text in ["", "7", "a b", "a-b", "x@", "x@a@b", " x", "x // y"] {
            assert!(!is_identifier(text), "{text}");
        }
    }
}
