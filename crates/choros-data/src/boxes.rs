//! Conjunctions that need no solver: comparisons of single variables with constants, and variables that are equal.
//!
//! Such a conjunction is a *box*: each variable has a set of allowed values of its own, and the whole is satisfiable
//! iff each of these sets is non-empty.
//! Equal variables share one set.
//! The set of a number is an interval with holes; that of another sort is one value, or all but some.
//! Most guards of real choreographies are of this kind, and deciding them here is two orders of magnitude faster than
//! asking.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use crate::{Assignment, Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};

impl Terms {
    /// Whether formulas can be true together, if all of them are comparisons of a variable with a constant, or say that
    /// two variables are equal.
    ///
    /// `None` means that this is not a box, not that the answer is unknown in principle.
    pub fn decide_box(&self, formulas: &[Term]) -> Option<bool> {
        let Some(sides) = self.sides(formulas)? else {
            return Some(false);
        };
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (&variable, interval) in &sides.numbers {
            if interval.is_empty(self.variable_sort(variable) == Sort::INT) {
                return Some(false);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (&variable, choice) in &sides.others {
            if choice.is_empty(self.size(self.variable_sort(variable))?) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Values that make formulas true together, numbers near to zero; `None` if there are none, or this is not a box, or
    /// values of a sort are not to be had here: [`Terms::decide_box`] tells. None either where variables are equal or a
    /// comparison is negated: a solver's values are as good, and reports have shown them.
    pub fn solve_box(&self, formulas: &[Term]) -> Option<Assignment> {
        let sides = self.sides(formulas)?.filter(|it| it.is_plain)?;
        let mut solution = Assignment::default();
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (&variable, interval) in &sides.numbers {
            let is_integral = self.variable_sort(variable) == Sort::INT;
            let number = interval.nearest(is_integral)?;
            let value = if is_integral {
                Value::Int(number.to_integer())
            } else {
                Value::Real(number)
            };
            solution.insert(variable, value);
        }
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (&variable, choice) in &sides.others {
            let sort = self.variable_sort(variable);
            solution.insert(variable, choice.first(sort, self.size(sort)?, self)?);
        }
        Some(solution)
    }

    /// The sides of a box; `Some(None)` if a formula is plainly false, `None` if it is not a box.
    fn sides(&self, formulas: &[Term]) -> Option<Option<Sides>> {
        let mut atoms: Vec<(Op, Var, Value)> = Vec::new();
        let mut equal = EqualVariables::default();
        let mut is_plain = true;
        let mut pending: Vec<Term> = formulas.to_vec();
        while let Some(formula) = pending.pop() {
            if let Some((left, right)) = self.equal_variables(formula) {
                equal.join(left, right);
                is_plain = false;
                continue;
            }
            match self.kind(formula) {
                TermKind::Constant(Value::Bool(true)) => {}
                TermKind::Constant(_) => return Some(None),
                TermKind::Apply(Op::And, parts) => pending.extend_from_slice(parts),
                TermKind::Apply(Op::Not, &[inner]) if self.as_variable(inner).is_none() => {
                    let (op, variable, value) = self.comparison_with_value(inner)?;
                    atoms.push((op.opposite()?, variable, value));
                    is_plain = false;
                }
                _ => atoms.push(self.comparison_with_value(formula)?),
            }
        }
        let mut sides = Sides {
            is_plain,
            ..Sides::default()
        };
        for (op, variable, value) in atoms {
            let variable = equal.first(variable);
            match value {
                Value::Int(value) => sides
                    .numbers
                    .entry(variable)
                    .or_default()
                    .restrict(op, BigRational::from_integer(value))?,
                Value::Real(value) => sides
                    .numbers
                    .entry(variable)
                    .or_default()
                    .restrict(op, value)?,
                value => sides
                    .others
                    .entry(variable)
                    .or_default()
                    .restrict(op, value)?,
            }
        }
        Some(Some(sides))
    }

    /// The sides of an equation between two variables.
    fn equal_variables(&self, formula: Term) -> Option<(Var, Var)> {
        match self.kind(formula) {
            TermKind::Apply(Op::Equal, &[left, right]) => {
                self.as_variable(left).zip(self.as_variable(right))
            }
            _ => None,
        }
    }

    /// A comparison of a variable with a constant, or a variable that is itself true or false.
    fn comparison_with_value(&self, formula: Term) -> Option<(Op, Var, Value)> {
        match self.kind(formula) {
            TermKind::Variable(variable) => Some((Op::Equal, variable, Value::Bool(true))),
            TermKind::Apply(Op::Not, &[inner]) => {
                Some((Op::Equal, self.as_variable(inner)?, Value::Bool(false)))
            }
            TermKind::Apply(op, &[left, right]) => match self.as_variable(left) {
                Some(variable) => Some((op, variable, self.value(right)?.clone())),
                None => {
                    let variable = self.as_variable(right)?;
                    Some((op.mirrored(), variable, self.value(left)?.clone()))
                }
            },
            _ => None,
        }
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

/// What each variable may be.
#[derive(Default)]
struct Sides {
    /// Whether no variables are equal and nothing is negated.
    is_plain: bool,
    numbers: FxHashMap<Var, Interval>,
    others: FxHashMap<Var, Choice>,
}

/// Variables that are equal to others; there are few.
#[derive(Default)]
struct EqualVariables(Vec<(Var, Var)>);

impl EqualVariables {
    /// The variable that stands for all that are equal to this one.
    fn first(&self, variable: Var) -> Var {
        let known = self.0.iter().find(|(it, _)| *it == variable);
        known.map_or(variable, |&(_, first)| first)
    }

    fn join(&mut self, left: Var, right: Var) {
        let (kept, gone) = (self.first(left), self.first(right));
        if kept != gone {
            for (_, first) in self.0.iter_mut().filter(|(_, it)| *it == gone) {
                *first = kept;
            }
            self.0.push((gone, kept));
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
            let least = least(low, *low_closed);
            let greatest = greatest(high, *high_closed);
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

    fn holds(&self, number: &BigRational) -> bool {
        let above = self
            .low
            .as_ref()
            .is_none_or(|(low, closed)| if *closed { number >= low } else { number > low });
        let below = self.high.as_ref().is_none_or(|(high, closed)| {
            if *closed {
                number <= high
            } else {
                number < high
            }
        });
        above && below && !self.holes.contains(number)
    }

    /// A number in it: an integer near to zero, or one not far from it where only fractions are left.
    fn nearest(&self, integral: bool) -> Option<BigRational> {
        let mut start = BigInt::zero();
        if let Some((low, closed)) = &self.low {
            start = start.max(least(low, *closed));
        }
        if let Some((high, closed)) = &self.high {
            start = start.min(greatest(high, *closed));
        }
        // Each integer that does not do is a hole, or beyond the other bound.
        for distance in 0..=self.holes.len() + 1 {
            for number in [&start + distance, &start - distance] {
                let number = BigRational::from_integer(number);
                if self.holds(&number) {
                    return Some(number);
                }
            }
        }
        let (Some((low, _)), Some((high, _)), false) = (&self.low, &self.high, integral) else {
            return None;
        };
        if self.holds(low) {
            return Some(low.clone());
        }
        if self.holds(high) {
            return Some(high.clone());
        }
        // More points between the bounds than holes.
        let parts = BigInt::from(self.holes.len() + 2);
        (1..=self.holes.len() + 1)
            .map(|part| low + (high - low) * BigRational::new(BigInt::from(part), parts.clone()))
            .find(|number| self.holds(number))
    }
}

/// The least integer above a bound.
fn least(low: &BigRational, closed: bool) -> BigInt {
    if low.is_integer() && !closed {
        low.to_integer() + BigInt::one()
    } else {
        low.ceil().to_integer()
    }
}

/// The greatest integer below a bound.
fn greatest(high: &BigRational, closed: bool) -> BigInt {
    if high.is_integer() && !closed {
        high.to_integer() - BigInt::one()
    } else {
        high.floor().to_integer()
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

    /// A value that it leaves; of sorts without end only what is named.
    fn first(&self, sort: Sort, size: Size, terms: &Terms) -> Option<Value> {
        if self.is_empty(size) {
            return None;
        }
        if let Some(value) = &self.is {
            return Some(value.clone());
        }
        let is_left = |value: &Value| !self.is_not.contains(value);
        match terms.sort_kind(sort) {
            SortKind::Bool => [false, true].map(Value::Bool).into_iter().find(is_left),
            SortKind::String => (0..=self.is_not.len())
                .map(|length| Value::text("a".repeat(length)))
                .find(is_left),
            SortKind::Enumeration { constructors, .. } => (0..constructors.len() as u32)
                .map(|index| Value::Constructor { sort, index })
                .find(is_left),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;
    use crate::read_term;

    /// The answer; where it is *yes*, with values that were checked, unless the sort has no end.
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
        let answer = terms.decide_box(&[term]);
        match terms.solve_box(&[term]) {
            Some(values) => {
                assert_eq!(answer, Some(true), "{text}");
                assert_eq!(terms.evaluate_guard(term, &values), Ok(true), "{text}");
            }
            None => assert!(
                answer != Some(true) || text.contains("OK"),
                "no values of {text}"
            ),
        }
        answer
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
        assert_eq!(decide("not p"), Some(true));
        assert_eq!(decide("s != \"\" and s != \"a\""), Some(true));
    }

    #[test]
    fn equal_variables_share_their_values() {
        let decided = |text| {
            let mut terms = Terms::new();
            let mut sources = SourceMap::new();
            let term = read_term(
                &mut terms,
                &mut sources,
                "test",
                text,
                &[],
                Some(Sort::BOOL),
            );
            let term = term.unwrap();
            // Values are a solver's matter then.
            assert!(terms.solve_box(&[term]).is_none(), "{text}");
            terms.decide_box(&[term])
        };
        assert_eq!(decided("x == y and x < 5 and y > 4"), Some(false));
        assert_eq!(decided("x == y and x < 5 and y > 3"), Some(true));
        assert_eq!(
            decided("x < 1 and x == y and y == z and z > 1"),
            Some(false)
        );
        assert_eq!(
            decided("x == y and z == v and y == z and x == OK and v == KO"),
            Some(false)
        );
        assert_eq!(decided("x == y and y == x and x != OK"), Some(true));
        assert_eq!(decided("not x < 5 and x < 6"), Some(true));
        assert_eq!(decided("not x < 5 and x == y and not y > 4"), Some(false));
        assert_eq!(decided("not x == OK and x == y and y == OK"), Some(false));
        assert_eq!(decided("x == y and not x < y"), None);
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

        /// Two variables, equal or not, and negations, by trying all pairs.
        #[test]
        fn agrees_with_trying_all_pairs(
            atoms in proptest::collection::vec((0..6usize, -3..4i64, 0..4usize), 1..6),
            equal in proptest::bool::ANY,
        ) {
            let words = ["==", "!=", "<", "<=", ">", ">="];
            let mut text: Vec<String> = atoms
                .iter()
                .map(|(op, number, form)| {
                    let (not, variable) = (["", "not "][form / 2], ["x", "y"][form % 2]);
                    format!("{not}{variable} {} {number}", words[*op])
                })
                .collect();
            text.extend(equal.then(|| "x == y".to_owned()));
            let holds = |pair: [i64; 2]| atoms.iter().all(|&(op, number, form)| {
                let it = pair[form % 2];
                let holds = match op {
                    0 => it == number, 1 => it != number, 2 => it < number,
                    3 => it <= number, 4 => it > number, _ => it >= number,
                };
                holds != (form >= 2)
            }) && (!equal || pair[0] == pair[1]);
            let expected = (-20..20).any(|x| (-20..20).any(|y| holds([x, y])));
            let mut terms = Terms::new();
            let text = text.join(" and ");
            let term = read_term(&mut terms, &mut SourceMap::new(), "test", &text, &[], Some(Sort::BOOL));
            proptest::prop_assert_eq!(terms.decide_box(&[term.unwrap()]), Some(expected), "{}", text);
        }

        /// Fractions lie between any two bounds; halves are enough to try.
        #[test]
        fn agrees_with_trying_all_halves(atoms in proptest::collection::vec((0..6usize, -3..4i64), 1..6)) {
            let words = ["==", "!=", "<", "<=", ">", ">="];
            let text: Vec<String> =
                atoms.iter().map(|(op, number)| format!("x {} {number}.0", words[*op])).collect();
            let holds = |half: i64| atoms.iter().all(|&(op, number)| match op {
                0 => half == 2 * number, 1 => half != 2 * number, 2 => half < 2 * number,
                3 => half <= 2 * number, 4 => half > 2 * number, _ => half >= 2 * number,
            });
            proptest::prop_assert_eq!(decide(&text.join(" and ")), Some((-40..40).any(holds)));
        }
    }
}
