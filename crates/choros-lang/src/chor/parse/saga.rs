//! Sagas: `saga`, `step` and `undo`; `once by`.

use choros_data::syntax::TokenKind;

use super::Reader;
use crate::ast::Reference;
use crate::chor::ast::StatementKind;
use crate::chor::saga::{Saga, SagaStep};
use crate::diagnostics::unclosed_block;

impl Reader<'_> {
    /// `{ step { … } undo { … } … }`, after `saga`.
    pub(super) fn saga(&mut self) -> Option<StatementKind> {
        let open = self.parser.token().span;
        self.parser
            .expect(TokenKind::LeftBrace, "`{` and the steps of the saga")?;
        self.parser.enter()?;
        let mut steps = Vec::new();
        while self.parser.at_word("step") && !self.too_many() {
            let start = self.parser.advance().span;
            let body = self.inner_block("undo");
            let undoes = self.parser.eat_word("undo").is_some();
            let undo = undoes.then(|| self.inner_block("step"));
            let span = start.to(self.parser.previous_span());
            steps.push(SagaStep { body, undo, span });
            while self.parser.eat(TokenKind::Semicolon).is_some() {}
        }
        self.parser.leave();
        if steps.is_empty() {
            self.parser.unexpected("`step { … }`, a step of the saga");
            self.parser.skip_to(&[TokenKind::RightBrace]);
        }
        if self.parser.eat(TokenKind::RightBrace).is_none() {
            if steps.is_empty() || self.parser.peek() == TokenKind::End {
                let next = self.parser.token().span;
                let finding = unclosed_block::diagnostic(open, None, next);
                self.parser.diagnostics.push(finding);
            } else {
                self.parser
                    .unexpected("`step { … }`, `undo { … }` or `}`: a saga consists of steps");
                self.parser.skip_to(&[TokenKind::RightBrace]);
                self.parser.eat(TokenKind::RightBrace);
            }
        }
        let span = open.to(self.parser.previous_span());
        Some(StatementKind::Saga(Box::new(Saga { steps, span })))
    }

    /// `once by id, line` after a message, or nothing.
    pub(super) fn identity(&mut self) -> Option<Vec<Reference>> {
        let mut fields = Vec::new();
        // A role may be called so, too: `once -> b: M` in the next line.
        if self.word() != "once" || self.parser.peek_second() == TokenKind::Arrow {
            return Some(fields);
        }
        self.parser.advance();
        if self.parser.eat_word("by").is_none() {
            self.parser
                .unexpected("`by` and the field that tells copies, as in `once by id`");
            return None;
        }
        loop {
            fields.push(self.reference("the field that tells copies")?);
            if self.parser.eat(TokenKind::Comma).is_none() {
                return Some(fields);
            }
        }
    }
}
