//! From written expressions to typed terms: sort inference over a whole text.
//!
//! A front end creates one [`Inference`] per text, checks all expressions of it ([`Inference::check`]), ties together
//! what must have one sort ([`Inference::unify`]: a variable and the field it is sent in, say), and only then builds
//! terms ([`Inference::build`]).
//! So a variable gets its sort from all its uses, and a conflict is reported with both places and both reasons.
//!
//! Capitalised names that no one declared (`OK`) are values of an uninterpreted sort.
//! Other names that no one declared are variables: parameters of the model.

mod build;
mod check;
mod unify;

use std::cell::Cell;

use choros_base::{Diagnostic, Name, Span};
use rustc_hash::FxHashMap;

use crate::diagnostics::unknown_sort;
use crate::syntax::{ExprId, Exprs, SortExpr, SortExprId};
use crate::{Sort, SortKind, Term, Terms};

/// A sort that is not known yet, or not fully.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(u32);

/// A range of text in which a name means one variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope(u32);

choros_base::indices!(Slot, Scope);

/// What is known of the sorts of one text.
#[derive(Debug)]
pub struct Inference {
    /// The sort of numbers that nothing constrains.
    number: Sort,
    /// The sort of what nothing constrains at all.
    anything: Sort,
    slots: Vec<Entry>,
    scopes: u32,
    variables: FxHashMap<(Scope, Name), Slot>,
    constants: FxHashMap<Name, Term>,
    /// What each checked expression is.
    checked: FxHashMap<ExprId, Checked>,
    /// What does not fit.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone)]
struct Entry {
    /// In a cell, so that looking up a root can shorten the way to it.
    parent: Cell<Slot>,
    shape: Shape,
    /// Where and why the shape was decided.
    span: Span,
    why: String,
}

/// What is known of a sort.
#[derive(Debug, Clone)]
enum Shape {
    Any,
    /// Int or Real.
    Number,
    /// String or a list.
    Sequence,
    /// Some uninterpreted sort.
    Uninterpreted,
    Known(Sort),
    List(Slot),
    /// A record with at least these fields.
    Fields(Vec<(Name, Slot)>),
    /// A record with just these fields in this order.
    Record(Vec<(Name, Slot)>),
}

#[derive(Debug, Clone, Copy)]
struct Checked {
    slot: Slot,
    meaning: Meaning,
    /// Nothing in it was reported.
    sound: bool,
}

/// What a name means; operators need no more than their kind.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    Operator,
    Variable(Name),
    Atom(Name),
    Constant(Term),
}

impl Inference {
    /// Numbers that nothing constrains will be of sort `number`: Int in models, Real in properties and logs.
    pub fn new(number: Sort) -> Self {
        Self {
            number,
            anything: number,
            slots: Vec::new(),
            scopes: 0,
            variables: FxHashMap::default(),
            constants: FxHashMap::default(),
            checked: FxHashMap::default(),
            diagnostics: Vec::new(),
        }
    }

    /// What nothing constrains at all will be of this sort, and not a number.
    #[must_use]
    pub fn with_anything(mut self, sort: Sort) -> Self {
        self.anything = sort;
        self
    }

    /// A new scope.
    pub fn scope(&mut self) -> Scope {
        self.scopes += 1;
        Scope(self.scopes - 1)
    }

    /// A sort of which nothing is known.
    pub fn slot(&mut self, span: Span) -> Slot {
        self.entry(Shape::Any, span, String::new())
    }

    /// A sort that is known, with the reason in words that read after "because".
    pub fn known(&mut self, sort: Sort, span: Span, why: impl Into<String>) -> Slot {
        self.entry(Shape::Known(sort), span, why.into())
    }

    /// The variable of a name in a scope, declared by this call if it was not.
    pub fn variable(&mut self, scope: Scope, name: Name, span: Span) -> Slot {
        if let Some(&slot) = self.variables.get(&(scope, name)) {
            return slot;
        }
        let slot = self.slot(span);
        self.variables.insert((scope, name), slot);
        slot
    }

    /// Whether a name has been declared or used as a variable in a scope.
    pub fn is_variable(&self, scope: Scope, name: Name) -> bool {
        self.variables.contains_key(&(scope, name))
    }

    /// Lets a name stand for a term everywhere it is not a variable.
    pub fn constant(&mut self, name: Name, value: Term) {
        self.constants.insert(name, value);
    }

