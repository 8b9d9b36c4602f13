//! A bound on work, a way to cancel it, and who does it.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Alone, Crew, Meter};

/// How much work may still be done.
///
/// Engines call [`Budget::spend`] once per unit of work (a state, an edge, a solver query) and stop with *unknown*
/// when it answers with the reason.
/// Steps, unlike seconds, make the same input end the same way on every machine.
#[derive(Debug, Clone)]
pub struct Budget {
    limit: u64,
    left: Cell<u64>,
    cancel: Arc<AtomicBool>,
    meter: Option<Arc<Meter>>,
    crew: Arc<dyn Crew>,
}

/// Why the work must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The number of steps given at the start is used up.
    Steps(u64),
    /// Someone asked to stop.
    Cancelled,
}

impl Budget {
    /// This many steps.
    pub fn steps(limit: u64) -> Self {
        Self {
            limit,
            left: Cell::new(limit),
            cancel: Arc::new(AtomicBool::new(false)),
            meter: None,
            crew: Arc::new(Alone),
        }
    }

    /// No bound of its own; it can still be cancelled.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// The same budget, stopped by a flag that someone else holds (a signal handler, a deadline).
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Arc<AtomicBool>) -> Self {
        self.cancel = cancel;
        self
    }

    /// A budget of its own for a part of the work: this many steps, stopped and counted by its worker together with this one.
    #[must_use]
    pub fn part(&self, steps: u64) -> Budget {
        Budget {
            limit: steps,
            left: Cell::new(steps),
            cancel: self.cancel.clone(),
            meter: self.meter.clone(),
            crew: self.crew.clone(),
        }
    }

    /// The same budget, whose steps someone else counts.
    #[must_use]
    pub fn counted_by(mut self, meter: Arc<Meter>) -> Self {
        self.meter = Some(meter);
        self
    }

    /// The same budget for work that a crew may divide among its members.
    #[must_use]
    pub fn divided_among(mut self, crew: Arc<dyn Crew>) -> Self {
        self.crew = crew;
        self
    }

    /// Who does the work.
    pub fn crew(&self) -> &dyn Crew {
        &*self.crew
    }

    /// Says that a part of the work starts, of this many steps; 0 where that is not known.
    ///
    /// For showing progress: it changes nothing about what may be spent.
    pub fn begin(&self, part: &'static str, total: usize) {
        if let Some(meter) = &self.meter {
            meter.begin(part, total as u64);
        }
    }

    /// Takes one step.
    pub fn spend(&self) -> Result<(), StopReason> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(StopReason::Cancelled);
        }
        match self.left.get() {
            0 => Err(StopReason::Steps(self.limit)),
            left => {
                self.left.set(left - 1);
                if let Some(meter) = &self.meter {
                    meter.count();
                }
                Ok(())
            }
        }
    }

    /// Steps that may still be taken.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Steps taken so far.
    pub fn used(&self) -> u64 {
        self.limit - self.left.get()
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StopReason::Steps(limit) => write!(f, "the bound of {limit} steps was reached"),
            StopReason::Cancelled => write!(f, "the run was stopped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends() {
        let budget = Budget::steps(2);
        assert_eq!(budget.spend(), Ok(()));
        assert_eq!(budget.spend(), Ok(()));
        assert_eq!(budget.spend(), Err(StopReason::Steps(2)));
        assert_eq!(budget.used(), 2);
    }

    #[test]
    fn a_part_has_steps_of_its_own_and_stops_with_the_whole() {
        let flag = Arc::new(AtomicBool::new(false));
        let whole = Budget::steps(1).cancelled_by(flag.clone());
        let part = whole.part(2);
        assert_eq!((part.spend(), part.spend()), (Ok(()), Ok(())));
        assert_eq!(part.spend(), Err(StopReason::Steps(2)));
        assert_eq!(whole.used(), 0);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(whole.part(2).spend(), Err(StopReason::Cancelled));
    }

    #[test]
    fn a_flag_cancels_it() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().cancelled_by(flag.clone());
        assert_eq!(budget.spend(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.spend(), Err(StopReason::Cancelled));
    }
}
