//! Processes: the body of a `chorD` component.
//!
//! Loosest first: `[>`, `|`, `+`, `;`, then the prefixes `[φ] |>` and `[φ] *` (section 3.1.2 of Nguyen's thesis).
//! Chains and prefixes are read in loops; only parentheses nest, up to the parser's limit.

use choros_base::Span;
use choros_data::syntax::{Expression, Parser, TokenKind};
use choros_model::stg::label::{Receptions, parse_event};

use crate::ast::{Operator, ProcessId, ProcessKind, Processes};
use crate::diagnostics::MAX_FINDINGS;

/// Reads a process up to the end of the tokens.
pub(super) fn parse(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    let root = interruption(parser, processes);
    // What is left cannot belong to the process, but may hold further mistakes.
    while parser.peek() != TokenKind::End {
        parser.unexpected(BETWEEN);
        if parser.diagnostics.len() >= MAX_FINDINGS {
            break;
        }
        parser.advance();
        while operator(parser.peek()).is_some() {
            parser.advance();
        }
        if parser.peek() != TokenKind::End {
            interruption(parser, processes);
        }
    }
    root
}

/// What may follow a process.
const BETWEEN: &str = "`;`, `+`, `|`, `[>` or the end of the component";

fn interruption(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    chain(parser, processes, Operator::Interruption, parallel)
}

fn parallel(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    chain(parser, processes, Operator::Parallel, choice)
}

fn choice(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    chain(parser, processes, Operator::Choice, sequence)
}

fn sequence(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    chain(parser, processes, Operator::Sequence, prefixed)
}

fn chain(
    parser: &mut Parser<'_>,
    processes: &mut Processes,
    joined_by: Operator,
    operand: fn(&mut Parser<'_>, &mut Processes) -> ProcessId,
) -> ProcessId {
    let first = operand(parser, processes);
    let mut operands = vec![first];
    loop {
        if operator(parser.peek()) == Some(joined_by) {
            parser.advance();
        } else if joined_by == Operator::Sequence && starts_process(parser) {
            // Two processes and nothing between them: something is missing, most likely `;`.
            parser.unexpected(BETWEEN);
            if parser.diagnostics.len() >= MAX_FINDINGS {
                parser.skip_to(&[]);
                break;
            }
        } else {
            break;
        }
        operands.push(operand(parser, processes));
    }
    if operands.len() == 1 {
        return first;
    }
    let span = span_of(processes, &operands);
    processes.add(ProcessKind::Chain(joined_by, operands), span)
}

/// `[φ] |> [ψ] * … A`
fn prefixed(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    let mut prefixes: Vec<(Prefix, Expression, Span)> = Vec::new();
    while parser.peek() == TokenKind::LeftBracket {
        let start = parser.token().span;
        let guard = guard(parser);
        let kind: Prefix = if parser.eat(TokenKind::Star).is_some() {
            ProcessKind::Loop
        } else {
            parser.expect(TokenKind::Guard, "`|>` or `*` after the guard");
            ProcessKind::Guarded
        };
        prefixes.push((kind, guard, start));
    }
    let mut process = primary(parser, processes);
    while let Some((kind, guard, start)) = prefixes.pop() {
        let span = start.to(processes.get(process).span);
        process = processes.add(kind(guard, process), span);
    }
    process
}

type Prefix = fn(Expression, ProcessId) -> ProcessKind;

/// `[φ]`; when its end is missing, continues where a process may follow.
fn guard(parser: &mut Parser<'_>) -> Expression {
    parser.advance();
    let guard = parser.expression();
    if parser
        .expect(TokenKind::RightBracket, "`]` after the guard")
        .is_none()
    {
        parser.skip_to(&[
            TokenKind::RightBracket,
            TokenKind::Guard,
            TokenKind::Semicolon,
        ]);
        parser.eat(TokenKind::RightBracket);
    }
    guard
}

/// What comes after a parenthesis that opened at `start`, and the one that closes it.
pub(crate) fn parenthesised(
    parser: &mut Parser<'_>,
    processes: &mut Processes,
    start: Span,
    inside: fn(&mut Parser<'_>, &mut Processes) -> ProcessId,
) -> ProcessId {
    let inner = parser.deeper(|parser| inside(parser, processes));
    let inner = inner.unwrap_or_else(|| {
        parser.skip_to(&[TokenKind::RightParenthesis]);
        processes.add(ProcessKind::Error, start)
    });
    if parser
        .expect(TokenKind::RightParenthesis, "an operator or `)`")
        .is_none()
    {
        parser.skip_to(&[TokenKind::RightParenthesis]);
        parser.eat(TokenKind::RightParenthesis);
    }
    processes.parenthesise(inner, start.to(parser.previous_span()));
    inner
}

fn primary(parser: &mut Parser<'_>, processes: &mut Processes) -> ProcessId {
    let start = parser.token().span;
    if parser.eat(TokenKind::LeftParenthesis).is_some() {
        return parenthesised(parser, processes, start, interruption);
    }
    let is_message = parser.peek_second() == TokenKind::LeftBracket;
    if !is_message && parser.eat_word("skip").is_some() {
        return processes.add(ProcessKind::Skip, start);
    }
    // These two are events of graphs; in the calculus `tick` would be taken for `√`.
    let of_graphs = !is_message && (parser.at_word("tick") || parser.at_word("raise"));
    let event = match parser.peek() {
        TokenKind::Identifier | TokenKind::Integer | TokenKind::Text if !of_graphs => {
            parse_event(parser, Receptions::Bind)
        }
        _ => {
            parser.unexpected("an event, `skip`, `(` or a guard");
            None
        }
    };
    match event {
        Some(event) => {
            let span = start.to(parser.previous_span());
            processes.add(ProcessKind::Event(event), span)
        }
        None => {
            parser.skip_to(&[
                TokenKind::Semicolon,
                TokenKind::Plus,
                TokenKind::Bar,
                TokenKind::Interrupt,
                TokenKind::RightParenthesis,
            ]);
            processes.add(ProcessKind::Error, start)
        }
    }
}

fn operator(kind: TokenKind) -> Option<Operator> {
    match kind {
        TokenKind::Semicolon => Some(Operator::Sequence),
        TokenKind::Plus => Some(Operator::Choice),
        TokenKind::Bar => Some(Operator::Parallel),
        TokenKind::Interrupt => Some(Operator::Interruption),
        _ => None,
    }
}

fn starts_process(parser: &Parser<'_>) -> bool {
    matches!(
        parser.peek(),
        TokenKind::Identifier | TokenKind::LeftParenthesis | TokenKind::LeftBracket
    )
}

fn span_of(processes: &Processes, operands: &[ProcessId]) -> Span {
    match (operands.first(), operands.last()) {
        (Some(&first), Some(&last)) => processes.get(first).span.to(processes.get(last).span),
        _ => unreachable!("a chain has operands"),
    }
}
