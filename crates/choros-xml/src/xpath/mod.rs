//! XPath 1.0 as BPEL uses it: read once, computed on values, translated to terms.
//!
//! An expression is read against a [`Scope`], which knows the types of variables; every step is resolved to a field
//! of a record then, so that what is left has no names any more.
//! [`Xpath::evaluate`] computes it on values as XPath 1.0 says; [`Xpath::condition`] and [`Xpath::value`] translate it
//! to terms, which have the same value wherever they are defined.

mod ast;
mod code;
mod comparison;
mod convert;
mod evaluate;
mod number;
mod outline;
mod parse;
mod resolve;
mod selection;
mod target;
mod token;
mod translate;
mod variables;

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::{Diagnostic, has_errors};
use choros_data::{Sort, Term, Terms, Value};
use num_rational::BigRational;

use crate::diagnostics::inexpressible;
use crate::schema::{TypeId, read_decimal, read_integer};
use crate::wsdl::{Definitions, MessageShape};
use code::{Code, NodeType};
use translate::{Here, Meaning, Translator};

pub use crate::document::WrittenExpression;
pub use outline::{CalledFunction, Outline, OutlineForm};
pub use target::{Target, TargetHolds};

/// What an expression may speak of.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Types, messages, properties.
    pub definitions: &'a Definitions,
    /// The variables by name, without the `$`.
    pub variables: &'a BTreeMap<Arc<str>, VariableType>,
    /// What paths without a variable start from (queries of property aliases); usually nothing.
    pub context: Option<&'a VariableType>,
}

/// What a variable holds.
#[derive(Debug, Clone)]
pub enum VariableType {
    /// A message: `$v.part/step`; of a message with one part `$v/step` is read too.
    Message(Arc<MessageShape>),
    /// An element or a type: `$v/step`, `$v`.
    Holds(TypeId),
}

/// An expression whose names are resolved.
#[derive(Debug, Clone)]
pub struct Xpath {
    written: WrittenExpression,
    code: Code,
}

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A truth value.
    Bool(bool),
    /// A number, exactly; what would not be a number has no value at all.
    Number(BigRational),
    Text(Arc<str>),
    /// Nodes, in the order of the document, each as the value it holds.
    Nodes(Vec<Value>),
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum XpathError {
    /// It would be *not a number*, or infinite.
    NotANumber,
    /// A variable has no value.
    Unassigned(Arc<str>),
    /// It would need the text of an element that holds elements.
    NoText,
}

/// What an expression is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionPurpose {
    /// To decide something: its truth value matters.
    Condition,
    /// To be computed, copied or assigned to.
    Value,
}

impl Xpath {
    /// Reads an expression; `None` when it cannot be used, and what is wrong or doubtful.
    pub fn read(
        written: &WrittenExpression,
        scope: Scope<'_>,
        purpose: ExpressionPurpose,
    ) -> (Option<Xpath>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let Some(expression) = parse::parse(written, &mut diagnostics) else {
            return (None, diagnostics);
        };
        let context = scope.context.map(|context| match context {
            VariableType::Message(shape) => NodeType::Message(shape.clone()),
            VariableType::Holds(id) => NodeType::Type(*id),
        });
        let mut resolver = resolve::Resolver {
            scope,
            written,
            diagnostics: &mut diagnostics,
        };
        let code = resolver.expression(&expression, context.as_ref());
        if let (Some(code), ExpressionPurpose::Condition) = (&code, purpose) {
            resolver.doubt(code);
        }
        let read = code
            .filter(|_| !has_errors(&diagnostics))
            .map(|code| Xpath {
                written: written.clone(),
                code,
            });
        (read, diagnostics)
    }

    /// The text it was read from.
    pub fn written(&self) -> &WrittenExpression {
        &self.written
    }

