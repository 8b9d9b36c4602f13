//! A `.gc` file as a list of tokens.

use choros_base::{Diagnostic, FileId};
use choros_syntax::{Comment, Comments, TokenKind, scan};

use super::diagnostics::unexpected;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, a number, a keyword.
    Word,
    /// `(o)`.
    Empty,
    /// `->`.
    Arrow,
    /// `=>`.
    Multicast,
    /// `;`.
    Semicolon,
    /// `:`.
    Colon,
    /// `,`.
    Comma,
    /// `+`.
    Plus,
    /// `|`.
    Bar,
    /// `*`.
    Star,
    /// `@`.
    At,
    /// `%`.
    Percent,
    /// `=`, which only macros have.
    Equals,
    /// `{` or `(`.
    Open,
    /// `}` or `)`.
    Close,
    /// After the last one.
    End,
}

impl TokenKind for Token {
    const WORD: Token = Token::Word;
    const END: Token = Token::End;
}

/// `.. to the end of the line`, and `[[ everything up to ]]`.
pub(super) const COMMENTS: Comments = Comments {
    lines: &[".."],
    blocks: &[("[[", "]]")],
};

/// The tokens of a text, the last of them [`Token::End`], and its comments.
pub(super) fn tokens(
    file: FileId,
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<choros_syntax::Token<Token>>, Vec<Comment>) {
    let scanned = scan(file, text, 0..text.len(), COMMENTS, token);
    diagnostics.extend(scanned.unclosed.map(unexpected::unclosed_comment));
    let strange = scanned.strange.into_iter().map(unexpected::unknown_sign);
    diagnostics.extend(strange.take(super::diagnostics::MAX_FINDINGS));
    (scanned.tokens, scanned.comments)
}

fn token(rest: &str) -> Option<(Token, usize)> {
    for (sign, token) in [("->", Token::Arrow), ("=>", Token::Multicast)] {
        if rest.starts_with(sign) {
            return Some((token, sign.len()));
        }
    }
    if let Some(length) = empty(rest) {
        return Some((Token::Empty, length));
    }
    let single = match rest.chars().next()? {
        ';' => Some(Token::Semicolon),
        ':' => Some(Token::Colon),
        ',' => Some(Token::Comma),
        '+' => Some(Token::Plus),
        '|' => Some(Token::Bar),
        '*' => Some(Token::Star),
        '@' => Some(Token::At),
        '%' => Some(Token::Percent),
        '=' => Some(Token::Equals),
        '{' | '(' => Some(Token::Open),
        '}' | ')' => Some(Token::Close),
        _ => None,
    };
    if let Some(token) = single {
        return Some((token, 1));
    }
    let length = rest.find(|it| !is_of_word(it)).unwrap_or(rest.len());
    (length > 0).then_some((Token::Word, length))
}

/// `(o)`, with spaces inside or without.
fn empty(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('(')?.trim_start();
    let inner = inner.strip_prefix('o')?.trim_start();
    let behind = inner.strip_prefix(')')?;
    Some(rest.len() - behind.len())
}

/// Reserved are `@ . , ; : ( ) [ ] { } | + - * / ^ ! ? % §`, and for us the signs of arrows and quotes.
fn is_of_word(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !"@.,;:()[]{}|+-*/^!?%§=<>\"'`\\".contains(character)
}
