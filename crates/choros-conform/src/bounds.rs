//! Which bound to raise where something was left undone.

use choros_base::Spent;
use choros_model::Bound;
use choros_smt::Reason;

/// The bound that helps, unless somebody stopped the run.
pub(crate) fn bound_of(spent: Spent) -> Option<Bound> {
    matches!(spent, Spent::Steps(_)).then_some(Bound::States(None))
}

/// The bound that gives the solver more, where it was what stopped it.
pub(crate) fn budget_of(reason: &Reason) -> Option<Bound> {
    reason.bound().map(|_| Bound::SolverBudget(None))
}
