//! What a run is doing right now, for whoever waits for it.

use std::sync::{Arc, Mutex, PoisonError};

/// A sign that a verb changes and a shell reads, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    now: Arc<Mutex<String>>,
}

impl Progress {
    /// Says what is being done.
    pub fn show(&self, what: impl Into<String>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
    }

    /// What is being done; empty before anything is.
    pub fn now(&self) -> String {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
