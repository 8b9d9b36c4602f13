//! Running the tests, one after the other or several at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use choros_base::Choice;
use choros_data::Terms;
use choros_model::stg::Role;
use choros_smt::{Independent, Solver};
use choros_symex::Derived;
use choros_symex::driver::{
    Bounds, ConcreteMessage, Conduct, Driver, Found, Outcome, Specification, TestVerdict, Timing,
    Trial, ValueStrategy, View, is_same_reason, shrink,
};

use crate::{
    Abandoned, Broken, Codec, Done, LineFile, Ran, Switchboard, Wire, WireLimits, done_line,
    transcript, turn,
};

/// How often a test is run again that another one disturbed.
const DISTURBED: u32 = 2;

/// How long such a test waits at most.
const MOST_CALM: Duration = Duration::from_secs(5);

/// How tests are run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Which values are sent.
    pub values: Values,
    /// The seed of random values.
    pub seed: u64,
    /// How often an inconclusive test is run again.
    pub retries: u32,
    /// Go on along another path when the service takes another branch.
    pub adaptive: bool,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// The verdict when an answer that is due does not come.
    pub on_timeout: TestVerdict,
    /// So many tests at a time.
    pub parallel: usize,
    /// How long to wait between tests.
    pub pause: Duration,
    /// How time passes.
    pub tempo: Timing,
    /// How far the specification is searched.
    pub bounds: Bounds,
    /// What the transport puts up with.
    pub limits: WireLimits,
    /// A file of certificates that services are checked against, instead of the system's.
    pub roots: Option<PathBuf>,
}

/// Which values are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// What the solver gives.
    Any,
    /// Small ones, and then large ones: the bounds that a path sets.
    Bounds,
    /// The same, and those at which one comparison of a guard decides.
    Edges,
    /// Different ones for each seed.
    Random,
}

impl Choice for Values {
    const CHOICES: &'static [(&'static str, Values, &'static str)] = &[
        ("any", Values::Any, "What the solver gives"),
        (
            "bounds",
            Values::Bounds,
            "The smallest and then the largest that the path allows",
        ),
        (
            "edges",
            Values::Edges,
            "The same, and those at which one atom of a guard decides, on both sides",
        ),
        ("random", Values::Random, "Others for each seed"),
    ];
}

/// Everything that a run needs and does not change.
pub struct Run<'r> {
    /// The model.
    pub derived: &'r Derived,
    /// Who is the service, and whom the tester plays.
    pub view: &'r View,
    /// How they are run.
    pub plan: Plan,
    /// How messages travel.
    pub codec: Box<dyn Codec>,
    /// Where roles are played that the service calls.
    pub listeners: &'r [(Role, String)],
    /// The tests that are done already.
    pub done: Vec<Done>,
    /// The tests that are run again, by number, and no others; none if all are run for the first time.
    pub again: Option<BTreeMap<usize, Before>>,
    /// Ends the run when it becomes true.
    pub cancel: &'r AtomicBool,
    /// Makes a solver for another thread.
    pub solver: &'r (dyn Fn() -> Box<dyn Solver> + Sync),
    /// Is told what is being done.
    pub progress: &'r (dyn Fn(String) + Sync),
}

/// The files that are written to.
#[derive(Debug, Default)]
pub struct Files {
    /// What is done already.
    pub resume: Option<LineFile>,
    /// Everything that happens.
    pub transcript: Option<LineFile>,
}

/// A test as it went before.
#[derive(Debug, Clone)]
pub struct Before {
    /// How it ended.
    pub verdict: TestVerdict,
    /// Why.
    pub why: String,
    /// What the tester sent.
    pub sent: Vec<ConcreteMessage>,
}

