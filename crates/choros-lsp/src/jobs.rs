//! Work that takes longer than a keystroke: it has a thread of its own, and the next keystroke cancels it.
//!
//! A job belongs to one text of a buffer.
//! The caller that takes its result compares that with the text that is there now, so that nothing stale is shown, even where the work did not hear that
//! it was cancelled.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use choros::{Event as Happening, Events, Settings};
use serde_json::Value;

use crate::answer::VerbAnswer;
use crate::memory::MemoryLimit;

/// Work in the background.
pub(crate) struct Job {
    pub(crate) uri: String,
    /// The text that it is about.
    pub(crate) generation: u64,
    pub(crate) purpose: Purpose,
    cancel: Arc<AtomicBool>,
    doing: Arc<Mutex<String>>,
    /// How far it is.
    pub(crate) events: Events,
    /// It is cancelled then.
    deadline: Option<Instant>,
    /// Bytes that were in use when it began.
    memory_at_start: u64,
    /// It was stopped because it took too much memory.
    pub(crate) is_too_large: bool,
}

/// Why it is done.
pub(crate) enum Purpose {
    /// To find what only `check` finds.
    Checking,
    /// Because the client asked.
    Command {
        /// The request to be answered.
        id: Value,
        /// Where progress is told.
        token: Option<Value>,
        verb: String,
    },
}

/// What became of a job.
pub(crate) struct FinishedJob {
    pub(crate) number: u64,
    pub(crate) result: Result<VerbAnswer, String>,
}

/// The jobs that run.
#[derive(Default)]
pub(crate) struct Jobs {
    running: BTreeMap<u64, Job>,
    next: u64,
    memory: Option<MemoryLimit>,
}

impl Job {
    pub(crate) fn doing(&self) -> String {
        let doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        doing.clone()
    }
}

impl Jobs {
    pub(crate) fn within(memory: Option<MemoryLimit>) -> Jobs {
        Jobs {
            memory,
            ..Jobs::default()
        }
    }

    /// Starts work on a text of a buffer.
    pub(crate) fn start(
        &mut self,
        uri: &str,
        generation: u64,
        purpose: Purpose,
        at_most: Option<Duration>,
        tell: impl Fn(FinishedJob) + Clone + Send + 'static,
        work: impl FnOnce(&Settings) -> Result<VerbAnswer, String> + Send + 'static,
    ) {
        let doing: Arc<Mutex<String>> = Arc::default();
        let heard = doing.clone();
        let settings = Settings {
            events: Events::to(move |event| {
                if let Happening::Doing(what) = event {
                    *heard.lock().unwrap_or_else(PoisonError::into_inner) = what;
                }
            }),
            ..Settings::default()
        };
        let number = self.next;
        self.next += 1;
        let job = Job {
            uri: uri.to_owned(),
            generation,
            purpose,
            cancel: settings.cancel.clone(),
            doing,
            events: settings.events.clone(),
            deadline: at_most.map(|it| Instant::now() + it),
            memory_at_start: self.memory.as_ref().map_or(0, MemoryLimit::now),
            is_too_large: false,
        };
        self.running.insert(number, job);
        let told = tell.clone();
        let run = move || {
            // An editor must not lose its server, nor wait forever, because of a mistake of ours.
            let result = catch_unwind(AssertUnwindSafe(|| work(&settings)));
            let result =
                result.unwrap_or_else(|_| Err("the work ended by a mistake of ours".into()));
            tell(FinishedJob { number, result });
        };
        let spawned = std::thread::Builder::new()
            .name("job".to_owned())
            .stack_size(STACK)
            .spawn(run);
        if let Err(error) = spawned {
            let result = Err(format!("no thread could be started: {error}"));
            told(FinishedJob { number, result });
        }
    }

    /// The job with this number, which is over.
    pub(crate) fn take(&mut self, number: u64) -> Option<Job> {
        self.running.remove(&number)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Job> {
        self.running.values()
    }

    /// Cancels jobs; their results still come.
    pub(crate) fn cancel_where(&self, is_it: impl Fn(&Job) -> bool) {
        for job in self.running.values().filter(|it| is_it(it)) {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Cancels what takes too long or too much memory.
    pub(crate) fn tick(&mut self, now: Instant) {
        self.cancel_where(|it| it.deadline.is_some_and(|deadline| deadline <= now));
        let Some(memory) = &self.memory else {
            return;
        };
        for job in self.running.values_mut() {
            if !job.is_too_large && memory.is_exceeded(job.memory_at_start) {
                job.is_too_large = true;
                job.cancel.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Why work was stopped that took too much memory.
    pub(crate) fn memory_reason(&self) -> String {
        self.memory
            .as_ref()
            .map_or_else(String::new, MemoryLimit::reason)
    }
}

/// As much as the main thread of a program has: searches were made for that.
const STACK: usize = 8 * 1024 * 1024;
