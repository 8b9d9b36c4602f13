//! Running the tests, one after the other or several at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use choros_data::Terms;
use choros_exec::drive::{
    Abandoned, Broken, Done, LineFile, Ran, Switchboard, Wire, WireLimits, done_line, transcript,
    turn,
};
use choros_model::evidence::Trace;
use choros_report::{Report, SavedConversation};
use choros_smt::{Independent, Solver};
use choros_symex::driver::{
    Bounds, ConcreteMessage, Conduct, Driver, Found, Outcome, Specification, Taste, Tempo,
    TestVerdict, Trial, View, shrink,
};

use super::again::Before;
use super::codec::{AnyCodec, Reached};
use super::paths::{Suite, edges_to};
use super::record::save_conversation;
use super::{Driving, Values};
use crate::verbs::symbolic::Derived;
use crate::{Settings, solver};

/// How often a test is run again that another one disturbed.
const DISTURBED: u32 = 2;

/// How long such a test waits at most.
const MOST_CALM: Duration = Duration::from_secs(5);

/// Everything that a run needs and does not change.
pub(super) struct Run<'r> {
    pub(super) derived: &'r Derived,
    pub(super) suite: &'r Suite,
    pub(super) view: &'r View,
    pub(super) driving: &'r Driving,
    pub(super) settings: &'r Settings,
    pub(super) tempo: Tempo,
    pub(super) bounds: Bounds,
    pub(super) limits: WireLimits,
    pub(super) reached: &'r Reached,
    pub(super) done: Vec<Done>,
    /// The tests that are run again, by number, and no others; none if all are run for the first time.
    pub(super) again: Option<BTreeMap<usize, Before>>,
}

/// The files that are written to.
#[derive(Default)]
pub(super) struct Files {
    pub(super) resume: Option<LineFile>,
    pub(super) transcript: Option<LineFile>,
}

/// What became of a test.
#[derive(Debug, Clone)]
pub(super) struct Tested {
    pub(super) done: Done,
    /// What happened in the run that decided it; none if it was done before.
    pub(super) trace: Option<Trace>,
    /// The same as a record.
    pub(super) conversation: Option<SavedConversation>,
    /// What was allowed instead, for a failure.
    pub(super) expected: Vec<String>,
    /// Remarks: that it was run again, that values are the smallest, what came late.
    pub(super) remarks: Vec<String>,
    /// Messages that went to and fro, in all runs.
    pub(super) messages: usize,
}

/// Runs everything that is not done; results by the number of the path.
pub(super) fn run(
    run: &Run<'_>,
    files: Files,
    terms: &Terms,
    announce: &mut dyn FnMut(&str),
    report: &mut Report,
) -> BTreeMap<usize, Tested> {
    let shared = Shared {
        results: Mutex::default(),
        files: Mutex::new(files),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        broken: Mutex::default(),
        undecided: Mutex::default(),
        smallest: Mutex::default(),
    };
    for (number, path) in run.suite.paths.iter().enumerate() {
        if let Some(done) = run.done.iter().find(|done| done.test == path.name) {
            let tested = Tested {
                done: done.clone(),
                trace: None,
                conversation: None,
                expected: Vec::new(),
                remarks: vec!["done in a run before".to_owned()],
                messages: 0,
            };
            lock(&shared.results).insert(number, tested);
        }
    }
    let Some(solver) = solver::find(run.settings, report) else {
        return BTreeMap::new();
    };
    let count = run.driving.parallel.max(1).min(run.suite.paths.len());
    let board: Arc<Switchboard> = Arc::default();
    // The first has the servers, which stay while anybody runs.
    let wires: io::Result<Vec<Wire>> = (0..=count)
        .map(|_| Wire::new(run.limits, run.driving.roots.clone(), board.clone()))
        .collect();
    let mut wires = match wires {
        Ok(wires) => wires.into_iter(),
        Err(error) => {
            report.world_failed = Some(error.to_string());
            return BTreeMap::new();
        }
    };
    let mut front = wires.next();
    for (role, address) in &run.reached.listeners {
        let listening = front.as_mut().map(|front| front.listen(*role, address));
        match listening {
            Some(Ok(address)) => announce(&format!(
                "playing {} at http://{address}",
                terms.names.text(role.0)
            )),
            Some(Err(error)) => {
                let name = terms.names.text(role.0);
                report.world_failed = Some(format!(
                    "{error}; `{name}` was to be played there, and `--mock-at {name}=ADDR` names another address"
                ));
                return BTreeMap::new();
            }
            None => {}
        }
    }
    let last = wires.next();
    let crowd = match run.reached.listeners.is_empty() {
        true => Crowd::Apart,
        false => Crowd::Mixed,
    };
    if count > 1 {
        std::thread::scope(|scope| {
            let own = Wire::new(run.limits, run.driving.roots.clone(), board.clone()).ok();
            for wire in wires.chain(own) {
                let (shared, terms) = (&shared, terms.clone());
                scope.spawn(move || {
                    // A solver cannot be sent to another thread.
                    let mut unheard = Report::default();
                    if let Some(solver) = solver::find(run.settings, &mut unheard) {
                        Worker::new(run, shared, solver, wire, terms, crowd).work();
                    }
                });
            }
        });
        shared.next.store(0, Ordering::Relaxed);
    }
    // Everything, or what was not decided among others.
    if let Some(wire) = last {
        let worker = Worker::new(run, &shared, solver, wire, terms.clone(), Crowd::Apart);
        if !lock(&shared.undecided).is_empty() {
            // What is left of the tests that ran together ends in time.
            std::thread::sleep(worker.calm());
        }
        worker.work();
    }
    drop(front);
    report.world_failed = lock(&shared.broken).take();
    shared
        .results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Whether tests can hear each other's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Crowd {
    /// Each hears its own alone.
    Apart,
    /// Several run at a time against a service that calls the tester; only who passes is believed.
    Mixed,
}

