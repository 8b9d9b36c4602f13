//! What the words and signs of a language look like, for programs that show a text and do not parse it.
//!
//! Readers know their language exactly; colours, folds and lists of words need less, and need it of texts that do not
//! parse as well.
//! So a lexicon is a table, and [`Lexicon::pieces`] cuts any text by it.

use crate::Comments;

/// The words of a language.
#[derive(Debug)]
pub struct Lexicon {
    /// How comments look.
    pub comments: Comments,
    /// Words that the language reserves or begins its statements with.
    pub keywords: &'static [&'static str],
    /// Reserved words that expressions are written with, in every language that has expressions.
    pub operators: &'static [&'static str],
    /// Words that are values.
    pub values: &'static [&'static str],
    /// Words that are sorts.
    pub sorts: &'static [&'static str],
    /// Signs that may stand before a word and belong to it, as in `$id`.
    pub sigils: &'static [char],
}

/// What a piece of text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenRole {
    /// What readers skip.
    Comment,
    /// A reserved word.
    Keyword,
    /// A word that is a value.
    Value,
    /// A word that is a sort.
    Sort,
    /// A word with a sign before it.
    Marked,
    /// Any other word.
    Word,
    /// Digits, perhaps with a fraction.
    Number,
    /// A text in double quotes.
    Text,
    /// A bracket that opens.
    Open,
    /// A bracket that closes.
    Close,
    /// Another sign.
    Sign,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    /// What it looks like.
    pub look: TokenRole,
    /// The bytes that it covers.
    pub range: std::ops::Range<usize>,
}

impl Lexicon {
    /// No comments and no words.
    pub const EMPTY: Lexicon = Lexicon {
        comments: Comments {
            lines: &[],
            blocks: &[],
        },
        keywords: &[],
        operators: &[],
        values: &[],
        sorts: &[],
        sigils: &[],
    };

    /// The pieces of a text, without the white space between them.
    pub fn pieces(&self, text: &str) -> Vec<Lexeme> {
        let mut pieces = Vec::with_capacity(text.len() / 4);
        let mut at = 0;
        while let Some(sign) = text[at..].chars().next() {
            let rest = &text[at..];
            if sign.is_whitespace() || sign == '\u{feff}' {
                at += sign.len_utf8();
                continue;
            }
            let (look, length) = match self.comments.length(rest) {
                Some((length, _)) => (TokenRole::Comment, length),
                None => self.first(rest, sign),
            };
            pieces.push(Lexeme {
                look,
                range: at..at + length,
            });
            at += length;
        }
        pieces
    }

    fn first(&self, rest: &str, sign: char) -> (TokenRole, usize) {
        match sign {
            '"' => (TokenRole::Text, quoted(rest)),
            '(' | '[' | '{' => (TokenRole::Open, 1),
            ')' | ']' | '}' => (TokenRole::Close, 1),
            '0'..='9' => (TokenRole::Number, number(rest)),
            _ if is_word(sign) => {
                let length = word(rest);
                (self.look_of(&rest[..length]), length)
            }
            _ if self.sigils.contains(&sign) => {
                let start = sign.len_utf8();
                match word(&rest[start..]) {
                    0 => (TokenRole::Sign, start),
                    length => (TokenRole::Marked, start + length),
                }
            }
            _ => (TokenRole::Sign, sign.len_utf8()),
        }
    }

    /// All reserved words, those of the language first.
    pub fn reserved(&self) -> impl Iterator<Item = &'static str> {
        self.keywords.iter().chain(self.operators).copied()
    }

    /// What a word is.
    pub fn look_of(&self, word: &str) -> TokenRole {
        let lists = [
            (self.keywords, TokenRole::Keyword),
            (self.operators, TokenRole::Keyword),
            (self.values, TokenRole::Value),
            (self.sorts, TokenRole::Sort),
        ];
        let known = lists.iter().find(|(words, _)| words.contains(&word));
        known.map_or(TokenRole::Word, |(_, look)| *look)
    }
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

fn word(rest: &str) -> usize {
    rest.find(|sign| !is_word(sign)).unwrap_or(rest.len())
}

fn number(rest: &str) -> usize {
    let digits = |text: &str| {
        text.find(|sign: char| !sign.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.').map(digits) {
        None | Some(0) => whole,
        Some(fraction) => whole + 1 + fraction,
    }
}

/// The length of a text in quotes; one that is open ends with its line.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        match sign {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = sign == '\\' && !escaped,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: Lexicon = Lexicon {
        comments: Comments {
            lines: &["//"],
            blocks: &[("/*", "*/")],
        },
        keywords: &["role"],
        operators: &[],
        values: &["true"],
        sorts: &["Int"],
        sigils: &['$'],
    };

    fn looks(text: &str) -> Vec<(TokenRole, &str)> {
        let pieces = SOME.pieces(text).into_iter();
        pieces.map(|it| (it.look, &text[it.range])).collect()
    }

    #[test]
    fn words_and_signs() {
        assert_eq!(
            looks("role ä: Int = $x 1.5. // c"),
            [
                (TokenRole::Keyword, "role"),
                (TokenRole::Word, "ä"),
                (TokenRole::Sign, ":"),
                (TokenRole::Sort, "Int"),
                (TokenRole::Sign, "="),
                (TokenRole::Marked, "$x"),
                (TokenRole::Number, "1.5"),
                (TokenRole::Sign, "."),
                (TokenRole::Comment, "// c"),
            ]
        );
    }

    #[test]
    fn what_is_open_ends_with_its_line_or_the_text() {
        assert_eq!(
            looks("\"a\\\"b\n\"c\" /* d"),
            [
                (TokenRole::Text, "\"a\\\"b"),
                (TokenRole::Text, "\"c\""),
                (TokenRole::Comment, "/* d"),
            ]
        );
    }

    #[test]
    fn the_pieces_cover_all_but_white_space() {
        let text = "a§b \u{1F600}$ {é}";
        let covered: String = looks(text).into_iter().map(|(_, piece)| piece).collect();
        assert_eq!(covered, "a§b\u{1F600}${é}");
    }
}
