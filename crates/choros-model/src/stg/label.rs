//! The text of an edge: `[guard] event / updates`, as SChorA, DOT files and `.stg` files write it.
//!
//! Reading has three steps, because the sort of a variable shows only when a whole file is known:
//! [`parse_label`] reads the text, [`LabelSyntax::declare`] and then [`LabelSyntax::check`] tell a sort inference
//! about all labels of the file, [`LabelSyntax::build`] makes terms of it.
//!
//! ```text
//! label   = [ "[" expression "]" ] event [ "/" update { ";" update } ]
//! event   = "tau" | "skip" | "tick" | "raise" name | message
//! message = name "[" name "," name "]" [ "#" name ] [ ("." | "!" | "?") [ datum ] ]
//! datum   = bound | operand | "(" [ field { "," field } ] ")"
//! field   = [ name "=" ] ( bound | expression )
//! bound   = "<" variable ">"
//! update  = variable ":=" expression
//! name    = identifier | digits | string
//! ```

use choros_base::{Name, Span};
use choros_data::syntax::{ExprKind, Expression, Exprs, Parser, TokenKind, unquote};
use choros_data::{Inference, Scope, Slot, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Direction, Event, Field, FieldValue, Message, Operation, Role, Update};
use crate::diagnostics::{bound_twice, self_message};

/// A label as it is written.
#[derive(Debug, Clone)]
pub struct LabelSyntax {
    /// The guard, where there is one.
    pub guard: Option<Expression>,
    /// The event.
    pub event: EventSyntax,
    /// The updates.
    pub updates: Vec<UpdateSyntax>,
    /// Where all of it stands.
    pub span: Span,
}

/// An event as it is written.
#[derive(Debug, Clone)]
pub enum EventSyntax {
    /// `tau`, or `skip`, which on an edge does nothing that anybody sees.
    Silent,
    /// `tick`.
    Tick,
    /// `raise fault`.
    Raise(Name),
    /// A message.
    Message(MessageSyntax),
}

/// A message as it is written.
#[derive(Debug, Clone)]
pub struct MessageSyntax {
    /// What is invoked, and where that stands.
    pub operation: (Name, Span),
    /// Sender.
    pub from: (Name, Span),
    /// Receiver.
    pub to: (Name, Span),
    /// Whose view it is.
    pub direction: Direction,
    /// The fault it carries.
    pub fault: Option<Name>,
    /// Its data.
    pub fields: Vec<FieldSyntax>,
    /// Where all of it stands.
    pub span: Span,
}

/// A field as it is written.
#[derive(Debug, Clone)]
pub struct FieldSyntax {
    /// Its label.
    pub label: Option<Name>,
    /// What it carries.
    pub value: FieldValueSyntax,
    /// Where it stands.
    pub span: Span,
}

/// What a field carries, as it is written.
#[derive(Debug, Clone, Copy)]
pub enum FieldValueSyntax {
    /// `<x>`.
    Bind(Name),
    /// An expression.
    Free(Expression),
}

/// `variable := expression`.
#[derive(Debug, Clone)]
pub struct UpdateSyntax {
    /// What is assigned, and where that stands.
    pub variable: (Name, Span),
    /// The expression whose value it gets.
    pub value: Expression,
}

/// What `?x` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receptions {
    /// SChorA: the same as `?<x>`; `?((x))` accepts just the value of `x`.
    Bind,
    /// What is written: accept just the value of `x`.
    AsWritten,
}

/// A label with its terms.
#[derive(Debug, Clone)]
pub struct Label {
    /// When the edge may fire; not closed yet, [`super::StgBuilder::edge`] does that.
    pub guard: Term,
    /// What it does.
    pub event: Event,
    /// Assignments carried out after the event, in order.
    pub updates: Vec<Update>,
}

/// The sort of each field of each message: all that speak of a message must agree.
///
/// Files that are composed share one, so that sender and receiver learn sorts from each other.
#[derive(Debug, Default)]
pub struct MessageSorts {
    slots: FxHashMap<(MessageKey, FieldKey), Slot>,
}