impl Before {
    /// What it means that the test ends so this time.
    fn remark(&self, now: TestVerdict, why: &str) -> String {
        let is_same = is_same_reason(why, &self.why);
        match (self.verdict, now) {
            (TestVerdict::Fail, TestVerdict::Fail) if is_same => {
                "sent again: the failure is seen again".to_owned()
            }
            (TestVerdict::Fail, TestVerdict::Fail) => {
                format!("sent again: it fails otherwise than before: {}", self.why)
            }
            (TestVerdict::Fail, _) => {
                format!("sent again: the failure is not seen again: {}", self.why)
            }
            (before, now) if before == now => format!("sent again: {}, as before", now.word()),
            (before, _) => format!("sent again: before it was {}: {}", before.word(), self.why),
        }
    }
}

/// What became of a test.
#[derive(Debug, Clone)]
pub struct Tested {
    /// Its name, its verdict, and what it took of the model.
    pub done: Done,
    /// The run that decided it; none if it was done before.
    pub outcome: Option<Outcome>,
    /// Remarks: that it was run again, that values are the smallest, what came late.
    pub remarks: Vec<String>,
    /// Messages that were exchanged, in all runs.
    pub messages: usize,
}

/// What became of the tests.
#[derive(Debug, Default)]
pub struct Driven {
    /// By the number of the path.
    pub tests: BTreeMap<usize, Tested>,
    /// What ended the run before all were run.
    pub broken: Option<String>,
}

impl Driven {
    fn broken(reason: String) -> Driven {
        Driven {
            tests: BTreeMap::new(),
            broken: Some(reason),
        }
    }
}

