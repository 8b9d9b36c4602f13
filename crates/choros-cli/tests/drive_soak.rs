//! The correct services of the case studies, driven with many seeds: none may be blamed.
//!
//! `make soak` runs it; `CHOROS_DRIVE_RUNS` says with how many seeds (100), `CHOROS_DRIVE_LANES` how many services are
//! driven at a time (4). A run mostly waits for timers, so there may be more of them than processors. Where the machine is
//! so busy that a timer of the service overtakes the tester, the service takes another branch than the path; such tests
//! are run again three times, and what is inconclusive then is counted, and blames no one.

mod support;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use support::python;
use support::study::{CONFERENCE, LOAN, Study};

/// A tick is an hour, which takes 0.3 s here, and the tolerance is the usual one.
const FAST_LOAN: Study = Study {
    service: &["--hour", "0.3"],
    driving: &["-k", "10", "--time-scale", "0.00008333333"],
    ..LOAN
};

impl Study {
    /// Drives the service with all seeds, in several lanes, each with a service of its own.
    fn soak(&self) {
        let Some(python) = python("spyne, zeep, lxml") else {
            return;
        };
        let (runs, lanes) = (
            number("CHOROS_DRIVE_RUNS", 100),
            number("CHOROS_DRIVE_LANES", 4),
        );
        let begun = Instant::now();
        let next = AtomicU64::new(1);
        let blamed = Mutex::new(Vec::new());
        let inconclusive = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..lanes {
                scope.spawn(|| self.lane(&python, runs, &next, &blamed, &inconclusive));
            }
        });
        let blamed = blamed.into_inner().unwrap();
        #[expect(clippy::print_stderr, reason = "a run of minutes says what it came to")]
        let say = |text: String| eprintln!("{text}");
        say(format!(
            "{}: {runs} seeds in {} s, {} blamed, {} inconclusive",
            self.model,
            begun.elapsed().as_secs(),
            blamed.len(),
            inconclusive.load(Ordering::Relaxed)
        ));
        assert!(blamed.is_empty(), "{}", blamed.join("\n"));
    }

    fn lane(
        &self,
        python: &Path,
        runs: u64,
        next: &AtomicU64,
        blamed: &Mutex<Vec<String>>,
        inconclusive: &AtomicU64,
    ) {
        let service = self.serve(python, None);
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > runs {
                return;
            }
            let number = seed.to_string();
            let more = ["--values", "random", "--seed", &number, "--retries", "3"];
            match service.drive(&more) {
                (0, _) => {}
                (4, _) => {
                    inconclusive.fetch_add(1, Ordering::Relaxed);
                }
                (_, text) => {
                    blamed.lock().unwrap().push(format!("seed {seed}:\n{text}"));
                }
            }
        }
    }
}

fn number(variable: &str, usual: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.and_then(|it| it.parse().ok()).unwrap_or(usual)
}

#[test]
#[ignore = "takes minutes: `make soak`"]
fn facts_47_and_48_the_loan_service_is_never_blamed() {
    FAST_LOAN.soak();
}

#[test]
#[ignore = "takes minutes: `make soak`"]
fn the_conference_service_is_never_blamed() {
    CONFERENCE.soak();
}
