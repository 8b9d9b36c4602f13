//! Sums of numbers, and comparisons of them in one form.
//!
//! `m > m - k` and `k >= 1` are the same comparison of integers, and only one of them can be read.

use choros_data::{Op, Sort, Term, TermKind, Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

/// `c₁·t₁ + … + k`, with terms that are not sums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) parts: Vec<(Term, BigRational)>,
    pub(crate) constant: BigRational,
}

impl Sum {
    /// A number as a sum.
    pub(crate) fn of(term: Term, terms: &Terms) -> Sum {
        let mut sum = Sum {
            parts: Vec::new(),
            constant: BigRational::zero(),
        };
        let mut pending = vec![(term, BigRational::one())];
        while let Some((term, factor)) = pending.pop() {
            if let Some(value) = terms.value(term).and_then(number) {
                sum.constant += factor * value;
                continue;
            }
            match terms.kind(term) {
                TermKind::Apply(Op::Add, parts) => {
                    pending.extend(parts.iter().rev().map(|&it| (it, factor.clone())));
                    continue;
                }
                TermKind::Apply(Op::Subtract, &[left, right]) => {
                    pending.push((right, -factor.clone()));
                    pending.push((left, factor));
                    continue;
                }
                TermKind::Apply(Op::Negate, &[inner]) => {
                    pending.push((inner, -factor));
                    continue;
                }
                TermKind::Apply(Op::Multiply, &[left, right]) => {
                    let scaled = [(left, right), (right, left)];
                    let scaled = scaled.into_iter().find_map(|(constant, other)| {
                        Some((other, terms.value(constant).and_then(number)?))
                    });
                    if let Some((other, constant)) = scaled {
                        pending.push((other, factor * constant));
                        continue;
                    }
                }
                _ => {}
            }
            sum.add(term, factor);
        }
        sum.parts.retain(|(_, factor)| !factor.is_zero());
        sum
    }

    fn add(&mut self, term: Term, factor: BigRational) {
        match self.parts.iter_mut().find(|(known, _)| *known == term) {
            Some((_, known)) => *known += factor,
            None => self.parts.push((term, factor)),
        }
    }

    /// This sum and another one times a factor.
    pub(crate) fn plus(&self, factor: &BigRational, other: &Sum) -> Sum {
        let mut sum = self.clone();
        for (term, number) in &other.parts {
            sum.add(*term, factor * number);
        }
        sum.constant += factor * &other.constant;
        sum.parts.retain(|(_, factor)| !factor.is_zero());
        sum
    }

    /// Its value, if it has no terms.
    pub(crate) fn value(&self) -> Option<&BigRational> {
        self.parts.is_empty().then_some(&self.constant)
    }

    /// The sum as a term.
    pub(crate) fn term(&self, sort: Sort, terms: &mut Terms) -> Term {
        let mut parts: Vec<Term> = Vec::new();
        for (term, factor) in &self.parts {
            parts.push(if factor.is_one() {
                *term
            } else {
                let factor = constant(factor.clone(), sort, terms);
                terms.arithmetic(Op::Multiply, factor, *term)
            });
        }
        if parts.is_empty() || !self.constant.is_zero() {
            parts.push(constant(self.constant.clone(), sort, terms));
        }
        added(&parts, terms)
    }
}

fn number(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

/// A formula whose comparisons of sums are all in the one form.
pub(crate) fn normal(formula: Term, terms: &mut Terms) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for part in terms.postorder([formula]) {
        let new = match comparison(part, terms) {
            Some((op, sum, sort)) => compared(op, &sum, sort, terms),
            None => terms.rebuild(part, |it| done.get(&it).copied().unwrap_or(it)),
        };
        done.insert(part, new);
    }
    done.get(&formula).copied().unwrap_or(formula)
}

/// A comparison of numbers as `sum op 0`.
pub(crate) fn comparison(part: Term, terms: &Terms) -> Option<(Op, Sum, Sort)> {
    let TermKind::Apply(op, &[left, right]) = terms.kind(part) else {
        return None;
    };
    let sort = terms.sort_of(left);
    if !is_comparison(op) || !sort.is_number() || terms.is_partial(part) {
        return None;
    }
    let minus = -BigRational::one();
    let sum = Sum::of(left, terms).plus(&minus, &Sum::of(right, terms));
    Some((op, sum, sort))
}

fn is_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
    )
}

