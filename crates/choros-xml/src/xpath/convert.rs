//! Truth values, numbers and texts of what was translated (XPath 1.0, sections 4.2 to 4.4).

use std::sync::Arc;

use choros_base::Span;
use choros_data::{Op, Sort, Term, Value};
use num_rational::BigRational;
use num_traits::Zero;

use super::code::Atom;
use super::number::Number;
use super::selection::Selection;
use super::translate::{Meaning, Refused, Translator};
use crate::schema::{decimal_text, read_decimal};

impl Translator<'_> {
    pub(super) fn boolean(&mut self, meaning: Meaning, span: Span) -> Result<Term, Refused> {
        Ok(match meaning {
            Meaning::Bool(term) => term,
            Meaning::Number(number) => {
                let zero = Number::Literal(BigRational::zero());
                let result = number.compare(self.terms, Op::NotEqual, &zero);
                self.fits(result, span)?
            }
            Meaning::Text(text) => {
                let empty = self.terms.text("");
                match self.terms.value(text) {
                    Some(_) => self.terms.bool(text != empty),
                    None => self.terms.not_equal(text, empty),
                }
            }
            Meaning::Nodes(selection) if selection.atom.sort() == Some(Sort::BOOL) => {
                self.first(&selection, Term::FALSE)
            }
            Meaning::Nodes(selection) => match selection.list {
                Some(list) => {
                    let (zero, length) = (self.terms.int(0), self.terms.length(list));
                    self.terms.compare(Op::Greater, length, zero)
                }
                None => {
                    let there: Vec<Term> = selection.nodes.iter().map(|it| it.0).collect();
                    let any = self.terms.or(there);
                    self.if_complete(&selection, any)
                }
            },
        })
    }

    pub(super) fn as_number(&mut self, meaning: Meaning, span: Span) -> Result<Number, Refused> {
        match meaning {
            Meaning::Number(number) => Ok(number),
            Meaning::Bool(term) => {
                let (one, zero) = (self.terms.int(1), self.terms.int(0));
                let number = self.terms.if_then_else(term, one, zero);
                match Number::of(self.terms, number) {
                    Some(number) => Ok(number),
                    None => self.refuse("a truth value as a number", span),
                }
            }
            Meaning::Text(text) => match self.literal(text).as_deref().and_then(read_decimal) {
                Some(number) => Ok(Number::Literal(number)),
                None => self.refuse("an unknown text as a number", span),
            },
            Meaning::Nodes(selection) => match selection.atom.sort() {
                Some(sort) if sort.is_number() => {
                    let undefined = self.undefined(sort);
                    let first = self.first(&selection, undefined);
                    match Number::of(self.terms, first) {
                        Some(number) => Ok(number),
                        None => self.refuse("an unknown text as a number", span),
                    }
                }
                Some(_) => self.refuse("an unknown text as a number", span),
                None => self.refuse("an element that holds elements as a number", span),
            },
        }
    }

    pub(super) fn as_text(&mut self, meaning: Meaning, span: Span) -> Result<Term, Refused> {
        match meaning {
            Meaning::Text(text) => Ok(text),
            Meaning::Bool(term) => Ok(self.truth_text(term)),
            Meaning::Number(Number::Literal(value)) => match decimal_text(&value) {
                Some(text) => Ok(self.terms.text(&text)),
                None => self.refuse("the digits of a fraction", span),
            },
            Meaning::Number(_) => self.refuse("the digits of an unknown number", span),
            Meaning::Nodes(selection) => {
                let empty = self.terms.text("");
                match selection.atom.sort() {
                    Some(Sort::STRING) => Ok(self.first(&selection, empty)),
                    Some(Sort::BOOL) => {
                        let first = self.first(&selection, Term::FALSE);
                        let text = self.truth_text(first);
                        let present = Selection {
                            atom: Atom::Nothing,
                            ..selection
                        };
                        let is_there = self.boolean(Meaning::Nodes(present), span)?;
                        Ok(self.terms.if_then_else(is_there, text, empty))
                    }
                    Some(_) => self.refuse("the digits of an unknown number", span),
                    None => self.refuse("the text of an element that holds elements", span),
                }
            }
        }
    }

    fn truth_text(&mut self, truth: Term) -> Term {
        let (yes, no) = (self.terms.text("true"), self.terms.text("false"));
        self.terms.if_then_else(truth, yes, no)
    }

    /// The text of a literal.
    pub(super) fn literal(&self, term: Term) -> Option<Arc<str>> {
        match self.terms.value(term) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        }
    }
}
