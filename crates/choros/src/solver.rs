//! Finding a solver, or saying how to get one.

use choros_report::Report;
use choros_smt::Solver;

use crate::Settings;

/// A solver with the limits of the settings; without one, the report says how to get one.
pub(crate) fn find(settings: &Settings, report: &mut Report) -> Option<Box<dyn Solver>> {
    match choros_smt::find() {
        Ok(mut solver) => {
            solver.set_limits(settings.limits());
            report.semantics.solver = Some(solver.name());
            report
                .semantics
                .bounds
                .insert("solver-budget".to_owned(), settings.solver_budget);
            Some(solver)
        }
        Err(error) => {
            report.world_failed = Some(error.to_string());
            None
        }
    }
}
