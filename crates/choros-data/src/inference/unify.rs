//! Making two sorts one.

use choros_base::{Name, Span};

use super::{Inference, MAX_NESTED, Shape, Slot};
use crate::diagnostics::{no_such_field, sort_mismatch};
use crate::{Sort, SortKind, Terms};

impl Inference {
    /// `found`, met at `span`, must be of the sort of `needed`; answers whether it can be.
    pub fn unify(&mut self, terms: &mut Terms, found: Slot, span: Span, needed: Slot) -> bool {
        self.unify_to_depth(terms, found, span, needed, 0)
    }

    fn unify_to_depth(
        &mut self,
        terms: &mut Terms,
        found: Slot,
        span: Span,
        needed: Slot,
        depth: u32,
    ) -> bool {
        let (left, right) = (self.root(found), self.root(needed));
        if left == right {
            return true;
        }
        if depth > MAX_NESTED {
            return self.mismatch(terms, left, span, right);
        }
        let (a, b) = (
            self.slots[left.index()].shape.clone(),
            self.slots[right.index()].shape.clone(),
        );
        // A sort that contained itself would have no values; nothing may be tied into such a knot.
        if self.lies_within(left, &b) || self.lies_within(right, &a) {
            return self.mismatch(terms, left, span, right);
        }
        // The side whose shape says more becomes the root, so that its reason is kept.
        let keep_left = match (&a, &b) {
            (_, Shape::Any) => true,
            (Shape::Any, _) => false,
            (Shape::Known(x), Shape::Known(y)) => {
                if x != y {
                    return self.mismatch(terms, left, span, right);
                }
                true
            }
            (Shape::Known(sort), open) | (open, Shape::Known(sort)) => {
                let known_is_left = matches!(a, Shape::Known(_));
                if !self.admits(terms, *sort, open, span, depth) {
                    return self.mismatch(terms, left, span, right);
                }
                known_is_left
            }
            (Shape::Number, Shape::Number)
            | (Shape::Sequence, Shape::Sequence)
            | (Shape::Uninterpreted, Shape::Uninterpreted) => true,
            (Shape::List(_), Shape::Sequence) => true,
            (Shape::Sequence, Shape::List(_)) => false,
            (Shape::List(x), Shape::List(y)) => {
                let fits = self.unify_to_depth(terms, *x, span, *y, depth + 1);
                return fits && self.join_whole(left, right);
            }
            (Shape::Fields(x) | Shape::Record(x), Shape::Fields(y) | Shape::Record(y)) => {
                return self.unify_records(terms, (left, &a, x), (right, &b, y), span, depth);
            }
            _ => return self.mismatch(terms, left, span, right),
        };
        if keep_left {
            self.join(right, left);
        } else {
            self.join(left, right);
        }
        true
    }

    /// Whether a known sort is one of those that an open shape allows; ties the parts together if so.
    fn admits(
        &mut self,
        terms: &mut Terms,
        sort: Sort,
        open: &Shape,
        span: Span,
        depth: u32,
    ) -> bool {
        match (open, terms.sort_kind(sort).clone()) {
            (Shape::Number, SortKind::Int | SortKind::Real)
            | (Shape::Sequence, SortKind::String | SortKind::List(_))
            | (Shape::Uninterpreted, SortKind::Uninterpreted(_)) => true,
            (Shape::List(element), SortKind::List(known)) => {
                let known = self.known(known, span, "it is an element of this list");
                self.unify_to_depth(terms, *element, span, known, depth + 1)
            }
            (Shape::Fields(fields), SortKind::Record(known)) => {
                self.admits_fields(terms, fields, &known, sort, span, depth)
            }
            (Shape::Record(fields), SortKind::Record(known)) => {
                fields.len() == known.len()
                    && self.admits_fields(terms, fields, &known, sort, span, depth)
            }
            _ => false,
        }
    }

    fn admits_fields(
        &mut self,
        terms: &mut Terms,
        fields: &[(Name, Slot)],
        known: &[(Name, Sort)],
        sort: Sort,
        span: Span,
        depth: u32,
    ) -> bool {
        let mut fits = true;
        for &(label, slot) in fields {
            match known.iter().find(|&&(name, _)| name == label) {
                Some(&(_, known)) => {
                    let known = self.known(known, span, "the record's field is");
                    fits &= self.unify_to_depth(terms, slot, span, known, depth + 1);
                }
                None => {
                    let labels: Vec<&str> = known
                        .iter()
                        .map(|&(name, _)| terms.names.text(name))
                        .collect();
                    self.diagnostics.push(no_such_field::diagnostic(
                        span,
                        terms.names.text(label),
                        &terms.sort_text(sort),
                        &labels,
                    ));
                    // Reported already; a mismatch of the whole records would say the same again.
                }
            }
        }
        fits
    }

