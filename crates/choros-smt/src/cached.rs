//! Answers that are known already.

use choros_data::{Assignment, Term, Terms};
use rustc_hash::FxHashMap;

use crate::{Elimination, Limits, Reason, Satisfiability, Solver, SolverError};

/// How many answers are kept before all are forgotten.
const MAX_ANSWERS: usize = 100_000;

/// A solver with a memory.
///
/// The key is the *set* of asserted formulas (terms are hash-consed, so a set of ids is a set of formulas): the order
/// in which a path collected its conditions does not matter.
#[derive(Debug)]
pub struct Cached<S> {
    solver: S,
    levels: Vec<Vec<Term>>,
    answers: FxHashMap<Key, Known>,
    eliminations: FxHashMap<Term, Elimination>,
    current: Option<Key>,
    hits: u64,
    misses: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    asserted: Box<[Term]>,
    /// In their order: cores speak of positions.
    assumed: Box<[Term]>,
}

#[derive(Debug, Clone)]
struct Known {
    answer: Satisfiability,
    solution: Option<Assignment>,
    core: Option<Vec<usize>>,
}

impl<S: Solver> Cached<S> {
    /// An empty memory in front of a solver on which nothing is asserted.
    pub fn new(solver: S) -> Self {
        Cached {
            solver,
            levels: vec![Vec::new()],
            answers: FxHashMap::default(),
            eliminations: FxHashMap::default(),
            current: None,
            hits: 0,
            misses: 0,
        }
    }

    /// How many queries were answered from memory, and how many were not.
    pub fn statistics(&self) -> (u64, u64) {
        (self.hits, self.misses)
    }

    fn key(&self, assumptions: &[Term]) -> Key {
        let mut asserted: Vec<Term> = self.levels.iter().flatten().copied().collect();
        asserted.sort_unstable_by_key(|term| term.index());
        asserted.dedup();
        Key {
            asserted: asserted.into(),
            assumed: assumptions.into(),
        }
    }

    fn known(&self) -> Option<&Known> {
        self.answers.get(self.current.as_ref()?)
    }
}

impl<S: Solver> Solver for Cached<S> {
    fn name(&self) -> String {
        self.solver.name()
    }

    fn set_limits(&mut self, limits: Limits) {
        // What was unknown may be found out under other bounds.
        self.answers
            .retain(|_, known| !matches!(known.answer, Satisfiability::Unknown(_)));
        self.eliminations
            .retain(|_, elimination| elimination.is_free());
        self.solver.set_limits(limits);
    }

    fn bound(&self) -> u64 {
        self.solver.bound()
    }

    fn spent(&self) -> u64 {
        self.solver.spent()
    }

    fn push(&mut self) {
        self.levels.push(Vec::new());
        self.solver.push();
    }

    fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
            self.solver.pop();
        }
    }

    fn assert(&mut self, formula: Term) {
        if let Some(level) = self.levels.last_mut() {
            level.push(formula);
        }
        self.solver.assert(formula);
    }

    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        let key = self.key(assumptions);
        if let Some(known) = self.answers.get(&key) {
            self.hits += 1;
            let answer = known.answer.clone();
            self.current = Some(key);
            return Ok(answer);
        }
        self.misses += 1;
        self.current = None;
        let answer = self.solver.check_assuming(terms, assumptions)?;
        // An interrupted query says nothing about the next one.
        if answer != Satisfiability::Unknown(Reason::Cancelled) {
            if self.answers.len() >= MAX_ANSWERS {
                self.answers.clear();
            }
            let known = Known {
                answer: answer.clone(),
                solution: self.solver.solution().cloned(),
                core: self.solver.unsat_core().map(<[usize]>::to_vec),
            };
            self.answers.insert(key.clone(), known);
            self.current = Some(key);
        }
        Ok(answer)
    }

    fn solution(&self) -> Option<&Assignment> {
        self.known()?.solution.as_ref()
    }

    fn unsat_core(&self) -> Option<&[usize]> {
        self.known()?.core.as_deref()
    }

    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        if let Some(&known) = self.eliminations.get(&formula) {
            return Ok(known);
        }
        let elimination = self.solver.eliminate(terms, formula)?;
        self.eliminations.insert(formula, elimination);
        Ok(elimination)
    }
}
