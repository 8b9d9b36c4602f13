//! Quantifier elimination by rules of our own, innermost quantifier first.
//!
//! For `exists x. φ` with `φ` in negation normal form (`forall` is its dual):
//! disjunctions are taken apart; conjuncts that do not speak of `x` stay outside; `x == t` replaces `x` by `t`
//! (the one-point rule); a variable of a finite sort is tried with all its values; over an infinite sort finitely many
//! `x != t` are no obstacle; bounds on a number are combined pairwise, where that is exact (`bounds`).
//! What is left is put to the solver.
//!
//! Nothing here is trusted.
//! `exists x. φ` is replaced by `ψ` only when the solver proves `φ => ψ` and `ψ => exists x. φ`; for the second the rules
//! leave *witnesses*, terms of which one can always stand for `x`, so that what is to be proved is a disjunction of
//! `φ[t/x]` without quantifiers. Solvers are good at that, and bad at finding witnesses themselves.

mod bounds;
mod linear;

use choros_data::{Op, Quantifier, Sort, SortKind, Term, TermKind, Terms, Value, Var};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;

/// How often a conjunction may be taken apart at a disjunction before the rest is left to the solver.
const SPLITS: usize = 256;

/// A sort with at most this many values is tried value by value.
const FEW_VALUES: usize = 16;

/// With more witnesses than this, the solver is asked to find its own.
const MAX_WITNESSES: usize = 100;

/// What a solver does for elimination.
pub(crate) trait Prover {
    /// Whether the formula is true for all values, for certain.
    fn proves(&mut self, terms: &mut Terms, formula: Term) -> bool;

    /// A formula without quantifiers that may be equivalent to `exists x, … . φ`.
    fn hint(&mut self, terms: &mut Terms, formula: Term) -> Option<Term>;
}

/// An equivalent formula with fewer quantifiers, if possible none; every step has been proved.
pub(crate) fn eliminate(terms: &mut Terms, formula: Term, prover: &mut dyn Prover) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for subterm in terms.postorder([formula]) {
        let new = match terms.kind(subterm) {
            TermKind::Quantified(quantifier, bound, body) if !terms.is_quantified(done[&body]) => {
                let bound: Vec<Var> = bound
                    .iter()
                    .filter_map(|&variable| terms.as_variable(variable))
                    .collect();
                let body = done[&body];
                match quantifier {
                    Quantifier::Exists => exists(terms, bound, body, prover),
                    Quantifier::Forall => {
                        let negation = terms.not(body);
                        let result = exists(terms, bound, negation, prover);
                        terms.not(result)
                    }
                }
            }
            _ => terms.rebuild(subterm, |argument| done[&argument]),
        };
        done.insert(subterm, new);
    }
    let result = done[&formula];
    let simple = terms.simplify(result);
    if !terms.is_quantified(result) && proves_equivalent(terms, prover, result, simple) {
        simple
    } else {
        result
    }
}

/// `exists variables. body`, one variable at a time.
fn exists(
    terms: &mut Terms,
    mut variables: Vec<Var>,
    mut body: Term,
    prover: &mut dyn Prover,
) -> Term {
    loop {
        let free = terms.free_variables(body);
        variables.retain(|variable| free.contains(variable));
        if variables.is_empty() {
            return body;
        }
        let next = variables.iter().find_map(|&variable| {
            let (result, witnesses) = exists_one(terms, variable, body)?;
            proves_step(terms, prover, variable, body, result, witnesses).then_some(result)
        });
        match next {
            Some(result) => body = result,
            None => return hinted(terms, &variables, body, prover),
        }
    }
}

/// `exists variable. body` without the quantifier, and witnesses; `None` when the rules do not suffice.
fn exists_one(terms: &mut Terms, variable: Var, body: Term) -> Option<(Term, Vec<Term>)> {
    let body = terms.simplify(body);
    let mut splits = SPLITS;
    let mut witnesses = Vec::new();
    let mut results = Vec::new();
    // Disjuncts still to be done, each as its conjuncts.
    let mut pending: Vec<Vec<Term>> = vec![vec![body]];
    while let Some(conjuncts) = pending.pop() {
        let conjuncts = flattened(terms, conjuncts);
        match step(terms, variable, &conjuncts, &mut splits, &mut witnesses) {
            Step::Next(disjuncts) => pending.extend(disjuncts.into_iter().rev()),
            Step::Done => {
                let conjunction = terms.and(conjuncts);
                results.push(conjunction);
            }
            Step::Stuck => return None,
        }
    }
    if witnesses.is_empty() {
        // The variable does not matter; any value will do.
        witnesses = different_values(terms, terms.variable_sort(variable), 1).unwrap_or_default();
    }
    let result = terms.or(results);
    Some((terms.simplify(result), witnesses))
}

