//! Labels from tokens.

use choros_base::{Name, Span};
use choros_data::syntax::{ExprKind, Expression, Parser, TokenKind, unquote};
use rustc_hash::FxHashSet;

use super::{
    EventSyntax, FieldSyntax, FieldValueSyntax, LabelSyntax, MessageSyntax, Receptions,
    UpdateSyntax,
};
use crate::diagnostics::{bound_twice, self_message};
use crate::stg::{Direction, Disturbance, Operation, Role};

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
        if parser.eat_word("tau").is_some() {
            return Some(match parser.eat(TokenKind::Dot) {
                Some(_) => EventSyntax::Choose(parse_chosen(parser)?),
                None => EventSyntax::Silent,
            });
        }
        if parser.eat_word("skip").is_some() {
            return Some(EventSyntax::Silent);
        }
        if parser.eat_word("tick").is_some() {
            let own = parser.at_word("of") && parser.peek_second() == TokenKind::Identifier;
            if !own {
                return Some(EventSyntax::Tick);
            }
            parser.advance();
            let (role, span) = name(parser, "the role whose clock ticks")?;
            return Some(EventSyntax::TickOf(role, span));
        }
        if parser.eat_word("raise").is_some() {
            let (fault, _) = name(parser, "the fault that is raised")?;
            return Some(EventSyntax::Raise(fault));
        }
        if parser.eat_word("crash").is_some() {
            return parse_crash(parser).map(EventSyntax::Disturbance);
        }
        for (word, disturbance) in TO_MESSAGES {
            if parser.eat_word(word).is_some() {
                let (operation, from, to) = parse_heading(parser)?;
                let [from, to] = [from.0, to.0].map(Role);
                let disturbance = disturbance(Operation(operation.0), from, to);
                return Some(EventSyntax::Disturbance(disturbance));
            }
        }
    }
    let (operation, from, to) = parse_heading(parser)?;
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

/// What comes after `tau.`: `<x>`, or several in parentheses.
fn parse_chosen(parser: &mut Parser<'_>) -> Option<Vec<(Name, Span)>> {
    let several = parser.eat(TokenKind::LeftParenthesis).is_some();
    let mut chosen: Vec<(Name, Span)> = Vec::new();
    loop {
        parser.expect(TokenKind::Less, "`<` and a variable to bind")?;
        let variable = parser.expect(TokenKind::Identifier, "a variable to bind")?;
        let name = parser.names.intern(parser.text_of(variable.span));
        parser.expect(TokenKind::Greater, "`>` after the variable")?;
        if chosen.iter().any(|&(known, _)| known == name) {
            let text = parser.names.text(name);
            parser
                .diagnostics
                .push(bound_twice::diagnostic(variable.span, text));
        } else {
            chosen.push((name, variable.span));
        }
        if !several || parser.eat(TokenKind::Comma).is_none() {
            break;
        }
    }
    if several {
        parser.expect(TokenKind::RightParenthesis, "`)` after the variables");
    }
    Some(chosen)
}

/// What comes after `.`, `!` or `?`; may be nothing.
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

/// A disturbance of a message.
type OfMessage = fn(Operation, Role, Role) -> Disturbance;

/// What happens to messages in transit.
const TO_MESSAGES: [(&str, OfMessage); 3] = [
    ("lost", Disturbance::Lost),
    ("doubled", Disturbance::Doubled),
    ("overtaking", Disturbance::Overtakes),
];

/// Reads `operation[from,to]`.
#[allow(clippy::type_complexity)]
fn parse_heading(parser: &mut Parser<'_>) -> Option<((Name, Span), (Name, Span), (Name, Span))> {
    let operation = name(parser, "an event")?;
    parser.expect(TokenKind::LeftBracket, "`[` and the roles of the message")?;
    let from = name(parser, "the role that sends")?;
    parser.expect(TokenKind::Comma, "`,` between the roles")?;
    let to = name(parser, "the role that receives")?;
    parser.expect(TokenKind::RightBracket, "`]` after the roles")?;
    Some((operation, from, to))
}

/// Reads `of a`, perhaps `noticed by b`.
fn parse_crash(parser: &mut Parser<'_>) -> Option<Disturbance> {
    parser.eat_word("of");
    let (crashed, _) = name(parser, "the role that crashes")?;
    if parser.eat_word("noticed").is_none() {
        return Some(Disturbance::Crash(Role(crashed)));
    }
    parser.eat_word("by");
    let (by, _) = name(parser, "the role that notices the crash")?;
    Some(Disturbance::Noticed {
        crashed: Role(crashed),
        by: Role(by),
    })
}
