//! What the user may turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use choros_base::Budget;
use choros_model::cfsm::Discipline;
use choros_report::Semantics;
use choros_smt::Limits;

use crate::Progress;

/// Parameters, bounds and limits of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `--param name=value`, in the order given.
    pub parameters: Vec<(String, String)>,
    /// No model is unfolded beyond so many states.
    pub max_states: u64,
    /// Bound of each solver query, in the solver's own units.
    pub solver_budget: u64,
    /// How messages travel between machines, and how many may wait in one channel.
    pub discipline: Discipline,
    /// Whether `explore` counts traces.
    pub traces: bool,
    /// Warnings count as errors.
    pub deny_warnings: bool,
    /// Becomes true when the run is to stop: an interrupt, a deadline.
    pub cancel: Arc<AtomicBool>,
    /// Is told what is being done.
    pub progress: Progress,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            parameters: Vec::new(),
            max_states: 1_000_000,
            solver_budget: Limits::default().resources,
            discipline: Discipline::fifo(5),
            traces: false,
            deny_warnings: false,
            cancel: Arc::new(AtomicBool::new(false)),
            progress: Progress::default(),
        }
    }
}

impl Settings {
    /// A budget of states.
    pub(crate) fn states(&self) -> Budget {
        Budget::steps(self.max_states).cancelled_by(self.cancel.clone())
    }

    /// A budget of several steps per state.
    pub(crate) fn steps(&self, per_state: u64) -> Budget {
        Budget::steps(self.max_states.saturating_mul(per_state)).cancelled_by(self.cancel.clone())
    }

    /// A budget that only an interrupt ends.
    pub(crate) fn until_cancelled(&self) -> Budget {
        Budget::unlimited().cancelled_by(self.cancel.clone())
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            resources: self.solver_budget,
            cancel: Some(self.cancel.clone()),
            ..Limits::default()
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The bounds and parameters, as a report shows them.
    pub(crate) fn semantics(&self) -> Semantics {
        Semantics {
            bounds: [("max-states".to_owned(), self.max_states)].into(),
            parameters: self.parameters.iter().cloned().collect(),
            ..Semantics::default()
        }
    }
}
