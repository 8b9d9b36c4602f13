//! How much memory a server may use.
//!
//! A thread has no memory of its own, so a job that takes too much is cancelled, and the rest goes on.
//! What a job gives back does not always reach the system at once.
//! So a job counts only if there is more in use than when it began.

use std::sync::Arc;

/// A limit, and how much is in use.
#[derive(Clone)]
pub struct MemoryLimit {
    /// Bytes.
    pub most: u64,
    /// Bytes that the process holds now; `None` where no one knows.
    pub in_use: Arc<dyn Fn() -> Option<u64> + Send + Sync>,
}

/// What a job may add beyond the limit before it is noticed: one part in so many.
const SLACK: u64 = 8;

impl MemoryLimit {
    pub(crate) fn now(&self) -> u64 {
        (self.in_use)().unwrap_or(0)
    }

    /// Whether a job that began with so much in use has to end.
    pub(crate) fn is_exceeded(&self, at_start: u64) -> bool {
        let now = self.now();
        now > self.most && now > at_start.saturating_add(self.most / SLACK)
    }

    /// What is said about work that was stopped.
    pub(crate) fn reason(&self) -> String {
        format!(
            "more than {} MB of memory in use (raise the limit with --max-memory)",
            self.most / 1_000_000
        )
    }
}
