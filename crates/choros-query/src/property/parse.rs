//! The text form of properties.
//!
//! ```text
//! file     = { property | global }
//! property = "property" NAME [ "on" ROLE ] "{" "context" event { event } [ "with" ( "session" | "id" | path ) ]
//!            "within" NUMBER ( "messages" | "ms" | "s" | "min" | "h" ) [ "per" "session" ]
//!            ( "expect" | "never" ) event { "or" event } "}"
//! event    = ( NAME | "any" ) "[" ( ROLE | "any" ) "," ( ROLE | "any" ) "]" [ "?" | "!" ]
//!            [ "(" ( "any" | [ part "=" VARIABLE { "," part "=" VARIABLE } ] ) ")" ] [ "where" expression ]
//! part     = path | ".at" | ".id" | ".session" | ".from" | ".to" | ".op"
//! path     = LABEL { ( "." | "/" ) LABEL }
//! global   = "global" "property" NAME "{" "when" "{" { NAME } "}" ( "then" | "never" ) "{" { NAME } "}" "}"
//! ```

use choros_base::{Diagnostic, FileId};
use choros_data::syntax::TokenKind;
use choros_model::observation::{Correlation, Number};
use choros_model::stg::Direction;
use num_traits::ToPrimitive;

use super::ast::{
    BoundField, CandidateEvent, GlobalProperty, Part, Properties, Property, Sense, Window,
};
use super::conditions::{Written, WrittenCondition};
use super::cursor::Cursor;
use super::diagnostics::empty_window;

/// Reads the text form; conditions are read later, when all variables are known.
pub(super) fn parse(file: FileId, text: &str) -> (Properties, Written, Vec<Diagnostic>) {
    let mut parser = PropertyParser {
        cursor: Cursor::new(file, text),
        written: Written::default(),
        properties: Properties::default(),
    };
    parser.file();
    (parser.properties, parser.written, parser.cursor.diagnostics)
}

struct PropertyParser<'t> {
    cursor: Cursor<'t>,
    written: Written,
    properties: Properties,
}