type MessageKey = (Name, Name, Name, Option<Name>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum FieldKey {
    Label(Name),
    Position(usize),
}

/// Reads a label; `None` when there is no event to be seen, which is reported.
pub fn parse_label(parser: &mut Parser<'_>, receptions: Receptions) -> Option<LabelSyntax> {
    let start = parser.token().span;
    let guard = parse_guard(parser);
    let event = parse_event(parser, receptions)?;
    let mut updates = Vec::new();
    if parser.eat(TokenKind::Slash).is_some() {
        loop {
            let variable = parser.expect(TokenKind::Identifier, "a variable to assign")?;
            let name = parser.names.intern(parser.text_of(variable.span));
            parser.expect(TokenKind::Assign, "`:=`")?;
            updates.push(UpdateSyntax {
                variable: (name, variable.span),
                value: parser.expression(),
            });
            if parser.eat(TokenKind::Semicolon).is_none() {
                break;
            }
        }
    }
    Some(LabelSyntax {
        guard,
        event,
        updates,
        span: start.to(parser.previous_span()),
    })
}

/// Reads `[expression]` if it is there.
pub fn parse_guard(parser: &mut Parser<'_>) -> Option<Expression> {
    parser.eat(TokenKind::LeftBracket)?;
    let guard = parser.expression();
    if parser
        .expect(TokenKind::RightBracket, "`]` after the guard")
        .is_none()
    {
        parser.skip_to(&[TokenKind::RightBracket]);
        parser.eat(TokenKind::RightBracket);
    }
    Some(guard)
}

/// Reads an event; `None` when there is none to be seen, which is reported.
pub fn parse_event(parser: &mut Parser<'_>, receptions: Receptions) -> Option<EventSyntax> {
    // `tau[a,b]` is a message like any other.
    if parser.peek_second() != TokenKind::LeftBracket {
        if parser
            .eat_word("tau")
            .or_else(|| parser.eat_word("skip"))
            .is_some()
        {
            return Some(EventSyntax::Silent);
        }
        if parser.eat_word("tick").is_some() {
            return Some(EventSyntax::Tick);
        }
        if parser.eat_word("raise").is_some() {
            let (fault, _) = name(parser, "the fault that is raised")?;
            return Some(EventSyntax::Raise(fault));
        }
    }
    let operation = name(parser, "an event")?;
    parser.expect(TokenKind::LeftBracket, "`[` and the roles of the message")?;
    let from = name(parser, "the role that sends")?;
    parser.expect(TokenKind::Comma, "`,` between the roles")?;
    let to = name(parser, "the role that receives")?;
    parser.expect(TokenKind::RightBracket, "`]` after the roles")?;
    let fault = match parser.eat(TokenKind::Hash) {
        Some(_) => Some(name(parser, "the fault that the message carries")?.0),
        None => None,
    };
    let direction = match parser.peek() {
        TokenKind::Dot => Some(Direction::Interaction),
        TokenKind::Exclamation => Some(Direction::Send),
        TokenKind::Question => Some(Direction::Receive),
        _ => None,
    };
    let mut fields = Vec::new();
    if direction.is_some() {
        parser.advance();
        parse_datum(parser, &mut fields);
    }
    let direction = direction.unwrap_or(Direction::Interaction);
    if direction == Direction::Receive && receptions == Receptions::Bind {
        for field in &mut fields {
            field.bind_bare_variable(parser);
        }
    }
    let span = operation.1.to(parser.previous_span());
    if from.0 == to.0 {
        let role = parser.names.text(from.0);
        parser
            .diagnostics
            .push(self_message::diagnostic(from.1.to(to.1), role));
    }
    let mut bound = FxHashSet::default();
    for field in &fields {
        if let FieldValueSyntax::Bind(variable) = field.value
            && !bound.insert(variable)
        {
            let variable = parser.names.text(variable);
            parser
                .diagnostics
                .push(bound_twice::diagnostic(field.span, variable));
        }
    }
    Some(EventSyntax::Message(MessageSyntax {
        operation,
        from,
        to,
        direction,
        fault,
        fields,
        span,
    }))
}

/// What stands behind `.`, `!` or `?`; may be nothing.
fn parse_datum(parser: &mut Parser<'_>, fields: &mut Vec<FieldSyntax>) {
    match parser.peek() {
        TokenKind::Less => fields.extend(parse_field(parser, Parser::operand)),
        TokenKind::LeftParenthesis => {
            parser.advance();
            while parser.peek() != TokenKind::RightParenthesis {
                match parse_field(parser, Parser::expression) {
                    Some(field) => fields.push(field),
                    None => parser.skip_to(&[TokenKind::Comma, TokenKind::RightParenthesis]),
                }
                if parser.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            parser.expect(TokenKind::RightParenthesis, "`)` after the data");
        }
        TokenKind::Identifier
        | TokenKind::Integer
        | TokenKind::Decimal
        | TokenKind::Text
        | TokenKind::EscapedText
        | TokenKind::Minus
        | TokenKind::LeftBracket
        | TokenKind::LeftBrace => fields.extend(parse_field(parser, Parser::operand)),
        _ => {}
    }
}

fn parse_field<'t>(
    parser: &mut Parser<'t>,
    value: fn(&mut Parser<'t>) -> Expression,
) -> Option<FieldSyntax> {
    let start = parser.token().span;
    let label = match parser.peek_second() {
        TokenKind::Equal => {
            let (label, _) = name(parser, "the label of a field")?;
            parser.advance();
            Some(label)
        }
        _ => None,
    };
    let value = if parser.eat(TokenKind::Less).is_some() {
        let variable = parser.expect(TokenKind::Identifier, "a variable to bind")?;
        let variable = parser.names.intern(parser.text_of(variable.span));
        parser.expect(TokenKind::Greater, "`>` after the variable")?;
        FieldValueSyntax::Bind(variable)
    } else {
        FieldValueSyntax::Free(value(parser))
    };
    Some(FieldSyntax {
        label,
        value,
        span: start.to(parser.previous_span()),
    })
}

fn name(parser: &mut Parser<'_>, expected: &str) -> Option<(Name, Span)> {
    let token = parser.token();
    let text = parser.text_of(token.span);
    let name = match token.kind {
        TokenKind::Identifier | TokenKind::Integer => parser.names.intern(text),
        TokenKind::Text | TokenKind::EscapedText => parser.names.intern(&unquote(text)),
        _ => {
            parser.unexpected(expected);
            return None;
        }
    };
    parser.advance();
    Some((name, token.span))
}

impl FieldSyntax {
    /// Turns `x`, written without parentheses, into `<x>`.
    fn bind_bare_variable(&mut self, parser: &Parser<'_>) {
        let FieldValueSyntax::Free(expression) = self.value else {
            return;
        };
        let ExprKind::Name(name) = *parser.exprs.kind(expression.root) else {
            return;
        };
        let bare = self.span.range().end == expression.span.range().end;
        let constant = parser.names.text(name).starts_with(char::is_uppercase);
        if bare && !constant {
            self.value = FieldValueSyntax::Bind(name);
        }
    }
}

impl LabelSyntax {
    /// Makes known which names are variables because something is bound or assigned to them.
    ///
    /// Call it for all labels of a file before checking any: a capitalised name that is no variable is a constant.
    pub fn declare(&self, inference: &mut Inference, scope: Scope) {
        self.event.declare(inference, scope);
        for update in &self.updates {
            inference.variable(scope, update.variable.0, update.variable.1);
        }
    }

    /// Tells the inference what the label says about sorts.
    pub fn check(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
        sorts: &mut MessageSorts,
    ) {
        if let Some(guard) = self.guard {
            inference.check_guard(terms, exprs, guard, scope, GUARDS);
        }
        self.event.check(terms, exprs, inference, scope, sorts);
        for update in &self.updates {
            let (name, span) = update.variable;
            let variable = inference.variable(scope, name, span);
            let value = inference.check(terms, exprs, update.value, scope);
            inference.unify(terms, value, update.value.span, variable);
        }
    }

    /// The label with its terms; `None` where something was reported.
    pub fn build(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
    ) -> Option<Label> {
        let guard = match self.guard {
            Some(guard) => build_guard(guard, terms, exprs, inference)?,
            None => Term::TRUE,
        };
        let event = self.event.build(terms, exprs, inference, scope)?;
        let mut updates = Vec::with_capacity(self.updates.len());
        for update in &self.updates {
            let variable = variable(update.variable, terms, inference, scope);
            let value = inference.build(terms, exprs, update.value)?;
            if terms.sort_of(value) != terms.variable_sort(variable) {
                return None;
            }
            updates.push(Update { variable, value });
        }
        Some(Label {
            guard,
            event,
            updates,
        })
    }
}

impl EventSyntax {
    /// Makes known which names are variables; see [`LabelSyntax::declare`].
    pub fn declare(&self, inference: &mut Inference, scope: Scope) {
        if let EventSyntax::Message(message) = self {
            for field in &message.fields {
                if let FieldValueSyntax::Bind(name) = field.value {
                    inference.variable(scope, name, field.span);
                }
            }
        }
    }

    /// Tells the inference what the event says about sorts.
    pub fn check(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
        sorts: &mut MessageSorts,
    ) {
        let EventSyntax::Message(message) = self else {
            return;
        };
        let key = (
            message.operation.0,
            message.from.0,
            message.to.0,
            message.fault,
        );
        for (position, field) in message.fields.iter().enumerate() {
            let slot = match field.value {
                FieldValueSyntax::Bind(name) => inference.variable(scope, name, field.span),
                FieldValueSyntax::Free(value) => inference.check(terms, exprs, value, scope),
            };
            let place = match field.label {
                Some(label) => FieldKey::Label(label),
                None => FieldKey::Position(position),
            };
            match sorts.slots.get(&(key, place)) {
                Some(&known) => {
                    inference.unify(terms, slot, field.span, known);
                }
                None => {
                    sorts.slots.insert((key, place), slot);
                }
            }
        }
    }

    /// The event with its terms; `None` where something was reported.
    pub fn build(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
    ) -> Option<Event> {
        let message = match self {
            EventSyntax::Silent => return Some(Event::Silent),
            EventSyntax::Tick => return Some(Event::Tick),
            EventSyntax::Raise(fault) => return Some(Event::Raise(*fault)),
            EventSyntax::Message(message) => message,
        };
        let mut fields = Vec::with_capacity(message.fields.len());
        for field in &message.fields {
            fields.push(Field {
                label: field.label,
                value: match field.value {
                    FieldValueSyntax::Bind(name) => {
                        FieldValue::Bind(variable((name, field.span), terms, inference, scope))
                    }
                    FieldValueSyntax::Free(value) => {
                        FieldValue::Free(inference.build(terms, exprs, value)?)
                    }
                },
            });
        }
        Some(Event::Message(Message {
            operation: Operation(message.operation.0),
            from: Role(message.from.0),
            to: Role(message.to.0),
            direction: message.direction,
            fault: message.fault,
            fields,
        }))
    }
}

/// Why a guard must be of sort Bool, in words that read after "because".
pub(super) const GUARDS: &str = "a guard is true or false";

/// The term of a guard that was checked.
pub(super) fn build_guard(
    guard: Expression,
    terms: &mut Terms,
    exprs: &Exprs,
    inference: &Inference,
) -> Option<Term> {
    let guard = inference.build(terms, exprs, guard)?;
    (terms.sort_of(guard) == Sort::BOOL).then_some(guard)
}

fn variable(
    (name, span): (Name, Span),
    terms: &mut Terms,
    inference: &mut Inference,
    scope: Scope,
) -> Var {
    let slot = inference.variable(scope, name, span);
    let sort = inference.sort(terms, slot);
    terms.variable(name, sort)
}
