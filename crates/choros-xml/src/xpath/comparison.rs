//! Comparisons as formulas: with nodes, whether some node, or some pair of nodes, compares (XPath 1.0, section 3.4).

use choros_base::Span;
use choros_data::{Op, Sort, SortKind, Term};

use super::code::Atom;
use super::number::Number;
use super::selection::Selection;
use super::translate::{Meaning, Refused, Translator};
use crate::schema::{decimal_text, read_decimal};

impl Translator<'_> {
    pub(super) fn compare(
        &mut self,
        op: Op,
        left: Meaning,
        right: Meaning,
        span: Span,
    ) -> Result<Term, Refused> {
        let is_equality = matches!(op, Op::Equal | Op::NotEqual);
        match (left, right) {
            (Meaning::Nodes(one), Meaning::Nodes(two)) => self.pairs(op, &one, &two, span),
            (Meaning::Nodes(nodes), Meaning::Bool(truth)) => {
                let left = self.boolean(Meaning::Nodes(nodes), span)?;
                self.truths(op, left, truth, span)
            }
            (Meaning::Bool(truth), Meaning::Nodes(nodes)) => {
                let right = self.boolean(Meaning::Nodes(nodes), span)?;
                self.truths(op, truth, right, span)
            }
            (Meaning::Nodes(nodes), scalar) => self.some(op, &nodes, &scalar, span),
            (scalar, Meaning::Nodes(nodes)) => self.some(op.mirrored(), &nodes, &scalar, span),
            (left, right)
                if is_equality
                    && (matches!(left, Meaning::Bool(_)) || matches!(right, Meaning::Bool(_))) =>
            {
                let left = self.boolean(left, span)?;
                let right = self.boolean(right, span)?;
                self.truths(op, left, right, span)
            }
            (Meaning::Text(left), Meaning::Text(right)) if is_equality => {
                Ok(self.terms.compare(op, left, right))
            }
            (left, right) => {
                let left = self.as_number(left, span)?;
                let right = self.as_number(right, span)?;
                let result = left.compare(self.terms, op, &right);
                self.fits(result, span)
            }
        }
    }

    fn truths(&mut self, op: Op, left: Term, right: Term, span: Span) -> Result<Term, Refused> {
        match (op, left, right) {
            (Op::Equal, truth, Term::TRUE) | (Op::NotEqual, truth, Term::FALSE) => Ok(truth),
            (Op::Equal, truth, Term::FALSE) | (Op::NotEqual, truth, Term::TRUE) => {
                Ok(self.terms.not(truth))
            }
            (Op::Equal | Op::NotEqual, ..) => Ok(self.terms.compare(op, left, right)),
            _ => {
                let left = self.as_number(Meaning::Bool(left), span)?;
                let right = self.as_number(Meaning::Bool(right), span)?;
                let result = left.compare(self.terms, op, &right);
                self.fits(result, span)
            }
        }
    }

    /// Whether some node compares with a number or a text.
    fn some(
        &mut self,
        op: Op,
        selection: &Selection,
        scalar: &Meaning,
        span: Span,
    ) -> Result<Term, Refused> {
        // A list need not be unfolded to be searched for a value.
        if let (Some(list), Op::Equal, Atom::Itself(sort)) = (selection.list, op, selection.atom) {
            let wanted = match scalar {
                Meaning::Text(text) if sort == Sort::STRING => Some(*text),
                Meaning::Number(number) if sort.is_number() => number.term(self.terms, sort).ok(),
                _ => None,
            };
            let is_list = matches!(
                self.terms.sort_kind(self.terms.sort_of(list)),
                SortKind::List(element) if *element == sort
            );
            if let (Some(wanted), true) = (wanted, is_list) {
                return Ok(self.terms.member(wanted, list));
            }
        }
        let mut parts = Vec::new();
        for &(there, node) in &selection.nodes {
            let content = self.content(node, selection.atom);
            let holds = self.with_scalar(op, content, selection.atom, scalar, span)?;
            parts.push(self.both(there, holds));
        }
        let any = self.terms.or(parts);
        Ok(self.if_complete(selection, any))
    }

    fn with_scalar(
        &mut self,
        op: Op,
        content: Term,
        atom: Atom,
        scalar: &Meaning,
        span: Span,
    ) -> Result<Term, Refused> {
        let is_equality = matches!(op, Op::Equal | Op::NotEqual);
        let unequal = self.terms.bool(op == Op::NotEqual);
        let Some(sort) = atom.sort() else {
            return self.refuse("a comparison of an element that holds elements", span);
        };
        match scalar {
            Meaning::Text(text) if is_equality => match (sort, self.literal(*text)) {
                (Sort::STRING, _) => Ok(self.terms.compare(op, content, *text)),
                (Sort::BOOL, Some(literal)) => match &*literal {
                    "true" | "false" => {
                        let is_true = self.terms.bool(&*literal == "true");
                        self.truths(op, content, is_true, span)
                    }
                    _ => Ok(unequal),
                },
                (_, Some(literal)) => {
                    // Values are written in one way only: `05` is the text of no number.
                    let number = read_decimal(&literal)
                        .filter(|number| decimal_text(number).as_deref() == Some(&*literal));
                    match (number, Number::of(self.terms, content)) {
                        (Some(number), Some(content)) => {
                            self.numbers(op, &content, &Number::Literal(number), sort, span)
                        }
                        _ => Ok(unequal),
                    }
                }
                (_, None) => self.refuse("a comparison of a text with a value that is none", span),
            },
            Meaning::Bool(_) | Meaning::Nodes(_) => self.refuse("this comparison", span),
            Meaning::Number(_) | Meaning::Text(_) => {
                let other = match scalar {
                    Meaning::Number(number) => number.clone(),
                    Meaning::Text(text) => self.as_number(Meaning::Text(*text), span)?,
                    Meaning::Bool(_) | Meaning::Nodes(_) => {
                        return self.refuse("this comparison", span);
                    }
                };
                match (sort, Number::of(self.terms, content)) {
                    // The text `true` is not a number.
                    (Sort::BOOL, _) => Ok(unequal),
                    (_, Some(content)) => self.numbers(op, &content, &other, sort, span),
                    _ => self.refuse("a comparison of an unknown text with a number", span),
                }
            }
        }
    }

    fn numbers(
        &mut self,
        op: Op,
        left: &Number,
        right: &Number,
        sort: Sort,
        span: Span,
    ) -> Result<Term, Refused> {
        // An integer equals no fraction.
        if let (Sort::INT, Number::Literal(value), Op::Equal | Op::NotEqual) = (sort, right, op)
            && !value.is_integer()
        {
            return Ok(self.terms.bool(op == Op::NotEqual));
        }
        let result = left.compare(self.terms, op, right);
        self.fits(result, span)
    }

    /// Whether some pair of nodes compares.
    fn pairs(
        &mut self,
        op: Op,
        one: &Selection,
        two: &Selection,
        span: Span,
    ) -> Result<Term, Refused> {
        let mut parts = Vec::new();
        for &(first_there, first) in &one.nodes {
            let first = self.content(first, one.atom);
            for &(second_there, second) in &two.nodes {
                let second = self.content(second, two.atom);
                let holds = match (one.atom.sort(), two.atom.sort()) {
                    (Some(Sort::STRING), Some(Sort::STRING))
                        if matches!(op, Op::Equal | Op::NotEqual) =>
                    {
                        self.terms.compare(op, first, second)
                    }
                    (Some(Sort::BOOL), Some(Sort::BOOL))
                        if matches!(op, Op::Equal | Op::NotEqual) =>
                    {
                        self.terms.compare(op, first, second)
                    }
                    (Some(left), Some(right)) if left.is_number() && right.is_number() => {
                        let pair = (
                            Number::of(self.terms, first),
                            Number::of(self.terms, second),
                        );
                        let (Some(left), Some(right)) = pair else {
                            return self.refuse("this comparison", span);
                        };
                        let result = left.compare(self.terms, op, &right);
                        self.fits(result, span)?
                    }
                    (Some(_), Some(_)) => {
                        return self.refuse("a comparison of nodes of different types", span);
                    }
                    _ => {
                        return self.refuse("a comparison of elements that hold elements", span);
                    }
                };
                let there = self.both(first_there, second_there);
                parts.push(self.both(there, holds));
            }
        }
        let any = self.terms.or(parts);
        let any = self.if_complete(one, any);
        Ok(self.if_complete(two, any))
    }
}
