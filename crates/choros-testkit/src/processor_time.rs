//! How long work takes the processor: other than the clock, this does not depend on how busy the machine is.

use std::fs::read_to_string;
use std::time::{Duration, Instant};

/// Measures the work of the thread that made it.
pub struct Stopwatch {
    started: Instant,
    processor_before: Option<Duration>,
}

/// Waiting, and the work of other threads and processes, count a quarter: a text that makes a reader wait forever is
/// found too.
const PART_OF_THE_CLOCK: u32 = 4;

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch {
            started: Instant::now(),
            processor_before: of_this_thread(),
        }
    }

    /// Processor time of this thread, or a quarter of the clock if that is more; the clock where the system keeps no
    /// count.
    pub fn spent(&self) -> Duration {
        let clock = self.started.elapsed();
        let Some((before, now)) = self.processor_before.zip(of_this_thread()) else {
            return clock;
        };
        now.saturating_sub(before).max(clock / PART_OF_THE_CLOCK)
    }
}

fn of_this_thread() -> Option<Duration> {
    nanoseconds(&read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// Processor time of all threads that this process has now; the clock where the system keeps no count.
pub fn processor_time_of_this_process() -> Duration {
    let of_threads = || -> Option<Duration> {
        let mut total = Duration::ZERO;
        for thread in std::fs::read_dir("/proc/self/task").ok()? {
            total += nanoseconds(&read_to_string(thread.ok()?.path().join("schedstat")).ok()?)?;
        }
        Some(total)
    };
    of_threads().unwrap_or_else(|| {
        let now = std::time::SystemTime::now();
        now.duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default()
    })
}

fn nanoseconds(schedstat: &str) -> Option<Duration> {
    let count = schedstat.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_counts_a_quarter() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(300));
        let spent = watch.spent();
        assert!(spent >= Duration::from_millis(75), "{spent:?}");
        if of_this_thread().is_some() {
            assert!(spent < watch.started.elapsed() / 2, "{spent:?}");
        }
    }
}
