//! States and transitions: the body of an `STG` component.

use choros_data::syntax::{Parser, TokenKind, lex, unquote};
use choros_model::stg::label::{LabelSyntax, Receptions, parse_label};

use super::intern;
use crate::ast::{Graph, Reference, State, Transition};
use crate::diagnostics::MAX_FINDINGS;

/// Reads statements up to the end of the tokens.
pub(super) fn parse(parser: &mut Parser<'_>) -> Graph {
    let mut graph = Graph::default();
    if parser.peek() == TokenKind::End {
        parser.unexpected("a state, such as `0;`");
    }
    while parser.peek() != TokenKind::End && parser.diagnostics.len() < MAX_FINDINGS {
        if statement(parser, &mut graph).is_none() {
            parser.skip_to(&[TokenKind::Semicolon]);
            parser.eat(TokenKind::Semicolon);
        }
    }
    graph
}

/// One state or transition; `None` when it could not be read to its end, which is reported.
fn statement(parser: &mut Parser<'_>, graph: &mut Graph) -> Option<()> {
    let name = state_name(parser, "a state, such as `0;`")?;
    if parser.eat(TokenKind::Arrow).is_none() {
        let label = attributes(parser)?.map(|(text, _)| unquote(&format!("\"{text}\"")));
        graph.states.push(State { name, label });
        return semicolon(parser);
    }
    let target = state_name(parser, "the state that the transition leads to")?;
    let label = match attributes(parser)? {
        Some((text, offset)) => read_label(parser, text, offset),
        None => {
            parser.unexpected("`[label=\"event\"]`");
            None
        }
    };
    graph.transitions.push(Transition {
        source: name,
        target,
        label,
    });
    semicolon(parser)
}

fn state_name(parser: &mut Parser<'_>, expected: &str) -> Option<Reference> {
    let token = parser.token();
    if !matches!(token.kind, TokenKind::Integer | TokenKind::Identifier) {
        parser.unexpected(expected);
        return None;
    }
    parser.advance();
    Some(Reference {
        name: intern(parser, token.span),
        span: token.span,
    })
}

fn semicolon(parser: &mut Parser<'_>) -> Option<()> {
    if parser.eat(TokenKind::Semicolon).is_none() {
        parser.unexpected("`;`");
        // What follows on is most likely the next statement.
        if !matches!(parser.peek(), TokenKind::Integer | TokenKind::Identifier) {
            return None;
        }
    }
    Some(())
}

/// `[label="…", …]` if it is there: the label's text and the byte at which it begins; `None` when it could not be
/// read to its end, which is reported.
///
/// Attributes with other names are those of a drawing and mean nothing here.
fn attributes<'t>(parser: &mut Parser<'t>) -> Option<Option<(&'t str, u32)>> {
    if parser.eat(TokenKind::LeftBracket).is_none() {
        return Some(None);
    }
    let mut label = None;
    while parser.peek() != TokenKind::RightBracket {
        let is_label = parser.at_word("label");
        parser.expect(TokenKind::Identifier, "`label`")?;
        parser.expect(TokenKind::Equal, "`=`")?;
        let value = parser.token();
        match value.kind {
            TokenKind::Text if is_label => {
                let text = parser.text_of(value.span);
                let inner = text.strip_prefix('"').unwrap_or(text);
                let inner = inner.strip_suffix('"').unwrap_or(inner);
                label = Some((inner, value.span.start().offset + 1));
            }
            TokenKind::Text | TokenKind::Identifier | TokenKind::Integer | TokenKind::Decimal
                if !is_label => {}
            _ => {
                parser.unexpected("a text in quotes");
                return None;
            }
        }
        parser.advance();
        if parser.eat(TokenKind::Comma).is_none() {
            break;
        }
    }
    parser.expect(TokenKind::RightBracket, "`]`")?;
    Some(label)
}

/// Reads `[guard] event`, which stands at byte `offset` of the file.
fn read_label(parser: &mut Parser<'_>, text: &str, offset: u32) -> Option<LabelSyntax> {
    let file = parser.token().span.file();
    let (tokens, mut diagnostics) = lex(file, text, offset);
    parser.diagnostics.append(&mut diagnostics);
    let findings = parser.diagnostics.len();
    let mut inner = Parser::new(
        text,
        offset,
        &tokens,
        parser.names,
        parser.exprs,
        parser.diagnostics,
    );
    let label = parse_label(&mut inner, Receptions::Bind);
    if inner.peek() != TokenKind::End && inner.diagnostics.len() == findings {
        inner.unexpected("the end of the label");
        return None;
    }
    label
}
