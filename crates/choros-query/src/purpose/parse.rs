//! Purposes and contracts from text.
//!
//! ```text
//! purpose select_offer                      // at most one; a file of contracts has none
//! variables n: Int                          // its own variables; sorts that are not declared are inferred
//! initial T0                                // otherwise the first state that is mentioned
//! T0: *                                     // stays in T0 whatever else the model does
//! T0 -> T1: USER.select?s                   // keeps what was received in s
//! T1 -> T2: [s.offerCode > 0] tau / n := 0
//! T2 -> T3: #                               // here the purpose is reached
//! contract BK.approve: in.amount >= 10000 or out.rtr
//! ```
//!
//! One statement per line; a line with an open bracket continues in the next.

use choros_base::{Diagnostic, FileId, Names, Span, nearest};
use choros_data::syntax::{Exprs, Parser, TokenKind, lex, unquote};
use choros_model::stg::Direction;
use choros_model::stg::label::parse_guard;

use super::diagnostics::{purpose_statement, wildcard};
use super::syntax::{
    ContractSyntax, Line, PurposeLabel, PurposeSyntax, Statement, TriggerMessage, TriggerSyntax,
    Word,
};

/// More findings than this in one file tell nothing new.
const MAX_DIAGNOSTICS: usize = 50;

/// The words a statement may begin with.
const WORDS: [&str; 4] = ["purpose", "variables", "initial", "contract"];

/// Reads a file of a purpose or of contracts; what is not understood is reported and left out.
pub fn parse(file: FileId, text: &str, names: &mut Names) -> (PurposeSyntax, Vec<Diagnostic>) {
    let mut syntax = PurposeSyntax::default();
    let mut diagnostics = Vec::new();
    for (start, line) in logical_lines(text) {
        let (tokens, mut findings) = lex(file, line, start);
        let sound = findings.is_empty();
        diagnostics.append(&mut findings);
        let span = Span::new(file, start, start + line.trim_end().len() as u32);
        let mut statement = None;
        if tokens.len() > 1 {
            let mut exprs = std::mem::take(&mut syntax.exprs);
            let mut findings = Vec::new();
            let mut parser = Parser::new(line, start, &tokens, names, &mut exprs, &mut findings);
            statement = parse_statement(&mut parser);
            if statement.is_some()
                && parser.peek() != TokenKind::End
                && parser.diagnostics.is_empty()
            {
                parser.unexpected("the end of the line");
            }
            if !parser.diagnostics.is_empty() || !sound {
                statement = None;
            }
            syntax.exprs = exprs;
            diagnostics.append(&mut findings);
        }
        syntax.lines.push(Line {
            statement,
            comment: comments(line),
            span,
        });
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            if let Some(last) = diagnostics.last_mut() {
                last.notes
                    .push("the rest of the file was not read".to_owned());
            }
            break;
        }
    }
    (syntax, diagnostics)
}

/// Lines with their offsets; one whose brackets are open is joined with those that follow.
fn logical_lines(text: &str) -> Vec<(u32, &str)> {
    let mut lines = Vec::new();
    let (mut start, mut end, mut open) = (0usize, 0usize, 0i64);
    for line in text.split_inclusive('\n') {
        end += line.len();
        open += brackets(line);
        if open <= 0 {
            lines.push((start as u32, &text[start..end]));
            start = end;
            open = 0;
        }
    }
    if start < end {
        lines.push((start as u32, &text[start..end]));
    }
    lines
}

/// How many more brackets a line opens than it closes, outside strings and comments.
fn brackets(line: &str) -> i64 {
    let mut open = 0;
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if quoted => {
                characters.next();
            }
            '"' => quoted = !quoted,
            _ if quoted => {}
            '/' if characters.peek() == Some(&'/') => break,
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
    }
    open
}

/// The comments of a logical line, one after the other.
fn comments(line: &str) -> String {
    let mut found = Vec::new();
    for physical in line.lines() {
        let mut quoted = false;
        let mut previous = ' ';
        for (at, character) in physical.char_indices() {
            match character {
                '"' if previous != '\\' => quoted = !quoted,
                '/' if previous == '/' && !quoted => {
                    found.push(physical[at - 1..].trim_end());
                    break;
                }
                _ => {}
            }
            previous = character;
        }
    }
    found.join(" ")
}

fn parse_statement(parser: &mut Parser<'_>) -> Option<Statement> {
    let is_edge = matches!(
        parser.peek_second(),
        TokenKind::Arrow | TokenKind::Colon | TokenKind::End
    );
    let start = parser.token().span;
    let word = parser.text_of(start);
    if is_edge || !WORDS.contains(&word) {
        let is_state = matches!(
            parser.peek(),
            TokenKind::Identifier | TokenKind::Integer | TokenKind::Text
        );
        if !is_state || !matches!(parser.peek_second(), TokenKind::Arrow | TokenKind::Colon) {
            let similar = nearest(word, WORDS);
            parser
                .diagnostics
                .push(purpose_statement::diagnostic(start, similar));
            return None;
        }
        return edge(parser);
    }
    parser.advance();
    match word {
        "purpose" => Some(Statement::Purpose(name(parser, "the name of the purpose")?)),
        "initial" => Some(Statement::Initial(name(parser, "the initial state")?)),
        "variables" => variables(parser),
        _ => contract(parser, start),
    }
}

