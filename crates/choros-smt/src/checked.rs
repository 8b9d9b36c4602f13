//! The rules under which a solver is believed, written once for all of them.
//!
//! - *Unsat* is believed: it is what the solver proved. Where the solver could not be told a formula, *unsat* of the
//!   rest still means *unsat* of the whole.
//! - *Sat* is believed only when our own evaluator finds every asserted formula without quantifiers true under the
//!   solver's values. Otherwise the answer is *unknown*, and says so.
//! - A formula without quantifiers is accepted in place of one with them only when the solver proves both directions
//!   of the equivalence, with nothing else asserted, quantifier by quantifier.
//!
//! Asserted formulas with quantifiers are replaced, before they are asked about, by proved equivalents without, where
//! there are: solvers decide those better, and our evaluator can check their solutions.
//!
//! The back end is told of levels and formulas only when a question must really be put to it, so that answers from a
//! cache cost it nothing.

use std::sync::atomic::Ordering;

use choros_data::{Assignment, NoValue, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eliminate::{self, Prover};
use crate::{AssertResult, Truth};
use crate::{
    Backend, BackendAnswer, Elimination, Limits, Query, Reason, Satisfiability, Solver, SolverError,
};

/// Cores up to this size are made irreducible, at one more query per member.
const SMALL_CORE: usize = 16;

/// What a query uses, about, where the solver does not count.
const USUAL: u64 = 2_000;

/// A back end whose answers can be relied on.
#[derive(Debug)]
pub struct CheckedSolver<B> {
    backend: B,
    limits: Limits,
    levels: Vec<Level>,
    /// What the back end has been told: the level and how many of its formulas.
    told: Vec<(u64, usize)>,
    next_level: u64,
    solution: Option<Assignment>,
    core: Option<Vec<usize>>,
    /// Stores only grow; a smaller one is another one.
    store_size: usize,
    /// Quantified formulas and what is asked instead.
    freed: FxHashMap<Term, Term>,
    /// An elimination is under way; its own queries are not to start others.
    eliminating: bool,
    /// The resource units that were used, if the back end does not count them.
    estimated: u64,
}

#[derive(Debug)]
struct Level {
    /// Never used twice, so that equal ids mean equal formulas up to what was added later.
    id: u64,
    formulas: Vec<Term>,
    /// Formulas the back end could not be told, with the reason.
    refused: Vec<(Term, Reason)>,
}

impl<B: Backend> CheckedSolver<B> {
    /// Nothing asserted yet.
    pub fn new(backend: B) -> Self {
        let mut checked = CheckedSolver {
            backend,
            limits: Limits::default(),
            levels: Vec::new(),
            told: Vec::new(),
            next_level: 0,
            solution: None,
            core: None,
            store_size: 0,
            freed: FxHashMap::default(),
            eliminating: false,
            estimated: 0,
        };
        checked.push();
        checked
    }

    fn same_store(&mut self, terms: &Terms) -> Result<(), SolverError> {
        if terms.len() < self.store_size {
            return Err(SolverError::AnotherStore);
        }
        self.store_size = terms.len();
        Ok(())
    }

    /// Makes the back end's levels those of `self.levels`.
    fn tell(&mut self, terms: &Terms) -> Result<(), SolverError> {
        if !self.backend.remembers(&self.limits) {
            self.told.clear();
            for level in &mut self.levels {
                level.refused.clear();
            }
        }
        let common = self
            .told
            .iter()
            .zip(&self.levels)
            .take_while(|((id, _), level)| *id == level.id)
            .count();
        if self.told.len() > common {
            self.backend.pop(self.told.len() - common)?;
            self.told.truncate(common);
        }
        for (depth, level) in self.levels.iter_mut().enumerate() {
            if depth == self.told.len() {
                self.backend.push()?;
                self.told.push((level.id, 0));
            }
            // Only the topmost level the back end knows can have grown since: formulas go to the top.
            let told = &mut self.told[depth].1;
            while let Some(&formula) = level.formulas.get(*told) {
                let formula = self.freed.get(&formula).copied().unwrap_or(formula);
                if let AssertResult::Refused(reason) = self.backend.assert(terms, formula)? {
                    level.refused.push((formula, reason));
                }
                *told += 1;
            }
        }
        Ok(())
    }

    fn formulas(&self) -> impl Iterator<Item = Term> + '_ {
        self.levels
            .iter()
            .flat_map(|level| level.formulas.iter().copied())
    }

    /// Finds formulas without quantifiers for those that have them, as far as possible.
    ///
    /// Solvers decide them better, and only they can be evaluated.
    fn free(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Result<(), SolverError> {
        if self.eliminating {
            return Ok(());
        }
        let quantified: Vec<Term> = self
            .formulas()
            .chain(assumptions.iter().copied())
            .filter(|formula| terms.is_quantified(*formula) && !self.freed.contains_key(formula))
            .collect();
        for formula in quantified {
            let freed = self.eliminate(terms, formula)?.term();
            self.freed.insert(formula, freed);
        }
        Ok(())
    }

    /// What can be said without a solver: a literal *false*, or nothing but ground formulas.
    fn decided(&mut self, terms: &Terms, assumptions: &[Term]) -> Option<Satisfiability> {
        if self.formulas().any(|formula| formula == Term::FALSE) {
            self.core = Some(Vec::new());
            return Some(Satisfiability::Unsat);
        }
        if let Some(position) = assumptions.iter().position(|&term| term == Term::FALSE) {
            self.core = Some(vec![position]);
            return Some(Satisfiability::Unsat);
        }
        let ground = |formula: Term| !terms.has_variables(formula);
        if !self
            .formulas()
            .chain(assumptions.iter().copied())
            .all(ground)
        {
            return None;
        }
        let nothing = Assignment::default();
        let holds = |formula: Term| terms.evaluate_guard(formula, &nothing).unwrap_or(false);
        if !self.formulas().all(holds) {
            self.core = Some(Vec::new());
            return Some(Satisfiability::Unsat);
        }
        if let Some(position) = assumptions.iter().position(|&formula| !holds(formula)) {
            self.core = Some(vec![position]);
            return Some(Satisfiability::Unsat);
        }
        self.solution = Some(nothing);
        Some(Satisfiability::Sat)
    }

    fn variables(&self, terms: &Terms, assumptions: &[Term]) -> Vec<Var> {
        let mut seen = FxHashSet::default();
        let mut variables = Vec::new();
        for formula in self.formulas().chain(assumptions.iter().copied()) {
            let formula = self.freed.get(&formula).copied().unwrap_or(formula);
            for variable in terms.free_variables(formula) {
                if seen.insert(variable) {
                    variables.push(variable);
                }
            }
        }
        variables
    }

    /// Whether the solver's values satisfy what was asked, according to us.
    fn believed(
        &self,
        terms: &Terms,
        assumptions: &[Term],
        solution: &Assignment,
    ) -> Satisfiability {
        for formula in self.formulas().chain(assumptions.iter().copied()) {
            let formula = self.freed.get(&formula).copied().unwrap_or(formula);
            let defect = match terms.evaluate_guard(formula, solution) {
                Ok(true) => continue,
                // Infinitely many cases: here the solver's word is all there is, if it was asked at all.
                Err(NoValue::Quantified) => None,
                Ok(false) | Err(NoValue::Undefined) => Some(format!(
                    "its solution does not satisfy {}",
                    excerpt(terms, formula)
                )),
                Err(NoValue::Unassigned(variable)) => Some(format!(
                    "its solution has no value for `{}`",
                    terms.variable_text(variable)
                )),
            };
            let refusal = self
                .levels
                .iter()
                .flat_map(|level| &level.refused)
                .find(|(refused, _)| *refused == formula);
            match (refusal, defect) {
                (Some((_, reason)), _) => return Satisfiability::Unknown(reason.clone()),
                (None, Some(defect)) => return Satisfiability::Unknown(Reason::Defect(defect)),
                (None, None) => {}
            }
        }
        Satisfiability::Sat
    }

    fn ask(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        variables: &[Var],
    ) -> Result<BackendAnswer, SolverError> {
        if let Some(cancel) = &self.limits.cancel
            && cancel.load(Ordering::Relaxed)
        {
            return Ok(BackendAnswer::Unknown(Reason::Cancelled));
        }
        self.tell(terms)?;
        let answer = self.backend.check(Query {
            terms,
            assumptions,
            variables,
            limits: &self.limits,
        })?;
        self.estimated += match &answer {
            BackendAnswer::Unknown(
                Reason::Resources(_) | Reason::Milliseconds(_) | Reason::GaveUp(_),
            ) => self.limits.resources,
            _ => USUAL,
        };
        Ok(answer)
    }

    /// Leaves out what the contradiction does not need.
    fn minimised(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        mut core: Vec<usize>,
    ) -> Result<Vec<usize>, SolverError> {
        core.sort_unstable();
        core.dedup();
        if core.len() > SMALL_CORE {
            return Ok(core);
        }
        let mut position = 0;
        while position < core.len() {
            let mut smaller = core.clone();
            smaller.remove(position);
            let rest: Vec<Term> = smaller.iter().map(|&member| assumptions[member]).collect();
            match self.ask(terms, &rest, &[])? {
                BackendAnswer::Unsat(found) => {
                    let mut found: Vec<usize> = found.iter().map(|&at| smaller[at]).collect();
                    found.sort_unstable();
                    // Members before `position` have been shown necessary already.
                    core = found;
                    position = position.min(core.len());
                }
                BackendAnswer::Sat(_) | BackendAnswer::Unknown(_) => position += 1,
            }
        }
        Ok(core)
    }

    /// Runs with nothing asserted, then puts everything back.
    fn with_nothing_asserted<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let levels = std::mem::take(&mut self.levels);
        self.push();
        let result = run(self);
        self.levels = levels;
        result
    }
}