    /// The sort of a slot; what is still open gets its default.
    pub fn sort(&self, terms: &mut Terms, slot: Slot) -> Sort {
        self.sort_to_depth(terms, slot, 0)
    }

    /// The sort that is written; reports what does not exist.
    pub fn written_sort(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        id: SortExprId,
    ) -> Option<Sort> {
        // Depth is limited by the parser.
        match exprs.sort(id) {
            SortExpr::Error => None,
            SortExpr::List(element) => {
                let element = self.written_sort(terms, exprs, *element)?;
                Some(terms.list_sort(element))
            }
            SortExpr::Record(fields) => {
                let fields: Option<Vec<(Name, Sort)>> = fields
                    .iter()
                    .map(|&(label, sort)| Some((label, self.written_sort(terms, exprs, sort)?)))
                    .collect();
                Some(terms.sort(SortKind::Record(fields?)))
            }
            SortExpr::Named(name, span) => {
                let text = terms.names.text(*name);
                let known = terms.named_sorts();
                match known.iter().find(|(candidate, _)| *candidate == text) {
                    Some(&(_, sort)) => Some(sort),
                    None => {
                        let names = known.iter().map(|(name, _)| *name);
                        self.diagnostics
                            .push(unknown_sort::diagnostic(*span, text, names));
                        None
                    }
                }
            }
        }
    }

    fn entry(&mut self, shape: Shape, span: Span, why: String) -> Slot {
        let slot = Slot(self.slots.len() as u32);
        self.slots.push(Entry {
            parent: Cell::new(slot),
            shape,
            span,
            why,
        });
        slot
    }

    fn root(&self, mut slot: Slot) -> Slot {
        loop {
            let parent = self.slots[slot.index()].parent.get();
            if parent == slot {
                return slot;
            }
            let grandparent = self.slots[parent.index()].parent.get();
            self.slots[slot.index()].parent.set(grandparent);
            slot = grandparent;
        }
    }

    fn shape(&self, slot: Slot) -> &Entry {
        &self.slots[self.root(slot).index()]
    }

    fn sort_to_depth(&self, terms: &mut Terms, slot: Slot, depth: u32) -> Sort {
        // No sort is this deep: `unify` refuses those that contain themselves, the parser limits the others.
        if depth > MAX_NESTED {
            return self.number;
        }
        match self.shape(slot).shape.clone() {
            Shape::Any => self.anything,
            Shape::Number => self.number,
            Shape::Sequence => Sort::STRING,
            Shape::Uninterpreted => Sort::SYMBOL,
            Shape::Known(sort) => sort,
            Shape::List(element) => {
                let element = self.sort_to_depth(terms, element, depth + 1);
                terms.list_sort(element)
            }
            Shape::Fields(mut fields) => {
                // No one said in which order; by label is an order that does not depend on the order of use.
                fields.sort_by(|a, b| terms.names.text(a.0).cmp(terms.names.text(b.0)));
                self.record_sort(terms, &fields, depth)
            }
            Shape::Record(fields) => self.record_sort(terms, &fields, depth),
        }
    }

    fn record_sort(&self, terms: &mut Terms, fields: &[(Name, Slot)], depth: u32) -> Sort {
        let fields = fields
            .iter()
            .map(|&(label, slot)| (label, self.sort_to_depth(terms, slot, depth + 1)))
            .collect();
        terms.sort(SortKind::Record(fields))
    }
}

/// Deeper than any sort that is written.
const MAX_NESTED: u32 = 2 * crate::syntax::DEPTH_LIMIT;

impl Terms {
    /// The sorts that have a name, in the order of declaration.
    pub fn named_sorts(&self) -> Vec<(&str, Sort)> {
        self.sorts
            .iter()
            .enumerate()
            .filter_map(|(index, kind)| {
                let name = match kind {
                    SortKind::Bool => "Bool",
                    SortKind::Int => "Int",
                    SortKind::Real => "Real",
                    SortKind::String => "String",
                    SortKind::Uninterpreted(name) | SortKind::Enumeration { name, .. } => {
                        self.names.text(*name)
                    }
                    SortKind::Record(_) | SortKind::List(_) => return None,
                };
                Some((name, Sort(index as u32)))
            })
            .collect()
    }
}
