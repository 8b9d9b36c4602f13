//! A position in the tokens of a text of properties.

use choros_base::{Diagnostic, FileId, Span};
use choros_data::syntax::{Token, TokenKind, lex, unquote};

use super::diagnostics::property_syntax;

/// Tokens, and where reading stands in them.
pub(super) struct Cursor<'t> {
    tokens: choros_syntax::Cursor<'t, TokenKind>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

choros_syntax::reads!(Cursor, TokenKind, tokens);

impl<'t> Cursor<'t> {
    pub(super) fn new(file: FileId, text: &'t str) -> Cursor<'t> {
        let (tokens, diagnostics) = lex(file, text, 0);
        Cursor {
            tokens: choros_syntax::Cursor::new(text, 0, tokens),
            diagnostics,
        }
    }

    pub(super) fn expected(&mut self, what: &str) {
        let token = self.ahead(0);
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text_of(token.span)),
        };
        self.diagnostics
            .push(property_syntax::diagnostic(token.span, what, &found));
    }

    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> bool {
        let is_it = self.eat(kind);
        if !is_it {
            self.expected(what);
        }
        is_it
    }

    pub(super) fn expect_word(&mut self, word: &str) -> bool {
        let is_it = self.eat_word(word);
        if !is_it {
            self.expected(&format!("`{word}`"));
        }
        is_it
    }

    /// A name: a word, digits, or anything in quotes.
    pub(super) fn name(&mut self, what: &str) -> Option<(String, Span)> {
        let token = self.ahead(0);
        let text = self.text_of(token.span);
        let name = match token.kind {
            TokenKind::Identifier | TokenKind::Integer => text.to_owned(),
            TokenKind::Text => unquote(text),
            _ => {
                self.expected(what);
                return None;
            }
        };
        self.advance();
        Some((name, token.span))
    }

    /// Whether a candidate event begins this many tokens ahead: `name[name,`.
    ///
    /// No expression looks like this: an index has no comma.
    pub(super) fn event_ahead(&self, count: usize) -> bool {
        let is_name = |kind| {
            matches!(
                kind,
                TokenKind::Identifier | TokenKind::Integer | TokenKind::Text
            )
        };
        is_name(self.ahead(count).kind)
            && self.ahead(count + 1).kind == TokenKind::LeftBracket
            && is_name(self.ahead(count + 2).kind)
            && self.ahead(count + 3).kind == TokenKind::Comma
    }

    /// Whether one of the words that begin a part of a property stands this many tokens ahead.
    pub(super) fn clause_ahead(&self, count: usize) -> bool {
        const CLAUSES: [&str; 7] = [
            "context", "with", "within", "per", "expect", "never", "property",
        ];
        CLAUSES.contains(&self.word_ahead(count))
            || (self.word_ahead(count) == "global" && self.word_ahead(count + 1) == "property")
    }

    /// Takes the tokens of an expression: up to the next clause, candidate event or closing brace.
    pub(super) fn expression_tokens(&mut self) -> (Vec<Token>, Span) {
        let start = self.span();
        let mut tokens = Vec::new();
        let mut open = 0usize;
        loop {
            let token = self.ahead(0);
            if token.kind == TokenKind::End {
                break;
            }
            if open == 0 {
                let is_next_event =
                    self.event_ahead(0) || (self.at_word("or") && self.event_ahead(1));
                if token.kind == TokenKind::RightBrace || is_next_event || self.clause_ahead(0) {
                    break;
                }
            }
            match token.kind {
                TokenKind::LeftParenthesis | TokenKind::LeftBracket | TokenKind::LeftBrace => {
                    open += 1;
                }
                TokenKind::RightParenthesis | TokenKind::RightBracket | TokenKind::RightBrace => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            tokens.push(token);
            self.advance();
        }
        let end = self.span();
        let span = match tokens.last() {
            Some(last) => start.to(last.span),
            None => start,
        };
        tokens.push(Token {
            kind: TokenKind::End,
            span: Span::new(end.file(), end.start().offset, end.start().offset),
        });
        (tokens, span)
    }

    /// Skips to the next clause of this property, or to its end.
    pub(super) fn skip_to_clause(&mut self) {
        while !matches!(self.peek(), TokenKind::End | TokenKind::RightBrace)
            && !self.clause_ahead(0)
        {
            self.advance();
        }
    }

    /// Skips to the next property.
    pub(super) fn skip_to_property(&mut self) {
        while self.peek() != TokenKind::End {
            let begins = self.at_word("property")
                || (self.at_word("global") && self.word_ahead(1) == "property");
            if begins {
                return;
            }
            self.advance();
        }
    }
}
