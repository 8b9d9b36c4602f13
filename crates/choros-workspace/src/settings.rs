//! What the user may turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use choros_base::{Alone, Budget, Crew};
#[cfg(feature = "bpel")]
use choros_bpel::calculus::Style as EventHandlers;
#[cfg(feature = "bpel")]
use choros_bpel::process::{Duration, Reading};
use choros_model::Bound;
use choros_model::cfsm::{Discipline, Reduction};
use choros_model::stg::{Sessions, Told};
use choros_report::answers::{Answered, Present, RunNotes, Stop};
use choros_report::{Events, Report, Semantics, with_advice};
use choros_smt::{LazySolver, Limits};

use crate::{Cache, FaultSettings};

/// Parameters, bounds and limits of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `--param name=value`, in the order given.
    pub parameters: Vec<(String, String)>,
    /// No model is unfolded beyond this many states.
    pub max_states: u64,
    /// Bound of each solver query, in the solver's own units.
    pub solver_budget: u64,
    /// How messages travel between machines, and how many may wait in one channel.
    pub discipline: Discipline,
    /// Which orders of independent steps of machines are examined.
    pub reduction: Reduction,
    /// What concerns g-choreographies only.
    pub gchor: GchorSettings,
    /// What concerns processes of WS-BPEL only.
    #[cfg(feature = "bpel")]
    pub orchestration: OrchestrationSettings,
    /// What may go wrong while services run.
    pub faults: Option<FaultSettings>,
    /// States of services take no more than this many bytes, about.
    pub max_memory: Option<u64>,
    /// How many milliseconds a tick of the native language has; otherwise the greatest common divisor of the durations of
    /// a file. It must divide that.
    pub tick: Option<u64>,
    /// A receive with fewer variables takes a message before others.
    pub best_match: bool,
    /// Warnings count as errors.
    pub deny_warnings: bool,
    /// Becomes true when the run is to stop: an interrupt, a deadline.
    pub cancel: Arc<AtomicBool>,
    /// Who does the work that can be divided; no answer depends on it.
    pub crew: Arc<dyn Crew>,
    /// Is told what happens.
    pub events: Events,
    /// Answers found earlier.
    pub cache: Option<Cache>,
    /// How many sessions of each choreography there are, where that is asked.
    pub sessions: Option<Sessions>,
    /// What a model of several sessions is opened as.
    pub sessions_as: SessionsAs,
}

/// What a model of several sessions is opened as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionsAs {
    /// One graph of all, in which messages of different sessions differ like this.
    Together(Told),
    /// The graph of one, by a verb that knows what it says of all.
    One,
}

/// What the user may turn for g-choreographies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GchorSettings {
    /// A participant that does the same in all branches need not know which was chosen.
    pub tolerate_equal_branches: bool,
    /// What does not wait for what is written before it breaks the form.
    pub strict: bool,
    /// Pomsets are counted and drawn, instead of the configurations of machines.
    pub pomsets: bool,
    /// Loops go round up to this many times.
    pub unfold: Option<u32>,
}

/// What the user may turn for processes of WS-BPEL.
#[cfg(feature = "bpel")]
#[derive(Debug, Clone, Copy, Default)]
pub struct OrchestrationSettings {
    /// What event handlers do to the body of their scope.
    pub events: EventHandlers,
    /// Which of standard and thesis decides.
    pub reading: Reading,
    /// How long a tick is; otherwise the greatest common divisor of the durations.
    pub unit: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            parameters: Vec::new(),
            max_states: 1_000_000,
            solver_budget: Limits::default().resources,
            discipline: Discipline::fifo(5),
            reduction: Reduction::None,
            gchor: GchorSettings::default(),
            #[cfg(feature = "bpel")]
            orchestration: OrchestrationSettings::default(),
            faults: None,
            max_memory: None,
            tick: None,
            best_match: true,
            deny_warnings: false,
            cancel: Arc::new(AtomicBool::new(false)),
            crew: Arc::new(Alone),
            events: Events::default(),
            cache: None,
            sessions: None,
            sessions_as: SessionsAs::Together(Told::Never),
        }
    }
}

impl Settings {
    /// The same, with models of several sessions opened in another way.
    #[must_use]
    pub fn with_sessions_as(&self, sessions_as: SessionsAs) -> Settings {
        Settings {
            sessions_as,
            ..self.clone()
        }
    }

    /// The report of a verb, before anything is in it.
    pub fn report(&self, verb: &'static str) -> Report {
        Report {
            verb,
            semantics: self.semantics(),
            deny_warnings: self.deny_warnings,
            ..Report::default()
        }
    }

    /// What a run leaves beside its answer, before it begins.
    pub fn run(&self) -> RunNotes {
        RunNotes {
            semantics: self.semantics(),
            deny_warnings: self.deny_warnings,
            ..RunNotes::default()
        }
    }

    /// What a question finds, in a run of its own.
    pub fn answered<T: Present>(
        &self,
        ask: impl FnOnce(&mut RunNotes) -> Result<T, Stop>,
    ) -> Answered<T> {
        let mut run = self.run();
        let answer = ask(&mut run);
        run.interrupted = self.is_cancelled();
        Answered::new(answer, run)
    }

    /// A solver that is started when a question needs one.
    pub fn solver(&self) -> LazySolver {
        LazySolver::from_environment(self.limits())
    }

    /// Says which solver was used, and within which bound.
    pub fn name_solver(&self, solver: &LazySolver, semantics: &mut Semantics) {
        if let Some(name) = solver.used() {
            semantics.solver = Some(name);
            let bound = ("solver-budget".to_owned(), self.solver_budget);
            semantics.bounds.extend([bound]);
        }
    }

    /// Nothing can be said about what was not built.
    pub fn cut(&self, name: String) -> Stop {
        let reason = if self.is_cancelled() {
            "the run was stopped before it was built".to_owned()
        } else {
            with_advice("it is larger than the bound", Some(Bound::States(None)))
        };
        Stop::Cut { name, reason }
    }

    /// A budget of states.
    pub fn states(&self) -> Budget {
        self.watched(Budget::steps(self.max_states))
    }

    /// A budget of several steps per state.
    pub fn steps(&self, per_state: u64) -> Budget {
        self.watched(Budget::steps(self.max_states.saturating_mul(per_state)))
    }

    /// A budget that only an interrupt ends.
    pub fn until_cancelled(&self) -> Budget {
        self.watched(Budget::unlimited())
    }

    /// A budget that an interrupt ends, and whose steps are shown as progress.
    fn watched(&self, budget: Budget) -> Budget {
        budget
            .cancelled_by(self.cancel.clone())
            .counted_by(self.events.meter())
            .divided_among(self.crew.clone())
    }

    /// The bounds of each question to a solver.
    pub fn limits(&self) -> Limits {
        Limits {
            resources: self.solver_budget,
            cancel: Some(self.cancel.clone()),
            ..Limits::default()
        }
    }

    /// Whether the run is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The bounds and parameters, as a report shows them.
    pub fn semantics(&self) -> Semantics {
        Semantics {
            bounds: [("max-states".to_owned(), self.max_states)].into(),
            parameters: self.parameters.iter().cloned().collect(),
            ..Semantics::default()
        }
    }
}
