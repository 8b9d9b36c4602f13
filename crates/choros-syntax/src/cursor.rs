//! A place in a list of tokens.

use std::borrow::Cow;

use choros_base::Span;

use crate::{Token, TokenKind};

/// Tokens, the text that they are of, and where reading stands in them.
///
/// The last token is the end, which is never passed.
#[derive(Debug, Clone)]
pub struct Cursor<'t, K: TokenKind> {
    text: &'t str,
    /// Where the text begins in its file.
    offset: usize,
    tokens: Cow<'t, [Token<K>]>,
    position: usize,
}

impl<'t, K: TokenKind> Cursor<'t, K> {
    /// Before the first of some tokens, which end with [`TokenKind::END`]; `text` begins at byte `offset` of its file.
    pub fn new(text: &'t str, offset: u32, tokens: impl Into<Cow<'t, [Token<K>]>>) -> Self {
        let tokens = tokens.into();
        assert!(
            tokens.last().is_some_and(|token| token.kind == K::END),
            "tokens end with the end"
        );
        Cursor {
            text,
            offset: offset as usize,
            tokens,
            position: 0,
        }
    }

    /// The token this many places ahead.
    pub fn ahead(&self, count: usize) -> Token<K> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + count).min(last)]
    }

    /// The next token with its place.
    pub fn token(&self) -> Token<K> {
        self.ahead(0)
    }

    /// What the next token is.
    pub fn peek(&self) -> K {
        self.ahead(0).kind
    }

    /// What the token after the next is.
    pub fn peek_second(&self) -> K {
        self.ahead(1).kind
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.peek() == K::END
    }

    /// The place of the next token.
    pub fn span(&self) -> Span {
        self.ahead(0).span
    }

    /// The place of the token before the next; of the next at the very start.
    pub fn previous_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1)].span
    }

    /// How many tokens were taken: a parser that reads in a loop sees here that something was.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes back to, or on to, a position that [`Cursor::position`] gave.
    pub fn go_to(&mut self, position: usize) {
        self.position = position.min(self.tokens.len() - 1);
    }

    /// The text of a span.
    pub fn text_of(&self, span: Span) -> &'t str {
        let range = span.range();
        let (from, to) = (range.start, range.end);
        let (Some(from), Some(to)) = (from.checked_sub(self.offset), to.checked_sub(self.offset))
        else {
            return "";
        };
        self.text.get(from..to).unwrap_or_default()
    }

    /// The text of the next token.
    pub fn text_here(&self) -> &'t str {
        self.text_of(self.span())
    }

    /// The word this many places ahead; empty where anything else stands.
    pub fn word_ahead(&self, count: usize) -> &'t str {
        let token = self.ahead(count);
        if token.kind == K::WORD {
            self.text_of(token.span)
        } else {
            ""
        }
    }

    /// The next word; empty where anything else stands.
    pub fn word(&self) -> &'t str {
        self.word_ahead(0)
    }

    /// Whether the next token is this word.
    pub fn at_word(&self, word: &str) -> bool {
        self.word() == word
    }

    /// Takes the next token.
    pub fn advance(&mut self) -> Token<K> {
        let token = self.token();
        self.go_to(self.position + 1);
        token
    }

    /// Takes the next token if it is of this kind.
    pub fn eat(&mut self, kind: K) -> bool {
        let is_there = self.peek() == kind;
        if is_there {
            self.advance();
        }
        is_there
    }

    /// Takes the next token if it is this word.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.at_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// Skips tokens until something is reached that reading can continue with, which is not taken.
    pub fn skip_until(&mut self, is_enough: impl Fn(&Self) -> bool) {
        while !self.is_at_end() && !is_enough(self) {
            self.advance();
        }
    }
}

/// Lets a parser with a lifetime be read like the cursor in one of its fields.
#[macro_export]
macro_rules! reads {
    ($parser:ident, $kind:ty, $cursor:ident) => {
        impl<'t> ::std::ops::Deref for $parser<'t> {
            type Target = $crate::Cursor<'t, $kind>;

            fn deref(&self) -> &Self::Target {
                &self.$cursor
            }
        }

        impl ::std::ops::DerefMut for $parser<'_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.$cursor
            }
        }
    };
}
