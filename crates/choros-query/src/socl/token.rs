//! Words and signs of formulas and rules.

use choros_base::{FileId, Span};
use choros_syntax::{Comments, scan};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier, keyword or number.
    Word,
    /// A text in double quotes.
    Quoted,
    /// `$name`.
    Dollar,
    /// `%name`.
    Percent,
    /// `->`.
    Arrow,
    /// One character that is none of these.
    Sign(char),
    /// After the last piece.
    End,
}

/// A piece of text and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind,
    /// The word without `$`, `%` or quotes.
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

impl choros_syntax::TokenKind for TokenKind {
    const WORD: TokenKind = TokenKind::Word;
    const END: TokenKind = TokenKind::End;
}

pub(crate) const COMMENTS: Comments = Comments {
    lines: &["//", "--"],
    blocks: &[("/*", "*/")],
};

/// The pieces of `text[range]`, with one [`TokenKind::End`] after them.
///
/// Nothing is refused here: a sign that no grammar knows is refused by the parser, which knows what it expected.
pub(crate) fn tokens(file: FileId, text: &str, range: std::ops::Range<usize>) -> Vec<Token<'_>> {
    let scanned = scan(file, text, range, COMMENTS, first);
    let tokens = scanned.tokens.into_iter();
    tokens
        .map(|token| Token::of(token, &text[token.span.range()]))
        .collect()
}

impl<'t> Token<'t> {
    /// A token, and the text that it is written as.
    pub(super) fn of(token: choros_syntax::Token<TokenKind>, whole: &'t str) -> Token<'t> {
        Token {
            kind: token.kind,
            text: match token.kind {
                TokenKind::Dollar | TokenKind::Percent => &whole[1..],
                TokenKind::Quoted => whole[1..].strip_suffix('"').unwrap_or(&whole[1..]),
                _ => whole,
            },
            span: token.span,
        }
    }
}

pub(super) fn first(rest: &str) -> Option<(TokenKind, usize)> {
    let sign = rest.chars().next()?;
    Some(match sign {
        '"' => {
            let inner = rest[1..].find(['"', '\n']).unwrap_or(rest.len() - 1);
            let closed = rest[1 + inner..].starts_with('"');
            (TokenKind::Quoted, 1 + inner + usize::from(closed))
        }
        '$' => (TokenKind::Dollar, 1 + word_length(&rest[1..])),
        '%' => (TokenKind::Percent, 1 + word_length(&rest[1..])),
        '-' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => {
            (TokenKind::Word, 1 + word_length(&rest[1..]))
        }
        '-' if rest.starts_with("->") => (TokenKind::Arrow, 2),
        other if is_word(other) => (TokenKind::Word, word_length(rest)),
        other => (TokenKind::Sign(other), other.len_utf8()),
    })
}

/// Whether a text is one word, so that it needs no quotes.
pub(crate) fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let signed = digits.len() < text.len();
    !digits.is_empty()
        && word_length(digits) == digits.len()
        && (!signed || digits.starts_with(|first: char| first.is_ascii_digit()))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '\''
}

/// The length of the word at the start; a number may have a fraction, an identifier has no dots.
fn word_length(text: &str) -> usize {
    let word = text
        .find(|character| !is_word(character))
        .unwrap_or(text.len());
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(&text[..word])
        && let Some(fraction) = text[word..].strip_prefix('.')
    {
        let length = fraction
            .find(|character| !is_word(character))
            .unwrap_or(fraction.len());
        if digits(&fraction[..length]) {
            return word + 1 + length;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let mut map = SourceMap::new();
        let file = map.add("test", text);
        tokens(file, text, 0..text.len())
            .iter()
            .map(|token| format!("{:?} {}", token.kind, token.text))
            .collect()
    }

    #[test]
    fn words_numbers_signs_and_comments() {
        assert_eq!(
            texts("a.b $v%w 1.5 -2 -> \"x y\" // c\n-- d\n/* e */ <"),
            [
                "Word a",
                "Sign('.') .",
                "Word b",
                "Dollar v",
                "Percent w",
                "Word 1.5",
                "Word -2",
                "Arrow ->",
                "Quoted x y",
                "Sign('<') <",
                "End "
            ]
        );
    }

    #[test]
    fn what_is_open_ends_with_the_text() {
        assert_eq!(texts("\"x"), ["Quoted x", "End "]);
        assert_eq!(texts("/* x"), ["End "]);
        assert_eq!(texts("$"), ["Dollar ", "End "]);
    }

    #[test]
    fn plain_words_need_no_quotes() {
        for plain in ["a", "id1", "1234", "-2", "1.5", "no_funds"] {
            assert!(is_plain(plain), "{plain}");
        }
        for other in ["", "a b", "-", "-a", "a.b", "1/2"] {
            assert!(!is_plain(other), "{other}");
        }
    }
}