/// `sum op 0`, with what is added on the left and what is subtracted, and the constant, on the right.
pub(crate) fn compared(op: Op, sum: &Sum, sort: Sort, terms: &mut Terms) -> Term {
    if let Some(value) = sum.value() {
        let zero = BigRational::zero();
        return terms.bool(match op {
            Op::Equal => *value == zero,
            Op::NotEqual => *value != zero,
            Op::Less => *value < zero,
            Op::LessEqual => *value <= zero,
            Op::Greater => *value > zero,
            _ => *value >= zero,
        });
    }
    let mut parts = sum.parts.clone();
    // By name, so that the order in which terms were made does not show.
    parts.sort_by_cached_key(|(term, _)| (terms.as_variable(*term).is_none(), terms.print(*term)));
    // The first term is added, and the numbers have no common factor.
    let scale = scale(&parts, sort);
    let op = if scale.is_negative() {
        op.mirrored()
    } else {
        op
    };
    for (_, factor) in &mut parts {
        *factor *= &scale;
    }
    let bound = -(&sum.constant * &scale);
    let (op, bound) = match sort {
        Sort::REAL => (op, bound),
        _ => match whole(op, &bound) {
            Some(whole) => whole,
            None => return terms.bool(op == Op::NotEqual),
        },
    };
    let (op, bound) = strict(op, bound, &parts, sort);
    let side = |wanted: bool, terms: &mut Terms| -> Vec<Term> {
        let chosen = parts.iter().filter(|it| it.1.is_positive() == wanted);
        let chosen = chosen.map(|(term, factor)| {
            let factor = factor.abs();
            if factor.is_one() {
                return *term;
            }
            let factor = constant(factor, sort, terms);
            terms.arithmetic(Op::Multiply, factor, *term)
        });
        chosen.collect()
    };
    let left = side(true, terms);
    let left = added(&left, terms);
    let right = side(false, terms);
    let right = match (right.is_empty(), bound.is_zero()) {
        (true, _) => constant(bound, sort, terms),
        (false, true) => added(&right, terms),
        (false, false) => {
            let right = added(&right, terms);
            let amount = constant(bound.abs(), sort, terms);
            let op = if bound.is_positive() {
                Op::Add
            } else {
                Op::Subtract
            };
            terms.arithmetic(op, right, amount)
        }
    };
    match op {
        Op::Equal => terms.equal(left, right),
        Op::NotEqual => terms.not_equal(left, right),
        _ => terms.compare(op, left, right),
    }
}

/// What all numbers are multiplied with.
fn scale(parts: &[(Term, BigRational)], sort: Sort) -> BigRational {
    let sign = parts[0].1.signum();
    let size = if sort == Sort::REAL {
        parts[0].1.abs()
    } else {
        let common = parts.iter().fold(BigInt::zero(), |common, (_, factor)| {
            common.gcd(&factor.to_integer())
        });
        BigRational::from_integer(common)
    };
    sign / size
}

/// The comparison of a whole number; `None` where it cannot equal the bound.
fn whole(op: Op, bound: &BigRational) -> Option<(Op, BigRational)> {
    let one = BigRational::one();
    Some(match op {
        Op::Less => (Op::LessEqual, bound.ceil() - one),
        Op::LessEqual => (op, bound.floor()),
        Op::Greater => (Op::GreaterEqual, bound.floor() + one),
        Op::GreaterEqual => (op, bound.ceil()),
        _ if bound.is_integer() => (op, bound.clone()),
        _ => return None,
    })
}

/// `x < y` rather than `x <= y - 1`.
fn strict(
    op: Op,
    bound: BigRational,
    parts: &[(Term, BigRational)],
    sort: Sort,
) -> (Op, BigRational) {
    let several = parts.iter().any(|it| it.1.is_negative());
    if sort == Sort::REAL || !several {
        return (op, bound);
    }
    match op {
        Op::LessEqual if (-&bound).is_one() => (Op::Less, BigRational::zero()),
        Op::GreaterEqual if bound.is_one() => (Op::Greater, BigRational::zero()),
        _ => (op, bound),
    }
}

fn added(parts: &[Term], terms: &mut Terms) -> Term {
    match parts {
        [only] => *only,
        _ => terms.arithmetic_of_many(Op::Add, parts),
    }
}

fn constant(value: BigRational, sort: Sort, terms: &mut Terms) -> Term {
    terms.constant(match sort {
        Sort::REAL => Value::Real(value),
        _ => Value::Int(value.to_integer()),
    })
}

#[cfg(test)]
mod tests {
    use choros_data::{Op, Sort, Terms};

    use super::normal;

    #[test]
    fn comparisons_have_one_form() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|it| terms.named(it, Sort::INT));
        let (one, four) = (terms.int(1), terms.int(4));
        let difference = terms.arithmetic(Op::Subtract, x, y);
        let doubled = terms.arithmetic(Op::Add, x, x);
        let shifted = terms.arithmetic(Op::Subtract, difference, y);
        let cases = [
            // x > x - y
            (terms.compare(Op::Greater, x, difference), "y >= 1"),
            // x < x - y - y + … : x - y < y
            (terms.compare(Op::Less, difference, y), "x < 2 * y"),
            (
                terms.compare(Op::LessEqual, shifted, four),
                "x <= 2 * y + 4",
            ),
            // 2x > 1 of integers
            (terms.compare(Op::Greater, doubled, one), "x >= 1"),
            (terms.equal(doubled, one), "false"),
            (terms.not_equal(doubled, one), "true"),
            (terms.compare(Op::Less, one, doubled), "x >= 1"),
            (terms.compare(Op::GreaterEqual, y, x), "x <= y"),
        ];
        for (formula, expected) in cases {
            let found = normal(formula, &mut terms);
            assert_eq!(terms.print(found), expected, "{}", terms.print(formula));
        }
    }
}
