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
    if let Some(single) = single(plain, prover)? {
        return Ok(single);
    }
    if plain != readable && prover.implies(plain, readable)? && prover.implies(readable, plain)? {
        return Ok(plain);
    }
    Ok(readable)
}

/// One comparison of one integer that is equivalent, if the constants of the condition suggest one.
fn single(condition: Term, prover: &mut Prover<'_>) -> Result<Option<Term>, Stop> {
    let &[variable] = &prover.terms.free_variables(condition)[..] else {
        return Ok(None);
    };
    if prover.terms.variable_sort(variable) != Sort::INT {
        return Ok(None);
    }
    let mut numbers: Vec<BigInt> = Vec::new();
    let parts = prover.terms.postorder([condition]);
    for part in parts {
        if let Some(Value::Int(value)) = prover.terms.value(part)
            && !numbers.contains(value)
        {
            numbers.push(value.clone());
        }
    }
    if !(2..=MAX_NUMBERS).contains(&numbers.len()) {
        return Ok(None);
    }
    let variable = prover.terms.var(variable);
    for number in numbers {
        let number = prover.terms.constant(Value::Int(number));
        for op in [Op::GreaterEqual, Op::LessEqual, Op::NotEqual] {
            let candidate = prover.terms.compare(op, variable, number);
            if prover.implies(candidate, condition)? && prover.implies(condition, candidate)? {
                return Ok(Some(candidate));
            }
        }
    }
    Ok(None)
}

/// Conditions with more numbers than this are left as they are.
const MAX_NUMBERS: usize = 8;

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
        if is_above {
            (Op::GreaterEqual, strict - zero)
        } else {
            (Op::LessEqual, -zero - strict)
        }
    } else if factor == -one {
        if is_above {
            (Op::LessEqual, zero - strict)
        } else {
            (Op::GreaterEqual, zero + strict)
        }
    } else {
        return None;
    };
    let variable = terms.var(variable);
    let number = terms.constant(Value::Int(number));
    Some(terms.compare(op, variable, number))
}
