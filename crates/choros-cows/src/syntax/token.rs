//! Tokens.

use choros_base::{FileId, Span};
use logos::Logos;

use super::Comment;

/// What a piece of text is.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
pub(super) enum TokenKind {
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("|")]
    Bar,
    #[token("+")]
    Plus,
    #[token("*")]
    Star,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    OpenParenthesis,
    #[token(")")]
    CloseParenthesis,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("#")]
    Hash,
    #[token("=")]
    Equals,
    #[token(";")]
    Semicolon,
    #[regex(r"(--|//)[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    /// Anything else: a mistake, or a sign of the language of rules.
    Other,
    /// Behind the last token.
    End,
}

/// A piece of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The tokens of a text, with an [`TokenKind::End`] at the end, and its comments.
pub(super) fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Comment>) {
    let mut tokens: Vec<Token> = Vec::new();
    let mut comments = Vec::new();
    // Where the last thing that was read ends; a comment behind it on the same line trails it.
    let mut before = 0;
    for (kind, range) in TokenKind::lexer(text).spanned() {
        let span = Span::new(file, range.start as u32, range.end as u32);
        match kind.unwrap_or(TokenKind::Other) {
            TokenKind::Comment => comments.push(Comment {
                span,
                text: text[range.clone()].trim_end().to_owned(),
                is_trailing: before > 0 && !text[before..range.start].contains('\n'),
            }),
            // Neighbouring strange characters are one mistake.
            TokenKind::Other => match tokens.last_mut() {
                Some(last)
                    if last.kind == TokenKind::Other && last.span.range().end == range.start =>
                {
                    last.span = last.span.to(span);
                }
                _ => tokens.push(Token {
                    kind: TokenKind::Other,
                    span,
                }),
            },
            kind => tokens.push(Token { kind, span }),
        }
        before = range.end;
    }
    let end = text.len() as u32;
    tokens.push(Token {
        kind: TokenKind::End,
        span: Span::new(file, end, end),
    });
    (tokens, comments)
}
