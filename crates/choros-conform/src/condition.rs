//! The weakest condition in the words of the model.
//!
//! What the iteration leaves is right but ugly.
//! It is replaced by an equivalent conjunction or disjunction of *atoms of the models*, if there is one, and
//! otherwise freed of parts that the rest makes superfluous.
//! Everything here is proved equivalent by the solver, step by step; what samples show to be wrong is not asked.

use choros_data::{Op, Term, TermKind, Terms, Var};
use choros_model::stg::Stg;
use choros_smt::{Solver, SolverError, Truth};

use crate::bound_names::readable_bound;
use crate::formula::{conjuncts, disjuncts};
use crate::literals::{add_atoms, equalities};
use crate::samples::Samples;

/// An equivalent condition that people can read.
pub(crate) fn readable(
    condition: Term,
    graphs: [&Stg; 2],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Term, SolverError> {
    let condition = terms.simplify(condition);
    let variables = terms.free_variables(condition);
    let candidates = candidates(condition, &variables, graphs, terms);
    let mut prover = Prover {
        solver,
        patient: true,
        samples: Samples::of(condition, terms),
    };
    if let Some(found) = conjunction(condition, &candidates, terms, &mut prover)? {
        return Ok(found);
    }
    if let Some(found) = disjunction(condition, &candidates, terms, &mut prover)? {
        return Ok(found);
    }
    let lean = lean(condition, terms, &mut prover)?;
    Ok(readable_bound(lean, terms))
}

/// An equivalent condition over one graph that people can read.
pub fn readable_condition(
    condition: Term,
    graph: &Stg,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Term, SolverError> {
    readable(condition, [graph, graph], terms, solver)
}

/// A formula that is equivalent where `known` holds, without parts that the rest makes superfluous.
pub fn lean_formula(
    formula: Term,
    known: Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Term, SolverError> {
    let mut prover = Prover {
        solver,
        patient: true,
        samples: Samples::of(formula, terms),
    };
    let result = lean_under(formula, known, MAX_NESTING, terms, &mut prover)?;
    Ok(terms.simplify(result))
}

/// A solver that is asked no more once it could not tell: the next question would only take as long.
struct Prover<'s> {
    solver: &'s mut dyn Solver,
    patient: bool,
    samples: Samples,
}

impl Prover<'_> {
    /// Whether it was proved that one formula implies another.
    fn implies(
        &mut self,
        terms: &mut Terms,
        premise: Term,
        conclusion: Term,
    ) -> Result<bool, SolverError> {
        if !self.patient || self.samples.refute(premise, conclusion, terms) {
            return Ok(false);
        }
        let truth = self.solver.implies(terms, premise, conclusion)?;
        self.patient = !matches!(truth, Truth::Unknown(_));
        if truth == Truth::False
            && let Some(sample) = self.solver.model(terms, self.samples.variables())
        {
            self.samples.learn(sample, terms);
        }
        Ok(truth == Truth::True)
    }
}

/// Atoms and their negations over the variables of the condition: first equalities, then those of the models, then
/// those of the condition itself.
fn candidates(
    condition: Term,
    variables: &[Var],
    graphs: [&Stg; 2],
    terms: &mut Terms,
) -> Vec<Term> {
    let mut sorted = variables.to_vec();
    sorted.sort_by_key(|it| it.index());
    let mut found = equalities(&sorted, MAX_CANDIDATES, terms);
    let own = Some(condition);
    add_atoms(&mut found, MAX_CANDIDATES, graphs, own, variables, terms);
    found
}

/// More candidates than this would cost more than they are worth.
const MAX_CANDIDATES: usize = 200;

/// The condition as a conjunction of candidates.
fn conjunction(
    condition: Term,
    candidates: &[Term],
    terms: &mut Terms,
    prover: &mut Prover<'_>,
) -> Result<Option<Term>, SolverError> {
    let mut implied = Vec::new();
    for &candidate in candidates {
        if !prover.samples.refute_implied(candidate, terms)
            && prover.implies(terms, condition, candidate)?
        {
            implied.push(candidate);
        }
    }
    let all = terms.and(implied.iter().copied());
    if implied.is_empty() || !prover.implies(terms, all, condition)? {
        return Ok(None);
    }
    // From the end, so that equalities and what the models say stay.
    for position in (0..implied.len()).rev() {
        if implied.len() == 1 {
            break;
        }
        let mut fewer = implied.clone();
        let dropped = fewer.remove(position);
        let rest = terms.and(fewer.iter().copied());
        if prover.implies(terms, rest, dropped)? {
            implied = fewer;
        }
    }
    Ok(Some(terms.and(implied)))
}

/// The condition as a disjunction of candidates.
fn disjunction(
    condition: Term,
    candidates: &[Term],
    terms: &mut Terms,
    prover: &mut Prover<'_>,
) -> Result<Option<Term>, SolverError> {
    let mut enough = Vec::new();
    for &candidate in candidates {
        if !prover.samples.refute_enough(candidate, terms)
            && prover.implies(terms, candidate, condition)?
        {
            enough.push(candidate);
        }
    }
    let any = terms.or(enough.iter().copied());
    if enough.is_empty() || !prover.implies(terms, condition, any)? {
        return Ok(None);
    }
    for position in (0..enough.len()).rev() {
        if enough.len() == 1 {
            break;
        }
        let mut fewer = enough.clone();
        let dropped = fewer.remove(position);
        let rest = terms.or(fewer.iter().copied());
        if prover.implies(terms, dropped, rest)? {
            enough = fewer;
        }
    }
    Ok(Some(terms.or(enough)))
}

/// The condition without parts that the rest makes superfluous, at every level down to a few.
fn lean(condition: Term, terms: &mut Terms, prover: &mut Prover<'_>) -> Result<Term, SolverError> {
    let result = lean_under(condition, Term::TRUE, MAX_NESTING, terms, prover)?;
    Ok(terms.simplify(result))
}

/// Parts nested deeper than this are left as they are.
const MAX_NESTING: usize = 6;

/// A formula that is equivalent wherever `known` holds.
fn lean_under(
    formula: Term,
    known: Term,
    depth: usize,
    terms: &mut Terms,
    prover: &mut Prover<'_>,
) -> Result<Term, SolverError> {
    let conjunctive = match terms.kind(formula) {
        TermKind::Apply(Op::And, _) => true,
        TermKind::Apply(Op::Or, _) => false,
        _ => return Ok(formula),
    };
    if depth == 0 {
        return Ok(formula);
    }
    let mut parts = if conjunctive {
        conjuncts(terms, formula)
    } else {
        disjuncts(terms, formula)
    };
    // What the other parts say: that they hold, or, of alternatives, that none of them does.
    let context = |parts: &[Term], position: usize, terms: &mut Terms| {
        let mut others = vec![known];
        for (index, &part) in parts.iter().enumerate() {
            if index != position {
                others.push(if conjunctive { part } else { terms.not(part) });
            }
        }
        terms.and(others)
    };
    // From the end: what comes first is said first by the models.
    for position in (0..parts.len()).rev() {
        if parts.len() == 1 {
            break;
        }
        let others = context(&parts, position, terms);
        let superfluous = if conjunctive {
            parts[position]
        } else {
            terms.not(parts[position])
        };
        if prover.implies(terms, others, superfluous)? {
            parts.remove(position);
        }
    }
    for position in 0..parts.len() {
        let others = context(&parts, position, terms);
        parts[position] = lean_under(parts[position], others, depth - 1, terms, prover)?;
    }
    Ok(if conjunctive {
        terms.and(parts)
    } else {
        terms.or(parts)
    })
}
