//! From text to tokens.

use std::ops::Range;

use choros_base::{FileId, Span};

use crate::{Token, TokenKind};

/// How comments look.
#[derive(Debug, Clone, Copy)]
pub struct Comments {
    /// What comments out the rest of a line.
    pub lines: &'static [&'static str],
    /// What comments out everything up to its end.
    pub blocks: &'static [(&'static str, &'static str)],
}

/// A comment as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands.
    pub span: Span,
    /// With its signs, without space at its end.
    pub text: String,
    /// Something stands before it on its line.
    pub is_trailing: bool,
}

/// What a text is made of.
#[derive(Debug)]
pub struct ScannedText<K> {
    /// The last is [`TokenKind::END`].
    pub tokens: Vec<Token<K>>,
    /// In the order of the text.
    pub comments: Vec<Comment>,
    /// Runs of signs that mean nothing.
    pub strange: Vec<Span>,
    /// A comment that nothing closes.
    pub unclosed: Option<Span>,
}

/// The tokens of `text[range]`.
///
/// `first` says which token a text begins with and how long it is; what it does not know is strange.
pub fn scan<K: TokenKind>(
    file: FileId,
    text: &str,
    range: Range<usize>,
    comments: Comments,
    first: impl Fn(&str) -> Option<(K, usize)>,
) -> ScannedText<K> {
    let end = range.end.min(text.len());
    let span = |from: usize, to: usize| Span::new(file, from as u32, to as u32);
    let mut scanned = ScannedText {
        tokens: Vec::with_capacity((end - range.start.min(end)) / 4 + 1),
        comments: Vec::new(),
        strange: Vec::new(),
        unclosed: None,
    };
    let mut at = range.start.min(end);
    // Where the last thing that was read ends.
    let mut before = None;
    while let Some(sign) = text[at..end].chars().next() {
        let rest = &text[at..end];
        if sign.is_whitespace() || sign == '\u{feff}' {
            at += sign.len_utf8();
            continue;
        }
        let length = if let Some((length, is_closed)) = comments.length(rest) {
            let place = span(at, at + length);
            if !is_closed {
                scanned.unclosed = Some(place);
            }
            scanned.comments.push(Comment {
                span: place,
                text: rest[..length].trim_end().to_owned(),
                is_trailing: before.is_some_and(|before| !text[before..at].contains('\n')),
            });
            length
        } else if let Some((kind, length)) = first(rest) {
            let span = span(at, at + length);
            scanned.tokens.push(Token { kind, span });
            length
        } else {
            let place = span(at, at + sign.len_utf8());
            match scanned.strange.last_mut() {
                Some(run) if run.range().end == at => *run = run.to(place),
                _ => scanned.strange.push(place),
            }
            sign.len_utf8()
        };
        at += length;
        before = Some(at);
    }
    scanned.tokens.push(Token {
        kind: K::END,
        span: span(end, end),
    });
    scanned
}

impl Comments {
    /// How long the comment at the start of a text is, and whether it is closed.
    pub(crate) fn length(self, rest: &str) -> Option<(usize, bool)> {
        if self.lines.iter().any(|sign| rest.starts_with(sign)) {
            return Some((rest.find('\n').unwrap_or(rest.len()), true));
        }
        self.blocks.iter().find_map(|(open, close)| {
            let inner = rest.strip_prefix(open)?;
            Some(match inner.find(close) {
                Some(length) => (open.len() + length + close.len(), true),
                None => (rest.len(), false),
            })
        })
    }
}
