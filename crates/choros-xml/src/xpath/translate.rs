//! From expressions to terms.
//!
//! Nodes become a list of terms, each with the condition under which it is there (`selection`).

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::{Diagnostic, Span};
use choros_data::{Op, Sort, Term, Terms, Value};
use num_rational::BigRational;
use num_traits::Zero;

use super::code::{Code, CodeKind, Function};
use super::number::{Misfit, Number};
use super::selection::Selection;
use crate::diagnostics::inexpressible;

/// Why something has no term.
pub(super) type Refused = Box<Diagnostic>;

/// Translates with the terms of variables.
pub(super) struct Translator<'t> {
    pub(super) terms: &'t mut Terms,
    pub(super) variables: &'t BTreeMap<Arc<str>, Term>,
}

/// The node that is examined, its position and the number of nodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Here {
    pub(super) node: Option<Term>,
    pub(super) position: Option<Term>,
    pub(super) last: Option<Term>,
}

impl Here {
    /// At a node that is not one of several, or at none.
    pub(super) fn at(node: Option<Term>) -> Self {
        Self {
            node,
            position: None,
            last: None,
        }
    }
}

/// An expression as terms.
pub(super) enum Meaning {
    Bool(Term),
    Number(Number),
    Text(Term),
    Nodes(Selection),
}

