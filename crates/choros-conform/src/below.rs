//! Relations guessed from below, for where the iteration from above does not end.
//!
//! For a condition on the parameters, every pair gets the conjunction of all *candidates*: equalities between the
//! variables that matter there, the atoms of the models' guards over them, and counters that differ by an amount or a
//! factor of which the models speak (`x == y + 1`, `x == 2 * y`).
//! A candidate that some call does not establish is dropped, until all that are left support each other (the
//! Houdini algorithm of Flanagan and Leino, 2001).
//! What is left is a guess; it counts only when the checker of certificates confirms it.

use choros_base::Budget;
use choros_certify::{Certificate, RelatedPair, RelationClaim, Sides, check_certificate};
use choros_data::{Term, Terms};
use choros_smt::{Solver, SolverError, Truth};

use crate::clauses::System;
use crate::formula::{Substitution, equality};
use crate::literals::{self, Steps, add_atoms};
use crate::pairs::Pairs;

/// A condition that was shown to suffice, with the relation that shows it.
pub(crate) struct Below {
    pub(crate) condition: Term,
    pub(crate) relation: Vec<RelatedPair>,
}

/// More pairs or candidates than this are not tried.
const MAX_PAIRS: usize = 300;
const MAX_CANDIDATES: usize = 24;

/// Of at most this many candidates, pairs are tried too.
const FEW_CANDIDATES: usize = 8;

