//! Whole formulas, and steps that stand alone.

use choros_base::{Diagnostic, FileId, Names};

use super::cursor::{Cursor, Parsed};
use super::diagnostics::{repeated_variable, sentence_variable};
use super::formula::{Actions, Formula, NodeKind, Variable};
use super::parse::{Parser, Position};
use super::token::TokenKind;

/// Reads one formula that takes up the whole text.
pub fn parse_formula(
    file: FileId,
    text: &str,
    names: &mut Names,
) -> Result<Formula, Vec<Diagnostic>> {
    let mut cursor = Cursor::new(file, text, 0..text.len());
    let formula = formula(&mut cursor, names);
    if formula.is_ok() && !cursor.is_at_end() {
        cursor.unexpected("the end of the formula, `and`, `or` or `implies`");
    }
    match formula {
        Ok(formula) if cursor.diagnostics.is_empty() => Ok(formula),
        _ => Err(cursor.diagnostics),
    }
}

/// Reads a formula and stops after it; mistakes in its variables are reported, and the formula is not to be used.
pub(crate) fn formula(cursor: &mut Cursor<'_>, names: &mut Names) -> Parsed<Formula> {
    let mut parser = Parser::new(cursor, names);
    let mut for_all = parser.for_all()?;
    let root = parser.implies()?;
    for (sentence, variables, span) in parser.quantified {
        let whole = match &parser.nodes[root.index()].kind {
            NodeKind::And(parts) => sentence == root || parts.contains(&sentence),
            _ => sentence == root,
        };
        if !whole {
            let names = variables.iter().map(|it| parser.variables[it.index()]);
            let names: Vec<&str> = names.map(|it| parser.names.text(it)).collect();
            let found = sentence_variable::within(span, &names);
            parser.cursor.diagnostics.push(found);
        }
        for_all.extend(variables);
    }
    Ok(Formula {
        nodes: parser.nodes,
        root,
        variables: parser.variables,
        for_all,
        has_sentences: parser.has_sentences,
        forbidding: parser.forbidding,
    })
}

/// Reads steps without variables that stand alone: `ack`, `ack or nack`.
pub(crate) fn steps(cursor: &mut Cursor<'_>, names: &mut Names) -> Parsed<Actions> {
    Parser::new(cursor, names).actions(Position::Chi)
}

/// Reads steps without variables that take up the whole text.
pub fn parse_steps(
    file: FileId,
    text: &str,
    names: &mut Names,
) -> Result<Actions, Vec<Diagnostic>> {
    let mut cursor = Cursor::new(file, text, 0..text.len());
    let steps = steps(&mut cursor, names);
    if steps.is_ok() && !cursor.is_at_end() {
        cursor.unexpected("the end, `and` or `or`");
    }
    match steps {
        Ok(steps) if cursor.diagnostics.is_empty() => Ok(steps),
        _ => Err(cursor.diagnostics),
    }
}

impl Parser<'_, '_, '_> {
    /// `forall $v, $w:` before a formula.
    fn for_all(&mut self) -> Parsed<Vec<Variable>> {
        let mut found = Vec::new();
        if !self.cursor.at_word("forall") || self.cursor.peek_second() != TokenKind::Dollar {
            return Ok(found);
        }
        self.cursor.advance();
        loop {
            let token = self.cursor.piece();
            if token.kind != TokenKind::Dollar || token.text.is_empty() {
                return Err(self.cursor.unexpected("a variable such as `$v`"));
            }
            self.cursor.advance();
            let name = self.names.intern(token.text);
            if self.known(name).is_some() {
                let again = repeated_variable::diagnostic(token.span, token.text);
                self.cursor.diagnostics.push(again);
            }
            let variable = self.new_variable(name);
            self.scope.push(variable);
            found.push(variable);
            if !self.cursor.take_sign(',') {
                self.cursor.expect_sign(':')?;
                return Ok(found);
            }
        }
    }
}
