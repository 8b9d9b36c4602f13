//! Tokens shared by the languages that embed expressions.
//!
//! Keywords are ordinary identifiers: whether `end` is one is for the parser to say.
//! There is no token `<-` and none for `<>`: `x<-1` is a comparison.

use choros_base::{Diagnostic, FileId, Span};
use logos::Logos;

use crate::diagnostics::{unknown_character, unterminated};

/// A token with its place.
pub type Token = choros_syntax::Token<TokenKind>;

/// What a token is.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum TokenKind {
    /// A name; `'7` and `@component` are endings that only generated names have.
    #[regex(
        r"[\p{XID_Start}_][\p{XID_Continue}]*('[0-9]+)?(@[\p{XID_Start}_][\p{XID_Continue}]*)?"
    )]
    Identifier,
    /// Digits.
    #[regex(r"[0-9]+")]
    Integer,
    /// Digits, a dot, digits.
    #[regex(r"[0-9]+\.[0-9]+")]
    Decimal,
    /// A string in double quotes with the escapes of JSON.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Text,
    /// A string that is not closed on its line.
    #[regex(r#""([^"\\\n]|\\[^\n])*"#, priority = 1)]
    OpenText,
    /// A string within a quoted label, as DOT writes it: `\"OK\"`.
    #[regex(r#"\\"[^"\\\n]*\\""#)]
    EscapedText,
    /// A comment between `/*` and `*/`; skipped by [`lex`].
    #[token("/*", block_comment)]
    Comment,
    /// `(`
    #[token("(")]
    LeftParenthesis,
    /// `)`
    #[token(")")]
    RightParenthesis,
    /// `[`
    #[token("[")]
    LeftBracket,
    /// `]`
    #[token("]")]
    RightBracket,
    /// `{`
    #[token("{")]
    LeftBrace,
    /// `}`
    #[token("}")]
    RightBrace,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `:=`
    #[token(":=")]
    Assign,
    /// `.`
    #[token(".")]
    Dot,
    /// `?`
    #[token("?")]
    Question,
    /// `!`
    #[token("!")]
    Exclamation,
    /// `#`
    #[token("#")]
    Hash,
    /// `+`
    #[token("+")]
    Plus,
    /// `++`
    #[token("++")]
    PlusPlus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `=`
    #[token("=")]
    Equal,
    /// `==`
    #[token("==")]
    EqualEqual,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `=>`
    #[token("=>")]
    DoubleArrow,
    /// `->`
    #[token("->")]
    Arrow,
    /// `|`
    #[token("|")]
    Bar,
    /// `||`
    #[token("||")]
    BarBar,
    /// `|>`
    #[token("|>")]
    Guard,
    /// `[>`
    #[token("[>")]
    Interrupt,
    /// `&`
    #[token("&")]
    Ampersand,
    /// `&&`
    #[token("&&")]
    AmpersandAmpersand,
    /// The end of the text; [`lex`] puts one at the end.
    End,
}

impl choros_syntax::TokenKind for TokenKind {
    const WORD: TokenKind = TokenKind::Identifier;
    const END: TokenKind = TokenKind::End;
}

/// The tokens of `text`, which starts at byte `offset` of a file; the last one is [`TokenKind::End`].
pub fn lex(file: FileId, text: &str, offset: u32) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut diagnostics = Vec::new();
    let span_of = |range: std::ops::Range<usize>| {
        Span::new(file, offset + range.start as u32, offset + range.end as u32)
    };
    let mut garbage: Option<std::ops::Range<usize>> = None;
    let mut lexer = TokenKind::lexer(text);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let Ok(kind) = result else {
            if text[range.clone()].starts_with("/*") {
                let opening = range.start..range.start + 2;
                diagnostics.push(unterminated::comment(span_of(opening)));
                continue;
            }
            // One finding for a run of unknown characters: a binary file must not give a million.
            match &mut garbage {
                Some(run) if run.end == range.start => run.end = range.end,
                _ => {
                    if let Some(run) = garbage.replace(range) {
                        diagnostics.push(unknown_character::diagnostic(
                            span_of(run.clone()),
                            &text[run],
                        ));
                    }
                }
            }
            continue;
        };
        match kind {
            TokenKind::Comment => continue,
            TokenKind::OpenText => diagnostics.push(unterminated::text(span_of(range.clone()))),
            _ => {}
        }
        let kind = match kind {
            TokenKind::OpenText => TokenKind::Text,
            other => other,
        };
        tokens.push(Token {
            kind,
            span: span_of(range),
        });
        if diagnostics.len() >= MOST_DIAGNOSTICS {
            break;
        }
    }
    if let Some(run) = garbage {
        diagnostics.push(unknown_character::diagnostic(
            span_of(run.clone()),
            &text[run],
        ));
    }
    diagnostics.truncate(MOST_DIAGNOSTICS);
    tokens.push(Token {
        kind: TokenKind::End,
        span: span_of(text.len()..text.len()),
    });
    (tokens, diagnostics)
}

/// Whether a text is a single [`TokenKind::Identifier`].
pub fn is_identifier(text: &str) -> bool {
    let mut lexer = TokenKind::lexer(text);
    lexer.next() == Some(Ok(TokenKind::Identifier)) && lexer.span() == (0..text.len())
}

/// More lexical errors than this in one text tell nothing new.
const MOST_DIAGNOSTICS: usize = 50;

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

/// Called after `/*`: skips to `*/`; `false`, which makes an error of the token, when there is none.
fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) -> bool {
    match lexer.remainder().find("*/") {
        Some(position) => {
            lexer.bump(position + 2);
            true
        }
        None => {
            let rest = lexer.remainder().len();
            lexer.bump(rest);
            false
        }
    }
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