impl PropertyParser<'_> {
    fn file(&mut self) {
        while self.cursor.peek() != TokenKind::End {
            if self.cursor.eat_word("global") {
                if self.cursor.expect_word("property") {
                    self.global()
                } else {
                    self.cursor.skip_to_property()
                }
            } else if self.cursor.eat_word("property") {
                self.local();
            } else {
                self.cursor.expected("`property` or `global property`");
                self.cursor.advance();
                self.cursor.skip_to_property();
            }
        }
    }

    fn local(&mut self) {
        let Some((name, span)) = self.cursor.name("the name of the property") else {
            self.cursor.skip_to_property();
            return;
        };
        let mut conditions = Vec::new();
        let mut property = Property {
            name,
            span,
            service: None,
            context: Vec::new(),
            correlation: None,
            window: Window::Messages(1),
            per_session: false,
            sense: Sense::Expect,
            consequence: Vec::new(),
        };
        if self.cursor.eat_word("on") {
            property.service = self
                .cursor
                .name("the service whose log it is")
                .map(|it| it.0);
        }
        if !self.cursor.expect(TokenKind::LeftBrace, "`{`") {
            self.cursor.skip_to_property();
            return;
        }
        if self.cursor.expect_word("context") {
            self.events(&mut property.context, 0, false, &mut conditions);
        } else {
            self.cursor.skip_to_clause();
        }
        if self.cursor.eat_word("with") {
            property.correlation = self.correlation();
        }
        if self.cursor.eat_word("within") {
            self.window(&mut property)
        } else {
            self.cursor
                .expected("`within`, such as `within 1 messages`");
            self.cursor.skip_to_clause();
        }
        if self.cursor.eat_word("per") && self.cursor.expect_word("session") {
            property.per_session = true;
        }
        let is_negative = self.cursor.at_word("never");
        if is_negative || self.cursor.at_word("expect") {
            self.cursor.advance();
            if is_negative {
                property.sense = Sense::Never;
            }
            let first = property.context.len();
            self.events(&mut property.consequence, first, true, &mut conditions);
        } else {
            self.cursor.expected("`expect` or `never`");
            while !matches!(self.cursor.peek(), TokenKind::End | TokenKind::RightBrace) {
                self.cursor.advance();
            }
        }
        if !self.cursor.expect(TokenKind::RightBrace, "`}`") {
            self.cursor.skip_to_property();
        }
        self.properties.local.push(property);
        self.written.conditions.push(conditions);
    }

    fn correlation(&mut self) -> Option<Correlation> {
        if self.cursor.eat_word("session") {
            return Some(Correlation::Session);
        }
        if self.cursor.at_word("id") && self.cursor.peek_second() != TokenKind::Dot {
            self.cursor.advance();
            return Some(Correlation::Id);
        }
        self.path("`session`, `id` or a path")
            .map(Correlation::Path)
    }

    fn window(&mut self, property: &mut Property) {
        let span = self.cursor.span();
        let number = match self.cursor.peek() {
            TokenKind::Integer | TokenKind::Decimal => {
                Number::parse(self.cursor.text_of(span)).ok()
            }
            _ => None,
        };
        let Some(number) = number else {
            self.cursor.expected("a number of messages, or a time");
            self.cursor.skip_to_clause();
            return;
        };
        self.cursor.advance();
        let unit = self.cursor.span();
        let factor = match self.cursor.text_of(unit) {
            "message" | "messages" => None,
            "ms" => Some(1),
            "s" => Some(1_000),
            "min" => Some(60_000),
            "h" => Some(3_600_000),
            _ => {
                self.cursor
                    .expected("`messages`, or one of the units `ms`, `s`, `min`, `h`");
                self.cursor.skip_to_clause();
                return;
            }
        };
        self.cursor.advance();
        let amount = number.times(&Number::from(factor.unwrap_or(1)));
        let whole = match factor {
            // A fraction of a millisecond is rounded up: no answer in time is taken for a late one.
            Some(_) => amount.rational().ceil().to_integer().to_u64(),
            None => amount
                .is_whole()
                .then(|| amount.rational().to_integer().to_u64())
                .flatten(),
        };
        match whole {
            Some(count) if count > 0 => {
                property.window = match factor {
                    Some(_) => Window::Milliseconds(count),
                    None => Window::Messages(count),
                };
            }
            _ => self
                .cursor
                .diagnostics
                .push(empty_window::diagnostic(span.to(unit))),
        }
    }

    /// Candidate events, the first of which is number `first` of its property.
    fn events(
        &mut self,
        events: &mut Vec<CandidateEvent>,
        first: usize,
        alternatives: bool,
        conditions: &mut Vec<(usize, WrittenCondition)>,
    ) {
        loop {
            let before = self.cursor.position();
            match self.event() {
                Some((event, condition)) => {
                    conditions.extend(condition.map(|it| (first + events.len(), it)));
                    events.push(event);
                }
                None => {
                    if self.cursor.position() == before {
                        self.cursor.skip_to_clause();
                        return;
                    }
                }
            }
            let goes_on = if alternatives {
                self.cursor.eat_word("or")
            } else {
                self.cursor.event_ahead(0)
            };
            if !goes_on {
                return;
            }
        }
    }

    fn event(&mut self) -> Option<(CandidateEvent, Option<WrittenCondition>)> {
        let start = self.cursor.span();
        let mut event = CandidateEvent {
            operation: self.name_or_any("a message such as `Request[c,s]?`")?,
            from: None,
            to: None,
            direction: None,
            bindings: Vec::new(),
            condition: None,
            span: start,
        };
        if !self
            .cursor
            .expect(TokenKind::LeftBracket, "`[` and the roles")
        {
            return None;
        }
        event.from = self.name_or_any("the sender")?;
        self.cursor.expect(TokenKind::Comma, "`,`");
        event.to = self.name_or_any("the receiver")?;
        self.cursor.expect(TokenKind::RightBracket, "`]`");
        if self.cursor.eat(TokenKind::Question) {
            event.direction = Some(Direction::Receive);
        } else if self.cursor.eat(TokenKind::Exclamation) {
            event.direction = Some(Direction::Send);
        }
        if self.cursor.eat(TokenKind::LeftParenthesis) {
            self.bindings(&mut event.bindings);
        }
        event.span = start.to(self.cursor.previous_span());
        let condition = self.cursor.eat_word("where").then(|| {
            let (tokens, span) = self.cursor.expression_tokens();
            WrittenCondition {
                text: self.cursor.text_of(span).to_owned(),
                offset: span.range().start as u32,
                tokens,
                span,
            }
        });
        Some((event, condition))
    }

    /// A name; the word `any` stands for all of them, in quotes it is a name.
    fn name_or_any(&mut self, what: &str) -> Option<Option<String>> {
        if self.cursor.eat_word("any") {
            Some(None)
        } else {
            self.cursor.name(what).map(|(name, _)| Some(name))
        }
    }

    fn bindings(&mut self, bindings: &mut Vec<BoundField>) {
        if self.cursor.at_word("any") && self.cursor.peek_second() == TokenKind::RightParenthesis {
            self.cursor.advance();
            self.cursor.advance();
            return;
        }
        while self.cursor.peek() != TokenKind::RightParenthesis {
            let start = self.cursor.span();
            let part = if self.cursor.eat(TokenKind::Dot) {
                let known = Part::envelope(self.cursor.text_of(self.cursor.span()));
                match known {
                    Some(part) => {
                        self.cursor.advance();
                        Some(part)
                    }
                    None => {
                        self.cursor
                            .expected("one of `at`, `id`, `session`, `from`, `to`, `op`");
                        None
                    }
                }
            } else {
                self.path("a label, or `any`").map(Part::Data)
            };
            let Some(part) = part else { break };
            let is_equal =
                self.cursor.eat(TokenKind::Equal) || self.cursor.eat(TokenKind::EqualEqual);
            if !is_equal {
                self.cursor.expected("`=` and a variable");
                break;
            }
            if self.cursor.peek() != TokenKind::Identifier {
                self.cursor.expected("a variable");
                break;
            }
            let variable = self.cursor.advance().span;
            bindings.push(BoundField {
                part,
                variable: self.cursor.text_of(variable).to_owned(),
                var: None,
                span: start.to(variable),
            });
            if !self.cursor.eat(TokenKind::Comma) {
                break;
            }
        }
        if !self.cursor.eat(TokenKind::RightParenthesis) {
            self.cursor.expected("`)`");
            while !matches!(
                self.cursor.peek(),
                TokenKind::End | TokenKind::RightBrace | TokenKind::RightParenthesis
            ) && !self.cursor.clause_ahead(0)
            {
                self.cursor.advance();
            }
            self.cursor.eat(TokenKind::RightParenthesis);
        }
    }

    /// A path, its labels separated by `.` in what is returned.
    fn path(&mut self, what: &str) -> Option<String> {
        let mut path = self.cursor.name(what)?.0;
        loop {
            // `0.5` is one token: a number with a point within a path is two labels.
            if self.cursor.eat(TokenKind::Dot) || self.cursor.eat(TokenKind::Slash) {
                let span = self.cursor.span();
                let label = match self.cursor.peek() {
                    TokenKind::Decimal => {
                        self.cursor.advance();
                        self.cursor.text_of(span).to_owned()
                    }
                    _ => self.cursor.name("a label")?.0,
                };
                path.push('.');
                path.push_str(&label);
            } else {
                return Some(path);
            }
        }
    }

    fn global(&mut self) {
        let Some((name, span)) = self.cursor.name("the name of the property") else {
            self.cursor.skip_to_property();
            return;
        };
        let mut global = GlobalProperty {
            name,
            span,
            when: Vec::new(),
            sense: Sense::Expect,
            then: Vec::new(),
        };
        self.cursor.expect(TokenKind::LeftBrace, "`{`");
        self.cursor.expect_word("when");
        self.names(&mut global.when);
        if self.cursor.eat_word("never") {
            global.sense = Sense::Never;
        } else if !self.cursor.eat_word("then") {
            self.cursor.expected("`then` or `never`");
        }
        self.names(&mut global.then);
        if !self.cursor.expect(TokenKind::RightBrace, "`}`") {
            self.cursor.skip_to_property();
        }
        self.properties.global.push(global);
    }

    fn names(&mut self, names: &mut Vec<String>) {
        if !self
            .cursor
            .expect(TokenKind::LeftBrace, "`{` and names of properties")
        {
            return;
        }
        while !matches!(self.cursor.peek(), TokenKind::RightBrace | TokenKind::End) {
            match self.cursor.name("the name of a property") {
                Some((name, _)) => names.push(name),
                None => {
                    self.cursor.advance();
                }
            }
            self.cursor.eat(TokenKind::Comma);
        }
        self.cursor.expect(TokenKind::RightBrace, "`}`");
    }
}