    fn unify_records(
        &mut self,
        terms: &mut Terms,
        (left, a, x): (Slot, &Shape, &[(Name, Slot)]),
        (right, b, y): (Slot, &Shape, &[(Name, Slot)]),
        span: Span,
        depth: u32,
    ) -> bool {
        let missing = |has: &[(Name, Slot)], wants: &[(Name, Slot)]| {
            wants
                .iter()
                .any(|&(label, _)| !has.iter().any(|&(name, _)| name == label))
        };
        if (matches!(a, Shape::Record(_)) && missing(x, y))
            || (matches!(b, Shape::Record(_)) && missing(y, x))
        {
            return self.mismatch(terms, left, span, right);
        }
        let mut pairs = Vec::new();
        let mut merged = if matches!(b, Shape::Record(_)) {
            y.to_vec()
        } else {
            x.to_vec()
        };
        for &(label, slot) in x.iter().chain(y) {
            match merged.iter().find(|&&(name, _)| name == label) {
                Some(&(_, other)) => pairs.push((slot, other)),
                None => merged.push((label, slot)),
            }
        }
        let exact = matches!(a, Shape::Record(_)) || matches!(b, Shape::Record(_));
        let mut fits = true;
        for (slot, other) in pairs {
            fits &= self.unify_to_depth(terms, slot, span, other, depth + 1);
        }
        if fits && self.join_whole(left, right) {
            let right = self.root(right);
            self.slots[right.index()].shape = if exact {
                Shape::Record(merged)
            } else {
                Shape::Fields(merged)
            };
        }
        fits
    }

    /// Whether a slot is a part of a shape, or a part of a part.
    fn lies_within(&self, slot: Slot, shape: &Shape) -> bool {
        let mut seen = Vec::new();
        let mut pending = parts(shape);
        while let Some(part) = pending.pop() {
            let part = self.root(part);
            if part == slot {
                return true;
            }
            if !seen.contains(&part) {
                seen.push(part);
                pending.extend(parts(&self.slots[part.index()].shape));
            }
        }
        false
    }

    /// Joins two whose parts have become one.
    ///
    /// Not before: were the parts different, whatever was found sound earlier would have another sort now.
    fn join_whole(&mut self, left: Slot, right: Slot) -> bool {
        let (left, right) = (self.root(left), self.root(right));
        if left != right {
            self.join(left, right);
        }
        true
    }

    fn join(&mut self, child: Slot, parent: Slot) {
        self.slots[child.index()].parent.set(parent);
    }

    fn mismatch(&mut self, terms: &mut Terms, found: Slot, span: Span, needed: Slot) -> bool {
        let describe = |slot: Slot, terms: &mut Terms| {
            let entry = &self.slots[slot.index()];
            sort_mismatch::Known {
                sort: self.in_words(terms, slot),
                span: entry.span,
                why: entry.why.clone(),
            }
        };
        let earlier = describe(found, terms);
        let needed = describe(needed, terms);
        let found = sort_mismatch::Known {
            sort: earlier.sort.clone(),
            span,
            why: String::new(),
        };
        let earlier = (!earlier.why.is_empty()).then_some(&earlier);
        self.diagnostics
            .push(sort_mismatch::diagnostic(&found, earlier, &needed));
        false
    }

    fn in_words(&self, terms: &mut Terms, slot: Slot) -> String {
        match &self.shape(slot).shape {
            Shape::Any => "anything".to_owned(),
            Shape::Number => "a number".to_owned(),
            Shape::Sequence => "a string or list".to_owned(),
            Shape::Uninterpreted => "a symbol".to_owned(),
            Shape::List(_) => "a list".to_owned(),
            Shape::Fields(_) | Shape::Record(_) => {
                let sort = self.sort(terms, slot);
                format!("a record {}", terms.sort_text(sort))
            }
            Shape::Known(sort) => terms.sort_text(*sort),
        }
    }
}

fn parts(shape: &Shape) -> Vec<Slot> {
    match shape {
        Shape::List(element) => vec![*element],
        Shape::Fields(fields) | Shape::Record(fields) => {
            fields.iter().map(|&(_, slot)| slot).collect()
        }
        _ => Vec::new(),
    }
}
