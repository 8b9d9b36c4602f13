//! Smaller terms with the same value.
//!
//! Every rule is valid for all values of the variables *and* for every way of making partial operations total, which
//! is how solvers read `x / 0`; so a rule that holds for the solver holds for us.
//! (`t - t = 0` holds for every total reading of `t`, even where `t` is undefined for us: on closed formulas, see
//! [`Terms::close`], such places are masked.)
//! The tests of `choros-smt` prove the rules with a solver.
//!
//! Formulas come out in negation normal form: no implication, no negated comparison, numbers on the right of
//! comparisons.

mod arithmetic;
mod atoms;
mod connectives;

use crate::{Op, Sort, SortKind, Term, TermKind, Terms, Value};

impl Terms {
    /// The simplified term; results are remembered.
    pub fn simplify(&mut self, term: Term) -> Term {
        if let Some(&known) = self.simplified.get(&term) {
            return known;
        }
        for subterm in self.postorder([term]) {
            if self.simplified.contains_key(&subterm) {
                continue;
            }
            let simple = match self.kind(subterm) {
                TermKind::Constant(_) | TermKind::Variable(_) => subterm,
                TermKind::Apply(op, arguments) => {
                    let arguments: Vec<Term> = arguments
                        .iter()
                        .map(|argument| self.simplified[argument])
                        .collect();
                    self.simple_apply(op, self.sort_of(subterm), &arguments)
                }
                TermKind::Quantified(quantifier, bound, body) => {
                    let bound: Vec<_> = bound
                        .iter()
                        .filter_map(|&variable| self.as_variable(variable))
                        .collect();
                    let body = self.simplified[&body];
                    self.quantify(quantifier, &bound, body)
                }
            };
            self.simplified.insert(subterm, simple);
        }
        let result = self.simplified[&term];
        // What is simple stays as it is.
        self.simplified.insert(result, result);
        result
    }

    /// An application to simplified arguments, simplified.
    fn simple_apply(&mut self, op: Op, sort: Sort, arguments: &[Term]) -> Term {
        let plain = self.apply_checked(op, sort, arguments);
        if let TermKind::Apply(op, arguments) = self.kind(plain)
            && let Some(value) = self.fold_constants(op, plain, arguments)
        {
            return self.constant(value);
        }
        match (op, arguments) {
            (Op::Not, &[a]) => self.negation(a),
            (Op::And, _) => self.conjunction(arguments),
            (Op::Or, _) => self.disjunction(arguments),
            (Op::Implies, &[a, b]) => {
                let not_a = self.negation(a);
                self.disjunction(&[not_a, b])
            }
            (Op::If, &[condition, yes, no]) => self.simple_if(condition, yes, no),
            (
                Op::Equal
                | Op::NotEqual
                | Op::Less
                | Op::LessEqual
                | Op::Greater
                | Op::GreaterEqual,
                &[a, b],
            ) => self.simple_comparison(op, a, b),
            (Op::Add | Op::Multiply, _) => self.simple_sum_or_product(op, sort, arguments),
            (Op::Subtract, &[a, b]) => self.simple_difference(sort, a, b),
            (Op::Negate, &[a]) => match self.kind(a) {
                TermKind::Apply(Op::Negate, &[inner]) => inner,
                _ => plain,
            },
            (Op::Prefix, &[prefix, whole]) => {
                if prefix == whole || self.is_empty_text(prefix) {
                    Term::TRUE
                } else {
                    plain
                }
            }
            (Op::Contains, &[whole, part]) => {
                if part == whole || self.is_empty_text(part) {
                    Term::TRUE
                } else {
                    plain
                }
            }
            (Op::Member, &[_, list]) => match self.value(list) {
                Some(Value::List { items, .. }) if items.is_empty() => Term::FALSE,
                _ => plain,
            },
            _ => plain,
        }
    }

    fn simple_if(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        if yes == no {
            return yes;
        }
        if self.sort_of(yes) != Sort::BOOL {
            return self.if_then_else(condition, yes, no);
        }
        match (yes, no) {
            (Term::TRUE, _) => self.disjunction(&[condition, no]),
            (_, Term::FALSE) => self.conjunction(&[condition, yes]),
            (Term::FALSE, _) => {
                let negated = self.negation(condition);
                self.conjunction(&[negated, no])
            }
            (_, Term::TRUE) => {
                let negated = self.negation(condition);
                self.disjunction(&[negated, yes])
            }
            _ => self.if_then_else(condition, yes, no),
        }
    }

    fn is_empty_text(&self, term: Term) -> bool {
        matches!(self.value(term), Some(Value::String(text)) if text.is_empty())
    }

    /// Whether the values of a sort can be distinguished by their constants: two different constants never are equal.
    ///
    /// True of every sort we have; written down because a rule depends on it.
    fn constants_are_distinct(&self, sort: Sort) -> bool {
        match self.sort_kind(sort) {
            SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::String
            | SortKind::Uninterpreted(_)
            | SortKind::Enumeration { .. }
            | SortKind::Record(_)
            | SortKind::List(_) => true,
        }
    }
}