/// Runs everything that is not done; `announce` is told where partners are played.
pub fn run(
    run: &Run<'_>,
    files: Files,
    solver: Box<dyn Solver>,
    terms: &Terms,
    announce: &mut dyn FnMut(&str),
) -> Driven {
    let shared = Shared {
        results: Mutex::default(),
        files: Mutex::new(files),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        broken: Mutex::default(),
        undecided: Mutex::default(),
        smallest: Mutex::default(),
    };
    for (number, path) in run.derived.suite.paths.iter().enumerate() {
        if let Some(done) = run.done.iter().find(|done| done.test == path.name) {
            let tested = Tested {
                done: done.clone(),
                outcome: None,
                remarks: vec!["done in a run before".to_owned()],
                messages: 0,
            };
            lock(&shared.results).insert(number, tested);
        }
    }
    let count = run.plan.parallel.max(1).min(run.derived.suite.paths.len());
    let board: Arc<Switchboard> = Arc::default();
    // The first has the servers, which stay while anybody runs.
    let wires: io::Result<Vec<Wire>> = (0..=count)
        .map(|_| Wire::new(run.plan.limits, run.plan.roots.clone(), board.clone()))
        .collect();
    let mut wires = match wires {
        Ok(wires) => wires.into_iter(),
        Err(error) => return Driven::broken(error.to_string()),
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
                return Driven::broken(format!(
                    "{error}; `{name}` was to be played there, and `--mock-at {name}=ADDR` names another address"
                ));
            }
            None => {}
        }
    }
    let last = wires.next();
    let isolation = match run.listeners.is_empty() {
        true => Isolation::Apart,
        false => Isolation::Mixed,
    };
    if count > 1 {
        std::thread::scope(|scope| {
            let own = Wire::new(run.plan.limits, run.plan.roots.clone(), board.clone()).ok();
            for wire in wires.chain(own) {
                let (shared, terms) = (&shared, terms.clone());
                scope.spawn(move || {
                    // A solver cannot be sent to another thread.
                    let solver = (run.solver)();
                    Worker::new(run, shared, solver, wire, terms, isolation).work();
                });
            }
        });
        shared.next.store(0, Ordering::Relaxed);
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
    Driven {
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
    codec: Box<dyn Codec>,
    terms: Terms,
    isolation: Isolation,
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
        isolation: Isolation,
    ) -> Worker<'r> {
        Worker {
            run,
            shared,
            // A conversation's condition grows with its length, and each message speaks of a small part of it.
            solver: Box::new(Independent::new(solver)),
            wire,
            codec: run.codec.clone(),
            terms,
            isolation,
            abandoned: Vec::new(),
        }
    }

    fn work(mut self) {
        loop {
            let number = self.shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = self.run.derived.suite.paths.get(number) else {
                return;
            };
            if self.shared.stop.load(Ordering::Relaxed) || self.run.cancel.load(Ordering::Relaxed) {
                return;
            }
            let is_wanted = |again: &BTreeMap<usize, Before>| again.contains_key(&number);
            if lock(&self.shared.results).contains_key(&number)
                || !self.run.again.as_ref().is_none_or(is_wanted)
            {
                continue;
            }
            (self.run.progress)(format!(
                "driving {} of {}",
                path.name,
                self.run.derived.suite.paths.len()
            ));
            match self.test(number) {
                Ok(tested)
                    if self.isolation == Isolation::Mixed
                        && tested.done.verdict != TestVerdict::Pass =>
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
            if !self.run.plan.pause.is_zero() {
                std::thread::sleep(self.run.plan.pause);
            }
        }
    }

    fn keep(&mut self, number: usize, tested: Tested) {
        if tested.done.verdict == TestVerdict::Fail && self.run.plan.fail_fast {
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

    /// One test: with each strategy, again while it is inconclusive, and with the smallest values where it fails.
    fn test(&mut self, number: usize) -> Result<Tested, Broken> {
        // Values that differ from test to test tell their calls apart.
        let seed = match self.isolation {
            Isolation::Apart => self.run.plan.seed,
            Isolation::Mixed => self.run.plan.seed.wrapping_add(number as u64),
        };
        let is_apart = self.isolation == Isolation::Apart;
        let before = self.run.again.as_ref().and_then(|it| it.get(&number));
        let like = before.map_or(&[][..], |before| &before.sent);
        let mut tries: Vec<(ValueStrategy, &[ConcreteMessage])> = match self.run.plan.values {
            _ if before.is_some() => vec![(ValueStrategy::Any, like)],
            Values::Any => vec![(ValueStrategy::Any, &[])],
            Values::Random => vec![(ValueStrategy::Seeded(seed), &[])],
            Values::Bounds | Values::Edges => {
                vec![
                    (ValueStrategy::Smallest, &[]),
                    (ValueStrategy::Largest, &[]),
                ]
            }
        };
        if self.run.plan.values == Values::Edges && before.is_none() {
            let edges = &self.run.derived.suite.paths[number].edges;
            let edges = edges.iter().map(|edge| &edge.sent[..]);
            tries.extend(edges.map(|sent| (ValueStrategy::Smallest, sent)));
        }
        let mut runs = Vec::new();
        let mut remarks = Vec::new();
        let mut decided: Option<(Ran, ValueStrategy)> = None;
        for (strategy, like) in tries {
            let mut ran = self.once(number, strategy, like, &mut runs)?;
            let (mut again, mut disturbed) = (0, 0);
            while ran.outcome.verdict == TestVerdict::Inconclusive {
                if ran.is_disturbed && disturbed < DISTURBED && is_apart {
                    // What is left of tests before ends in time.
                    disturbed += 1;
                    std::thread::sleep(self.calm());
                } else if again < self.run.plan.retries && is_apart {
                    again += 1;
                } else {
                    break;
                }
                ran = self.once(number, strategy, like, &mut runs)?;
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
                decided = Some((ran, strategy));
            }
            if decided.as_ref().is_some_and(|(ran, _)| match is_apart {
                true => ran.outcome.verdict == TestVerdict::Fail,
                false => ran.outcome.verdict != TestVerdict::Pass,
            }) {
                break;
            }
        }
        let Some((mut ran, strategy)) = decided else {
            return Err(Broken::Cancelled);
        };
        if let Some(before) = before {
            remarks.push(before.remark(ran.outcome.verdict, &ran.outcome.reason));
        } else if ran.outcome.verdict == TestVerdict::Fail
            && strategy != ValueStrategy::Smallest
            && is_apart
        {
            let remark;
            (ran, remark) = self.smallest(number, ran, &mut runs)?;
            remarks.push(remark);
        }
        if is_apart && lock(&self.shared.undecided).contains(&number) {
            remarks.push("run again alone".to_owned());
        }
        if ran.outcome.path != number {
            let other = &self.run.derived.suite.paths[ran.outcome.path].name;
            remarks.push(format!("the service led to {other}"));
        }
        for late in &ran.late {
            remarks.push(format!("after the verdict: {late}"));
        }
        Ok(Tested {
            done: Done {
                test: self.run.derived.suite.paths[number].name.clone(),
                verdict: ran.outcome.verdict,
                reason: ran.outcome.reason.clone(),
                covered: self.covered(&ran),
            },
            outcome: Some(ran.outcome),
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
            let ran = self.once(number, ValueStrategy::Smallest, &like, runs)?;
            if ran.outcome.fails_like(&first.outcome) {
                return Ok((
                    ran,
                    format!("with the values of {name}, which fails as this does"),
                ));
            }
        }
        let patience = Duration::from_micros(self.run.plan.tempo.answer);
        let small = self.once(number, ValueStrategy::Smallest, &[], runs)?;
        let mut spent = small.took;
        if small.outcome.fails_like(&first.outcome) {
            self.know(number, &small);
            return Ok((small, SMALLEST.to_owned()));
        }
        let sent = first.outcome.sent();
        let mut best = first;
        let mut left = RUNS;
        let found = shrink(sent, |like| {
            if left == 0 || spent > patience || self.run.cancel.load(Ordering::Relaxed) {
                return Ok(None);
            }
            left -= 1;
            let ran = self.once(number, ValueStrategy::Smallest, like, runs)?;
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
        let name = self.run.derived.suite.paths[number].name.clone();
        lock(&self.shared.smallest).push((name, ran.outcome.clone()));
    }

    /// The edges of the model that a run took: those of the path if it was followed to its end, else those of an
    /// explanation of what was seen.
    fn covered(&self, ran: &Ran) -> Vec<u32> {
        let edges = match ran.outcome.verdict {
            TestVerdict::Pass => self.run.derived.suite.covers[ran.outcome.path].clone(),
            _ => ran.outcome.covered.clone(),
        };
        edges.into_iter().map(|edge| edge.0).collect()
    }

    /// How long to wait for conversations of tests before to end.
    fn calm(&self) -> Duration {
        let tempo = self.run.plan.tempo;
        Duration::from_micros(tempo.unit.saturating_add(tempo.tolerance)).min(MOST_CALM)
    }

    fn once(
        &mut self,
        number: usize,
        strategy: ValueStrategy,
        like: &[ConcreteMessage],
        runs: &mut Vec<usize>,
    ) -> Result<Ran, Broken> {
        let paths = &self.run.derived.suite.paths;
        let ran = match self.turn(number, strategy, like) {
            // Nobody knows whether the service has seen the call; from now on each has a connection of its own.
            Err(Broken::Stale(_)) => self.turn(number, strategy, like)?,
            ran => ran?,
        };
        let session = format!("{}/{}", paths[number].name, runs.len() + 1);
        let lines = transcript(
            &ran,
            &session,
            self.run.view.service,
            &self.run.derived.orchestration.stg,
            &self.terms,
        );
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
        strategy: ValueStrategy,
        like: &[ConcreteMessage],
    ) -> Result<Ran, Broken> {
        let run = self.run;
        let orchestration = &run.derived.orchestration;
        let specification = Specification {
            stg: &orchestration.stg,
            interface: &orchestration.interface,
            view: run.view,
            tempo: run.plan.tempo,
            bounds: run.plan.bounds,
        };
        let conduct = Conduct {
            is_adaptive: run.plan.adaptive,
            on_timeout: run.plan.on_timeout,
            strategy,
        };
        let paths = &run.derived.suite.paths;
        let driver = Driver::new(specification, paths, number, conduct, 0, &mut self.terms)
            .ok_or(Broken::Cancelled)?;
        turn(
            driver.like(like.to_vec()),
            &mut self.abandoned,
            &mut self.wire,
            &mut *self.codec,
            &mut self.terms,
            &mut *self.solver,
            run.cancel,
        )
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
