//! From text to definitions: recursive descent with recovery.

use std::borrow::Cow;

use choros_base::{Diagnostic, FileId, Name, Names, Span};
use choros_data::syntax::{Parser, TokenKind, lex, unquote};
use choros_model::stg::Direction;
use choros_model::stg::label::{EventSyntax, MessageSyntax, self_message};

use crate::ast::{Body, Component, Operator, ProcessId, ProcessKind, Processes, Reference, Script};
use crate::diagnostics::{MAX_FINDINGS, chor_data, mixed_operators, name_in_activity};
use crate::parse::parenthesised;

/// Reads definitions; whatever is wrong is in the second part.
///
/// An activity without a name is called `name`.
pub fn parse(file: FileId, text: &str, name: &str, names: &mut Names) -> (Script, Vec<Diagnostic>) {
    let text = ascii(text);
    let (tokens, mut diagnostics) = lex(file, &text, 0);
    let mut script = Script::default();
    let mut processes = Processes::default();
    let mut parser = Parser::new(
        &text,
        0,
        &tokens,
        names,
        &mut script.exprs,
        &mut diagnostics,
    );
    let mut components = Vec::new();
    while parser.peek() != TokenKind::End && parser.diagnostics.len() < MAX_FINDINGS {
        let before = parser.position();
        components.push(definition(&mut parser, &mut processes, name));
        if parser.position() == before {
            parser.advance();
        }
    }
    mixed_operators::check(&processes, &mut diagnostics);
    diagnostics.dedup_by(|next, first| {
        next.code.code == first.code.code && next.primary() == first.primary()
    });
    diagnostics.truncate(MAX_FINDINGS);
    script.components = components;
    script.processes = processes;
    (script, diagnostics)
}

/// The signs of the thesis in ASCII; both take three bytes, so every place stays where it is.
pub(super) fn ascii(text: &str) -> Cow<'_, str> {
    if text.contains(['⊓', '∥']) {
        Cow::Owned(text.replace('⊓', "[] ").replace('∥', "|| "))
    } else {
        Cow::Borrowed(text)
    }
}

/// `name = activity`, or an activity alone.
fn definition(parser: &mut Parser<'_>, processes: &mut Processes, unnamed: &str) -> Component {
    let start = parser.token().span;
    let named = at_definition(parser);
    let name = if named {
        let token = parser.advance();
        parser.advance();
        reference(parser, token.span)
    } else {
        Reference {
            name: parser.names.intern(unnamed),
            span: start,
        }
    };
    let body = if at_bare_name(parser) && !parser.at_word("skip") {
        composition(parser)
    } else {
        Body::Process(activity(parser, processes))
    };
    // What is left of the definition cannot belong to it, but may hold further mistakes.
    while parser.peek() != TokenKind::End
        && !at_definition(parser)
        && parser.diagnostics.len() < MAX_FINDINGS
    {
        parser.unexpected(BETWEEN);
        parser.advance();
        while operator(parser).is_some() {
            take_operator(parser);
        }
        if parser.peek() != TokenKind::End && !at_definition(parser) {
            activity(parser, processes);
        }
    }
    Component {
        name,
        body,
        span: start.to(parser.previous_span()),
    }
}

/// What may follow an activity.
const BETWEEN: &str = "`;`, `[]`, `|`, or `name =` and the next activity";

fn at_definition(parser: &Parser<'_>) -> bool {
    parser.peek() == TokenKind::Identifier && parser.peek_second() == TokenKind::Equal
}

fn at_bare_name(parser: &Parser<'_>) -> bool {
    parser.peek() == TokenKind::Identifier
        && !at_event(parser)
        && parser.peek_second() != TokenKind::Equal
}

/// Whether a name with roles follows; `[]` after a name is a choice.
fn at_event(parser: &Parser<'_>) -> bool {
    parser.peek_second() == TokenKind::LeftBracket
        && parser.ahead(2).kind != TokenKind::RightBracket
}

/// `r1 | r2 | …`
fn composition(parser: &mut Parser<'_>) -> Body {
    let mut parts = Vec::new();
    while at_bare_name(parser) {
        let token = parser.advance();
        parts.push(reference(parser, token.span));
        match operator(parser) {
            Some(Operator::Parallel) => take_operator(parser),
            _ => break,
        }
    }
    Body::Composition(parts)
}

fn activity(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    let mut left = sequence(parser, processes);
    let mut operands = vec![left];
    let mut joined_by = None;
    loop {
        let next = operator(parser);
        let goes_on = matches!(next, Some(Operator::Choice | Operator::Parallel));
        if operands.len() > 1 && (!goes_on || next != joined_by) {
            // Choice and parallel bind alike: what was read so far is the left operand of what comes.
            let span = span_of(processes, &operands);
            let kind = ProcessKind::Chain(joined_by.unwrap_or(Operator::Choice), operands);
            left = processes.add(kind, span);
            operands = vec![left];
        }
        if !goes_on || parser.diagnostics.len() >= MAX_FINDINGS {
            return left;
        }
        joined_by = next;
        take_operator(parser);
        operands.push(sequence(parser, processes));
    }
}

fn sequence(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    let first = primary(parser, processes);
    let mut operands = vec![first];
    loop {
        if parser.peek() == TokenKind::Semicolon {
            parser.advance();
        } else if starts_activity(parser) && !at_definition(parser) {
            // Two activities and nothing between them: most likely `;` is missing.
            parser.unexpected(BETWEEN);
            if parser.diagnostics.len() >= MAX_FINDINGS {
                break;
            }
        } else {
            break;
        }
        operands.push(primary(parser, processes));
    }
    if operands.len() == 1 {
        return first;
    }
    let span = span_of(processes, &operands);
    processes.add(ProcessKind::Chain(Operator::Sequence, operands), span)
}

