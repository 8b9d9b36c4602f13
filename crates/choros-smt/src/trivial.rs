//! Formulas without variables, which need no solver.

use choros_data::{Assignment, Term, Terms};

use crate::{Answer, Elimination, Limits, Solver, SolverError};

/// Answers questions that speak of no data, by computing; every other with the advice how to get a solver.
///
/// For models without data: what they ask is true or false as it stands.
#[derive(Debug, Clone, Default)]
pub struct Trivial {
    asserted: Vec<Term>,
    /// Where the levels begin.
    levels: Vec<usize>,
    solution: Option<Assignment>,
    core: Option<Vec<usize>>,
}

impl Solver for Trivial {
    fn name(&self) -> String {
        "none".to_owned()
    }

    fn set_limits(&mut self, _: Limits) {}

    fn push(&mut self) {
        self.levels.push(self.asserted.len());
    }

    fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.asserted.truncate(level);
        }
    }

    fn assert(&mut self, formula: Term) {
        self.asserted.push(formula);
    }

    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Answer, SolverError> {
        self.solution = None;
        self.core = None;
        let mut undecided = false;
        for (position, &formula) in self.asserted.iter().chain(assumptions).enumerate() {
            match terms.simplify(formula) {
                Term::TRUE => {}
                Term::FALSE => {
                    let assumption = position.checked_sub(self.asserted.len());
                    self.core = Some(assumption.into_iter().collect());
                    return Ok(Answer::Unsat);
                }
                _ => undecided = true,
            }
        }
        if undecided {
            return Err(SolverError::NotFound);
        }
        self.solution = Some(Assignment::default());
        Ok(Answer::Sat)
    }

    fn solution(&self) -> Option<&Assignment> {
        self.solution.as_ref()
    }

    fn unsat_core(&self) -> Option<&[usize]> {
        self.core.as_deref()
    }

    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        match terms.is_quantified(formula) {
            false => Ok(Elimination::Free(formula)),
            true => Err(SolverError::NotFound),
        }
    }
}

#[cfg(test)]
mod tests {
    use choros_data::{Op, Sort, Term, Terms};

    use super::Trivial;
    use crate::{Answer, Solver, SolverError, Truth};

    #[test]
    fn what_is_plain_needs_no_solver() {
        let mut terms = Terms::new();
        let mut solver = Trivial::default();
        assert!(matches!(solver.check(&mut terms), Ok(Answer::Sat)));
        assert!(
            solver
                .solution()
                .is_some_and(|it| it.iter().next().is_none())
        );
        solver.push();
        solver.assert(Term::FALSE);
        assert!(matches!(solver.check(&mut terms), Ok(Answer::Unsat)));
        solver.pop();
        let found = solver.check_assuming(&mut terms, &[Term::TRUE, Term::FALSE]);
        assert!(matches!(found, Ok(Answer::Unsat)));
        assert_eq!(solver.unsat_core(), Some(&[1][..]));
        let found = solver.valid(&mut terms, Term::TRUE);
        assert!(matches!(found, Ok(Truth::True)));
    }

    #[test]
    fn what_speaks_of_data_does() {
        let mut terms = Terms::new();
        let (x, zero) = (terms.named("x", Sort::INT), terms.int(0));
        let formula = terms.compare(Op::Less, x, zero);
        let found = Trivial::default().satisfiable(&mut terms, &[formula]);
        assert!(matches!(found, Err(SolverError::NotFound)));
    }
}
