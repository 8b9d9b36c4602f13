//! Reading a single term, for values on the command line, case tables and tests.

use choros_base::{Diagnostic, SourceMap, has_errors};

use crate::syntax::{Exprs, Parser, TokenKind, lex};
use crate::{Inference, Sort, Term, Terms, Var};

/// Reads a term over the given variables.
///
/// The text is added to `sources` under `name`, so that findings have a place.
/// Names that are neither among `variables` nor capitalised become variables of the sort that their use asks for.
pub fn read_term(
    terms: &mut Terms,
    sources: &mut SourceMap,
    name: &str,
    text: &str,
    variables: &[Var],
    expected: Option<Sort>,
) -> Result<Term, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let (tokens, mut diagnostics) = lex(file, text, 0);
    let mut exprs = Exprs::default();
    let mut parser = Parser::new(
        text,
        0,
        &tokens,
        &mut terms.names,
        &mut exprs,
        &mut diagnostics,
    );
    let expression = parser.expression();
    if parser.peek() != TokenKind::End {
        parser.unexpected("the end of the expression");
    }
    let mut inference = Inference::new(Sort::INT);
    let scope = inference.scope();
    for &variable in variables {
        let slot = inference.variable(scope, terms.variable_name(variable), expression.span);
        let known = inference.known(
            terms.variable_sort(variable),
            expression.span,
            "the variable is declared so",
        );
        inference.unify(terms, slot, expression.span, known);
    }
    let slot = inference.check(terms, &exprs, expression, scope);
    if let Some(expected) = expected {
        let needed = inference.known(expected, expression.span, "that is what is asked for here");
        inference.unify(terms, slot, expression.span, needed);
    }
    diagnostics.append(&mut inference.diagnostics);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    inference
        .build(terms, &exprs, expression)
        .ok_or(diagnostics)
}
