//! Text to comparisons and places.
//!
//! A comparison begins with a word, a number or a variable; what follows says that it is one, and not a proposition.

use choros_base::Name;

use super::cursor::Parsed;
use super::data::{Comparison, ComparisonOp, Expression, Operand, StateFormula, Summand};
use super::diagnostics::unbound_variable;
use super::formula::{NodeId, NodeKind, Variable};
use super::parse::{KEYWORDS, Parser};
use super::token::TokenKind;

impl Parser<'_, '_, '_> {
    /// A place or a comparison, if one begins here.
    pub(super) fn state_formula(&mut self) -> Option<Parsed<NodeId>> {
        let token = self.cursor.piece();
        let next = self.cursor.peek_second();
        let is_place = token.kind == TokenKind::Word
            && token.text == "at"
            && (next == TokenKind::Quoted
                || (next == TokenKind::Word && !KEYWORDS.contains(&self.cursor.word_ahead(1))));
        if is_place {
            self.cursor.advance();
            let name = self.cursor.take();
            let place = StateFormula::At(self.names.intern(name.text));
            let span = token.span.to(name.span);
            return Some(Ok(self.add(NodeKind::State(Box::new(place)), span)));
        }
        if token.kind == TokenKind::Word && token.text == "knows" && next == TokenKind::Sign('(') {
            return Some(self.knows());
        }
        let compares = |kind: TokenKind| {
            matches!(
                kind,
                TokenKind::Sign('=' | '!' | '<' | '>' | '+' | '-' | '*' | '.')
            )
        };
        let begins = match token.kind {
            TokenKind::Dollar | TokenKind::Percent => true,
            TokenKind::Sign('-') => true,
            TokenKind::Word => {
                let minus = next == TokenKind::Word && self.cursor.word_ahead(1).starts_with('-');
                !KEYWORDS.contains(&token.text) && (compares(next) || minus)
            }
            TokenKind::Quoted => compares(next),
            _ => false,
        };
        begins.then(|| {
            let comparison = self.comparison(&[])?;
            let span = comparison.span;
            let compare = StateFormula::Compare(comparison);
            Ok(self.add(NodeKind::State(Box::new(compare)), span))
        })
    }

    /// `knows(role, x)`.
    fn knows(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.take().span;
        self.cursor.advance();
        if !matches!(self.cursor.peek(), TokenKind::Word | TokenKind::Quoted) {
            return Err(self.cursor.unexpected("the name of a role"));
        }
        let role = self.cursor.take().text;
        let role = self.names.intern(role);
        self.cursor.expect_sign(',')?;
        let what = self.operand(&[])?;
        let end = self.cursor.expect_sign(')')?;
        let knows = StateFormula::Knows(role, what);
        Ok(self.add(NodeKind::State(Box::new(knows)), start.to(end)))
    }

    /// `… and …`, after `where`; `here` are the binders of the action.
    pub(super) fn conditions(&mut self, here: &[(Name, Variable)]) -> Parsed<Vec<Comparison>> {
        let mut found = vec![self.comparison(here)?];
        while self.cursor.eat_word("and") {
            found.push(self.comparison(here)?);
        }
        Ok(found)
    }

    fn comparison(&mut self, here: &[(Name, Variable)]) -> Parsed<Comparison> {
        let start = self.cursor.span();
        let left = self.expression(here)?;
        let op = self.comparison_op()?;
        let right = self.expression(here)?;
        Ok(Comparison {
            op,
            left,
            right,
            span: start.to(self.cursor.previous_span()),
        })
    }

    fn comparison_op(&mut self) -> Parsed<ComparisonOp> {
        let then_equal = |parser: &mut Self, yes, no| {
            if parser.cursor.take_sign('=') {
                yes
            } else {
                no
            }
        };
        let cursor = &mut *self.cursor;
        if cursor.take_sign('=') {
            return Ok(then_equal(self, ComparisonOp::Equal, ComparisonOp::Equal));
        }
        if cursor.take_sign('<') {
            return Ok(then_equal(
                self,
                ComparisonOp::LessEqual,
                ComparisonOp::Less,
            ));
        }
        if cursor.take_sign('>') {
            return Ok(then_equal(
                self,
                ComparisonOp::GreaterEqual,
                ComparisonOp::Greater,
            ));
        }
        if cursor.take_sign('!') {
            self.cursor.expect_sign('=')?;
            return Ok(ComparisonOp::NotEqual);
        }
        Err(cursor.unexpected("a comparison such as `==` or `>=`"))
    }

    fn expression(&mut self, here: &[(Name, Variable)]) -> Parsed<Expression> {
        let mut summands = Vec::new();
        let mut negative = self.cursor.take_sign('-');
        loop {
            let mut factors = vec![self.operand(here)?];
            while self.cursor.take_sign('*') {
                factors.push(self.operand(here)?);
            }
            summands.push(Summand { negative, factors });
            if self.cursor.take_sign('+') {
                negative = false;
            } else if self.cursor.take_sign('-') {
                negative = true;
            } else if self.cursor.peek() == TokenKind::Word && self.cursor.word().starts_with('-') {
                // `b -1` is read as `b` and `-1`.
                negative = false;
            } else {
                return Ok(Expression { summands });
            }
        }
    }

    /// The fields of a record after its name: `id` or `id.part`.
    pub(super) fn fields(&mut self) -> Option<Name> {
        let mut fields: Vec<&str> = Vec::new();
        while self.cursor.is_sign('.') && self.cursor.peek_second() == TokenKind::Word {
            self.cursor.advance();
            fields.push(self.cursor.take().text);
        }
        (!fields.is_empty()).then(|| self.names.intern(&fields.join(".")))
    }

    fn operand(&mut self, here: &[(Name, Variable)]) -> Parsed<Operand> {
        let token = self.cursor.piece();
        match token.kind {
            TokenKind::Word
                if !KEYWORDS.contains(&token.text)
                    || token.text == "true"
                    || token.text == "false" =>
            {
                self.cursor.advance();
                let name = self.names.intern(token.text);
                let Some(path) = self.fields() else {
                    return Ok(Operand::Word(name));
                };
                let text = format!("{}.{}", token.text, self.names.text(path));
                Ok(Operand::Word(self.names.intern(&text)))
            }
            TokenKind::Quoted => {
                self.cursor.advance();
                Ok(Operand::Quoted(self.names.intern(token.text)))
            }
            TokenKind::Dollar | TokenKind::Percent if !token.text.is_empty() => {
                self.cursor.advance();
                let name = self.names.intern(token.text);
                let bound = here.iter().find(|it| it.0 == name).map(|it| it.1);
                let path = self.fields();
                match bound.or_else(|| self.known(name)) {
                    Some(variable) => Ok(match path {
                        Some(path) => Operand::Part(variable, path),
                        None => Operand::Variable(variable),
                    }),
                    None => {
                        let bound = self.bound_names();
                        let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
                        let found = unbound_variable::diagnostic(token.span, token.text, &bound);
                        self.cursor.diagnostics.push(found);
                        Ok(Operand::Word(name))
                    }
                }
            }
            _ => Err(self
                .cursor
                .unexpected("a number, a variable of the model or a variable such as `$v`")),
        }
    }
}