fn proves_step(
    terms: &mut Terms,
    prover: &mut dyn Prover,
    variable: Var,
    body: Term,
    result: Term,
    witnesses: Vec<Term>,
) -> bool {
    let forward = terms.implies(body, result);
    if !prover.proves(terms, forward) {
        return false;
    }
    if (1..=MAX_WITNESSES).contains(&witnesses.len()) {
        let cases: Vec<Term> = witnesses
            .into_iter()
            .map(|witness| terms.substitute(body, &FxHashMap::from_iter([(variable, witness)])))
            .collect();
        let some = terms.or(cases);
        let backward = terms.implies(result, some);
        if prover.proves(terms, backward) {
            return true;
        }
    }
    let quantified = terms.quantify(Quantifier::Exists, &[variable], body);
    let backward = terms.implies(result, quantified);
    prover.proves(terms, backward)
}

fn proves_equivalent(terms: &mut Terms, prover: &mut dyn Prover, left: Term, right: Term) -> bool {
    if left == right {
        return true;
    }
    let forward = terms.implies(left, right);
    let backward = terms.implies(right, left);
    prover.proves(terms, forward) && prover.proves(terms, backward)
}

/// `exists variables. body` with the solver's help: each disjunct on its own, and only the conjuncts that matter.
fn hinted(terms: &mut Terms, variables: &[Var], body: Term, prover: &mut dyn Prover) -> Term {
    let quantified = terms.quantify(Quantifier::Exists, variables, body);
    let simple = terms.simplify(body);
    let disjuncts = match terms.kind(simple) {
        TermKind::Apply(Op::Or, disjuncts) => disjuncts.to_vec(),
        _ => vec![simple],
    };
    let mut results = Vec::new();
    for disjunct in disjuncts {
        let conjuncts = flattened(terms, vec![disjunct]);
        let (about, mut apart): (Vec<Term>, Vec<Term>) = conjuncts.iter().partition(|&&term| {
            variables
                .iter()
                .any(|&variable| mentions(terms, term, variable))
        });
        let about = terms.and(about);
        let part = terms.quantify(Quantifier::Exists, variables, about);
        if terms.is_quantified(part) {
            match prover.hint(terms, part) {
                Some(hint) => apart.push(hint),
                None => return quantified,
            }
        } else {
            apart.push(part);
        }
        let result = terms.and(apart);
        results.push(result);
    }
    let result = terms.or(results);
    let result = terms.simplify(result);
    if proves_equivalent(terms, prover, quantified, result) {
        result
    } else {
        quantified
    }
}

/// What one rule makes of a conjunction under `exists`.
enum Step {
    /// The disjunction of these conjunctions.
    Next(Vec<Vec<Term>>),
    /// No variable is left.
    Done,
    /// No rule fits.
    Stuck,
}

fn step(
    terms: &mut Terms,
    variable: Var,
    conjuncts: &[Term],
    splits: &mut usize,
    witnesses: &mut Vec<Term>,
) -> Step {
    let (about, apart): (Vec<Term>, Vec<Term>) = conjuncts
        .iter()
        .partition(|&&term| mentions(terms, term, variable));
    if about.is_empty() {
        return Step::Done;
    }
    if let Some((value, condition)) = about
        .iter()
        .find_map(|&conjunct| one_point(terms, conjunct, variable))
    {
        witnesses.push(value);
        let mut conjuncts = replaced(terms, conjuncts, variable, value);
        conjuncts.push(condition);
        return Step::Next(vec![conjuncts]);
    }
    let sort = terms.variable_sort(variable);
    if is_infinite(terms, sort)
        && about
            .iter()
            .all(|&conjunct| differs_only(terms, conjunct, variable))
    {
        // One more than there are obstacles.
        witnesses.extend(different_values(terms, sort, about.len() + 1).unwrap_or_default());
        return Step::Next(vec![apart]);
    }
    if let Some(values) = few_values(terms, sort)
        && *splits >= values.len()
    {
        *splits -= values.len();
        let cases = values.into_iter().map(|value| {
            let value = terms.constant(value);
            witnesses.push(value);
            replaced(terms, conjuncts, variable, value)
        });
        return Step::Next(cases.collect());
    }
    if sort.is_number()
        && let Some(mut combined) = bounds::combine(terms, variable, &about, witnesses)
    {
        combined.extend(apart);
        return Step::Next(vec![combined]);
    }
    // Last, because it multiplies the work: a disjunction, or `x != t` among bounds, is taken apart.
    for (position, &conjunct) in conjuncts.iter().enumerate() {
        if *splits > 0
            && about.contains(&conjunct)
            && let Some(parts) = alternatives(terms, conjunct)
        {
            *splits -= 1;
            let cases = parts.into_iter().map(|part| {
                let mut case = conjuncts.to_vec();
                case[position] = part;
                case
            });
            return Step::Next(cases.collect());
        }
    }
    Step::Stuck
}