/// What the workers share.
struct Shared {
    results: Mutex<BTreeMap<usize, Tested>>,
    files: Mutex<Files>,
    next: AtomicUsize,
    stop: AtomicBool,
    broken: Mutex<Option<String>>,
    /// Tests that did not pass among others, and are run again alone.
    undecided: Mutex<BTreeSet<usize>>,
    /// Failures with the smallest values that were found for them, and in which test.
    smallest: Mutex<Vec<(String, Outcome)>>,
}

struct Worker<'r> {
    run: &'r Run<'r>,
    shared: &'r Shared,
    solver: Box<dyn Solver>,
    wire: Wire,
    codec: AnyCodec,
    terms: Terms,
    crowd: Crowd,
    /// Conversations that tests before have left in the middle.
    abandoned: Vec<Abandoned<'r>>,
}

impl<'r> Worker<'r> {
    fn new(
        run: &'r Run<'r>,
        shared: &'r Shared,
        solver: Box<dyn Solver>,
        wire: Wire,
        terms: Terms,
        crowd: Crowd,
    ) -> Worker<'r> {
        Worker {
            run,
            shared,
            // A conversation's condition grows with its length, and each message speaks of a small part of it.
            solver: Box::new(Independent::new(solver)),
            wire,
            codec: run.reached.codec.clone(),
            terms,
            crowd,
            abandoned: Vec::new(),
        }
    }

    fn work(mut self) {
        loop {
            let number = self.shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = self.run.suite.paths.get(number) else {
                return;
            };
            if self.shared.stop.load(Ordering::Relaxed) || self.run.settings.is_cancelled() {
                return;
            }
            let is_wanted = |again: &BTreeMap<usize, Before>| again.contains_key(&number);
            if lock(&self.shared.results).contains_key(&number)
                || !self.run.again.as_ref().is_none_or(is_wanted)
            {
                continue;
            }
            let progress = &self.run.settings.progress;
            progress.show(format!(
                "driving {} of {}",
                path.name,
                self.run.suite.paths.len()
            ));
            match self.test(number) {
                Ok(tested)
                    if self.crowd == Crowd::Mixed && tested.done.verdict != TestVerdict::Pass =>
                {
                    lock(&self.shared.undecided).insert(number);
                }
                Ok(tested) => self.keep(number, tested),
                Err(Broken::Cancelled) => return,
                Err(broken) => {
                    lock(&self.shared.broken).get_or_insert(broken.to_string());
                    self.shared.stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
            if !self.run.driving.pause.is_zero() {
                std::thread::sleep(self.run.driving.pause);
            }
        }
    }

    fn keep(&mut self, number: usize, tested: Tested) {
        if tested.done.verdict == TestVerdict::Fail && self.run.driving.fail_fast {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        let mut files = lock(&self.shared.files);
        if let Some(file) = &mut files.resume
            && let Err(error) = file.add(&[done_line(&tested.done)])
        {
            let reason = format!("the resume file cannot be written: {error}");
            lock(&self.shared.broken).get_or_insert(reason);
        }
        lock(&self.shared.results).insert(number, tested);
    }

    /// One test: with each taste, again while it is inconclusive, and with the smallest values where it fails.
    fn test(&mut self, number: usize) -> Result<Tested, Broken> {
        // Values that differ from test to test tell their calls apart.
        let seed = match self.crowd {
            Crowd::Apart => self.run.driving.seed,
            Crowd::Mixed => self.run.driving.seed.wrapping_add(number as u64),
        };
        let is_apart = self.crowd == Crowd::Apart;
        let before = self.run.again.as_ref().and_then(|it| it.get(&number));
        let like = before.map_or(&[][..], |before| &before.sent);
        let tastes: &[Taste] = match self.run.driving.values {
            _ if before.is_some() => &[Taste::Any],
            Values::Any => &[Taste::Any],
            Values::Random => &[Taste::Seeded(seed)],
            Values::Bounds => &[Taste::Smallest, Taste::Largest],
        };
        let mut runs = Vec::new();
        let mut remarks = Vec::new();
        let mut decided: Option<(Ran, Taste)> = None;
        for &taste in tastes {
            let mut ran = self.once(number, taste, like, &mut runs)?;
            let (mut again, mut disturbed) = (0, 0);
            while ran.outcome.verdict == TestVerdict::Inconclusive {
                if ran.is_disturbed && disturbed < DISTURBED && is_apart {
                    // What is left of tests before ends in time.
                    disturbed += 1;
                    std::thread::sleep(self.calm());
                } else if again < self.run.driving.retries && is_apart {
                    again += 1;
                } else {
                    break;
                }
                ran = self.once(number, taste, like, &mut runs)?;
            }
            if disturbed > 0 {
                remarks.push("run again, because a test before was not over".to_owned());
            }
            if again > 0 {
                remarks.push(format!("run again {again} times"));
            }
            let is_worse = decided
                .as_ref()
                .is_none_or(|(worst, _)| ran.outcome.verdict > worst.outcome.verdict);
            if is_worse {
                decided = Some((ran, taste));
            }
            if decided.as_ref().is_some_and(|(ran, _)| match is_apart {
                true => ran.outcome.verdict == TestVerdict::Fail,
                false => ran.outcome.verdict != TestVerdict::Pass,
            }) {
                break;
            }
        }
        let Some((mut ran, taste)) = decided else {
            return Err(Broken::Cancelled);
        };
        if let Some(before) = before {
            remarks.push(before.remark(ran.outcome.verdict, &ran.outcome.reason));
        } else if ran.outcome.verdict == TestVerdict::Fail && taste != Taste::Smallest && is_apart {
            let remark;
            (ran, remark) = self.smallest(number, ran, &mut runs)?;
            remarks.push(remark);
        }
        if is_apart && lock(&self.shared.undecided).contains(&number) {
            remarks.push("run again alone".to_owned());
        }
        if ran.outcome.path != number {
            let other = &self.run.suite.paths[ran.outcome.path].name;
            remarks.push(format!("the service led to {other}"));
        }
        for late in &ran.late {
            remarks.push(format!("after the verdict: {late}"));
        }
        Ok(Tested {
            done: Done {
                test: self.run.suite.paths[number].name.clone(),
                verdict: ran.outcome.verdict,
                reason: ran.outcome.reason.clone(),
                covered: self.covered(&ran),
            },
            trace: Some(ran.outcome.trace(self.run.view.service, &self.terms)),
            conversation: Some(save_conversation(&ran.outcome, &self.terms)),
            expected: ran.outcome.expected,
            remarks,
            messages: runs.iter().sum(),
        })
    }

    /// The same failure with smaller values, and a remark on them: those of another test that fails so, the smallest
    /// that the path allows, or else part by part.
    ///
    /// That takes no more time than one answer may, and no more than so many runs.
    fn smallest(
        &mut self,
        number: usize,
        first: Ran,
        runs: &mut Vec<usize>,
    ) -> Result<(Ran, String), Broken> {
        const RUNS: usize = 100;
        const SMALLEST: &str = "with the smallest values that fail";
        let known = lock(&self.shared.smallest)
            .iter()
            .find(|(_, known)| known.fails_like(&first.outcome))
            .map(|(name, known)| (name.clone(), known.sent()));
        if let Some((name, like)) = known {
            let ran = self.once(number, Taste::Smallest, &like, runs)?;
            if ran.outcome.fails_like(&first.outcome) {
                return Ok((
                    ran,
                    format!("with the values of {name}, which fails as this does"),
                ));
            }
        }
        let patience = Duration::from_micros(self.run.tempo.answer);
        let small = self.once(number, Taste::Smallest, &[], runs)?;
        let mut spent = small.took;
        if small.outcome.fails_like(&first.outcome) {
            self.know(number, &small);
            return Ok((small, SMALLEST.to_owned()));
        }
        let sent = first.outcome.sent();
        let mut best = first;
        let mut left = RUNS;
        let found = shrink(sent, |like| {
            if left == 0 || spent > patience || self.run.settings.is_cancelled() {
                return Ok(None);
            }
            left -= 1;
            let ran = self.once(number, Taste::Smallest, like, runs)?;
            spent += ran.took;
            let trial = Trial {
                sent: ran.outcome.sent(),
                fails: ran.outcome.fails_like(&best.outcome),
            };
            if trial.fails {
                best = ran;
            }
            Ok::<_, Broken>(Some(trial))
        })?;
        self.know(number, &best);
        let remark = match found {
            Found::Smallest => SMALLEST,
            Found::CutShort => "there may be smaller values that fail",
        };
        Ok((best, remark.to_owned()))
    }

    /// Remembers a failure for tests that fail in the same way.
    fn know(&self, number: usize, ran: &Ran) {
        let name = self.run.suite.paths[number].name.clone();
        lock(&self.shared.smallest).push((name, ran.outcome.clone()));
    }

    /// The edges of the model that a run took: those of the path if it was followed to its end, else those of an
    /// explanation of what was seen.
    fn covered(&self, ran: &Ran) -> Vec<u32> {
        let edges = match ran.outcome.verdict {
            TestVerdict::Pass => edges_to(self.run.derived, self.run.suite.ends[ran.outcome.path]),
            _ => ran.outcome.covered.clone(),
        };
        edges.into_iter().map(|edge| edge.0).collect()
    }

    /// How long to wait for conversations of tests before to end.
    fn calm(&self) -> Duration {
        let tempo = self.run.tempo;
        Duration::from_micros(tempo.unit.saturating_add(tempo.tolerance)).min(MOST_CALM)
    }

    fn once(
        &mut self,
        number: usize,
        taste: Taste,
        like: &[ConcreteMessage],
        runs: &mut Vec<usize>,
    ) -> Result<Ran, Broken> {
        let paths = &self.run.suite.paths;
        let ran = match self.turn(number, taste, like) {
            // Nobody knows whether the service has seen the call; from now on each has a connection of its own.
            Err(Broken::Stale(_)) => self.turn(number, taste, like)?,
            ran => ran?,
        };
        let session = format!("{}/{}", paths[number].name, runs.len() + 1);
        let lines = transcript(&ran, &session, self.run.view.service, &self.terms);
        if let Some(file) = &mut lock(&self.shared.files).transcript
            && !lines.is_empty()
            && let Err(error) = file.add(&lines)
        {
            let reason = format!("the transcript cannot be written: {error}");
            lock(&self.shared.broken).get_or_insert(reason);
        }
        runs.push(lines.len());
        Ok(ran)
    }

    fn turn(
        &mut self,
        number: usize,
        taste: Taste,
        like: &[ConcreteMessage],
    ) -> Result<Ran, Broken> {
        let run = self.run;
        let orchestration = &run.derived.orchestration;
        let specification = Specification {
            stg: &orchestration.stg,
            interface: &orchestration.interface,
            view: run.view,
            tempo: run.tempo,
            bounds: run.bounds,
        };
        let conduct = Conduct {
            is_adaptive: run.driving.adaptive,
            on_timeout: run.driving.on_timeout(),
            taste,
        };
        let paths = &run.suite.paths;
        let driver = Driver::new(specification, paths, number, conduct, 0, &mut self.terms)
            .ok_or(Broken::Cancelled)?;
        turn(
            driver.like(like.to_vec()),
            &mut self.abandoned,
            &mut self.wire,
            &mut self.codec,
            &mut self.terms,
            &mut *self.solver,
            &run.settings.cancel,
        )
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
