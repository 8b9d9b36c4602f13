//! Conjunctions that need no solver: comparisons of single variables with constants.
//!
//! Such a conjunction is a *box*: each variable has a set of allowed values of its own, and the whole is satisfiable
//! iff each of these sets is non-empty.
//! The set of a number is an interval with holes; that of another sort is one value, or all but some.
//! Most guards of real choreographies are of this kind, and deciding them here is two orders of magnitude faster than
//! asking.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashMap;

use crate::{Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};

impl Terms {
    /// Whether formulas can be true together, if all of them are comparisons of a variable with a constant.
    ///
    /// `None` means that this is no box, not that the answer is unknown in principle.
    pub fn decide_box(&self, formulas: &[Term]) -> Option<bool> {
        let mut numbers: FxHashMap<Var, Interval> = FxHashMap::default();
        let mut others: FxHashMap<Var, Choice> = FxHashMap::default();
        let mut pending: Vec<Term> = formulas.to_vec();
        while let Some(formula) = pending.pop() {
            let (op, variable, value) = match self.kind(formula) {
                TermKind::Constant(Value::Bool(true)) => continue,
                TermKind::Constant(_) => return Some(false),
                TermKind::Variable(variable) => (Op::Equal, variable, Value::Bool(true)),
                TermKind::Apply(Op::Not, &[inner]) => {
                    (Op::Equal, self.as_variable(inner)?, Value::Bool(false))
                }
                TermKind::Apply(Op::And, parts) => {
                    pending.extend_from_slice(parts);
                    continue;
                }
                TermKind::Apply(op, &[left, right]) => match self.as_variable(left) {
                    Some(variable) => (op, variable, self.value(right)?.clone()),
                    None => (
                        op.mirrored(),
                        self.as_variable(right)?,
                        self.value(left)?.clone(),
                    ),
                },
                _ => return None,
            };
            match value {
                Value::Int(value) => numbers
                    .entry(variable)
                    .or_default()
                    .restrict(op, BigRational::from_integer(value))?,
                Value::Real(value) => numbers.entry(variable).or_default().restrict(op, value)?,
                value => others.entry(variable).or_default().restrict(op, value)?,
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (&variable, interval) in &numbers {
            if interval.is_empty(self.variable_sort(variable) == Sort::INT) {
                return Some(false);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (&variable, choice) in &others {
            if choice.is_empty(self.size(self.variable_sort(variable))?) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// How many values a sort has; `None` where counting is not worth it here.
    fn size(&self, sort: Sort) -> Option<Size> {
        match self.sort_kind(sort) {
            SortKind::Bool => Some(Size::Finite(2)),
            SortKind::Enumeration { constructors, .. } => Some(Size::Finite(constructors.len())),
            SortKind::Int | SortKind::Real | SortKind::String | SortKind::Uninterpreted(_) => {
                Some(Size::Infinite)
            }
            SortKind::Record(_) | SortKind::List(_) => None,
        }
    }
}

enum Size {
    Finite(usize),
    Infinite,
}

/// Numbers between two bounds, but for some.
#[derive(Default)]
struct Interval {
    /// The bound, and whether it belongs to the interval.
    low: Option<(BigRational, bool)>,
    high: Option<(BigRational, bool)>,
    holes: BTreeSet<BigRational>,
}

impl Interval {
    fn restrict(&mut self, op: Op, number: BigRational) -> Option<()> {
        match op {
            Op::Equal => {
                self.raise(number.clone(), true);
                self.lower(number, true);
            }
            Op::NotEqual => {
                self.holes.insert(number);
            }
            Op::Less => self.lower(number, false),
            Op::LessEqual => self.lower(number, true),
            Op::Greater => self.raise(number, false),
            Op::GreaterEqual => self.raise(number, true),
            _ => return None,
        }
        Some(())
    }

    fn raise(&mut self, number: BigRational, closed: bool) {
        let tighter = self.low.as_ref().is_none_or(|(low, low_closed)| {
            number > *low || (number == *low && *low_closed && !closed)
        });
        if tighter {
            self.low = Some((number, closed));
        }
    }

    fn lower(&mut self, number: BigRational, closed: bool) {
        let tighter = self.high.as_ref().is_none_or(|(high, high_closed)| {
            number < *high || (number == *high && *high_closed && !closed)
        });
        if tighter {
            self.high = Some((number, closed));
        }
    }

    fn is_empty(&self, integral: bool) -> bool {
        let (Some((low, low_closed)), Some((high, high_closed))) = (&self.low, &self.high) else {
            // Infinitely many numbers, finitely many holes.
            return false;
        };
        if integral {
            let least = if low.is_integer() && !low_closed {
                low.to_integer() + BigInt::one()
            } else {
                low.ceil().to_integer()
            };
            let greatest = if high.is_integer() && !high_closed {
                high.to_integer() - BigInt::one()
            } else {
                high.floor().to_integer()
            };
            let from = BigRational::from_integer(least.clone());
            let to = BigRational::from_integer(greatest.clone());
            if from > to {
                return true;
            }
            let holes = self
                .holes
                .range(from..=to)
                .filter(|hole| hole.is_integer())
                .count();
            return BigInt::from(holes) > greatest - least;
        }
        match low.cmp(high) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => !(*low_closed && *high_closed) || self.holes.contains(low),
        }
    }
}

/// One value, or all but some.
#[derive(Default)]
struct Choice {
    is: Option<Value>,
    is_not: Vec<Value>,
    contradictory: bool,
}

impl Choice {
    fn restrict(&mut self, op: Op, value: Value) -> Option<()> {
        match op {
            Op::Equal => match &self.is {
                Some(known) => self.contradictory |= *known != value,
                None => self.is = Some(value),
            },
            Op::NotEqual => {
                if !self.is_not.contains(&value) {
                    self.is_not.push(value);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn is_empty(&self, size: Size) -> bool {
        if self.contradictory {
            return true;
        }
        match (&self.is, size) {
            (Some(value), _) => self.is_not.contains(value),
            (None, Size::Finite(size)) => self.is_not.len() >= size,
            (None, Size::Infinite) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;
    use crate::read_term;

    fn decide(text: &str) -> Option<bool> {
        let mut terms = Terms::new();
        let term = read_term(
            &mut terms,
            &mut SourceMap::new(),
            "test",
            text,
            &[],
            Some(Sort::BOOL),
        )
        .unwrap();
        terms.decide_box(&[term])
    }

    #[test]
    fn integers_have_no_values_between_neighbours() {
        assert_eq!(decide("x > 4 and x < 5"), Some(false));
        assert_eq!(decide("x > 4.0 and x < 5.0"), Some(true));
        assert_eq!(
            decide("x >= 4 and x <= 5 and x != 4 and 5 != x"),
            Some(false)
        );
        assert_eq!(
            decide("x >= 4 and x <= 6 and x != 4 and x != 5"),
            Some(true)
        );
        assert_eq!(decide("x >= 4.0 and x <= 4.0 and x != 4.0"), Some(false));
    }

    #[test]
    fn symbols_are_distinct_and_never_run_out() {
        assert_eq!(decide("x == OK and x == KO"), Some(false));
        assert_eq!(decide("x == OK and x != OK"), Some(false));
        assert_eq!(decide("x != OK and x != KO"), Some(true));
        assert_eq!(decide("p and not p"), Some(false));
        assert_eq!(decide("p == true and p != false"), Some(true));
    }

    #[test]
    fn what_relates_variables_is_no_box() {
        assert_eq!(decide("x < y"), None);
        assert_eq!(decide("x + 1 < 5"), None);
        assert_eq!(decide("x < 5 or x > 7"), None);
    }

    proptest::proptest! {
        /// The naive twin: try all values in and around the constants.
        #[test]
        fn agrees_with_trying_all_values(atoms in proptest::collection::vec((0..6usize, -3..4i64), 1..6)) {
            let words = ["==", "!=", "<", "<=", ">", ">="];
            let text: Vec<String> =
                atoms.iter().map(|(op, number)| format!("x {} {number}", words[*op])).collect();
            let holds = |x: i64| atoms.iter().all(|&(op, number)| match op {
                0 => x == number, 1 => x != number, 2 => x < number,
                3 => x <= number, 4 => x > number, _ => x >= number,
            });
            proptest::prop_assert_eq!(decide(&text.join(" and ")), Some((-20..20).any(holds)));
        }
    }
}
