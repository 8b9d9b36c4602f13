//! Timeouts as text.

use super::Printer;
use crate::chor::ast::{Block, StatementKind};
use crate::chor::time::{Timeout, TimeoutForm};

impl Printer<'_> {
    pub(super) fn timeout(&mut self, timeout: &Timeout) {
        let head = format!("{}{}", timeout.limit.text(), self.claim(timeout.at));
        match (timeout.form, self.deadlined(timeout)) {
            (TimeoutForm::Message, Some(message)) => {
                self.message(message);
                self.lines.text(&format!(" within {head}"));
            }
            _ => {
                self.lines.text(&match timeout.form {
                    TimeoutForm::Retry(times) => format!("retry {times} times every {head} "),
                    _ => format!("timeout {head} "),
                });
                self.block_before(&timeout.body, Some(&timeout.otherwise));
            }
        }
        let answers: Vec<&Block> = timeout.late.iter().map(|late| &late.answer).collect();
        if !timeout.has_no_else() {
            self.lines.text(" else ");
            self.block_before(&timeout.otherwise, answers.first().copied());
        }
        for (position, late) in timeout.late.iter().enumerate() {
            let name = self.phrases.name(late.operation);
            self.lines.text(&format!(" late {name} "));
            self.block_before(&late.answer, answers.get(position + 1).copied());
        }
    }

    /// The message of a timeout that is written as a deadline.
    fn deadlined<'p>(&self, timeout: &Timeout) -> Option<&'p crate::chor::ast::MessageStatement>
    where
        Self: 'p,
    {
        let &id = timeout.body.statements.first()?;
        match &self.phrases.program.statements.get(id).kind {
            StatementKind::Message(message) => Some(message),
            _ => None,
        }
    }
}
