//! `sessions 3 of Checkout by distinct id sharing stock with own queues`.

use choros_base::Span;
use choros_data::syntax::TokenKind;
use choros_model::stg::{MOST_SESSIONS, SessionCount};

use super::Reader;
use crate::ast::Reference;
use crate::chor::ast::{Item, SessionsItem};

impl Reader<'_> {
    pub(super) fn sessions(&mut self, start: Span) -> Option<Item> {
        self.parser.advance();
        let count = self.session_count()?;
        if self.parser.eat_word("of").is_none() {
            self.parser.unexpected(
                "`of` and what each session does, as in `sessions 3 of Checkout by id`",
            );
            return None;
        }
        let of = self.reference("the name of a choreography, role or system")?;
        let (mut by, mut distinct) = (None, false);
        if self.parser.eat_word("by").is_some() {
            // A field may be called `distinct` itself.
            distinct = self.parser.at_word("distinct")
                && self.parser.peek_second() == TokenKind::Identifier;
            if distinct {
                self.parser.advance();
            }
            by = Some(self.reference("the field that says which session a message belongs to")?);
        }
        let mut sharing = Vec::new();
        if self.parser.eat_word("sharing").is_some() {
            loop {
                sharing.push(self.reference("a variable that all sessions read and write")?);
                if self.parser.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
        }
        let own_queues = self.parser.eat_word("with").is_some();
        if own_queues
            && (self.parser.eat_word("own").is_none() || self.parser.eat_word("queues").is_none())
        {
            self.parser.unexpected("`own queues`");
            return None;
        }
        let name = format!("{}_{count}", self.parser.names.text(of.name));
        Some(Item::Sessions(SessionsItem {
            name: Reference {
                name: self.parser.names.intern(&name),
                span: of.span,
            },
            count,
            of,
            by,
            distinct,
            sharing,
            own_queues,
            span: start.to(self.parser.previous_span()),
        }))
    }

    fn session_count(&mut self) -> Option<SessionCount> {
        if self.parser.eat_word("any").is_some() {
            return Some(SessionCount::Any);
        }
        let expected = format!("how many sessions: a number from 1 to {MOST_SESSIONS}, or `any`");
        let count = match self.parser.peek() {
            TokenKind::Integer => {
                let token = self.parser.token();
                self.parser.text_of(token.span).parse::<u32>().ok()
            }
            _ => None,
        };
        match count.filter(|it| (1..=MOST_SESSIONS).contains(it)) {
            Some(count) => {
                self.parser.advance();
                Some(SessionCount::Exactly(count))
            }
            None => {
                self.parser.unexpected(&expected);
                None
            }
        }
    }
}
