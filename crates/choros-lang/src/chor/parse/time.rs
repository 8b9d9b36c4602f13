//! Time: `wait`, `timeout`, `within` and `late`.

use choros_data::syntax::TokenKind;

use super::Reader;
use crate::ast::Reference;
use crate::chor::ast::{Block, StatementKind};
use crate::chor::time::{Duration, Late, Timeout, TimeoutForm, Unit, Wait};
use crate::diagnostics::{too_long_a_wait, too_many_attempts};

/// Copies of a message can all be in transit at once.
const MAX_ATTEMPTS: u32 = 100;

impl Reader<'_> {
    /// `3s at order`, after `wait`.
    pub(super) fn wait(&mut self) -> Option<StatementKind> {
        let duration = self.duration("how long, as in `wait 3s`")?;
        let at = self.measured_by()?;
        Some(match duration {
            Some(duration) => StatementKind::Wait(Wait { duration, at }),
            None => StatementKind::Error,
        })
    }

    /// `3s at order { … } else { … } late Charged { … }`, after `timeout`.
    pub(super) fn timeout(&mut self) -> Option<StatementKind> {
        let limit = self.duration("how long to wait, as in `timeout 3s { … } else { … }`")?;
        let at = self.measured_by()?;
        let body = self.inner_block("else");
        self.rest_of_timeout(TimeoutForm::Block, limit, at, body)
    }

    /// `3 times every 1s at order { … } else { … } late Charged { … }`, after `retry`; without `else`, nothing happens
    /// when the last attempt was in vain.
    pub(super) fn retry(&mut self) -> Option<StatementKind> {
        let number = "how often at most, as in `retry 3 times every 1s { … }`";
        let token = self.parser.expect(TokenKind::Integer, number)?;
        let times = self.parser.text_of(token.span).parse::<u32>();
        let times = times
            .ok()
            .filter(|times| (1..=MAX_ATTEMPTS).contains(times));
        if times.is_none() {
            let found = too_many_attempts::diagnostic(token.span, MAX_ATTEMPTS);
            self.parser.diagnostics.push(found);
        }
        let words =
            self.parser.eat_word("times").is_some() && self.parser.eat_word("every").is_some();
        if !words {
            self.parser
                .unexpected("`times every` and how long one attempt takes, as in `retry 3 times every 1s { … }`");
            return None;
        }
        let limit =
            self.duration("how long one attempt takes, as in `retry 3 times every 1s { … }`")?;
        let at = self.measured_by()?;
        self.expected.push("late");
        let body = self.inner_block("else");
        self.expected.pop();
        let form = TimeoutForm::Retry(times.unwrap_or(1));
        self.rest_of_timeout(form, limit, at, body)
    }

    /// `within 3s else { … }`, after a message; the message itself where no deadline follows.
    pub(super) fn deadline(&mut self, message: StatementKind) -> Option<StatementKind> {
        // A role may be called so, too: `within -> b: M` in the next line.
        if self.word() != "within" || self.parser.peek_second() == TokenKind::Arrow {
            return Some(message);
        }
        let span = self.parser.previous_span();
        self.parser.advance();
        let limit = self.duration("the deadline, as in `within 2s else { … }`")?;
        let at = self.measured_by()?;
        let span = match &message {
            StatementKind::Message(it) => {
                let first = it.from.or(it.to).unwrap_or(it.operation).span;
                first.to(span)
            }
            _ => span,
        };
        let body = Block {
            statements: vec![self.statements.add(message, span)],
            span,
        };
        self.rest_of_timeout(TimeoutForm::Message, limit, at, body)
    }

    fn rest_of_timeout(
        &mut self,
        form: TimeoutForm,
        limit: Option<Duration>,
        at: Option<Reference>,
        body: Block,
    ) -> Option<StatementKind> {
        let otherwise = match (self.parser.eat_word("else"), form) {
            (Some(_), _) => self.inner_block("late"),
            (None, TimeoutForm::Retry(_)) => Block {
                statements: Vec::new(),
                span: self.parser.previous_span().after(),
            },
            (None, _) => {
                self.parser
                    .unexpected("`else` and what happens when the time is over");
                return None;
            }
        };
        let mut late = Vec::new();
        while self.parser.at_word("late") && !self.too_many() {
            self.parser.advance();
            let operation = self.reference("the message that may come too late")?;
            let answer = if self.parser.peek() == TokenKind::LeftBrace {
                self.inner_block("late")
            } else {
                let span = self.parser.previous_span();
                Block {
                    statements: Vec::new(),
                    span,
                }
            };
            late.push(Late { operation, answer });
        }
        Some(match limit {
            Some(limit) => StatementKind::Timeout(Box::new(Timeout {
                form,
                limit,
                at,
                body,
                otherwise,
                late,
            })),
            None => StatementKind::Error,
        })
    }

    /// `at role`, or nothing.
    fn measured_by(&mut self) -> Option<Option<Reference>> {
        match self.parser.eat_word("at") {
            Some(_) => Some(Some(self.reference("the role whose clock measures it")?)),
            None => Some(None),
        }
    }

    /// `3s`, `500ms` or `3`; `Some(None)` where it is too large, which is reported.
    fn duration(&mut self, expected: &str) -> Option<Option<Duration>> {
        let token = self.parser.expect(TokenKind::Integer, expected)?;
        let word = self.word();
        let unit = Unit::ALL.into_iter().find(|unit| unit.word() == word);
        // `wait 3`, and in the next line something of a role that is called `s`.
        let is_other = self.parser.peek_second() == TokenKind::Arrow;
        let unit = unit.filter(|_| !is_other);
        if unit.is_some() {
            self.parser.advance();
        }
        let span = token.span.to(self.parser.previous_span());
        let Ok(count) = self.parser.text_of(token.span).parse::<u32>() else {
            self.parser
                .diagnostics
                .push(too_long_a_wait::diagnostic(span));
            return Some(None);
        };
        Some(Some(Duration { count, unit, span }))
    }
}
