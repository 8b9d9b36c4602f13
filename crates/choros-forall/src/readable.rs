//! Conditions as people write them.

use choros_conform::readable_condition;
use choros_data::{Assignment, Op, Sort, Term, TermKind, Terms, Value};
use choros_model::stg::Stg;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::prover::Prover;
use crate::stop::Stop;

/// An equivalent condition that people can read, proved to be one.
pub(crate) fn readable(condition: Term, stg: &Stg, prover: &mut Prover<'_>) -> Result<Term, Stop> {
    let readable = readable_condition(condition, stg, prover.terms, prover.solver)?;
    let plain = plain(readable, prover.terms);
    if plain != readable && prover.implies(plain, readable)? && prover.implies(readable, plain)? {
        return Ok(plain);
    }
    Ok(readable)
}

/// Comparisons of one integer with a number as `x >= 1` and `x <= 5`.
fn plain(formula: Term, terms: &mut Terms) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for part in terms.postorder([formula]) {
        let new = match bound(part, terms) {
            Some(bound) => bound,
            None => terms.rebuild(part, |it| done.get(&it).copied().unwrap_or(it)),
        };
        done.insert(part, new);
    }
    done.get(&formula).copied().unwrap_or(formula)
}

/// A comparison that is `x >= k` or `x <= k`; the caller proves it.
fn bound(part: Term, terms: &mut Terms) -> Option<Term> {
    let TermKind::Apply(op, &[left, right]) = terms.kind(part) else {
        return None;
    };
    if !matches!(
        op,
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
    ) {
        return None;
    }
    let &[variable] = &terms.free_variables(part)[..] else {
        return None;
    };
    if terms.variable_sort(variable) != Sort::INT {
        return None;
    }
    let difference = terms.arithmetic(Op::Subtract, left, right);
    let at = |value: i64, terms: &Terms| {
        let values: Assignment = [(variable, Value::int(value))].into_iter().collect();
        match terms.evaluate(difference, &values) {
            Ok(Value::Int(value)) => Some(value),
            _ => None,
        }
    };
    let (zero, one) = (at(0, terms)?, at(1, terms)?);
    let factor = &one - &zero;
    let one = BigInt::from(1);
    // difference = factor * x + zero, compared with 0.
    let is_above = matches!(op, Op::Greater | Op::GreaterEqual);
    let strict = BigInt::from(matches!(op, Op::Less | Op::Greater) as u8);
    let (op, number) = if factor == one {
        match is_above {
            true => (Op::GreaterEqual, strict - zero),
            false => (Op::LessEqual, -zero - strict),
        }
    } else if factor == -one {
        match is_above {
            true => (Op::LessEqual, zero - strict),
            false => (Op::GreaterEqual, zero + strict),
        }
    } else {
        return None;
    };
    let variable = terms.var(variable);
    let number = terms.constant(Value::Int(number));
    Some(terms.compare(op, variable, number))
}