/// Tries `upper`, then stronger conditions; the disjunction of those that were confirmed, if any.
pub(crate) fn from_below(
    system: &mut System<'_>,
    pairs: &Pairs,
    sides: &Sides<'_>,
    upper: Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Below>, SolverError> {
    if pairs.all.len() > MAX_PAIRS {
        return Ok(None);
    }
    let mut found: Option<Below> = None;
    for condition in attempts(system, pairs, upper, terms, solver)? {
        if let Some(found) = &found
            && solver.implies(terms, condition, found.condition)? == Truth::True
        {
            continue;
        }
        let Some(relation) = supported(system, pairs, condition, terms, solver, budget)? else {
            break;
        };
        let claim = RelationClaim {
            implementation: &sides.left,
            specification: &sides.right,
            relation: &relation,
            start: at_start(condition, pairs, terms),
            allow_fixed: system.allows_fixed(),
        };
        if check_certificate(&claim, terms, solver, budget)? != Certificate::Confirmed {
            continue;
        }
        found = Some(match found {
            None => Below {
                condition,
                relation,
            },
            Some(earlier) => earlier.or(condition, &relation, terms),
        });
        if condition == upper {
            break;
        }
    }
    Ok(found)
}

impl Below {
    /// The union of two relations, which is one again.
    fn or(self, condition: Term, relation: &[RelatedPair], terms: &mut Terms) -> Below {
        let relation = self
            .relation
            .iter()
            .zip(relation)
            .map(|(one, other)| {
                let both = terms.or([one.condition, other.condition]);
                RelatedPair {
                    condition: terms.simplify(both),
                    ..*one
                }
            })
            .collect();
        let condition = terms.or([self.condition, condition]);
        Below {
            condition: terms.simplify(condition),
            relation,
        }
    }
}

/// Conditions to try: the upper bound itself, then stronger ones, weak ones first.
fn attempts(
    system: &System<'_>,
    pairs: &Pairs,
    upper: Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Vec<Term>, SolverError> {
    let first = candidates(system, pairs, 0, terms);
    let mut stronger = first.clone();
    if first.len() <= FEW_CANDIDATES {
        for (position, &one) in first.iter().enumerate() {
            for &other in &first[position + 1..] {
                stronger.push(terms.and([one, other]));
            }
        }
    }
    let mut attempts = vec![upper];
    for candidate in stronger {
        // What does not imply the upper bound cannot suffice.
        if solver.implies(terms, candidate, upper)? != Truth::True {
            continue;
        }
        let attempt = terms.simplify(candidate);
        if attempt != Term::FALSE && !attempts.contains(&attempt) {
            attempts.push(attempt);
        }
    }
    Ok(attempts)
}

/// A condition together with what is equal at the start.
fn at_start(condition: Term, pairs: &Pairs, terms: &mut Terms) -> Term {
    let mut parts = vec![condition];
    parts.extend(equalities(pairs, 0, terms));
    terms.and(parts)
}

fn equalities(pairs: &Pairs, id: usize, terms: &mut Terms) -> Vec<Term> {
    let known = pairs.equal[id].known.clone();
    known
        .into_iter()
        .map(|(variable, value)| {
            let variable = terms.var(variable);
            equality(terms, variable, value)
        })
        .collect()
}

/// The relation of candidates that support each other; `None` when the budget is spent.
fn supported(
    system: &mut System<'_>,
    pairs: &Pairs,
    start: Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Vec<RelatedPair>>, SolverError> {
    let steps = Steps::of([system.left, system.right], terms);
    let mut kept: Vec<Vec<Term>> = (0..pairs.all.len())
        .map(|id| with_counters(system, pairs, id, &steps, terms))
        .collect();
    // At the start, only what follows from the condition; the condition itself may not come back in a loop.
    let begin = at_start(start, pairs, terms);
    let mut first = Vec::new();
    for &candidate in &kept[0] {
        if solver.implies(terms, begin, candidate)? == Truth::True {
            first.push(candidate);
        }
    }
    kept[0] = first;
    let mut work: Vec<u32> = (0..pairs.all.len() as u32).rev().collect();
    while let Some(id) = work.pop() {
        if budget.spend().is_err() {
            return Ok(None);
        }
        let mut holds = equalities(pairs, id as usize, terms);
        holds.extend(&kept[id as usize]);
        for clause in system.clauses(pairs.all[id as usize], terms) {
            for reply in &clause.answers {
                let Some(then) = &reply.then else { continue };
                let Some(target) = pairs.id(then.pair) else {
                    continue;
                };
                let mut premise = holds.clone();
                premise.extend([clause.premise, reply.condition, then.offered]);
                let premise = terms.and(premise);
                let mut established = Vec::new();
                for &candidate in &kept[target as usize] {
                    let mut values = Substitution::default();
                    for variable in terms.free_variables(candidate) {
                        if let Some(&value) = then.values.get(&variable) {
                            values.insert(variable, value);
                        }
                    }
                    let after = terms.substitute(candidate, &values);
                    if solver.implies(terms, premise, after)? == Truth::True {
                        established.push(candidate);
                    }
                }
                if established.len() < kept[target as usize].len() {
                    kept[target as usize] = established;
                    if !work.contains(&target) {
                        work.push(target);
                    }
                }
            }
        }
    }
    let mut relation = Vec::with_capacity(pairs.all.len());
    for (id, &(left, right)) in pairs.all.iter().enumerate() {
        let mut parts = equalities(pairs, id, terms);
        parts.extend(&kept[id]);
        let condition = terms.and(parts);
        relation.push(RelatedPair {
            left,
            right,
            condition: terms.simplify(condition),
        });
    }
    Ok(Some(relation))
}

/// Equalities and atoms over the variables that matter at a pair.
fn candidates(system: &System<'_>, pairs: &Pairs, id: usize, terms: &mut Terms) -> Vec<Term> {
    let live = system.live(pairs.all[id]);
    let graphs = [system.left, system.right];
    let mut found = literals::equalities(&live, usize::MAX, terms);
    add_atoms(&mut found, MAX_CANDIDATES, graphs, None, &live, terms);
    found
}

/// The candidates of a pair, and relations between its counters.
fn with_counters(
    system: &System<'_>,
    pairs: &Pairs,
    id: usize,
    steps: &Steps,
    terms: &mut Terms,
) -> Vec<Term> {
    let live = system.live(pairs.all[id]);
    let mut found = candidates(system, pairs, id, terms);
    found.extend(steps.relations(&live, MAX_CANDIDATES, terms));
    found
}