    /// The variables it speaks of, in alphabetical order.
    pub fn variables(&self) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        self.code.variables(&mut found);
        found.sort();
        found.dedup();
        found
    }

    /// Its value on values of its variables (a message as its part, or the record of its parts); `context` is what
    /// paths without a variable start from.
    ///
    /// # Errors
    ///
    /// When it has no value.
    pub fn evaluate(
        &self,
        values: &BTreeMap<Arc<str>, Value>,
        context: Option<&Value>,
    ) -> Result<Object, XpathError> {
        evaluate::evaluate(&self.code, environment(values, context))
    }

    /// Its truth value.
    ///
    /// # Errors
    ///
    /// When it has no value.
    pub fn evaluate_condition(
        &self,
        values: &BTreeMap<Arc<str>, Value>,
        context: Option<&Value>,
    ) -> Result<bool, XpathError> {
        evaluate::truth(&self.code, environment(values, context))
    }

    /// It as a formula, not closed yet ([`Terms::close`]); `variables` gives the term of each variable, `context` that
    /// of what paths without a variable start from.
    ///
    /// # Errors
    ///
    /// When it has no counterpart among terms.
    pub fn condition(
        &self,
        terms: &mut Terms,
        variables: &BTreeMap<Arc<str>, Term>,
        context: Option<Term>,
    ) -> Result<Term, Box<Diagnostic>> {
        let here = Here::at(context);
        Translator { terms, variables }.condition(&self.code, here)
    }

    /// It as a term of a sort: for the right-hand side of an assignment.
    ///
    /// # Errors
    ///
    /// When it has no counterpart among terms of that sort.
    pub fn value(
        &self,
        terms: &mut Terms,
        variables: &BTreeMap<Arc<str>, Term>,
        context: Option<Term>,
        wanted: Sort,
    ) -> Result<Term, Box<Diagnostic>> {
        let here = Here::at(context);
        let span = self.code.span;
        let mut translator = Translator { terms, variables };
        let meaning = translator.meaning(&self.code, here)?;
        // A whole element is copied as it is, the first if there are several.
        if let Meaning::Nodes(selection) = &meaning
            && let Some(node) = translator.first_node(selection)
            && translator.terms.sort_of(node) == wanted
        {
            return Ok(node);
        }
        let refuse = |what: &str| Err(Box::new(inexpressible::diagnostic(what, span)));
        match wanted {
            Sort::BOOL => match &meaning {
                Meaning::Text(text) => match translator.literal(*text).as_deref().map(str::trim) {
                    Some("true" | "1") => Ok(Term::TRUE),
                    Some("false" | "0") => Ok(Term::FALSE),
                    _ => translator.boolean(meaning, span),
                },
                _ => translator.boolean(meaning, span),
            },
            Sort::INT | Sort::REAL => {
                let number = match &meaning {
                    Meaning::Text(text) => {
                        let literal = translator.literal(*text);
                        let literal = literal.as_deref().map(str::trim);
                        let is_number = literal.is_some_and(|text| match wanted {
                            Sort::INT => read_integer(text).is_some(),
                            _ => read_decimal(text).is_some(),
                        });
                        if !is_number {
                            return refuse("an unknown text as a number");
                        }
                        translator.as_number(meaning, span)?
                    }
                    _ => translator.as_number(meaning, span)?,
                };
                number.term(translator.terms, wanted).or_else(refuse)
            }
            Sort::STRING => translator.as_text(meaning, span),
            _ => refuse("a copy between elements of different types"),
        }
    }

    /// It as a text; `None` if it is a number or a truth value, whatever the values are.
    ///
    /// # Errors
    ///
    /// When it has no counterpart among terms.
    pub fn text(
        &self,
        terms: &mut Terms,
        variables: &BTreeMap<Arc<str>, Term>,
    ) -> Result<Option<Term>, Box<Diagnostic>> {
        let mut translator = Translator { terms, variables };
        let meaning = translator.meaning(&self.code, Here::default())?;
        match meaning {
            Meaning::Bool(_) | Meaning::Number(_) => Ok(None),
            text => translator.as_text(text, self.code.span).map(Some),
        }
    }

    /// When it selects more than one node, not closed yet; never if it is no path.
    ///
    /// # Errors
    ///
    /// When it has no counterpart among terms.
    pub fn several(
        &self,
        terms: &mut Terms,
        variables: &BTreeMap<Arc<str>, Term>,
    ) -> Result<Term, Box<Diagnostic>> {
        let code::CodeKind::Nodes(nodes) = &self.code.kind else {
            return Ok(Term::FALSE);
        };
        let mut translator = Translator { terms, variables };
        let selection = translator.select(nodes, Here::default(), self.code.span)?;
        Ok(translator.several(&selection))
    }

    /// The place it stands for on the left-hand side of an assignment.
    ///
    /// # Errors
    ///
    /// When it is not a path, or may stand for several places.
    pub fn target(&self) -> Result<Target, Box<Diagnostic>> {
        Target::of(&self.code)
    }
}

fn environment<'e>(
    values: &'e BTreeMap<Arc<str>, Value>,
    context: Option<&'e Value>,
) -> evaluate::Environment<'e> {
    evaluate::Environment {
        values,
        context: context.map(|value| (value, 1, 1)),
    }
}
