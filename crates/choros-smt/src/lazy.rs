//! A solver that is started when the first question needs one.

use choros_data::{Assignment, Term, Terms};

use crate::locate::find_in;
use crate::{Elimination, Limits, Places, Satisfiability, Solver, SolverError};

/// Answers questions that speak of no data by computing, and starts a solver for the first one that does.
///
/// Models without data, and questions that are settled before anyone is asked, need no solver on the machine.
/// Where one is needed and none can be found, that question returns the error.
pub struct LazySolver {
    places: Places,
    limits: Limits,
    started: Option<Box<dyn Solver>>,
    /// What is asserted until a solver is there to be told.
    asserted: Vec<Term>,
    /// Where the levels begin.
    levels: Vec<usize>,
    solution: Option<Assignment>,
    core: Option<Vec<usize>>,
}

impl LazySolver {
    /// Looks for a solver in these places once one is needed.
    pub fn new(places: Places, limits: Limits) -> LazySolver {
        LazySolver {
            places,
            limits,
            started: None,
            asserted: Vec::new(),
            levels: Vec::new(),
            solution: None,
            core: None,
        }
    }

    /// Looks where the environment says.
    pub fn from_environment(limits: Limits) -> LazySolver {
        LazySolver::new(Places::from_environment(), limits)
    }

    /// Finds none: for questions that speak of no data.
    pub fn without_any() -> LazySolver {
        LazySolver::new(Places::default(), Limits::default())
    }

    /// The solver that was started, with its version; none where no question needed one.
    pub fn used(&self) -> Option<String> {
        self.started.as_ref().map(|solver| solver.name())
    }

    /// Starts a solver now, so that a missing one is reported before the work.
    pub fn start(&mut self) -> Result<&mut dyn Solver, SolverError> {
        let solver = match self.started.take() {
            Some(solver) => solver,
            None => {
                let mut solver = find_in(&self.places)?;
                solver.set_limits(self.limits.clone());
                let mut levels = self.levels.drain(..).peekable();
                for (position, formula) in self.asserted.drain(..).enumerate() {
                    while levels.next_if(|&level| level <= position).is_some() {
                        solver.push();
                    }
                    solver.assert(formula);
                }
                for _ in levels {
                    solver.push();
                }
                solver
            }
        };
        Ok(&mut **self.started.insert(solver))
    }

    /// The answer to a question whose formulas are true or false as they stand.
    fn computed(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Option<Satisfiability> {
        self.solution = None;
        self.core = None;
        let mut is_settled = true;
        for (position, &formula) in self.asserted.iter().chain(assumptions).enumerate() {
            match terms.simplify(formula) {
                Term::TRUE => {}
                Term::FALSE => {
                    let assumption = position.checked_sub(self.asserted.len());
                    self.core = Some(assumption.into_iter().collect());
                    return Some(Satisfiability::Unsat);
                }
                _ => is_settled = false,
            }
        }
        if is_settled {
            self.solution = Some(Assignment::default());
        }
        is_settled.then_some(Satisfiability::Sat)
    }
}

impl Solver for LazySolver {
    fn name(&self) -> String {
        self.used().unwrap_or_else(|| "none".to_owned())
    }

    fn set_limits(&mut self, limits: Limits) {
        if let Some(solver) = &mut self.started {
            solver.set_limits(limits.clone());
        }
        self.limits = limits;
    }

    fn bound(&self) -> u64 {
        self.limits.resources
    }

    fn spent(&self) -> u64 {
        self.started.as_ref().map_or(0, |it| it.spent())
    }

    fn push(&mut self) {
        match &mut self.started {
            Some(solver) => solver.push(),
            None => self.levels.push(self.asserted.len()),
        }
    }

    fn pop(&mut self) {
        match &mut self.started {
            Some(solver) => solver.pop(),
            None => {
                if let Some(level) = self.levels.pop() {
                    self.asserted.truncate(level);
                }
            }
        }
    }

    fn assert(&mut self, formula: Term) {
        match &mut self.started {
            Some(solver) => solver.assert(formula),
            None => self.asserted.push(formula),
        }
    }

    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        if self.started.is_none()
            && let Some(answer) = self.computed(terms, assumptions)
        {
            return Ok(answer);
        }
        self.start()?.check_assuming(terms, assumptions)
    }

    fn solution(&self) -> Option<&Assignment> {
        match &self.started {
            Some(solver) => solver.solution(),
            None => self.solution.as_ref(),
        }
    }

    fn unsat_core(&self) -> Option<&[usize]> {
        match &self.started {
            Some(solver) => solver.unsat_core(),
            None => self.core.as_deref(),
        }
    }

    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        if self.started.is_none() && !terms.is_quantified(formula) {
            return Ok(Elimination::Free(formula));
        }
        self.start()?.eliminate(terms, formula)
    }
}

#[cfg(test)]
mod tests {
    use choros_data::{Op, Sort, Term, Terms};

    use super::LazySolver;
    use crate::{Limits, Satisfiability, Solver, SolverError, Truth};

    #[test]
    fn what_is_plain_needs_no_solver() {
        let mut terms = Terms::new();
        let mut solver = LazySolver::without_any();
        assert!(matches!(solver.check(&mut terms), Ok(Satisfiability::Sat)));
        assert!(
            solver
                .solution()
                .is_some_and(|it| it.iter().next().is_none())
        );
        solver.push();
        solver.assert(Term::FALSE);
        assert!(matches!(
            solver.check(&mut terms),
            Ok(Satisfiability::Unsat)
        ));
        solver.pop();
        let found = solver.check_assuming(&mut terms, &[Term::TRUE, Term::FALSE]);
        assert!(matches!(found, Ok(Satisfiability::Unsat)));
        assert_eq!(solver.unsat_core(), Some(&[1][..]));
        let found = solver.valid(&mut terms, Term::TRUE);
        assert!(matches!(found, Ok(Truth::True)));
        assert_eq!(solver.used(), None);
    }

    #[test]
    fn what_speaks_of_data_does() {
        let mut terms = Terms::new();
        let (x, zero) = (terms.named("x", Sort::INT), terms.int(0));
        let formula = terms.compare(Op::Less, x, zero);
        let found = LazySolver::without_any().satisfiable(&mut terms, &[formula]);
        assert!(matches!(found, Err(SolverError::NotFound)));
    }

    #[test]
    fn a_solver_that_is_started_late_knows_what_was_asserted_on_which_level() {
        let mut terms = Terms::new();
        let (x, zero) = (terms.named("x", Sort::INT), terms.int(0));
        let negative = terms.compare(Op::Less, x, zero);
        let positive = terms.compare(Op::Greater, x, zero);
        let mut solver = LazySolver::from_environment(Limits::default());
        solver.push();
        solver.assert(negative);
        solver.push();
        solver.push();
        solver.assert(positive);
        assert!(matches!(
            solver.check(&mut terms),
            Ok(Satisfiability::Unsat)
        ));
        assert!(solver.used().is_some());
        solver.pop();
        assert!(matches!(solver.check(&mut terms), Ok(Satisfiability::Sat)));
        solver.assert(positive);
        assert!(matches!(
            solver.check(&mut terms),
            Ok(Satisfiability::Unsat)
        ));
        solver.pop();
        solver.pop();
        assert!(matches!(
            solver.satisfiable(&mut terms, &[positive]),
            Ok(Satisfiability::Sat)
        ));
    }
}
