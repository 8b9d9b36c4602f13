//! A place in a list of tokens, and what was found wrong up to it.

use choros_base::{Diagnostic, FileId, Span};

use super::diagnostics::{nested_too_deeply, unexpected_token};
use super::token::{Token, TokenKind, tokens};

/// Reads tokens one after the other.
pub(crate) struct Cursor<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Something is wrong, and the diagnostics say what.
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// Formulas nest no deeper, so that no one's stack ends before the formula does.
pub(crate) const DEEPEST: usize = 100;

impl<'t> Cursor<'t> {
    pub(crate) fn new(file: FileId, text: &'t str, range: std::ops::Range<usize>) -> Self {
        Self {
            tokens: tokens(file, text, range),
            at: 0,
            depth: 0,
            diagnostics: Vec::new(),
        }
    }

    pub(crate) fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    /// The token after the next one.
    pub(crate) fn peek_second(&self) -> Token<'t> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    pub(crate) fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        // The last token is the end, which stays.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    pub(crate) fn is_sign(&self, sign: char) -> bool {
        self.peek().kind == TokenKind::Sign(sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Word && token.text == word
    }

    pub(crate) fn take_sign(&mut self, sign: char) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn expect_sign(&mut self, sign: char) -> Parsed<Span> {
        if self.is_sign(sign) {
            return Ok(self.next().span);
        }
        Err(self.unexpected(&format!("`{sign}`")))
    }

    /// Says that something else was expected here.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Failed {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => None,
            TokenKind::Dollar => Some(format!("${}", token.text)),
            TokenKind::Percent => Some(format!("%{}", token.text)),
            _ => Some(token.text.to_owned()),
        };
        self.diagnostics.push(unexpected_token::diagnostic(
            token.span,
            expected,
            found.as_deref(),
        ));
        Failed
    }

    /// One level deeper; [`Cursor::rise`] comes back.
    pub(crate) fn descend(&mut self) -> Parsed<()> {
        if self.depth == DEEPEST {
            let place = self.peek().span;
            self.diagnostics
                .push(nested_too_deeply::diagnostic(place, DEEPEST));
            return Err(Failed);
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn rise(&mut self) {
        self.depth -= 1;
    }

    /// Back on the ground after a failure.
    pub(crate) fn surface(&mut self) {
        self.depth = 0;
    }
}
