//! Solvers for questions that have nothing to do with each other.

use choros_smt::LazySolver;

/// Gives a new solver for each part of an audit, and keeps one that was needed, to name it.
pub struct Solvers<'s> {
    make: &'s dyn Fn() -> LazySolver,
    used: Option<LazySolver>,
}

impl<'s> Solvers<'s> {
    /// Solvers that this makes.
    pub fn new(make: &'s dyn Fn() -> LazySolver) -> Solvers<'s> {
        Solvers { make, used: None }
    }

    /// Answers with a solver that was not used before.
    pub(super) fn with<R>(&mut self, answer: impl FnOnce(&mut LazySolver) -> R) -> R {
        let mut solver = (self.make)();
        let answered = answer(&mut solver);
        if solver.used().is_some() {
            self.used = Some(solver);
        }
        answered
    }

    /// One that was needed, if any was.
    pub fn used(&self) -> Option<&LazySolver> {
        self.used.as_ref()
    }
}
