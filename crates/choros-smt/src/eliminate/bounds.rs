//! Fourier and Motzkin's rule: some number lies between bounds just when every lower bound lies below every upper one.
//!
//! Exact on Real, which is dense, and on Int when the bounds themselves are integers, to which they are rounded.

use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::linear::{Linear, zero};

/// More pairs than this are left to the solver.
const MAX_PAIRS: usize = 64;

struct Bound {
    term: Term,
    strict: bool,
}

/// What is left of conjuncts that all bound the variable, and witnesses; `None` when they do something else with it.
pub(super) fn combine(
    terms: &mut Terms,
    variable: Var,
    conjuncts: &[Term],
    witnesses: &mut Vec<Term>,
) -> Option<Vec<Term>> {
    let sort = terms.variable_sort(variable);
    let mut lower = Vec::new();
    let mut upper = Vec::new();
    let mut rest = Vec::new();
    for &conjunct in conjuncts {
        let (op, left, right) = match terms.kind(conjunct) {
            TermKind::Apply(
                op @ (Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual),
                &[left, right],
            ) => (op, left, right),
            _ => return None,
        };
        let difference = Linear::difference(terms, left, right, variable)?;
        if difference.coefficient.is_zero() {
            // The variable cancels out.
            let one = num_traits::One::one();
            let sum = difference.without_variable(terms, sort, &one);
            let zero = zero(terms, sort);
            rest.push(terms.compare(op, sum, zero));
            continue;
        }
        let root = difference.root(terms, sort)?;
        let below = matches!(op, Op::Less | Op::LessEqual) == difference.coefficient.is_positive();
        let strict = matches!(op, Op::Less | Op::Greater);
        let bound = match root.exact() {
            Some(term) => Bound { term, strict },
            // Rounded towards the inside; `x < t/d` is `x <= ceiling(t/d) - 1`, that is `x < ceiling(t/d)`.
            None => Bound {
                term: if below == strict {
                    root.ceiling(terms)
                } else {
                    root.floor(terms)
                },
                strict,
            },
        };
        if below {
            upper.push(bound)
        } else {
            lower.push(bound)
        }
    }
    if lower.len() * upper.len() > MAX_PAIRS {
        return None;
    }
    for low in &lower {
        for high in &upper {
            let condition = between(terms, sort, low, high);
            rest.push(terms.simplify(condition));
        }
    }
    witnesses.extend(between_all(terms, sort, &lower, &upper));
    Some(rest)
}

/// Terms of which one lies between all bounds, if anything does: next to a bound, or in the middle of two.
fn between_all(terms: &mut Terms, sort: Sort, lower: &[Bound], upper: &[Bound]) -> Vec<Term> {
    if sort == Sort::REAL && !lower.is_empty() && !upper.is_empty() {
        let half = real(terms, 1, 2);
        let mut middles = Vec::new();
        for low in lower {
            for high in upper {
                let sum = terms.arithmetic(Op::Add, low.term, high.term);
                middles.push(terms.arithmetic(Op::Multiply, half, sum));
            }
        }
        return middles;
    }
    let one = match sort {
        Sort::REAL => real(terms, 1, 1),
        _ => terms.int(1),
    };
    let (bounds, op) = if lower.is_empty() {
        (upper, Op::Subtract)
    } else {
        (lower, Op::Add)
    };
    bounds
        .iter()
        .map(|bound| {
            if bound.strict || sort == Sort::REAL {
                terms.arithmetic(op, bound.term, one)
            } else {
                bound.term
            }
        })
        .collect()
}

fn real(terms: &mut Terms, numerator: i64, denominator: i64) -> Term {
    let number = BigRational::new(numerator.into(), denominator.into());
    terms.constant(Value::Real(number))
}

/// Whether some number lies between the two.
fn between(terms: &mut Terms, sort: Sort, low: &Bound, high: &Bound) -> Term {
    if sort == Sort::REAL {
        let op = if low.strict || high.strict {
            Op::Less
        } else {
            Op::LessEqual
        };
        return terms.compare(op, low.term, high.term);
    }
    // Between two integers that are both excluded there is one only when they are two apart.
    let excluded = i64::from(low.strict) + i64::from(high.strict);
    let excluded = terms.int(excluded);
    let least = terms.arithmetic(Op::Add, low.term, excluded);
    terms.compare(Op::LessEqual, least, high.term)
}
