//! A `.gc` file as a list of tokens.

use choros_base::{Diagnostic, FileId, Span};

use super::ast::Comment;
use super::diagnostics::unexpected;

/// A token.
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
    /// Behind the last one.
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) span: Span,
}

/// The tokens of a text, the last of them [`Token::End`], and its comments.
pub(super) fn tokens(
    file: FileId,
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Placed>, Vec<Comment>) {
    let mut found = Vec::new();
    let mut comments = Vec::new();
    let mut at = 0;
    // A run of signs that mean nothing is one mistake, not one per sign.
    let mut unknown: Option<(usize, usize)> = None;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if let Some(length) = comment(rest) {
            let span = Span::new(file, at as u32, (at + length.taken) as u32);
            if !length.is_closed {
                diagnostics.push(unexpected::unclosed_comment(span));
            }
            comments.push(Comment {
                text: rest[..length.taken].trim_end().to_owned(),
                span,
            });
            at += length.taken;
            continue;
        }
        let Some((token, length)) = token(rest) else {
            unknown = match unknown {
                Some((start, end)) if end == at => Some((start, at + first.len_utf8())),
                other => {
                    report(file, other, diagnostics);
                    Some((at, at + first.len_utf8()))
                }
            };
            at += first.len_utf8();
            continue;
        };
        let span = Span::new(file, at as u32, (at + length) as u32);
        found.push(Placed { token, span });
        at += length;
    }
    report(file, unknown, diagnostics);
    let end = Span::new(file, text.len() as u32, text.len() as u32);
    found.push(Placed {
        token: Token::End,
        span: end,
    });
    (found, comments)
}

fn report(file: FileId, run: Option<(usize, usize)>, diagnostics: &mut Vec<Diagnostic>) {
    if let Some((start, end)) = run
        && diagnostics.len() < super::diagnostics::MOST
    {
        let span = Span::new(file, start as u32, end as u32);
        diagnostics.push(unexpected::unknown_sign(span));
    }
}

struct CommentLength {
    taken: usize,
    is_closed: bool,
}

fn comment(rest: &str) -> Option<CommentLength> {
    if rest.starts_with("..") {
        let taken = rest.find('\n').unwrap_or(rest.len());
        return Some(CommentLength {
            taken,
            is_closed: true,
        });
    }
    let inner = rest.strip_prefix("[[")?;
    Some(match inner.find("]]") {
        Some(end) => CommentLength {
            taken: end + 4,
            is_closed: true,
        },
        None => CommentLength {
            taken: rest.len(),
            is_closed: false,
        },
    })
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