impl Translator<'_> {
    pub(super) fn refuse<T>(&self, what: &str, span: Span) -> Result<T, Refused> {
        Err(Box::new(inexpressible::diagnostic(what, span)))
    }

    pub(super) fn fits<T>(&self, result: Result<T, Misfit>, span: Span) -> Result<T, Refused> {
        result.map_err(|what| Box::new(inexpressible::diagnostic(what, span)))
    }

    pub(super) fn meaning(&mut self, code: &Code, here: Here) -> Result<Meaning, Refused> {
        Ok(match &code.kind {
            CodeKind::Number(number) => Meaning::Number(Number::Literal(number.clone())),
            CodeKind::Text(text) => Meaning::Text(self.terms.text(text)),
            CodeKind::Nodes(nodes) => {
                let selection = self.select(nodes, here, code.span)?;
                match (nodes.is_scalar, nodes.atom.sort()) {
                    (true, Some(_)) => self.scalar(&selection, code.span)?,
                    _ => Meaning::Nodes(selection),
                }
            }
            CodeKind::And(parts) => {
                let parts = self.conditions(parts, here)?;
                Meaning::Bool(self.terms.and(parts))
            }
            CodeKind::Or(parts) => {
                let parts = self.conditions(parts, here)?;
                Meaning::Bool(self.terms.or(parts))
            }
            CodeKind::Compare(op, left, right) => {
                let span = code.span;
                let (left, right) = (self.meaning(left, here)?, self.meaning(right, here)?);
                Meaning::Bool(self.compare(*op, left, right, span)?)
            }
            CodeKind::Arithmetic(op, left, right) => {
                let one = self.number(left, here)?;
                let two = self.number(right, here)?;
                let result = one.arithmetic(self.terms, *op, &two);
                Meaning::Number(self.fits(result, code.span)?)
            }
            CodeKind::Negate(inner) => {
                let number = self.number(inner, here)?;
                Meaning::Number(number.negate(self.terms))
            }
            CodeKind::Call(function, arguments) => {
                self.call(*function, arguments, here, code.span)?
            }
        })
    }

    /// The truth value of an expression.
    pub(super) fn condition(&mut self, code: &Code, here: Here) -> Result<Term, Refused> {
        let meaning = self.meaning(code, here)?;
        self.boolean(meaning, code.span)
    }

    fn conditions(&mut self, parts: &[Code], here: Here) -> Result<Vec<Term>, Refused> {
        parts
            .iter()
            .map(|part| self.condition(part, here))
            .collect()
    }

    fn number(&mut self, code: &Code, here: Here) -> Result<Number, Refused> {
        let meaning = self.meaning(code, here)?;
        self.as_number(meaning, code.span)
    }

    fn text(&mut self, code: &Code, here: Here) -> Result<Term, Refused> {
        let meaning = self.meaning(code, here)?;
        self.as_text(meaning, code.span)
    }

    /// A variable of simple type as what it is.
    fn scalar(&mut self, selection: &Selection, span: Span) -> Result<Meaning, Refused> {
        let Some(&(_, node)) = selection.nodes.first() else {
            return self.refuse("nothing", span);
        };
        let content = self.content(node, selection.atom);
        Ok(match self.terms.sort_of(content) {
            Sort::BOOL => Meaning::Bool(content),
            Sort::STRING => Meaning::Text(content),
            _ => match Number::of(self.terms, content) {
                Some(number) => Meaning::Number(number),
                None => return self.refuse("an element that holds elements", span),
            },
        })
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Code],
        here: Here,
        span: Span,
    ) -> Result<Meaning, Refused> {
        let from_term = |translator: &Self, term: Option<Term>| {
            term.and_then(|term| Number::of(translator.terms, term))
        };
        Ok(match function {
            Function::True => Meaning::Bool(Term::TRUE),
            Function::False => Meaning::Bool(Term::FALSE),
            Function::Not => {
                let inner = self.condition(&arguments[0], here)?;
                Meaning::Bool(self.terms.not(inner))
            }
            Function::Boolean => Meaning::Bool(self.condition(&arguments[0], here)?),
            Function::Number => Meaning::Number(self.number(&arguments[0], here)?),
            Function::String => Meaning::Text(self.text(&arguments[0], here)?),
            Function::Position => match from_term(self, here.position) {
                Some(number) => Meaning::Number(number),
                None => return self.refuse("this position", span),
            },
            Function::Last => match from_term(self, here.last) {
                Some(number) => Meaning::Number(number),
                None => return self.refuse("this position", span),
            },
            Function::Count | Function::Sum => {
                let Meaning::Nodes(selection) = self.meaning(&arguments[0], here)? else {
                    return self.refuse("a count of other than nodes", span);
                };
                match function {
                    Function::Count => self.count(&selection),
                    _ => self.sum(&selection, span)?,
                }
            }
            Function::Floor => {
                let result = self.number(&arguments[0], here)?.floor(self.terms);
                Meaning::Number(self.fits(result, span)?)
            }
            Function::Ceiling => {
                let negated = self.number(&arguments[0], here)?.negate(self.terms);
                let result = negated.floor(self.terms);
                Meaning::Number(self.fits(result, span)?.negate(self.terms))
            }
            Function::Round => {
                let half = Number::Literal(BigRational::new(1.into(), 2.into()));
                let number = self.number(&arguments[0], here)?;
                let result = number
                    .arithmetic(self.terms, super::ast::Arithmetic::Add, &half)
                    .and_then(|sum| sum.floor(self.terms));
                Meaning::Number(self.fits(result, span)?)
            }
            Function::Concat => {
                let mut texts = Vec::new();
                for argument in arguments {
                    texts.push(self.text(argument, here)?);
                }
                Meaning::Text(self.terms.concat(&texts))
            }
            Function::StartsWith => {
                let whole = self.text(&arguments[0], here)?;
                let part = self.text(&arguments[1], here)?;
                Meaning::Bool(self.terms.prefix(part, whole))
            }
            Function::Contains => {
                let whole = self.text(&arguments[0], here)?;
                let part = self.text(&arguments[1], here)?;
                Meaning::Bool(self.terms.contains(whole, part))
            }
            Function::StringLength => {
                let text = self.text(&arguments[0], here)?;
                let length = self.terms.length(text);
                match from_term(self, Some(length)) {
                    Some(number) => Meaning::Number(number),
                    None => return self.refuse("this length", span),
                }
            }
            Function::SubstringBefore
            | Function::SubstringAfter
            | Function::Substring
            | Function::NormalizeSpace
            | Function::Translate => return self.refuse("a part or a rewriting of a text", span),
        })
    }

    fn count(&mut self, selection: &Selection) -> Meaning {
        if let Some(list) = selection.list {
            let length = self.terms.length(list);
            return Meaning::Number(Number::Int(length, 1.into()));
        }
        let (one, zero) = (self.terms.int(1), self.terms.int(0));
        let counted: Vec<Term> = selection
            .nodes
            .iter()
            .map(|&(there, _)| self.terms.if_then_else(there, one, zero))
            .collect();
        self.total(selection, counted, Sort::INT)
    }

    fn sum(&mut self, selection: &Selection, span: Span) -> Result<Meaning, Refused> {
        let Some(sort) = selection.atom.sort().filter(|sort| sort.is_number()) else {
            return self.refuse("a sum of other than numbers", span);
        };
        let zero = self.terms.constant(match sort {
            Sort::REAL => Value::Real(BigRational::zero()),
            _ => Value::int(0),
        });
        let mut summed = Vec::new();
        for &(there, node) in &selection.nodes {
            let content = self.content(node, selection.atom);
            summed.push(self.terms.if_then_else(there, content, zero));
        }
        Ok(self.total(selection, summed, sort))
    }

    fn total(&mut self, selection: &Selection, summands: Vec<Term>, sort: Sort) -> Meaning {
        let sum = match &summands[..] {
            [] => return Meaning::Number(Number::Literal(BigRational::zero())),
            all => self.terms.arithmetic_of_many(Op::Add, all),
        };
        let sum = self.if_complete(selection, sum);
        match sort {
            Sort::REAL => Meaning::Number(Number::Real(sum)),
            _ => Meaning::Number(Number::Int(sum, 1.into())),
        }
    }
}
