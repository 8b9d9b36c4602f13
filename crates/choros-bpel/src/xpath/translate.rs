//! From expressions to terms.
//!
//! Nodes become a list of terms, each with the condition under which it is there.
//! Lists that may be longer than [`UNFOLDED`] are unfolded that far, and what was translated from them is *undefined*
//! beyond: a guard with it is false then, never wrong.
//! Where a list is only counted, or searched for a value, or asked for one position, nothing needs unfolding.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::{Diagnostic, Span};
use choros_data::{Op, Sort, SortKind, Term, Terms, Value};
use num_rational::BigRational;
use num_traits::Zero;

use super::code::{Atom, Code, CodeKind, Function, Nodes, Predicate, Root, Step};
use super::number::{Misfit, Number};
use crate::diagnostics::{inexpressible, xpath_variable};
use crate::schema::{UNFOLDED, decimal_text, field_at, read_decimal};

/// Why something has no term.
pub(super) type Refused = Box<Diagnostic>;

/// Translates with the terms of variables.
pub(super) struct Translator<'t> {
    pub(super) terms: &'t mut Terms,
    pub(super) variables: &'t BTreeMap<Arc<str>, Term>,
}

/// The node that is looked at, its position and the number of nodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Here {
    node: Option<Term>,
    position: Option<Term>,
    last: Option<Term>,
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

/// Nodes as terms.
pub(super) struct Selection {
    /// Each with the condition under which it is there; its term may be undefined otherwise.
    pub(super) nodes: Vec<(Term, Term)>,
    /// The condition under which these are all.
    complete: Term,
    atom: Atom,
    /// The list whose elements they are, all of them and in order, if they are.
    list: Option<Term>,
}

impl Translator<'_> {
    fn refuse<T>(&self, what: &str, span: Span) -> Result<T, Refused> {
        Err(Box::new(inexpressible::diagnostic(what, span)))
    }

    fn fits<T>(&self, result: Result<T, Misfit>, span: Span) -> Result<T, Refused> {
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

    fn content(&mut self, node: Term, atom: Atom) -> Term {
        match atom {
            Atom::Field(position, _) => field_at(self.terms, node, position),
            Atom::Itself(_) | Atom::Nothing => node,
        }
    }

    // --- nodes ---

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

    fn step(&mut self, selection: &mut Selection, step: &Step) -> Result<(), Refused> {
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
        step: &Step,
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
                            // Behind another predicate, positions are no longer those of the list.
                            _ => Here {
                                node: Some(item),
                                ..Here::default()
                            },
                        };
                        self.condition(code, around)?
                    }
                    Predicate::Position(_) | Predicate::Last => {
                        return self.refuse("a position behind another predicate", span);
                    }
                };
                there = self.both(there, kept);
            }
            items.push((there, item));
        }
        Ok((items, complete))
    }

    /// `first and second`, where the second need not be defined when the first is false.
    fn both(&mut self, first: Term, second: Term) -> Term {
        match second {
            Term::TRUE => first,
            _ => self.terms.if_then_else(first, second, Term::FALSE),
        }
    }

    /// What has no value: an element of the empty list.
    fn undefined(&mut self, sort: Sort) -> Term {
        let sort = self.terms.list_sort(sort);
        let (empty, zero) = (self.terms.list(sort, &[]), self.terms.int(0));
        self.terms.index(empty, zero)
    }

    /// What was found out about nodes, undefined when they are not all there are.
    fn if_complete(&mut self, selection: &Selection, value: Term) -> Term {
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

    /// The text of the first node; `otherwise` is what there is when there is none.
    fn first(&mut self, selection: &Selection, otherwise: Term) -> Term {
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
            let value = match is_text {
                true => self.content(node, selection.atom),
                false => node,
            };
            result = self.terms.if_then_else(there, value, result);
        }
        match selection.list {
            Some(_) => result,
            None => self.if_complete(selection, result),
        }
    }

    // --- conversions ---

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

    // --- comparisons ---

    fn compare(
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

    // --- functions ---

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