/// The term that this conjunct makes the variable equal to, on a condition.
fn one_point(terms: &mut Terms, conjunct: Term, variable: Var) -> Option<(Term, Term)> {
    match terms.kind(conjunct) {
        TermKind::Variable(found) if found == variable => Some((Term::TRUE, Term::TRUE)),
        TermKind::Apply(Op::Not, &[negated]) if terms.as_variable(negated) == Some(variable) => {
            Some((Term::FALSE, Term::TRUE))
        }
        TermKind::Apply(Op::Equal, &[left, right]) => {
            for (this, other) in [(left, right), (right, left)] {
                if terms.as_variable(this) == Some(variable) && !mentions(terms, other, variable) {
                    return Some((other, Term::TRUE));
                }
            }
            let root = linear::solved(terms, left, right, variable)?;
            Some((root.floor(terms), root.is_whole(terms)))
        }
        _ => None,
    }
}

/// Whether the conjunct is `x != t`.
fn differs_only(terms: &Terms, conjunct: Term, variable: Var) -> bool {
    let TermKind::Apply(Op::NotEqual, &[left, right]) = terms.kind(conjunct) else {
        return false;
    };
    [(left, right), (right, left)].iter().any(|&(this, other)| {
        terms.as_variable(this) == Some(variable) && !mentions(terms, other, variable)
    })
}

/// The disjuncts of a conjunct: of a disjunction, an `if`, or an inequality between numbers.
fn alternatives(terms: &mut Terms, conjunct: Term) -> Option<Vec<Term>> {
    match terms.kind(conjunct) {
        TermKind::Apply(Op::Or, parts) => Some(parts.to_vec()),
        TermKind::Apply(Op::If, &[condition, yes, no]) => {
            let negated = terms.not(condition);
            let negated = terms.simplify(negated);
            Some(vec![terms.and([condition, yes]), terms.and([negated, no])])
        }
        TermKind::Apply(Op::NotEqual, &[left, right]) if terms.sort_of(left).is_number() => {
            Some(vec![
                terms.compare(Op::Less, left, right),
                terms.compare(Op::Greater, left, right),
            ])
        }
        TermKind::Apply(op @ (Op::Equal | Op::NotEqual), &[left, right])
            if terms.sort_of(left) == Sort::BOOL =>
        {
            let (not_left, not_right) = (terms.not(left), terms.not(right));
            let cases = match op {
                Op::Equal => [[left, right], [not_left, not_right]],
                _ => [[left, not_right], [not_left, right]],
            };
            let cases = cases.map(|case| {
                let case = terms.and(case);
                terms.simplify(case)
            });
            Some(cases.to_vec())
        }
        _ => None,
    }
}

fn replaced(terms: &mut Terms, conjuncts: &[Term], variable: Var, value: Term) -> Vec<Term> {
    let replacement = FxHashMap::from_iter([(variable, value)]);
    conjuncts
        .iter()
        .map(|&conjunct| {
            let conjunct = terms.substitute(conjunct, &replacement);
            terms.simplify(conjunct)
        })
        .collect()
}

/// The conjuncts with nested conjunctions opened; just *false* when one of them is.
fn flattened(terms: &mut Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    let conjunction = terms.and(conjuncts);
    match terms.kind(conjunction) {
        _ if conjunction == Term::TRUE => Vec::new(),
        TermKind::Apply(Op::And, parts) => parts.to_vec(),
        _ => vec![conjunction],
    }
}

pub(crate) fn mentions(terms: &Terms, term: Term, variable: Var) -> bool {
    terms.free_variables(term).contains(&variable)
}

fn is_infinite(terms: &Terms, sort: Sort) -> bool {
    matches!(
        terms.sort_kind(sort),
        SortKind::Int
            | SortKind::Real
            | SortKind::String
            | SortKind::Uninterpreted(_)
            | SortKind::List(_)
    )
}

fn few_values(terms: &Terms, sort: Sort) -> Option<Vec<Value>> {
    match terms.sort_kind(sort) {
        SortKind::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        SortKind::Enumeration { constructors, .. } if constructors.len() <= FEW_VALUES => {
            let values = 0..constructors.len() as u32;
            Some(
                values
                    .map(|index| Value::Constructor { sort, index })
                    .collect(),
            )
        }
        _ => None,
    }
}

/// This many constants that are pairwise different; none for sorts where they are not easily had.
fn different_values(terms: &mut Terms, sort: Sort, count: usize) -> Option<Vec<Term>> {
    let values = (0..count).map(|number| {
        Some(match terms.sort_kind(sort) {
            SortKind::Int => Value::int(number),
            SortKind::Real => Value::Real(BigRational::from_integer(BigInt::from(number))),
            SortKind::String => Value::text("a".repeat(number)),
            SortKind::Uninterpreted(_) => {
                let name = terms.names.intern(&format!("witness'{number}"));
                Value::Atom { sort, name }
            }
            _ => few_values(terms, sort)?.into_iter().nth(number)?,
        })
    });
    let values = values.collect::<Option<Vec<Value>>>()?;
    Some(
        values
            .into_iter()
            .map(|value| terms.constant(value))
            .collect(),
    )
}
