//! Threads that work side by side, and the time that passes meanwhile.

use std::time::{Duration, Instant};

/// Milliseconds since it was made; it never goes backwards, whatever happens to the clock on the wall.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    pub fn milliseconds(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Does nothing for so long.
pub fn nap(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

/// How many threads can work at once here.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// Whether a log of so many bytes is worth a thread that reads it while another judges.
pub(crate) fn is_worth_a_thread(bytes: u64) -> bool {
    bytes >= 1 << 20 && cores() > 1
}

/// Lets so many threads work, each with its number, while something is done in this one; ends when all have ended.
pub fn with_crew<R>(
    count: usize,
    work: &(dyn Fn(usize) + Sync),
    meanwhile: impl FnOnce() -> R,
) -> R {
    std::thread::scope(|scope| {
        for number in 0..count {
            scope.spawn(move || work(number));
        }
        meanwhile()
    })
}

/// A name that no other process has, nor another run of this one.
pub fn own_name() -> String {
    let random = ring::rand::SystemRandom::new();
    let mut bytes = [0; 8];
    let _ = ring::rand::SecureRandom::fill(&random, &mut bytes);
    let digits: String = bytes.iter().map(|it| format!("{it:02x}")).collect();
    format!("{}-{digits}", std::process::id())
}