impl<B: Backend> Solver for CheckedSolver<B> {
    fn name(&self) -> String {
        self.backend.name()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn bound(&self) -> u64 {
        self.limits.resources
    }

    fn spent(&self) -> u64 {
        self.backend.spent().unwrap_or(self.estimated)
    }

    fn push(&mut self) {
        self.levels.push(Level {
            id: self.next_level,
            formulas: Vec::new(),
            refused: Vec::new(),
        });
        self.next_level += 1;
    }

    fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    fn assert(&mut self, formula: Term) {
        if formula != Term::TRUE
            && let Some(level) = self.levels.last_mut()
        {
            level.formulas.push(formula);
        }
    }

    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        self.same_store(terms)?;
        self.solution = None;
        self.core = None;
        if let Some(answer) = self.decided(terms, assumptions) {
            return Ok(answer);
        }
        self.free(terms, assumptions)?;
        self.solution = None;
        self.core = None;
        let freed: Vec<Term>;
        let assumptions = if self.freed.is_empty() {
            assumptions
        } else {
            let freed_of = |term: &Term| *self.freed.get(term).unwrap_or(term);
            freed = assumptions.iter().map(freed_of).collect();
            &freed
        };
        let variables = self.variables(terms, assumptions);
        let answer = match self.ask(terms, assumptions, &variables)? {
            BackendAnswer::Sat(solution) => {
                let answer = self.believed(terms, assumptions, &solution);
                if answer == Satisfiability::Sat {
                    self.solution = Some(solution);
                }
                answer
            }
            BackendAnswer::Unsat(core) => {
                self.core = Some(self.minimised(terms, assumptions, core)?);
                Satisfiability::Unsat
            }
            BackendAnswer::Unknown(reason) => Satisfiability::Unknown(reason),
        };
        self.store_size = terms.len();
        Ok(answer)
    }

