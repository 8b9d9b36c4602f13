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
    /// Wall clock, when somebody waits for the answer.
    pub milliseconds: Option<u64>,
    /// Stops a running query soon after it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    /// Twenty million units: a few seconds of Z3 on a hard query, thousands of times what a typical one needs.
    fn default() -> Self {
        Limits {
            resources: 20_000_000,
            milliseconds: None,
            cancel: None,
        }
    }
}
