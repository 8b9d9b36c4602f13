//! When a step decreases a rank.

use choros_data::{Op, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::graph::Values;
use super::proof::RankPart;

/// When a step from one place to another decreases a tuple: for some part, all before it do not grow, and it decreases.
///
/// A number decreases if it is at least 0 and falls by at least 1; what is undefined does not.
pub(super) fn decrease(
    rank: &[RankPart],
    from: u32,
    to: u32,
    after: &Values,
    terms: &mut Terms,
) -> Term {
    let mut ways = Vec::new();
    let mut so_far = Term::TRUE;
    for part in rank {
        let (falls, stays) = part_falls(part, from, to, after, terms);
        ways.push(terms.and([so_far, falls]));
        so_far = terms.and([so_far, stays]);
    }
    terms.or(ways)
}

/// When no part of a tuple grows with a step.
pub(super) fn stays(
    rank: &[RankPart],
    from: u32,
    to: u32,
    after: &Values,
    terms: &mut Terms,
) -> Term {
    let parts = rank.iter();
    let stays: Vec<Term> = parts
        .map(|part| part_falls(part, from, to, after, terms).1)
        .collect();
    terms.and(stays)
}

/// When a part decreases, and when it does not grow.
fn part_falls(
    part: &RankPart,
    from: u32,
    to: u32,
    after: &Values,
    terms: &mut Terms,
) -> (Term, Term) {
    match part {
        RankPart::Number(before) => {
            let one = number(1, terms.sort_of(*before), terms);
            number_falls(*before, one, after, terms)
        }
        RankPart::Falling(before, by) => number_falls(*before, *by, after, terms),
        RankPart::Places(places) => match (places.get(&from), places.get(&to)) {
            (Some(from), Some(to)) => (terms.bool(to < from), terms.bool(to <= from)),
            _ => (Term::FALSE, Term::FALSE),
        },
    }
}

fn number_falls(before: Term, by: Term, after: &Values, terms: &mut Terms) -> (Term, Term) {
    let later = terms.substitute(before, after);
    let sort = terms.sort_of(before);
    let zero = number(0, sort, terms);
    let defined = [before, later, by].map(|it| terms.defined(it));
    let defined = terms.and(defined);
    let not_negative = terms.compare(Op::GreaterEqual, before, zero);
    let positive = terms.compare(Op::Greater, by, zero);
    let less = terms.arithmetic(Op::Subtract, before, by);
    let falls = terms.compare(Op::LessEqual, later, less);
    let stays = terms.compare(Op::LessEqual, later, before);
    let falls = terms.and([defined, positive, not_negative, falls]);
    (falls, terms.and([defined, stays]))
}

fn number(value: i64, sort: Sort, terms: &mut Terms) -> Term {
    match sort {
        Sort::REAL => terms.constant(Value::Real(BigRational::from_integer(BigInt::from(value)))),
        _ => terms.int(value),
    }
}
