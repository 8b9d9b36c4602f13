//! The correct services of the case studies, driven with many seeds: none may be blamed.
//!
//! `make soak` runs it; `CHOROS_DRIVE_RUNS` says with how many seeds (100), `CHOROS_DRIVE_LANES` how many services are
//! driven at a time (4). A run mostly waits for timers, so there may be more of them than processors. Where the machine is
//! so busy that a timer of the service overtakes the tester, the service takes another branch than the path; such tests
//! are run again three times, and what is inconclusive then is counted, and blames nobody.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use support::{Program, choros, free_address, python};

/// A service, the options that name its partners, and how it is driven.
struct Study {
    folder: &'static str,
    model: &'static str,
    partners: &'static [(&'static str, &'static str)],
    service: &'static [&'static str],
    driving: &'static [&'static str],
}

/// A tick is an hour, which takes 0.3 s here.
const LOAN: Study = Study {
    folder: "xloan",
    model: "xloan.bpel",
    partners: &[("--black-list", "BL"), ("--bank", "BK")],
    service: &["--hour", "0.3"],
    driving: &["-k", "10", "--time-scale", "0.00008333333"],
};

const CONFERENCE: Study = Study {
    folder: "econference",
    model: "econference.bpel",
    partners: &[
        ("--conference", "cS"),
        ("--egov", "egovS"),
        ("--flight", "fS"),
    ],
    service: &[],
    driving: &["-k", "15", "--contracts", "dates.contract"],
};

impl Study {
    /// Drives the service with all seeds, in several lanes, each with a service of its own.
    #[allow(clippy::print_stderr, reason = "the figure is what one waits for")]
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
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(self.folder);
        let mut service = Command::new(python);
        service
            .current_dir(&folder)
            .args(["service.py", "--port", "0"])
            .args(self.service);
        let mut played = Vec::new();
        for (option, role) in self.partners {
            let address = free_address();
            service.args([*option, &format!("http://{address}/")]);
            played.extend(["--mock-at".to_owned(), format!("{role}={address}")]);
        }
        let service = Program::start(&mut service);
        let target = format!("http://127.0.0.1:{}/", service.url());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > runs {
                return;
            }
            let output = choros()
                .current_dir(&folder)
                .args(["drive", self.model, "--mock-partners", "--target", &target])
                .args(["--values", "random", "--seed", &seed.to_string()])
                .args(["--retries", "3"])
                .args(&played)
                .args(self.driving)
                .output()
                .unwrap();
            match output.status.code() {
                Some(0) => {}
                Some(4) => {
                    inconclusive.fetch_add(1, Ordering::Relaxed);
                }
                _ => {
                    let text = [output.stdout, output.stderr].concat();
                    let text = String::from_utf8_lossy(&text);
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
    LOAN.soak();
}

#[test]
#[ignore = "takes minutes: `make soak`"]
fn the_conference_service_is_never_blamed() {
    CONFERENCE.soak();
}
