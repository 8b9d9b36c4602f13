//! How much work one query may cost.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bounds on one query.
///
/// Resource units are counted by the solver itself, so the same input ends the same way on a slow and on a fast
/// machine; milliseconds do not, and are off unless asked for.
#[derive(Debug, Clone)]
pub struct Limits {
    /// In the solver's own units.
    pub resources: u64,
    /// Wall clock, when someone waits for the answer.
    pub milliseconds: Option<u64>,
    /// Stops a running query soon after it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    /// Two million units: seconds of Z3 on a hard query, hundreds of times what a typical one needs.
    fn default() -> Self {
        Limits {
            resources: 2_000_000,
            milliseconds: None,
            cancel: None,
        }
    }
}

impl Limits {
    /// A solver that has not answered for this many milliseconds ignores its bound in resource units, and is stopped.
    ///
    /// Z3 4.8.12 does that on nonlinear arithmetic, cvc5 1.0.3 on square roots.
    pub const HANGS: u64 = 20_000;

    /// The time after which a query is stopped from outside.
    pub(crate) fn patience(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.milliseconds.unwrap_or(Self::HANGS))
    }

    /// Bounds for a hint about quantifiers, which is worth less time than an answer.
    pub(crate) fn of_hint(&self) -> Limits {
        Limits {
            milliseconds: Some(
                self.milliseconds
                    .unwrap_or(Self::HANGS)
                    .min(Self::HANGS / 5),
            ),
            ..self.clone()
        }
    }
}
