//! Checked constructors.
//!
//! They fold only what is true of every operand, defined or not: short conjunctions and disjunctions are merged into
//! those around them and freed of duplicates, truth values are absorbed unless that would lose an operand that may be undefined (such an
//! operand decides the guard it stands in, see [`Terms::close`]), and literals are negated or divided at once, so
//! that `-5` and `1.0 / 3.0` are literals.
//! Everything cleverer is the business of [`Terms::simplify`].
//!
//! Sorts are asserted: a language front end infers them first and reports what does not fit; an ill-sorted call is
//! our bug, and must stop before a solver sees it.

use choros_base::Name;
use num_traits::Zero;

use crate::{Op, Quantifier, RegularExpression, Sort, SortKind, Term, TermKind, Terms, Value, Var};

impl Terms {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// An integer literal.
    pub fn int(&mut self, value: i64) -> Term {
        self.constant(Value::int(value))
    }

    /// A string literal.
    pub fn text(&mut self, value: &str) -> Term {
        self.constant(Value::text(value))
    }

    /// The named value of an uninterpreted sort.
    pub fn atom(&mut self, sort: Sort, name: Name) -> Term {
        self.constant(Value::Atom { sort, name })
    }

    /// A variable by name and sort.
    pub fn named(&mut self, name: &str, sort: Sort) -> Term {
        let name = self.names.intern(name);
        let variable = self.variable(name, sort);
        self.var(variable)
    }

    /// Negation.
    pub fn not(&mut self, term: Term) -> Term {
        self.expect(term, Sort::BOOL);
        match self.kind(term) {
            TermKind::Constant(Value::Bool(value)) => {
                let value = !value;
                self.bool(value)
            }
            _ => self.apply(Op::Not, Sort::BOOL, &[term]),
        }
    }

    /// What holds just when a formula does not, without a `not` before a comparison: `x > 0` of `x <= 0`.
    ///
    /// Like every guard, it is false where an operation in it is undefined, once it is closed.
    pub fn complement(&mut self, term: Term) -> Term {
        match self.kind(term) {
            TermKind::Apply(Op::Not, &[inner]) => inner,
            TermKind::Apply(op, &[left, right]) => match op.opposite() {
                Some(op) => self.compare(op, left, right),
                None => self.not(term),
            },
            _ => self.not(term),
        }
    }

    /// Conjunction; *true* of none.
    pub fn and(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.connective(Op::And, terms)
    }

    /// Disjunction; *false* of none.
    pub fn or(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.connective(Op::Or, terms)
    }