    fn solution(&self) -> Option<&Assignment> {
        self.solution.as_ref()
    }

    fn unsat_core(&self) -> Option<&[usize]> {
        self.core.as_deref()
    }

    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        self.same_store(terms)?;
        if !terms.is_quantified(formula) {
            return Ok(Elimination::Free(formula));
        }
        let result = self.with_nothing_asserted(|this| {
            this.eliminating = true;
            let mut prover = Proving {
                solver: this,
                broken: None,
            };
            let result = eliminate::eliminate(terms, formula, &mut prover);
            let broken = prover.broken;
            this.eliminating = false;
            match broken {
                Some(error) => Err(error),
                None => Ok(result),
            }
        });
        self.solution = None;
        self.core = None;
        self.store_size = terms.len();
        let result = result?;
        Ok(if terms.is_quantified(result) {
            Elimination::Quantified(result)
        } else {
            Elimination::Free(result)
        })
    }
}

/// Proves the steps of an elimination, until the solver breaks.
struct Proving<'a, B> {
    solver: &'a mut CheckedSolver<B>,
    broken: Option<SolverError>,
}

impl<B: Backend> Prover for Proving<'_, B> {
    fn proves(&mut self, terms: &mut Terms, formula: Term) -> bool {
        if self.broken.is_some() {
            return false;
        }
        match self.solver.valid(terms, formula) {
            Ok(truth) => truth == Truth::True,
            Err(error) => {
                self.broken = Some(error);
                false
            }
        }
    }

    fn hint(&mut self, terms: &mut Terms, formula: Term) -> Option<Term> {
        let CheckedSolver {
            backend, limits, ..
        } = &mut *self.solver;
        match backend.eliminate(terms, formula, limits) {
            // A hint that divides by what may be zero means to us something else than to the solver.
            Ok(hint) => {
                hint.filter(|&hint| !terms.is_quantified(hint) && terms.defined(hint) == Term::TRUE)
            }
            Err(error) => {
                self.broken = Some(error);
                None
            }
        }
    }
}

/// The formula as text, or what it is when the text would be too long to read (shared subterms are written out).
fn excerpt(terms: &Terms, formula: Term) -> String {
    if terms.postorder([formula]).len() <= 60 {
        format!("`{}`", terms.print(formula))
    } else {
        "a formula too long to show".to_owned()
    }
}
