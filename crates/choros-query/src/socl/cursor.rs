//! A place in a list of tokens, and what was found wrong up to it.

use choros_base::{Diagnostic, FileId, Span};
use choros_syntax::scan;

use super::diagnostics::{nested_too_deeply, unexpected_token};
use super::token::{COMMENTS, Token, TokenKind, first};

/// The kit's cursor with what formulas need beside it.
pub(crate) struct Cursor<'t> {
    tokens: choros_syntax::Cursor<'t, TokenKind>,
    depth: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

choros_syntax::reads!(Cursor, TokenKind, tokens);

/// Something is wrong, and the diagnostics say what.
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// Formulas nest no deeper, so that no one's stack ends before the formula does.
pub(crate) const MAX_NESTING: usize = 100;

impl<'t> Cursor<'t> {
    pub(crate) fn new(file: FileId, text: &'t str, range: std::ops::Range<usize>) -> Self {
        let scanned = scan(file, text, range, COMMENTS, first);
        Self {
            tokens: choros_syntax::Cursor::new(text, 0, scanned.tokens),
            depth: 0,
            diagnostics: Vec::new(),
        }
    }

    /// The next piece, with its text.
    pub(crate) fn piece(&self) -> Token<'t> {
        Token::of(self.token(), self.text_here())
    }

    /// Takes the next piece.
    pub(crate) fn take(&mut self) -> Token<'t> {
        let piece = self.piece();
        self.advance();
        piece
    }

    pub(crate) fn is_sign(&self, sign: char) -> bool {
        self.peek() == TokenKind::Sign(sign)
    }

    pub(crate) fn take_sign(&mut self, sign: char) -> bool {
        self.eat(TokenKind::Sign(sign))
    }

    pub(crate) fn expect_sign(&mut self, sign: char) -> Parsed<Span> {
        if self.is_sign(sign) {
            return Ok(self.advance().span);
        }
        Err(self.unexpected(&format!("`{sign}`")))
    }

    /// Says that something else was expected here.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Failed {
        let token = self.piece();
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
        if self.depth == MAX_NESTING {
            let place = self.span();
            self.diagnostics
                .push(nested_too_deeply::diagnostic(place, MAX_NESTING));
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
