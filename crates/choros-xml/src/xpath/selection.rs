//! Nodes as terms.
//!
//! Lists that may be longer than [`UNFOLDED`] are unfolded that far, and what was translated from them is *undefined*
//! beyond: a guard with it is false then, never wrong.
//! Where a list is only counted, or searched for a value, or asked for one position, nothing needs unfolding.

use choros_base::Span;
use choros_data::{Op, Sort, Term, Value};

use super::code::{Atom, Nodes, Predicate, Root, XpathStep};
use super::translate::{Here, Refused, Translator};
use crate::diagnostics::xpath_variable;
use crate::schema::{UNFOLDED, field_at};

/// Nodes as terms.
pub(super) struct Selection {
    /// Each with the condition under which it is there; its term may be undefined otherwise.
    pub(super) nodes: Vec<(Term, Term)>,
    /// The condition under which these are all.
    pub(super) complete: Term,
    pub(super) atom: Atom,
    /// The list whose elements they are, all of them and in order, if they are.
    pub(super) list: Option<Term>,
}

impl Translator<'_> {
    pub(super) fn select(
        &mut self,
        nodes: &Nodes,
        here: Here,
        span: Span,
    ) -> Result<Selection, Refused> {
        let root = match &nodes.root {
            Root::Variable(name) => match self.variables.get(name) {
                Some(&term) => term,
                None => {
                    let known = self.variables.keys().map(|name| &**name);
                    let diagnostic = xpath_variable::diagnostic("variable", name, known, span);
                    return Err(Box::new(diagnostic));
                }
            },
            Root::Context => match here.node {
                Some(term) => term,
                None => return self.refuse("a path without a variable", span),
            },
        };
        let mut selection = Selection {
            nodes: vec![(Term::TRUE, root)],
            complete: Term::TRUE,
            atom: nodes.atom,
            list: None,
        };
        for step in &nodes.steps {
            self.step(&mut selection, step)?;
        }
        Ok(selection)
    }

    fn step(&mut self, selection: &mut Selection, step: &XpathStep) -> Result<(), Refused> {
        let mut next = Vec::new();
        let is_first = selection.nodes.len() == 1 && selection.nodes[0].0 == Term::TRUE;
        selection.list = selection
            .list
            .filter(|_| step.position.is_none() && step.predicates.is_empty());
        for (there, node) in std::mem::take(&mut selection.nodes) {
            let field = match step.position {
                Some(position) => field_at(self.terms, node, position),
                None => node,
            };
            let Some(most) = step.list else {
                let one = self.terms.int(1);
                let around = Here {
                    node: Some(field),
                    position: Some(one),
                    last: Some(one),
                };
                let mut there = there;
                for predicate in &step.predicates {
                    let kept = match predicate {
                        Predicate::Position(position) => self.terms.bool(*position == 1),
                        Predicate::Last => Term::TRUE,
                        Predicate::Holds(code) => self.condition(code, around)?,
                    };
                    there = self.both(there, kept);
                }
                next.push((there, field));
                continue;
            };
            if is_first && step.predicates.is_empty() {
                selection.list = Some(field);
            }
            let (items, complete) = self.items(field, most, step)?;
            let complete = match there {
                Term::TRUE => complete,
                _ => self.terms.if_then_else(there, complete, Term::TRUE),
            };
            selection.complete = self.both(selection.complete, complete);
            for (item_there, item) in items {
                next.push((self.both(there, item_there), item));
            }
        }
        next.retain(|&(there, _)| there != Term::FALSE);
        selection.nodes = next;
        Ok(())
    }

    /// The elements of a list that predicates keep, and the condition under which these are all.
    fn items(
        &mut self,
        list: Term,
        most: Option<u32>,
        step: &XpathStep,
    ) -> Result<(Vec<(Term, Term)>, Term), Refused> {
        let length = self.terms.length(list);
        let mut predicates = &step.predicates[..];
        // A position needs no unfolding.
        let mut items = match predicates.first() {
            Some(Predicate::Position(position)) => {
                predicates = &predicates[1..];
                let Some(index) = position.checked_sub(1) else {
                    return Ok((Vec::new(), Term::TRUE));
                };
                let index = self.terms.constant(Value::int(index));
                let there = self.terms.compare(Op::Less, index, length);
                vec![(there, self.terms.index(list, index))]
            }
            Some(Predicate::Last) => {
                predicates = &predicates[1..];
                let (zero, one) = (self.terms.int(0), self.terms.int(1));
                let there = self.terms.compare(Op::Less, zero, length);
                let index = self.terms.arithmetic(Op::Subtract, length, one);
                vec![(there, self.terms.index(list, index))]
            }
            _ => {
                return self.unfolded(list, length, most, predicates, step.span);
            }
        };
        let one = self.terms.int(1);
        for predicate in predicates {
            for (there, item) in &mut items {
                let around = Here {
                    node: Some(*item),
                    position: Some(one),
                    last: Some(one),
                };
                let kept = match predicate {
                    Predicate::Position(position) => self.terms.bool(*position == 1),
                    Predicate::Last => Term::TRUE,
                    Predicate::Holds(code) => self.condition(code, around)?,
                };
                *there = self.both(*there, kept);
            }
        }
        Ok((items, Term::TRUE))
    }

    fn unfolded(
        &mut self,
        list: Term,
        length: Term,
        most: Option<u32>,
        predicates: &[Predicate],
        span: Span,
    ) -> Result<(Vec<(Term, Term)>, Term), Refused> {
        let count = most.map_or(UNFOLDED, |most| (most as usize).min(UNFOLDED));
        let complete = match most {
            Some(most) if most as usize <= UNFOLDED => Term::TRUE,
            _ => {
                let bound = self.terms.constant(Value::int(UNFOLDED));
                self.terms.compare(Op::LessEqual, length, bound)
            }
        };
        let mut items = Vec::new();
        for index in 0..count {
            let position = self.terms.constant(Value::int(index));
            let from_one = self.terms.constant(Value::int(index + 1));
            let item = self.terms.index(list, position);
            let mut there = self.terms.compare(Op::Less, position, length);
            for (number, predicate) in predicates.iter().enumerate() {
                let kept = match predicate {
                    Predicate::Holds(code) => {
                        let around = match number {
                            0 => Here {
                                node: Some(item),
                                position: Some(from_one),
                                last: Some(length),
                            },
                            // After another predicate, positions are no longer those of the list.
                            _ => Here {
                                node: Some(item),
                                ..Here::default()
                            },
                        };
                        self.condition(code, around)?
                    }
                    Predicate::Position(_) | Predicate::Last => {
                        return self.refuse("a position after another predicate", span);
                    }
                };
                there = self.both(there, kept);
            }
            items.push((there, item));
        }
        Ok((items, complete))
    }

    /// `first and second`, where the second need not be defined when the first is false.
    pub(super) fn both(&mut self, first: Term, second: Term) -> Term {
        match second {
            Term::TRUE => first,
            _ => self.terms.if_then_else(first, second, Term::FALSE),
        }
    }

    /// What has no value: an element of the empty list.
    pub(super) fn undefined(&mut self, sort: Sort) -> Term {
        let sort = self.terms.list_sort(sort);
        let (empty, zero) = (self.terms.list(sort, &[]), self.terms.int(0));
        self.terms.index(empty, zero)
    }

    /// What was found out about nodes, undefined when they are not all there are.
    pub(super) fn if_complete(&mut self, selection: &Selection, value: Term) -> Term {
        if selection.complete == Term::TRUE {
            return value;
        }
        let undefined = self.undefined(self.terms.sort_of(value));
        self.terms
            .if_then_else(selection.complete, value, undefined)
    }

    /// The first node; undefined when there is none.
    pub(super) fn first_node(&mut self, selection: &Selection) -> Option<Term> {
        let sort = self.terms.sort_of(selection.nodes.first()?.1);
        let otherwise = self.undefined(sort);
        Some(self.first_of(selection, otherwise, false))
    }

    /// Whether more than one node is there.
    pub(super) fn several(&mut self, selection: &Selection) -> Term {
        if let Some(list) = selection.list {
            let (one, length) = (self.terms.int(1), self.terms.length(list));
            return self.terms.compare(Op::Greater, length, one);
        }
        let (mut one, mut several) = (Term::FALSE, Term::FALSE);
        for &(there, _) in &selection.nodes {
            let again = self.terms.and([one, there]);
            several = self.terms.or([several, again]);
            one = self.terms.or([one, there]);
        }
        self.if_complete(selection, several)
    }

    /// The text of the first node; `otherwise` is what there is when there is none.
    pub(super) fn first(&mut self, selection: &Selection, otherwise: Term) -> Term {
        self.first_of(selection, otherwise, true)
    }

    fn first_of(&mut self, selection: &Selection, otherwise: Term, is_text: bool) -> Term {
        let mut result = otherwise;
        let all = match selection.list {
            // When the first element of a list is not there, no other is.
            Some(_) => &selection.nodes[..selection.nodes.len().min(1)],
            None => &selection.nodes[..],
        };
        for &(there, node) in all.iter().rev() {
            let value = if is_text {
                self.content(node, selection.atom)
            } else {
                node
            };
            result = self.terms.if_then_else(there, value, result);
        }
        match selection.list {
            Some(_) => result,
            None => self.if_complete(selection, result),
        }
    }

    pub(super) fn content(&mut self, node: Term, atom: Atom) -> Term {
        match atom {
            Atom::Field(position, _) => field_at(self.terms, node, position),
            Atom::Itself(_) | Atom::Nothing => node,
        }
    }
}
