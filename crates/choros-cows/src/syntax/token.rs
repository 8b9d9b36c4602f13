//! Tokens.

use choros_base::{FileId, Span};
use choros_syntax::{Comment, Comments, Token, scan};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    Dot,
    Comma,
    Bang,
    Question,
    Less,
    Greater,
    Bar,
    Plus,
    Star,
    OpenBracket,
    CloseBracket,
    OpenParenthesis,
    CloseParenthesis,
    OpenBrace,
    CloseBrace,
    Hash,
    Equals,
    Semicolon,
    /// Anything else: a mistake, or a sign of the language of rules.
    Other,
    /// After the last token.
    End,
}

impl choros_syntax::TokenKind for TokenKind {
    const WORD: TokenKind = TokenKind::Word;
    const END: TokenKind = TokenKind::End;
}

pub(super) const COMMENTS: Comments = Comments {
    lines: &["--", "//"],
    blocks: &[("/*", "*/")],
};

/// The tokens of a text, with an [`TokenKind::End`] at the end, and its comments.
pub(super) fn lex(file: FileId, text: &str) -> (Vec<Token<TokenKind>>, Vec<Comment>) {
    let scanned = scan(file, text, 0..text.len(), COMMENTS, first);
    let mut tokens = scanned.tokens;
    let opening = scanned.unclosed.map(|span| {
        let start = span.range().start as u32;
        Span::new(file, start, start + 2)
    });
    // The parser says what it expected in place of strange signs.
    let strange = scanned.strange.into_iter().chain(opening);
    tokens.extend(strange.map(|span| Token {
        kind: TokenKind::Other,
        span,
    }));
    tokens.sort_by_key(|token| (token.span.range().start, token.kind == TokenKind::End));
    (tokens, scanned.comments)
}

fn first(rest: &str) -> Option<(TokenKind, usize)> {
    let sign = rest.chars().next()?;
    let run = |is_part: fn(char) -> bool| rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    let kind = match sign {
        _ if sign.is_alphabetic() || sign == '_' => {
            return Some((TokenKind::Word, run(|it| it.is_alphanumeric() || it == '_')));
        }
        '0'..='9' => return Some((TokenKind::Number, run(|it| it.is_ascii_digit()))),
        '.' => TokenKind::Dot,
        ',' => TokenKind::Comma,
        '!' => TokenKind::Bang,
        '?' => TokenKind::Question,
        '<' => TokenKind::Less,
        '>' => TokenKind::Greater,
        '|' => TokenKind::Bar,
        '+' => TokenKind::Plus,
        '*' => TokenKind::Star,
        '[' => TokenKind::OpenBracket,
        ']' => TokenKind::CloseBracket,
        '(' => TokenKind::OpenParenthesis,
        ')' => TokenKind::CloseParenthesis,
        '{' => TokenKind::OpenBrace,
        '}' => TokenKind::CloseBrace,
        '#' => TokenKind::Hash,
        '=' => TokenKind::Equals,
        ';' => TokenKind::Semicolon,
        _ => return None,
    };
    Some((kind, 1))
}
