//! When a term has a value, and what that means for guards.
//!
//! A partial operation that is undefined (a division by zero, an index outside its list) makes the guard it stands
//! in false, wherever in the guard it stands: also under `not`, also beside a true disjunct.
//! Only the branch of an `if` that is not taken is not examined.
//! [`Terms::close`] writes that rule into the formula: `close(g) = defined(g) and g`.
//! A closed formula means the same to our evaluator and to every solver, whatever value a solver gives to `x / 0`:
//! where an operation is undefined, the conjunct `defined(g)` is false.
//! Graphs are built from closed guards only.

use rustc_hash::FxHashMap;

use crate::{Op, Quantifier, Sort, Term, TermKind, Terms, Value, Var};

impl Terms {
    /// The condition under which every operation that is examined in `term` is defined.
    pub fn defined(&mut self, term: Term) -> Term {
        if !self.is_partial(term) {
            return Term::TRUE;
        }
        let mut conditions: FxHashMap<Term, Term> = FxHashMap::default();
        for subterm in self.postorder([term]) {
            let condition = if self.is_partial(subterm) {
                self.defined_here(subterm, &conditions)
            } else {
                Term::TRUE
            };
            conditions.insert(subterm, condition);
        }
        conditions[&term]
    }

    /// The guard with its definedness written out; the guard itself when nothing in it is partial.
    pub fn close(&mut self, guard: Term) -> Term {
        let defined = self.defined(guard);
        self.and([defined, guard])
    }

    /// A formula that closing does not change, and that is the same wherever it does not depend on undefined parts:
    /// each comparison `c` becomes `if defined(c) then c else false`.
    ///
    /// The negation of a closed formula is of that kind. It says `x == 0 or y div x != 1`, and closed again it would be
    /// false where `x` is 0.
    pub fn total(&mut self, formula: Term) -> Term {
        if self.defined(formula) == Term::TRUE {
            return formula;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for part in self.postorder([formula]) {
            if self.sort_of(part) != Sort::BOOL || !self.is_partial(part) {
                done.insert(part, part);
                continue;
            }
            let arguments = self.arguments(part).to_vec();
            let joins = match self.kind(part) {
                TermKind::Apply(op, _) => matches!(
                    op,
                    Op::And | Op::Or | Op::Not | Op::Implies | Op::If | Op::Equal | Op::NotEqual
                ),
                _ => false,
            };
            let is_bool = |it: &Term| self.sort_of(*it) == Sort::BOOL;
            let new = if joins && arguments.iter().all(is_bool) {
                self.rebuild(part, |argument| done[&argument])
            } else {
                // What it needs has fewer operations within each other.
                let defined = self.defined(part);
                let defined = self.total(defined);
                self.if_then_else(defined, part, Term::FALSE)
            };
            done.insert(part, new);
        }
        done[&formula]
    }

    fn defined_here(&mut self, term: Term, conditions: &FxHashMap<Term, Term>) -> Term {
        match self.kind(term) {
            TermKind::Constant(_) | TermKind::Variable(_) => Term::TRUE,
            TermKind::Quantified(_, bound, body) => {
                let bound: Vec<Var> = bound
                    .iter()
                    .filter_map(|&term| self.as_variable(term))
                    .collect();
                self.quantify(Quantifier::Forall, &bound, conditions[&body])
            }
            TermKind::Apply(Op::If, &[condition, yes, no]) => {
                let needed = self.needed(conditions[&yes], condition);
                let branches = if needed == conditions[&no] {
                    needed
                } else {
                    self.if_then_else(condition, needed, conditions[&no])
                };
                self.and([conditions[&condition], branches])
            }
            TermKind::Apply(op, arguments) => {
                let arguments = arguments.to_vec();
                let mut all: Vec<Term> = arguments
                    .iter()
                    .map(|argument| conditions[argument])
                    .collect();
                all.push(self.defined_at(op, &arguments));
                self.and(all)
            }
        }
    }

    /// What of a condition is left to ask where another is known to hold: all but the latter itself.
    fn needed(&mut self, condition: Term, known: Term) -> Term {
        match self.kind(condition) {
            _ if condition == known => Term::TRUE,
            TermKind::Apply(Op::And, parts) if parts.contains(&known) => {
                let rest: Vec<Term> = parts.iter().copied().filter(|&it| it != known).collect();
                self.and(rest)
            }
            _ => condition,
        }
    }

    /// The condition of one operator on its own.
    fn defined_at(&mut self, op: Op, arguments: &[Term]) -> Term {
        match (op, arguments) {
            (Op::Divide | Op::IntegerDivide | Op::Modulo, &[_, divisor]) => {
                let zero = match self.sort_of(divisor) {
                    Sort::REAL => self.constant(Value::Real(num_traits::Zero::zero())),
                    _ => self.int(0),
                };
                match self.value(divisor) {
                    Some(value) => {
                        let is_zero = Some(value) == self.value(zero);
                        self.bool(!is_zero)
                    }
                    None => self.not_equal(divisor, zero),
                }
            }
            (Op::Index, &[list, position]) => {
                let zero = self.int(0);
                let length = self.length(list);
                let below = self.compare(Op::Less, position, length);
                if matches!(self.value(position), Some(Value::Int(it)) if *it >= num_traits::Zero::zero())
                {
                    return below;
                }
                let from_zero = self.compare(Op::LessEqual, zero, position);
                self.and([from_zero, below])
            }
            _ => Term::TRUE,
        }
    }
}
