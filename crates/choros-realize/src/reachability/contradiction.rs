//! Whether conjuncts can hold together, and if not, which of them are to blame.

use choros_data::{Term, Terms, Var};
use choros_smt::{Satisfiability, Solver, SolverError};
use rustc_hash::{FxHashMap, FxHashSet};

/// Answers questions about conjunctions, and remembers the answers.
pub(crate) struct Oracle<'s> {
    solver: &'s mut dyn Solver,
    variables: FxHashMap<Term, Vec<Var>>,
    /// Questions that went to the solver.
    pub(crate) queries: u64,
}

/// What is known of a conjunction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Together {
    Possible,
    Impossible,
    /// The solver's reason.
    Undecided(String),
}

impl<'s> Oracle<'s> {
    pub(crate) fn new(solver: &'s mut dyn Solver) -> Self {
        Self {
            solver,
            variables: FxHashMap::default(),
            queries: 0,
        }
    }

    /// The free variables of a formula, computed once.
    pub(crate) fn variables(&mut self, terms: &Terms, formula: Term) -> &[Var] {
        self.variables
            .entry(formula)
            .or_insert_with(|| terms.free_variables(formula))
    }

    /// Whether formulas can be true together.
    pub(crate) fn together(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
    ) -> Result<Together, SolverError> {
        match terms.decide_box(formulas) {
            Some(true) => return Ok(Together::Possible),
            Some(false) => return Ok(Together::Impossible),
            None => {}
        }
        let whole = terms.and(formulas.iter().copied());
        match terms.simplify(whole) {
            Term::TRUE => return Ok(Together::Possible),
            Term::FALSE => return Ok(Together::Impossible),
            _ => {}
        }
        self.queries += 1;
        Ok(match self.solver.satisfiable(terms, formulas)? {
            Satisfiability::Sat => Together::Possible,
            Satisfiability::Unsat => Together::Impossible,
            Satisfiability::Unknown(reason) => Together::Undecided(reason.to_string()),
        })
    }

    /// The positions of those `conjuncts` that share a variable with `formulas`, directly or through each other.
    ///
    /// The others are satisfiable on their own (they come from a satisfiable visit), so they cannot be to blame.
    pub(crate) fn connected(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        seeds: impl IntoIterator<Item = Var>,
    ) -> Vec<usize> {
        let mut reached: FxHashSet<Var> = seeds.into_iter().collect();
        let mut taken = vec![false; conjuncts.len()];
        loop {
            let mut grown = false;
            for (index, &conjunct) in conjuncts.iter().enumerate() {
                if taken[index] {
                    continue;
                }
                let variables = self.variables(terms, conjunct);
                if variables.iter().any(|variable| reached.contains(variable)) {
                    reached.extend(variables.iter().copied());
                    taken[index] = true;
                    grown = true;
                }
            }
            if !grown {
                return (0..conjuncts.len()).filter(|&index| taken[index]).collect();
            }
        }
    }

    /// An irreducible part of formulas that cannot be true together, as positions.
    ///
    /// One formula after the other is left out; it stays out if the rest is still impossible.
    pub(crate) fn blame(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
    ) -> Result<Vec<usize>, SolverError> {
        let mut kept: Vec<usize> = (0..formulas.len()).collect();
        // Beyond this the evidence would not be read to its end anyway, and each formula costs a query.
        if formulas.len() > 64 {
            return Ok(kept);
        }
        let mut position = 0;
        while position < kept.len() {
            let without: Vec<Term> = kept
                .iter()
                .enumerate()
                .filter(|&(index, _)| index != position)
                .map(|(_, &formula)| formulas[formula])
                .collect();
            if self.together(terms, &without)? == Together::Impossible {
                kept.remove(position);
            } else {
                position += 1;
            }
        }
        Ok(kept)
    }
}
