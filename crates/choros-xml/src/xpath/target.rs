//! Places that can be assigned to.

use std::sync::Arc;

use choros_data::{Op, Sort, SortKind, Term, Terms};

use super::code::{Atom, Code, CodeKind, NodeType, Root};
use super::translate::Refused;
use crate::diagnostics::inexpressible;
use crate::schema::{TypeId, field_at};
use crate::wsdl::MessageShape;

/// A place in a variable that can be assigned to.
#[derive(Debug, Clone)]
pub struct Target {
    pub variable: Arc<str>,
    /// What stands there.
    pub holds: TargetHolds,
    steps: Vec<TargetStep>,
    text: Option<usize>,
}

/// What stands at a place that can be assigned to.
#[derive(Debug, Clone)]
pub enum TargetHolds {
    /// A whole message.
    Message(Arc<MessageShape>),
    /// A value of a type.
    Type(TypeId),
    /// The text of an element that has attributes too.
    Text,
}

#[derive(Debug, Clone, Copy)]
struct TargetStep {
    position: usize,
    /// The field is a list of at most one.
    is_optional: bool,
}

impl Target {
    pub(super) fn of(code: &Code) -> Result<Target, Refused> {
        let refuse = |what: &str, span| Err(Box::new(inexpressible::diagnostic(what, span)));
        let CodeKind::Nodes(nodes) = &code.kind else {
            return refuse("an assignment to other than a path", code.span);
        };
        let Root::Variable(variable) = &nodes.root else {
            return refuse("an assignment to a path without a variable", code.span);
        };
        let mut steps = Vec::new();
        for step in &nodes.steps {
            let is_first = step
                .predicates
                .iter()
                .all(|predicate| matches!(predicate, super::code::Predicate::Position(1)));
            match step.list {
                None | Some(Some(1)) if is_first => {}
                _ => return refuse("an assignment to one of several elements", step.span),
            }
            if let Some(position) = step.position {
                steps.push(TargetStep {
                    position,
                    is_optional: step.list.is_some(),
                });
            }
        }
        Ok(Target {
            variable: variable.clone(),
            holds: match &nodes.holds {
                NodeType::Message(shape) => TargetHolds::Message(shape.clone()),
                NodeType::Type(id) => TargetHolds::Type(*id),
                NodeType::Text => TargetHolds::Text,
            },
            steps,
            text: match nodes.atom {
                Atom::Field(position, _) => Some(position),
                Atom::Itself(_) | Atom::Nothing => None,
            },
        })
    }

    /// The text of the element, when it has attributes too: what a text or number is assigned to.
    pub fn text(&self) -> Option<Target> {
        let position = self.text?;
        let mut steps = self.steps.clone();
        steps.push(TargetStep {
            position,
            is_optional: false,
        });
        Some(Target {
            variable: self.variable.clone(),
            holds: TargetHolds::Text,
            steps,
            text: None,
        })
    }

    /// Whether it is the whole variable.
    pub fn is_whole(&self) -> bool {
        self.steps.is_empty()
    }

    /// The sort of what is assigned, in a variable of this sort.
    pub fn sort(&self, terms: &Terms, whole: Sort) -> Sort {
        self.steps.iter().fold(whole, |sort, step| {
            let field = match terms.sort_kind(sort) {
                SortKind::Record(fields) => fields.get(step.position).map_or(sort, |it| it.1),
                _ => sort,
            };
            match terms.sort_kind(field) {
                SortKind::List(element) if step.is_optional => *element,
                _ => field,
            }
        })
    }

    /// When it is there, not closed yet: optional elements may be missing.
    pub fn is_there(&self, terms: &mut Terms, whole: Term) -> Term {
        let zero = terms.int(0);
        let mut at = whole;
        let mut there = Term::TRUE;
        for step in &self.steps {
            at = field_at(terms, at, step.position);
            if step.is_optional {
                let length = terms.length(at);
                let some = terms.compare(Op::Greater, length, zero);
                there = terms.and([there, some]);
                at = terms.index(at, zero);
            }
        }
        there
    }

    /// The variable's value with what stands here replaced: `{x with a = value}` written as a whole, so that what is
    /// not assigned keeps its value.
    ///
    /// An optional element that is not there comes into being, when it is the last step; when steps follow, it has to
    /// be there, and the result is undefined otherwise.
    pub fn update(&self, terms: &mut Terms, whole: Term, value: Term) -> Term {
        replace(terms, whole, &self.steps, value)
    }
}

fn replace(terms: &mut Terms, whole: Term, steps: &[TargetStep], value: Term) -> Term {
    let Some((step, rest)) = steps.split_first() else {
        return value;
    };
    let sort = terms.sort_of(whole);
    let SortKind::Record(fields) = terms.sort_kind(sort) else {
        return value;
    };
    let sorts: Vec<Sort> = fields.iter().map(|&(_, sort)| sort).collect();
    let mut parts = Vec::with_capacity(sorts.len());
    for (position, &sort) in sorts.iter().enumerate() {
        let field = field_at(terms, whole, position);
        if position != step.position {
            parts.push(field);
            continue;
        }
        parts.push(if step.is_optional {
            let first = terms.int(0);
            let inner = terms.index(field, first);
            let inner = replace(terms, inner, rest, value);
            terms.list(sort, &[inner])
        } else {
            replace(terms, field, rest, value)
        });
    }
    terms.record(sort, &parts)
}