    /// Implication.
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        self.expect(premise, Sort::BOOL);
        self.expect(conclusion, Sort::BOOL);
        match (premise, conclusion) {
            (Term::TRUE, _) => conclusion,
            (Term::FALSE, _) if !self.is_partial(conclusion) => Term::TRUE,
            _ => self.apply(Op::Implies, Sort::BOOL, &[premise, conclusion]),
        }
    }

    /// `if condition then yes else no`.
    pub fn if_then_else(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        self.expect(condition, Sort::BOOL);
        let sort = self.sort_of(yes);
        self.expect(no, sort);
        match condition {
            Term::TRUE => yes,
            Term::FALSE => no,
            _ => self.apply(Op::If, sort, &[condition, yes, no]),
        }
    }

    /// A comparison: equality on any sort, order on numbers.
    pub fn compare(&mut self, op: Op, left: Term, right: Term) -> Term {
        let sort = self.sort_of(left);
        self.expect(right, sort);
        match op {
            Op::Equal | Op::NotEqual => {}
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                assert!(sort.is_number(), "order is defined on numbers only");
            }
            _ => unreachable!("{op:?} is not a comparison"),
        }
        self.apply(op, Sort::BOOL, &[left, right])
    }

    pub fn equal(&mut self, left: Term, right: Term) -> Term {
        self.compare(Op::Equal, left, right)
    }

    /// Inequality.
    pub fn not_equal(&mut self, left: Term, right: Term) -> Term {
        self.compare(Op::NotEqual, left, right)
    }

    /// Sum, difference, product, quotient or remainder of two numbers of one sort.
    pub fn arithmetic(&mut self, op: Op, left: Term, right: Term) -> Term {
        let sort = self.sort_of(left);
        assert!(sort.is_number(), "arithmetic is defined on numbers only");
        self.expect(right, sort);
        match op {
            Op::Add | Op::Multiply => return self.arithmetic_of_many(op, &[left, right]),
            Op::Subtract => {}
            Op::Divide => {
                self.expect(left, Sort::REAL);
                if let (Some(Value::Real(dividend)), Some(Value::Real(divisor))) =
                    (self.value(left), self.value(right))
                    && !divisor.is_zero()
                {
                    let quotient = dividend / divisor;
                    return self.constant(Value::Real(quotient));
                }
            }
            Op::IntegerDivide | Op::Modulo => self.expect(left, Sort::INT),
            _ => unreachable!("{op:?} is not arithmetic"),
        }
        self.apply(op, sort, &[left, right])
    }

    /// Sum or product of one or more numbers of one sort.
    pub fn arithmetic_of_many(&mut self, op: Op, operands: &[Term]) -> Term {
        assert!(
            matches!(op, Op::Add | Op::Multiply),
            "{op:?} is not associative"
        );
        let sort = self.sort_of(operands[0]);
        assert!(sort.is_number(), "arithmetic is defined on numbers only");
        for &operand in operands {
            self.expect(operand, sort);
        }
        self.flattened(op, sort, operands)
    }

    /// Arithmetic negation.
    pub fn negate(&mut self, term: Term) -> Term {
        let sort = self.sort_of(term);
        assert!(sort.is_number(), "arithmetic is defined on numbers only");
        // A chain of signs is no deeper than one: brackets of its printed form would be.
        if let TermKind::Apply(Op::Negate, &[inner]) = self.kind(term) {
            return inner;
        }
        match self.value(term) {
            Some(Value::Int(value)) => {
                let value = -value;
                self.constant(Value::Int(value))
            }
            Some(Value::Real(value)) => {
                let value = -value;
                self.constant(Value::Real(value))
            }
            _ => self.apply(Op::Negate, sort, &[term]),
        }
    }

    /// Length of a string or list.
    pub fn length(&mut self, term: Term) -> Term {
        self.expect_sequence(term);
        self.apply(Op::Length, Sort::INT, &[term])
    }

    /// Concatenation of one or more strings, or lists of one sort.
    pub fn concat(&mut self, operands: &[Term]) -> Term {
        self.expect_sequence(operands[0]);
        let sort = self.sort_of(operands[0]);
        for &operand in operands {
            self.expect(operand, sort);
        }
        self.flattened(Op::Concat, sort, operands)
    }

    /// Whether string `prefix` begins string `whole`.
    pub fn prefix(&mut self, prefix: Term, whole: Term) -> Term {
        self.expect(prefix, Sort::STRING);
        self.expect(whole, Sort::STRING);
        self.apply(Op::Prefix, Sort::BOOL, &[prefix, whole])
    }

    /// Whether string `part` occurs in string `whole`.
    pub fn contains(&mut self, whole: Term, part: Term) -> Term {
        self.expect(part, Sort::STRING);
        self.expect(whole, Sort::STRING);
        self.apply(Op::Contains, Sort::BOOL, &[whole, part])
    }

    /// Whether string `text` is one of a regular expression.
    pub fn matches(&mut self, text: Term, expression: &RegularExpression) -> Term {
        self.expect(text, Sort::STRING);
        let expression = self.constant(Value::text(expression.to_string()));
        self.apply(Op::Matches, Sort::BOOL, &[text, expression])
    }

    /// Whether `item` is an element of `list`.
    pub fn member(&mut self, item: Term, list: Term) -> Term {
        let element = self.element_sort(list);
        self.expect(item, element);
        self.apply(Op::Member, Sort::BOOL, &[item, list])
    }

    /// Element of `list` at `position`, counted from 0.
    pub fn index(&mut self, list: Term, position: Term) -> Term {
        let element = self.element_sort(list);
        self.expect(position, Sort::INT);
        self.apply(Op::Index, element, &[list, position])
    }

    /// Field of a record by label; `None` when the record has no such field.
    pub fn field(&mut self, record: Term, label: Name) -> Option<Term> {
        let SortKind::Record(fields) = self.sort_kind(self.sort_of(record)) else {
            return None;
        };
        let position = fields.iter().position(|&(name, _)| name == label)?;
        let sort = fields[position].1;
        Some(self.apply(Op::Field(position as u32), sort, &[record]))
    }

    /// A record from its fields, in the order of `sort`.
    pub fn record(&mut self, sort: Sort, fields: &[Term]) -> Term {
        let SortKind::Record(expected) = self.sort_kind(sort) else {
            panic!("not a record sort");
        };
        assert_eq!(expected.len(), fields.len(), "a record has all its fields");
        for (&(_, sort), &field) in expected.iter().zip(fields) {
            self.expect(field, sort);
        }
        match self.values_of(fields) {
            Some(fields) => self.constant(Value::Record { sort, fields }),
            None => self.apply(Op::MakeRecord, sort, fields),
        }
    }

    /// A list from its elements; `sort` is the sort of the list.
    pub fn list(&mut self, sort: Sort, items: &[Term]) -> Term {
        let SortKind::List(element) = *self.sort_kind(sort) else {
            panic!("not a list sort");
        };
        for &item in items {
            self.expect(item, element);
        }
        match self.values_of(items) {
            Some(items) => self.constant(Value::List { sort, items }),
            None => self.apply(Op::MakeList, sort, items),
        }
    }

    /// A quantified formula; the body itself when nothing is bound or it does not speak of what is bound.
    pub fn quantify(&mut self, quantifier: Quantifier, bound: &[Var], body: Term) -> Term {
        self.expect(body, Sort::BOOL);
        let free = self.free_variables(body);
        let mut arguments: Vec<Term> = Vec::with_capacity(bound.len() + 1);
        for &variable in bound {
            if free.contains(&variable) {
                let variable = self.var(variable);
                if !arguments.contains(&variable) {
                    arguments.push(variable);
                }
            }
        }
        if arguments.is_empty() {
            return body;
        }
        arguments.push(body);
        self.quantified(quantifier, &arguments)
    }

    /// The element sort of a list term.
    fn element_sort(&self, list: Term) -> Sort {
        match self.sort_kind(self.sort_of(list)) {
            SortKind::List(element) => *element,
            other => panic!("a list was expected, not {other:?}"),
        }
    }

    fn values_of(&self, terms: &[Term]) -> Option<Vec<Value>> {
        terms
            .iter()
            .map(|&term| self.value(term).cloned())
            .collect()
    }

    fn connective(&mut self, op: Op, terms: impl IntoIterator<Item = Term>) -> Term {
        let (neutral, absorbing) = match op {
            Op::And => (Term::TRUE, Term::FALSE),
            _ => (Term::FALSE, Term::TRUE),
        };
        let mut operands: Vec<Term> = Vec::new();
        for term in terms {
            self.expect(term, Sort::BOOL);
            match self.kind(term) {
                TermKind::Apply(inner, arguments)
                    if inner == op && arguments.len() <= MAX_MERGED =>
                {
                    operands.extend_from_slice(arguments);
                }
                _ if term == neutral => {}
                _ => operands.push(term),
            }
        }
        if operands.contains(&absorbing) && !operands.iter().any(|&term| self.is_partial(term)) {
            return absorbing;
        }
        keep_first_occurrences(&mut operands);
        match operands[..] {
            [] => neutral,
            [only] => only,
            _ => self.apply(op, Sort::BOOL, &operands),
        }
    }

    /// An associative operation with nested occurrences of itself merged; a single operand stands for itself.
    fn flattened(&mut self, op: Op, sort: Sort, terms: &[Term]) -> Term {
        let mut operands: Vec<Term> = Vec::with_capacity(terms.len());
        for &term in terms {
            match self.kind(term) {
                TermKind::Apply(inner, arguments)
                    if inner == op && arguments.len() <= MAX_MERGED =>
                {
                    operands.extend_from_slice(arguments);
                }
                _ => operands.push(term),
            }
        }
        match operands[..] {
            [only] => only,
            _ => self.apply(op, sort, &operands),
        }
    }

    #[track_caller]
    fn expect(&self, term: Term, sort: Sort) {
        assert!(
            self.sort_of(term) == sort,
            "expected {}, not {}",
            self.sort_text(sort),
            self.sort_text(self.sort_of(term)),
        );
    }

    #[track_caller]
    fn expect_sequence(&self, term: Term) {
        let sort = self.sort_of(term);
        assert!(
            sort == Sort::STRING || matches!(self.sort_kind(sort), SortKind::List(_)),
            "a string or list was expected, not {}",
            self.sort_text(sort),
        );
    }
}

/// A nested operation with more operands than this is left nested: merging it again and again, one operand at a time,
/// would take quadratic time and memory.
const MAX_MERGED: usize = 64;

/// Removes later duplicates; linear, because conjunctions of whole paths pass through here.
fn keep_first_occurrences(terms: &mut Vec<Term>) {
    if terms.len() <= 8 {
        let mut kept = 0;
        for index in 0..terms.len() {
            if !terms[..kept].contains(&terms[index]) {
                terms[kept] = terms[index];
                kept += 1;
            }
        }
        terms.truncate(kept);
    } else {
        let mut seen = rustc_hash::FxHashSet::default();
        terms.retain(|&term| seen.insert(term));
    }
}
