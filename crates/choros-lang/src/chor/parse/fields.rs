//! Messages and their fields.

use choros_base::Span;
use choros_data::syntax::TokenKind;

use super::Reader;
use crate::ast::Reference;
use crate::chor::ast::{BoundVariable, Field, FieldValue, MessageStatement, StatementKind};

impl Reader<'_> {
    /// `: Op(…)`, when sender and receiver have been read.
    pub(super) fn message(
        &mut self,
        from: Option<Reference>,
        to: Option<Reference>,
    ) -> Option<StatementKind> {
        self.colon()?;
        let operation = self.message_name()?;
        let mut fields = Vec::new();
        if self.parser.eat(TokenKind::LeftParenthesis).is_some() {
            while self.parser.peek() != TokenKind::RightParenthesis {
                fields.push(self.field()?);
                if self.parser.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.parser
                .expect(TokenKind::RightParenthesis, "`,` or `)` after the field")?;
        }
        Some(StatementKind::Message(MessageStatement {
            from,
            to,
            operation,
            fields,
            once: self.identity()?,
        }))
    }

    /// `:`; a message follows.
    fn colon(&mut self) -> Option<()> {
        let next = self.parser.token().span;
        let corrected = match self.parser.peek() {
            TokenKind::Identifier => Some(format!(": {}", self.word())),
            _ => None,
        };
        let colon = self.parser.expect(
            TokenKind::Colon,
            "`:` and the message, as in `: Request(x: Int)`",
        );
        match (&colon, corrected) {
            (None, Some(corrected)) => {
                self.advise("write `:` before the message", next, &corrected);
            }
            (None, None) if self.parser.peek() == TokenKind::Comma => {
                self.note_last("a message goes to one role: write a line for each receiver");
            }
            _ => {}
        }
        colon.map(|_| ())
    }

    /// `x: Int`, `new x`, `label = x: Int`, `label = expression`, `expression`
    fn field(&mut self) -> Option<Field> {
        let start = self.parser.token().span;
        let label = match (self.parser.peek(), self.parser.peek_second()) {
            (TokenKind::Identifier, TokenKind::Equal) => {
                let label = self.reference("the name of the field")?;
                self.parser.advance();
                Some(label)
            }
            _ => None,
        };
        let value = match self.binding() {
            Some(binding) => FieldValue::Bind(binding?),
            None => FieldValue::Free(self.parser.expression()),
        };
        Some(Field {
            label,
            value,
            span: start.to(self.parser.previous_span()),
        })
    }

    /// `[new] x [: sort]`, if that is what comes; the inner `None` when there is a mistake in it.
    pub(super) fn binding(&mut self) -> Option<Option<BoundVariable>> {
        let second = self.parser.peek_second();
        let again = self.word() == "new" && second == TokenKind::Identifier;
        let declares = self.parser.peek() == TokenKind::Identifier && second == TokenKind::Colon;
        if !again && !declares {
            return None;
        }
        if again {
            self.parser.advance();
        }
        Some(self.variable_and_sort(again))
    }

    fn variable_and_sort(&mut self, again: bool) -> Option<BoundVariable> {
        let variable = self.reference("a variable")?;
        let sort = match self.parser.eat(TokenKind::Colon) {
            Some(_) => Some(self.parser.sort()),
            None => None,
        };
        Some(BoundVariable {
            again,
            variable,
            sort,
        })
    }

    /// `-`, when it stands directly after `<`, which was at `less`.
    pub(super) fn eat_tail_of_arrow(&mut self, less: Span) -> Option<()> {
        let glued = less.range().end == self.parser.token().span.range().start;
        if glued {
            self.parser.eat(TokenKind::Minus).map(|_| ())
        } else {
            None
        }
    }
}