fn primary(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    let start = parser.token().span;
    if parser.eat(TokenKind::LeftParenthesis).is_some() {
        return parenthesised(parser, processes, start, activity);
    }
    let is_event = at_event(parser);
    if !is_event && parser.eat_word("skip").is_some() {
        return processes.add(ProcessKind::Skip, start);
    }
    let event = match parser.peek() {
        TokenKind::Identifier | TokenKind::Integer | TokenKind::Text if is_event => event(parser),
        TokenKind::Identifier if !at_definition(parser) => {
            let name = parser.text_of(start);
            let diagnostic = name_in_activity::diagnostic(start, name);
            parser.diagnostics.push(diagnostic);
            parser.advance();
            return processes.add(ProcessKind::Error, start);
        }
        _ => {
            parser.unexpected("`skip`, a channel such as `c[1,2]`, or `(`");
            None
        }
    };
    match event {
        Some(message) => {
            let span = message.span;
            processes.add(ProcessKind::Event(EventSyntax::Message(message)), span)
        }
        _ => {
            parser.skip_to(&[
                TokenKind::Semicolon,
                TokenKind::Bar,
                TokenKind::BarBar,
                TokenKind::RightParenthesis,
                TokenKind::Equal,
            ]);
            processes.add(ProcessKind::Error, start)
        }
    }
}

/// `c[1,2]`, `c[1,2]!`, `c[1,2]?`; data are reported and left out.
fn event(parser: &mut Parser<'_>) -> Option<MessageSyntax> {
    let operation = name(parser, "a channel")?;
    parser.expect(TokenKind::LeftBracket, "`[` and the roles of the channel")?;
    let from = name(parser, "the role that sends")?;
    parser.expect(TokenKind::Comma, "`,` between the roles")?;
    let to = name(parser, "the role that receives")?;
    parser.expect(TokenKind::RightBracket, "`]` after the roles")?;
    let direction = match parser.peek() {
        TokenKind::Exclamation => Direction::Send,
        TokenKind::Question => Direction::Receive,
        _ => Direction::Interaction,
    };
    let dotted = parser.eat(TokenKind::Dot).is_some();
    if direction != Direction::Interaction {
        parser.advance();
    }
    let span = operation.1.to(parser.previous_span());
    if from.0 == to.0 {
        let role = parser.names.text(from.0);
        let diagnostic = self_message(from.1.to(to.1), role);
        parser.diagnostics.push(diagnostic);
    }
    if at_datum(parser, dotted || direction != Direction::Interaction) {
        let start = parser.token().span;
        if matches!(parser.peek(), TokenKind::LeftParenthesis | TokenKind::Less) {
            parser.advance();
            parser.skip_to(&[
                TokenKind::RightParenthesis,
                TokenKind::Greater,
                TokenKind::Semicolon,
            ]);
        }
        if !matches!(parser.peek(), TokenKind::Semicolon | TokenKind::End) {
            parser.advance();
        }
        let datum = start.to(parser.previous_span());
        parser.diagnostics.push(chor_data::diagnostic(datum));
    }
    Some(MessageSyntax {
        operation,
        from,
        to,
        direction,
        fault: None,
        fields: Vec::new(),
        span,
    })
}

/// Whether data follow a channel, which Chor does not have.
fn at_datum(parser: &Parser<'_>, marked: bool) -> bool {
    match parser.peek() {
        TokenKind::Less | TokenKind::Hash => true,
        TokenKind::LeftParenthesis | TokenKind::Integer | TokenKind::Decimal | TokenKind::Text => {
            marked && parser.peek_second() != TokenKind::LeftBracket
        }
        TokenKind::Identifier => marked && at_bare_name(parser) && !parser.at_word("skip"),
        _ => false,
    }
}

fn name(parser: &mut Parser<'_>, expected: &str) -> Option<(Name, Span)> {
    let token = parser.token();
    let text = parser.text_of(token.span);
    let name = match token.kind {
        TokenKind::Identifier | TokenKind::Integer => parser.names.intern(text),
        TokenKind::Text => parser.names.intern(&unquote(text)),
        _ => {
            parser.unexpected(expected);
            return None;
        }
    };
    parser.advance();
    Some((name, token.span))
}

/// The operator at the position, if there is one.
fn operator(parser: &Parser<'_>) -> Option<Operator> {
    match (parser.peek(), parser.peek_second()) {
        (TokenKind::Semicolon, _) => Some(Operator::Sequence),
        (TokenKind::Bar | TokenKind::BarBar, _) => Some(Operator::Parallel),
        (TokenKind::LeftBracket, TokenKind::RightBracket) => Some(Operator::Choice),
        _ => None,
    }
}

fn take_operator(parser: &mut Parser<'_>) {
    if parser.advance().kind == TokenKind::LeftBracket {
        parser.advance();
    }
}

fn starts_activity(parser: &Parser<'_>) -> bool {
    match parser.peek() {
        TokenKind::LeftParenthesis => true,
        TokenKind::Identifier => parser.at_word("skip") || at_event(parser),
        _ => false,
    }
}

fn span_of(processes: &Processes, operands: &[ProcessId]) -> Span {
    match (operands.first(), operands.last()) {
        (Some(&first), Some(&last)) => processes.get(first).span.to(processes.get(last).span),
        _ => unreachable!("a chain has operands"),
    }
}

fn reference(parser: &mut Parser<'_>, span: Span) -> Reference {
    let name: Name = parser.names.intern(parser.text_of(span));
    Reference { name, span }
}
