//! What a run is doing right now, for whoever waits for it.

use std::sync::{Arc, Mutex, PoisonError};

use choros_base::{Measure, Meter};

/// A sign that a verb changes and a shell reads, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    now: Arc<Mutex<String>>,
    meter: Arc<Meter>,
}

impl Progress {
    /// Says what is being done.
    pub fn show(&self, what: impl Into<String>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
        self.meter.begin("", 0);
    }

    /// What is being done; empty before anything is.
    pub fn now(&self) -> String {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// How far it is.
    pub fn measure(&self) -> Measure {
        self.meter.read()
    }

    /// What counts the steps of engines.
    pub(crate) fn meter(&self) -> Arc<Meter> {
        self.meter.clone()
    }
}
