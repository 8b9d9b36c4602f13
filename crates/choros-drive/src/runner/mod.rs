//! Running the tests, one after the other or several at a time.

mod faults;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use choros_data::Terms;
use choros_smt::Solver;
use choros_symex::driver::{TestOutcome, Withheld};

use self::worker::Worker;
use crate::{DriveResults, Files, RunContext, Switchboard, TestResult, Wire};

/// Runs everything that is not done; `announce` is told where partners are played.
pub fn run(
    run: &RunContext<'_>,
    files: Files,
    solver: Box<dyn Solver>,
    terms: &Terms,
    announce: &mut dyn FnMut(&str),
) -> DriveResults {
    let shared = Shared {
        results: Mutex::default(),
        files: Mutex::new(files),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        broken: Mutex::default(),
        undecided: Mutex::default(),
        smallest: Mutex::default(),
        withheld: Mutex::default(),
    };
    for (number, path) in run.derived.suite.paths.iter().enumerate() {
        if let Some(done) = run.done.iter().find(|done| done.test == path.name) {
            let tested = TestResult {
                done: done.clone(),
                outcome: None,
                remarks: vec!["done in a run before".to_owned()],
                messages: 0,
                told: None,
            };
            lock(&shared.results).insert(number, tested);
        }
    }
    let copies = run.plan.sessions.max(1);
    let count = match copies {
        1 => run.plan.parallel.max(1).min(run.derived.suite.paths.len()),
        several => several,
    };
    let board: Arc<Switchboard> = Arc::default();
    // The first has the servers, which stay while anyone runs.
    let wires: io::Result<Vec<Wire>> = (0..=count)
        .map(|_| Wire::new(run.plan.limits, run.plan.roots.clone(), board.clone()))
        .collect();
    let mut wires = match wires {
        Ok(wires) => wires.into_iter(),
        Err(error) => return DriveResults::broken(error.to_string()),
    };
    let mut front = wires.next();
    for (role, address) in run.listeners {
        let listening = front.as_mut().map(|front| front.listen(*role, address));
        match listening {
            Some(Ok(address)) => announce(&format!(
                "playing {} at http://{address}",
                terms.names.text(role.0)
            )),
            Some(Err(error)) => {
                let name = terms.names.text(role.0);
                return DriveResults::broken(format!(
                    "{error}; `{name}` was to be played there, and `--mock-at {name}=ADDR` names another address"
                ));
            }
            None => {}
        }
    }
    let last = wires.next();
    let isolation = if run.listeners.is_empty() {
        Isolation::Apart
    } else {
        Isolation::Mixed
    };
    if count > 1 {
        std::thread::scope(|scope| {
            let own = Wire::new(run.plan.limits, run.plan.roots.clone(), board.clone()).ok();
            for wire in wires.chain(own) {
                let (shared, terms) = (&shared, terms.clone());
                scope.spawn(move || {
                    // A solver cannot be sent to another thread.
                    let solver = (run.solver)();
                    Worker::new(run, shared, solver, wire, terms, isolation)
                        .in_copies(copies)
                        .work();
                });
            }
        });
        shared.next.store(0, Ordering::Relaxed);
        // What one session did not pass is asked again, whatever the others did.
        for number in lock(&shared.undecided).iter() {
            lock(&shared.results).remove(number);
        }
    }
    // Everything, or what was not decided among others.
    if let Some(wire) = last {
        let worker = Worker::new(run, &shared, solver, wire, terms.clone(), Isolation::Apart);
        if !lock(&shared.undecided).is_empty() {
            // What is left of the tests that ran together ends in time.
            std::thread::sleep(worker.calm());
        }
        worker.work();
    }
    drop(front);
    let broken = lock(&shared.broken).take();
    let tests = shared.results.into_inner();
    DriveResults {
        tests: tests.unwrap_or_else(PoisonError::into_inner),
        broken,
    }
}

/// Whether tests can hear each other's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Isolation {
    /// Each hears its own alone.
    Apart,
    /// Several run at a time against a service that calls the tester; only who passes is believed.
    Mixed,
}

/// What the workers share.
struct Shared {
    results: Mutex<BTreeMap<usize, TestResult>>,
    files: Mutex<Files>,
    next: AtomicUsize,
    stop: AtomicBool,
    broken: Mutex<Option<String>>,
    /// Tests that did not pass among others, and are run again alone.
    undecided: Mutex<BTreeSet<usize>>,
    /// Failures with the smallest values that were found for them, and in which test.
    smallest: Mutex<Vec<(String, TestOutcome)>>,
    /// Messages that were kept back, where the service did what the model says.
    withheld: Mutex<Vec<Withheld>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
