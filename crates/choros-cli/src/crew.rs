//! The processors that a run may use.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use choros::base::{Alone, Crew, Job};

/// How many processors may be used; all where it says nothing.
const VARIABLE: &str = "CHOROS_CORES";

/// More than these would wait for memory and for the one that numbers what they find.
const MOST: usize = 8;

/// Fewer pieces of work than these are done before another processor has begun.
const WORTH_DIVIDING: usize = 2_048;

/// Threads that live as long as the jobs.
#[derive(Debug)]
struct Threads {
    members: usize,
    worth_dividing: usize,
}

/// Whoever there is to do the work.
///
/// `CHOROS_CORES=2` takes two processors; tests say `2:1` to have the smallest piece of work divided.
pub(crate) fn crew() -> Arc<dyn Crew> {
    let asked = std::env::var(VARIABLE).unwrap_or_default();
    let (cores, worth) = asked.split_once(':').unwrap_or((asked.as_str(), ""));
    let there = || {
        thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MOST)
    };
    match cores.parse().unwrap_or_else(|_| there()) {
        0 | 1 => Arc::new(Alone),
        members => Arc::new(Threads {
            members,
            worth_dividing: worth.parse().unwrap_or(WORTH_DIVIDING),
        }),
    }
}

impl Crew for Threads {
    fn members(&self) -> usize {
        self.members
    }

    fn worth_dividing(&self) -> usize {
        self.worth_dividing
    }

    fn carry_out<'j>(&self, jobs: Vec<Job<'j>>) {
        let helpers = jobs.len().min(self.members).saturating_sub(1);
        let jobs = Mutex::new(jobs.into_iter());
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(job) = next() {
                job();
            }
        };
        thread::scope(|scope| {
            for _ in 0..helpers {
                // Where the system gives no further thread, those that there are do all jobs.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }
}
