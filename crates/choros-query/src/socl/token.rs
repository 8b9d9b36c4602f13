//! Words and signs of formulas and rules.

use choros_base::{FileId, Span};

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
    /// Behind the last piece.
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

/// The pieces of `text[range]`, with one [`TokenKind::End`] behind them.
///
/// `//` and `--` comment out the rest of a line, `/*` everything up to `*/`.
/// Nothing is refused here: a sign that no grammar knows is refused by the parser, which knows what it expected.
pub(crate) fn tokens(file: FileId, text: &str, range: std::ops::Range<usize>) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let end = range.end.min(text.len());
    let mut at = range.start.min(end);
    let span = |from: usize, to: usize| Span::new(file, from as u32, to as u32);
    while let Some(first) = text[at..end].chars().next() {
        let rest = &text[at..end];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") || rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |length| length + 2);
            continue;
        }
        let (kind, skipped, length, tail) = match first {
            '"' => {
                let inner = rest[1..].find(['"', '\n']).unwrap_or(rest.len() - 1);
                let closed = rest[1 + inner..].starts_with('"');
                (TokenKind::Quoted, 1, inner, usize::from(closed))
            }
            '$' => (TokenKind::Dollar, 1, word_length(&rest[1..]), 0),
            '%' => (TokenKind::Percent, 1, word_length(&rest[1..]), 0),
            '-' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => {
                (TokenKind::Word, 0, 1 + word_length(&rest[1..]), 0)
            }
            '-' if rest.starts_with("->") => (TokenKind::Arrow, 0, 2, 0),
            other if is_word(other) => (TokenKind::Word, 0, word_length(rest), 0),
            other => (TokenKind::Sign(other), 0, other.len_utf8(), 0),
        };
        let from = at + skipped;
        tokens.push(Token {
            kind,
            text: &text[from..from + length],
            span: span(at, from + length + tail),
        });
        at = from + length + tail;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        text: "",
        span: span(end, end),
    });
    tokens
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
