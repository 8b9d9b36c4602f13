//! Conditions as people write them.

use choros_conform::readable_condition;
use choros_data::{Op, Sort, Term, TermKind, Terms, Value};
use choros_model::stg::Stg;
use num_bigint::BigInt;

use crate::linear::{compared, comparison, normal};
use crate::prover::Prover;
use crate::stop::Stop;

/// Conditions with more numbers than this are left as they are.
const MAX_NUMBERS: usize = 8;
/// More comparisons than this are not tried as parts of a condition.
const MAX_LITERALS: usize = 40;
/// What is known on one side is printed up to this many characters.
const MAX_LINE: usize = 120;

/// An equivalent condition that people can read, proved to be one.
pub(crate) fn readable(condition: Term, stg: &Stg, prover: &mut Prover<'_>) -> Result<Term, Stop> {
    let found = shortened(condition, stg, prover)?;
    // Read as a guard it is closed.
    let defined = prover.terms.defined(found);
    if prover.implies(found, defined)? {
        return Ok(found);
    }
    Ok(prover.terms.total(found))
}

fn shortened(condition: Term, stg: &Stg, prover: &mut Prover<'_>) -> Result<Term, Stop> {
    let mut best = readable_condition(condition, stg, prover.terms, &mut prover.solver)?;
    let one_form = normal(best, prover.terms);
    if let Some(single) = single(one_form, prover)? {
        return Ok(single);
    }
    let size = |it: Term, terms: &Terms| terms.postorder([it]).len();
    if size(one_form, prover.terms) <= size(best, prover.terms) {
        best = one_form;
    }
    let mut shortest = Vec::new();
    let literals = literals(condition, prover.terms);
    let some = enough(condition, &literals, prover)?;
    shortest.push(prover.terms.or(some));
    let negation = prover.terms.not(condition);
    let against = enough(negation, &literals, prover)?;
    let all: Vec<Term> = against
        .iter()
        .map(|&it| prover.terms.complement(it))
        .collect();
    let all = prover.terms.and(all);
    shortest.push(normal(all, prover.terms));
    for new in shortest {
        if size(new, prover.terms) < size(best, prover.terms)
            && prover.implies(new, condition)?
            && prover.implies(condition, new)?
        {
            best = new;
        }
    }
    Ok(best)
}

/// A condition that people can read and that implies this one, if there is one; it is the same if that can be read.
pub(crate) fn readable_part(
    condition: Term,
    stg: &Stg,
    prover: &mut Prover<'_>,
) -> Result<Option<Term>, Stop> {
    let whole = readable(condition, stg, prover)?;
    if prover.terms.print(whole).chars().count() <= MAX_LINE {
        return Ok(Some(whole));
    }
    let literals = literals(condition, prover.terms);
    let part = enough(condition, &literals, prover)?;
    if part.is_empty() {
        return Ok(None);
    }
    let part = Some(prover.terms.or(part));
    let fits = |it: &Term| prover.terms.print(*it).chars().count() <= MAX_LINE;
    Ok(part.filter(fits))
}

/// Literals that imply the condition, without those that others make superfluous.
fn enough(condition: Term, literals: &[Term], prover: &mut Prover<'_>) -> Result<Vec<Term>, Stop> {
    let mut enough: Vec<Term> = Vec::new();
    for &literal in literals {
        if prover.implies(literal, condition)? {
            enough.push(literal);
        }
    }
    for position in (0..enough.len()).rev() {
        let mut fewer = enough.clone();
        let dropped = fewer.remove(position);
        let rest = prover.terms.or(fewer.iter().copied());
        if prover.implies(dropped, rest)? {
            enough = fewer;
        }
    }
    Ok(enough)
}

/// The comparisons of a condition, the other ones of the same sums, and other atoms and their negations.
fn literals(condition: Term, terms: &mut Terms) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for part in terms.postorder([condition]) {
        let new = match comparison(part, terms) {
            Some((_, sum, sort)) => [Op::LessEqual, Op::GreaterEqual, Op::Equal, Op::NotEqual]
                .into_iter()
                .chain([Op::Less, Op::Greater])
                .map(|op| compared(op, &sum, sort, terms))
                .collect(),
            None => match terms.kind(part) {
                TermKind::Apply(op, _) if op.opposite().is_some() => {
                    vec![part, terms.complement(part)]
                }
                TermKind::Variable(_) if terms.sort_of(part) == Sort::BOOL => {
                    vec![part, terms.not(part)]
                }
                _ => Vec::new(),
            },
        };
        for literal in new {
            let is_new = !found.contains(&literal) && found.len() < MAX_LITERALS;
            if is_new && !matches!(literal, Term::TRUE | Term::FALSE) {
                found.push(literal);
            }
        }
    }
    found
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
    if !(1..=MAX_NUMBERS).contains(&numbers.len()) {
        return Ok(None);
    }
    let variable = prover.terms.var(variable);
    for number in numbers {
        let number = prover.terms.constant(Value::Int(number));
        for op in [Op::GreaterEqual, Op::LessEqual, Op::NotEqual, Op::Equal] {
            let candidate = prover.terms.compare(op, variable, number);
            if prover.implies(candidate, condition)? && prover.implies(condition, candidate)? {
                return Ok(Some(candidate));
            }
        }
    }
    Ok(None)
}
