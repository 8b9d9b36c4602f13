//! Graphs from DOT.

use choros_base::{Diagnostic, FileId, Span};
use choros_data::syntax::{Exprs, Parser, TokenKind, lex, unquote};
use choros_data::{Inference, Sort, Terms};

use super::GraphSyntax;
use crate::stg::Stg;
use crate::stg::label::MessageSorts;

/// The graph in a text, and what is wrong with the text.
///
/// What is not understood is left out, so that a graph comes back in any case.
pub fn read_dot(file: FileId, text: &str, terms: &mut Terms) -> (Stg, Vec<Diagnostic>) {
    let (tokens, mut diagnostics) = lex(file, text, 0);
    let mut exprs = Exprs::default();
    let mut syntax = GraphSyntax::default();
    let mut parser = Parser::new(
        text,
        0,
        &tokens,
        &mut terms.names,
        &mut exprs,
        &mut diagnostics,
    );
    let (name, span) = header(&mut parser);
    while !matches!(parser.peek(), TokenKind::RightBrace | TokenKind::End) {
        syntax.statement(&mut parser);
        if parser.diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
    }
    if parser.diagnostics.len() >= MAX_DIAGNOSTICS {
        if let Some(last) = parser.diagnostics.last_mut() {
            last.notes
                .push("the rest of the file was not read".to_owned());
        }
    } else {
        parser.expect(TokenKind::RightBrace, "`}` at the end of the graph");
        if parser.peek() != TokenKind::End {
            parser.unexpected("the end of the file after the graph");
        }
    }
    let mut inference = Inference::new(Sort::INT);
    let scope = inference.scope();
    let mut sorts = MessageSorts::default();
    syntax.declare(&mut inference, scope);
    syntax.check(terms, &exprs, &mut inference, scope, &mut sorts);
    let (stg, mut findings) = syntax.build(&name, span, terms, &exprs, &mut inference, scope);
    diagnostics.append(&mut inference.diagnostics);
    diagnostics.append(&mut findings);
    diagnostics.sort_by_key(Diagnostic::primary);
    (stg, diagnostics)
}

/// More findings than this in one file tell nothing new.
const MAX_DIAGNOSTICS: usize = 50;

/// `digraph name {`.
fn header(parser: &mut Parser<'_>) -> (String, Span) {
    parser.eat_word("strict");
    if parser.eat_word("digraph").is_none() {
        parser.unexpected("`digraph`");
        // Whatever it is instead, a name may follow it.
        parser.eat(TokenKind::Identifier);
    }
    let token = parser.token();
    let name = match token.kind {
        TokenKind::Identifier | TokenKind::Integer | TokenKind::Text => {
            parser.advance();
            unquote(parser.text_of(token.span))
        }
        _ => String::new(),
    };
    parser.expect(TokenKind::LeftBrace, "`{`");
    (name, token.span)
}