fn variables(parser: &mut Parser<'_>) -> Option<Statement> {
    let mut declared = Vec::new();
    loop {
        let token = parser.expect(TokenKind::Identifier, "a variable")?;
        let word = Word {
            name: parser.names.intern(parser.text_of(token.span)),
            span: token.span,
        };
        parser.expect(TokenKind::Colon, "`:` and a sort")?;
        declared.push((word, parser.sort()));
        if parser.eat(TokenKind::Comma).is_none() {
            return Some(Statement::Variables(declared));
        }
    }
}

fn contract(parser: &mut Parser<'_>, start: Span) -> Option<Statement> {
    let partner = name(parser, "the partner who offers the operation")?;
    parser.expect(TokenKind::Dot, "`.` and the operation")?;
    let operation = name(parser, "the operation")?;
    parser.expect(TokenKind::Colon, "`:` and a formula over `in` and `out`")?;
    parser.lend("in");
    let formula = parser.expression();
    Some(Statement::Contract(ContractSyntax {
        partner,
        operation,
        formula,
        span: start.to(parser.previous_span()),
    }))
}

fn edge(parser: &mut Parser<'_>) -> Option<Statement> {
    let source = name(parser, "a state")?;
    let target = match parser.eat(TokenKind::Arrow) {
        Some(_) => Some(name(parser, "the state that it leads to")?),
        None => None,
    };
    parser.expect(TokenKind::Colon, "`:` and a label")?;
    let start = parser.token().span;
    let guard = parse_guard(parser);
    let trigger = trigger(parser)?;
    let mut updates = Vec::new();
    if parser.eat(TokenKind::Slash).is_some() {
        loop {
            let variable = parser.expect(TokenKind::Identifier, "a variable to assign")?;
            let word = Word {
                name: parser.names.intern(parser.text_of(variable.span)),
                span: variable.span,
            };
            parser.expect(TokenKind::Assign, "`:=`")?;
            updates.push((word, parser.expression()));
            if parser.eat(TokenKind::Semicolon).is_none() {
                break;
            }
        }
    }
    let span = start.to(parser.previous_span());
    if matches!(trigger, TriggerSyntax::Any) && (guard.is_some() || !updates.is_empty()) {
        parser.diagnostics.push(wildcard::diagnostic(span));
    }
    Some(Statement::Edge {
        source,
        target,
        label: PurposeLabel {
            guard,
            trigger,
            updates,
            span,
        },
    })
}

fn trigger(parser: &mut Parser<'_>) -> Option<TriggerSyntax> {
    if parser.eat(TokenKind::Star).is_some() {
        return Some(TriggerSyntax::Any);
    }
    if parser.eat(TokenKind::Hash).is_some() {
        return Some(TriggerSyntax::Accept);
    }
    // `end.stop?` is a message like any other.
    if parser.peek_second() != TokenKind::Dot {
        if parser.eat_word("tau").is_some() {
            return Some(TriggerSyntax::Silent);
        }
        if parser.eat_word("tick").is_some() {
            return Some(TriggerSyntax::Tick);
        }
        if parser.eat_word("end").is_some() {
            return Some(TriggerSyntax::End);
        }
        if parser.eat_word("raise").is_some() {
            return Some(TriggerSyntax::Raise(name(
                parser,
                "the fault that is raised",
            )?));
        }
    }
    let partner = name(
        parser,
        "`*`, `#`, `tau`, `tick`, `end`, `raise` or a message",
    )?;
    parser.expect(
        TokenKind::Dot,
        "`.` and the operation, as in `USER.select?`",
    )?;
    let operation = name(parser, "the operation")?;
    let sign = parser.token();
    let direction = match sign.kind {
        TokenKind::Question => Direction::Receive,
        TokenKind::Exclamation => Direction::Send,
        _ => {
            parser.unexpected("`?` for what the orchestrator receives, or `!` for what it sends");
            return None;
        }
    };
    parser.advance();
    let fault = match parser.eat(sign.kind) {
        Some(_) => Some(name(parser, "the fault that the message carries")?),
        None => None,
    };
    let mut binders = Vec::new();
    if fault.is_none() && parser.peek() == TokenKind::Identifier {
        binders.push((None, name(parser, "a variable")?));
    } else if parser.eat(TokenKind::LeftParenthesis).is_some() {
        while parser.peek() != TokenKind::RightParenthesis {
            let label = match parser.peek_second() {
                TokenKind::Equal => {
                    let label = name(parser, "the label of a field")?;
                    parser.advance();
                    Some(label.name)
                }
                _ => None,
            };
            binders.push((label, name(parser, "a variable that keeps the field")?));
            if parser.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        parser.expect(TokenKind::RightParenthesis, "`)` after the variables")?;
    }
    Some(TriggerSyntax::Message(TriggerMessage {
        partner,
        operation,
        direction,
        fault,
        binders,
        span: partner.span.to(parser.previous_span()),
    }))
}

fn name(parser: &mut Parser<'_>, expected: &str) -> Option<Word> {
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
    Some(Word {
        name,
        span: token.span,
    })
}

impl PurposeSyntax {
    /// The arena of its expressions.
    pub fn exprs(&self) -> &Exprs {
        &self.exprs
    }
}
