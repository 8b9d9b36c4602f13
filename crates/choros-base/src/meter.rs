//! How far some work is, for showing it to those who wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Counts steps; a worker writes it, another thread reads it.
///
/// It never influences the work: the same input gives the same answer whether or not anyone looks.
#[derive(Debug, Default)]
pub struct Meter {
    done: AtomicU64,
    part: Mutex<(&'static str, u64)>,
}

/// What a meter shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// The part of the work that is being done; may be empty.
    pub part: &'static str,
    /// Steps done of it.
    pub done: u64,
    /// Of how many, if that is known.
    pub total: Option<u64>,
}

impl Meter {
    /// Starts a part of the work, of this many steps; 0 where that is not known.
    pub fn begin(&self, part: &'static str, total: u64) {
        *self.part.lock().unwrap_or_else(PoisonError::into_inner) = (part, total);
        self.done.store(0, Ordering::Relaxed);
    }

    /// Counts a step.
    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// What it shows now.
    pub fn read(&self) -> Measure {
        let (part, total) = *self.part.lock().unwrap_or_else(PoisonError::into_inner);
        let done = self.done.load(Ordering::Relaxed);
        Measure {
            part,
            done,
            total: (total > 0).then_some(total),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_part_starts_at_nothing() {
        let meter = Meter::default();
        meter.count();
        meter.begin("sorting", 3);
        meter.count();
        meter.count();
        let expected = Measure {
            part: "sorting",
            done: 2,
            total: Some(3),
        };
        assert_eq!(meter.read(), expected);
        meter.begin("", 0);
        assert_eq!(meter.read().total, None);
    }
}
