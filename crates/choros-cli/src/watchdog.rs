//! Ends a run that does not end by itself: after its time, after an interrupt, or when it takes too much memory.
//!
//! Engines poll a flag and stop with what they know.
//! Where one cannot (a solver at work, a reader in the middle of a large file), this thread writes a report in its place a
//! moment later, with what was found so far and *unknown* for the rest, and ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Who speaks last, and why the run has to end.
#[derive(Clone, Default)]
pub(crate) struct Watchdog {
    /// Someone writes the report.
    taken: Arc<AtomicBool>,
    /// The first cause that was met.
    cause: Arc<AtomicU8>,
}

/// Why a run has to end before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// `--timeout`.
    Time,
    /// `--max-memory`.
    Memory,
    /// A signal.
    Interrupt,
}

/// What a run may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    /// Seconds.
    pub(crate) timeout: Option<u64>,
    /// Bytes of resident memory.
    pub(crate) memory: u64,
    /// How long engines have to stop by themselves; forever where the process must not be ended.
    pub(crate) grace: Option<Duration>,
}

/// So much resident memory is allowed unless the user says otherwise.
pub(crate) const MEMORY: u64 = 4_000_000_000;

/// The process itself, with a solver, needs so much; a smaller bound is for what engines count by themselves.
pub(crate) const LEAST_MEMORY: u64 = 100_000_000;

const BEAT: Duration = Duration::from_millis(20);

impl Watchdog {
    /// Claims the last word; *false* if someone else has it already.
    pub(crate) fn claim(&self) -> bool {
        !self.taken.swap(true, Ordering::SeqCst)
    }

    /// Why the run was ended, if it was.
    pub(crate) fn cause(&self) -> Option<Cause> {
        match self.cause.load(Ordering::SeqCst) {
            1 => Some(Cause::Time),
            2 => Some(Cause::Memory),
            3 => Some(Cause::Interrupt),
            _ => None,
        }
    }

    /// Notes a cause; the first one stays.
    pub(crate) fn note(&self, cause: Cause) {
        let number = match cause {
            Cause::Time => 1,
            Cause::Memory => 2,
            Cause::Interrupt => 3,
        };
        let _ = self
            .cause
            .compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Watches from another thread; `last_word` writes the report and ends the process.
    pub(crate) fn watch(
        &self,
        allowance: Allowance,
        cancel: Arc<AtomicBool>,
        last_word: impl FnOnce(Cause) + Send + 'static,
    ) {
        let dog = self.clone();
        if allowance.timeout == Some(0) {
            // The thread below may come too late: without time, nothing is begun.
            dog.note(Cause::Time);
            cancel.store(true, Ordering::Relaxed);
        }
        std::thread::spawn(move || {
            let started = Instant::now();
            let mut ending: Option<Instant> = None;
            loop {
                std::thread::sleep(BEAT);
                if dog.taken.load(Ordering::SeqCst) {
                    return;
                }
                let memory = resident_memory().unwrap_or(0);
                if allowance
                    .timeout
                    .is_some_and(|seconds| started.elapsed() >= Duration::from_secs(seconds))
                {
                    dog.note(Cause::Time);
                    cancel.store(true, Ordering::Relaxed);
                }
                if memory > allowance.memory {
                    dog.note(Cause::Memory);
                    cancel.store(true, Ordering::Relaxed);
                }
                if !cancel.load(Ordering::Relaxed) {
                    continue;
                }
                let since = *ending.get_or_insert_with(Instant::now);
                // Memory may run out before the moment is over.
                let pressing = memory > allowance.memory.saturating_add(allowance.memory / 2);
                let is_late = |grace: Duration| since.elapsed() >= grace || pressing;
                if allowance.grace.is_some_and(is_late) && dog.claim() {
                    let cause = dog.cause().unwrap_or(Cause::Interrupt);
                    last_word(cause);
                    return;
                }
            }
        });
    }
}

/// Bytes of memory that the process holds; not known everywhere.
pub(crate) fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
