//! One who runs tests, one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

use choros_data::Terms;
use choros_report::LiveMessage;
use choros_smt::{PartwiseSolver, Solver};
use choros_symex::driver::{
    ConcreteMessage, ConversationRules, Delay, Driver, ShrinkResult, Specification, TestVerdict,
    Trial, ValueStrategy, Withheld, shrink,
};

use super::{Isolation, Shared, lock};
use crate::outcome::driven_test;
use crate::{
    AbandonedConversation, Audience, Codec, EarlierResult, FinishedTest, RunContext, RunError,
    RunResult, TestResult, ValueChoice, Wire, done_line, transcript, turn,
};

/// How often a test is run again that another one disturbed.
const DISTURBED: u32 = 2;

/// How long such a test waits at most.
const MAX_CALM_WAIT: Duration = Duration::from_secs(5);

/// Runs of one test that have texts of their own, and runs with one seed.
const RUNS_PER_TEST: usize = 32;
const RUNS_PER_SEED: u64 = 1 << 16;

pub(super) struct Worker<'r> {
    pub(super) run: &'r RunContext<'r>,
    pub(super) shared: &'r Shared,
    solver: Box<dyn Solver>,
    pub(super) wire: Wire,
    pub(super) codec: Box<dyn Codec>,
    pub(super) terms: Terms,
    isolation: Isolation,
    /// Conversations that tests before have left in the middle.
    pub(super) abandoned: Vec<AbandonedConversation<'r>>,
    /// What came in this test from one before that failed.
    left_over: Vec<String>,
    /// The edges that runs of this test took.
    taken: BTreeSet<u32>,
    /// In how many sessions each test runs.
    copies: usize,
    /// Which of all tests, in all sessions, it is.
    turn: usize,
    /// What partners keep back now, and where they do so no more.
    pub(super) withholding: Option<(Delay, Vec<Withheld>)>,
}

impl<'r> Worker<'r> {
    pub(super) fn new(
        run: &'r RunContext<'r>,
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
            solver: Box::new(PartwiseSolver::new(solver)),
            wire,
            codec: run.codec.clone(),
            terms,
            isolation,
            abandoned: Vec::new(),
            left_over: Vec::new(),
            taken: BTreeSet::new(),
            copies: 1,
            turn: 0,
            withholding: None,
        }
    }

    /// The same, which runs each test in this many sessions, with the other workers.
    pub(super) fn in_copies(self, copies: usize) -> Worker<'r> {
        Worker { copies, ..self }
    }

    pub(super) fn work(mut self) {
        loop {
            let turn = self.shared.next.fetch_add(1, Ordering::Relaxed);
            self.turn = turn;
            let number = turn / self.copies;
            let Some(path) = self.run.derived.suite.paths.get(number) else {
                return;
            };
            if self.shared.stop.load(Ordering::Relaxed) || self.run.cancel.load(Ordering::Relaxed) {
                return;
            }
            let is_wanted = |again: &BTreeMap<usize, EarlierResult>| again.contains_key(&number);
            if self.is_done(number) || !self.run.again.as_ref().is_none_or(is_wanted) {
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
                Ok(tested) => {
                    let tested = self.among_others(number, tested);
                    self.keep(number, tested);
                }
                Err(RunError::Cancelled) => return,
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

    /// Whether a test has its verdict; each of several sessions has one of its own.
    fn is_done(&self, number: usize) -> bool {
        if self.copies == 1 {
            return lock(&self.shared.results).contains_key(&number);
        }
        let name = &self.run.derived.suite.paths[number].name;
        self.run.done.iter().any(|done| done.test == *name)
    }

    /// A test that passes alone, and did not in one of several sessions at once, has not passed.
    fn among_others(&self, number: usize, mut tested: TestResult) -> TestResult {
        let was_undecided = lock(&self.shared.undecided).contains(&number);
        if self.run.plan.sessions > 1 && was_undecided && tested.done.verdict == TestVerdict::Pass {
            let sessions = self.run.plan.sessions;
            tested.done.verdict = TestVerdict::Inconclusive;
            tested.done.reason = format!("it passes alone, and not in {sessions} sessions at once");
            if let Some(outcome) = &mut tested.outcome {
                outcome.verdict = TestVerdict::Inconclusive;
                outcome.reason.clone_from(&tested.done.reason);
            }
        }
        tested
    }

    fn keep(&mut self, number: usize, tested: TestResult) {
        let known = lock(&self.shared.results)
            .get(&number)
            .map(|known| known.done.verdict);
        // Of several sessions the worst counts.
        if known.is_some_and(|known| known >= tested.done.verdict) {
            return;
        }
        if tested.done.verdict == TestVerdict::Fail && self.run.plan.fail_fast {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        let told = driven_test(tested.clone(), self.run.view.service, &self.terms);
        (self.run.answered)(told.clone().outcome(&self.terms));
        let tested = TestResult {
            told: Some(Box::new(told)),
            ..tested
        };
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
    fn test(&mut self, number: usize) -> Result<TestResult, RunError> {
        // Values that differ from test to test tell their calls apart.
        let seed = match self.isolation {
            Isolation::Apart if self.copies == 1 => self.run.plan.seed,
            Isolation::Apart | Isolation::Mixed => {
                self.run.plan.seed.wrapping_add(self.turn as u64)
            }
        };
        let is_apart = self.isolation == Isolation::Apart;
        let before = self.run.again.as_ref().and_then(|it| it.get(&number));
        let like = before.map_or(&[][..], |before| &before.sent);
        let mut tries: Vec<(ValueStrategy, &[ConcreteMessage])> = match self.run.plan.values {
            _ if before.is_some() => vec![(ValueStrategy::Any, like)],
            ValueChoice::Any => vec![(ValueStrategy::Any, &[])],
            ValueChoice::Random => vec![(ValueStrategy::Seeded(seed), &[])],
            ValueChoice::Bounds | ValueChoice::Edges => {
                vec![
                    (ValueStrategy::Smallest, &[]),
                    (ValueStrategy::Largest, &[]),
                ]
            }
        };
        if self.run.plan.values == ValueChoice::Edges && before.is_none() {
            let edges = &self.run.derived.suite.paths[number].edges;
            let edges = edges.iter().map(|edge| &edge.sent[..]);
            tries.extend(edges.map(|sent| (ValueStrategy::Smallest, sent)));
        }
        self.taken.clear();
        let mut runs = Vec::new();
        let mut remarks = Vec::new();
        let mut decided: Option<(RunResult, ValueStrategy)> = None;
        for (strategy, like) in tries {
            let mut ran = self.once(number, strategy, like, &mut runs)?;
            let (mut again, mut disturbed) = (0, 0);
            while ran.outcome.verdict == TestVerdict::Inconclusive {
                if ran.is_disturbed && disturbed < DISTURBED && is_apart {
                    // What is left of tests before ends in time.
                    disturbed += 1;
                    self.rest();
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
            if decided.as_ref().is_some_and(|(ran, _)| {
                if is_apart {
                    ran.outcome.verdict == TestVerdict::Fail
                } else {
                    ran.outcome.verdict != TestVerdict::Pass
                }
            }) {
                break;
            }
        }
        let Some((mut ran, strategy)) = decided else {
            return Err(RunError::Cancelled);
        };
        if let Some(before) = before {
            remarks.push(before.remark(ran.outcome.verdict, &ran.outcome.reason));
        } else if ran.outcome.verdict == TestVerdict::Fail
            && strategy != ValueStrategy::Smallest
            && is_apart
            && self.copies == 1
        {
            let remark;
            (ran, remark) = self.smallest(number, ran, &mut runs)?;
            remarks.push(remark);
        }
        if is_apart && lock(&self.shared.undecided).contains(&number) {
            remarks.push("run again alone".to_owned());
        }
        let mut blamed = None;
        if ran.outcome.verdict == TestVerdict::Pass && is_apart && before.is_none() {
            blamed = self.disturbed(number, strategy, &mut ran, &mut runs, &mut remarks)?;
        }
        if ran.outcome.path != number {
            let other = &self.run.derived.suite.paths[ran.outcome.path].name;
            remarks.push(format!("the service led to {other}"));
        }
        remarks.append(&mut self.codec.remarks());
        remarks.append(&mut self.left_over);
        for late in &ran.late {
            remarks.push(format!("after the verdict: {late}"));
        }
        Ok(TestResult {
            done: FinishedTest {
                test: self.run.derived.suite.paths[number].name.clone(),
                verdict: if blamed.is_some() {
                    TestVerdict::Fail
                } else {
                    ran.outcome.verdict
                },
                reason: blamed.unwrap_or_else(|| ran.outcome.reason.clone()),
                covered: self.taken.iter().copied().collect(),
            },
            outcome: Some(ran.outcome),
            remarks,
            messages: runs.iter().sum(),
            told: None,
        })
    }

    /// The same failure with smaller values, and a remark on them: those of another test that fails so, the smallest
    /// that the path allows, or else part by part.
    ///
    /// That takes no more time than one answer may, and no more than this many runs.
    fn smallest(
        &mut self,
        number: usize,
        first: RunResult,
        runs: &mut Vec<usize>,
    ) -> Result<(RunResult, String), RunError> {
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
            Ok::<_, RunError>(Some(trial))
        })?;
        self.know(number, &best);
        let remark = match found {
            ShrinkResult::Smallest => SMALLEST,
            ShrinkResult::CutShort => "there may be smaller values that fail",
        };
        Ok((best, remark.to_owned()))
    }

    /// Remembers a failure for tests that fail in the same way.
    fn know(&self, number: usize, ran: &RunResult) {
        let name = self.run.derived.suite.paths[number].name.clone();
        lock(&self.shared.smallest).push((name, ran.outcome.clone()));
    }

    /// The edges of the model that a run took: those of the path if it was followed to its end, else those of an
    /// explanation of what was seen.
    fn covered(&self, ran: &RunResult) -> Vec<u32> {
        let edges = match ran.outcome.verdict {
            TestVerdict::Pass => self.run.derived.suite.covers[ran.outcome.path].clone(),
            _ => ran.outcome.covered.clone(),
        };
        edges.into_iter().map(|edge| edge.0).collect()
    }

    /// How long to wait for conversations of tests before to end.
    pub(super) fn calm(&self) -> Duration {
        let tempo = self.run.plan.tempo;
        Duration::from_micros(tempo.unit.saturating_add(tempo.tolerance)).min(MAX_CALM_WAIT)
    }

    /// Lets the conversation before end, and lets it be forgotten where the user says how long that takes.
    pub(super) fn rest(&self) {
        std::thread::sleep(self.calm().max(self.run.plan.pause));
    }

    /// One run; again after a while if something came that may be left over from a test that failed.
    pub(super) fn once(
        &mut self,
        number: usize,
        strategy: ValueStrategy,
        like: &[ConcreteMessage],
        runs: &mut Vec<usize>,
    ) -> Result<RunResult, RunError> {
        let ran = self.recorded(number, strategy, like, runs)?;
        if ran.strays.is_empty() || self.isolation == Isolation::Mixed {
            return Ok(ran);
        }
        self.left_over.push(format!(
            "run again, because a test before failed and may have left over {}",
            ran.strays.join(", ")
        ));
        self.rest();
        // What still arrives now is heard.
        self.abandoned.retain(|one| !one.has_failed());
        self.recorded(number, strategy, like, runs)
    }

    fn recorded(
        &mut self,
        number: usize,
        strategy: ValueStrategy,
        like: &[ConcreteMessage],
        runs: &mut Vec<usize>,
    ) -> Result<RunResult, RunError> {
        let paths = &self.run.derived.suite.paths;
        let before = runs.len();
        let ran = match self.turn(number, before, strategy, like) {
            // No one knows whether the service has seen the call; from now on each has a connection of its own.
            Err(RunError::Stale(_)) => self.turn(number, before, strategy, like)?,
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
        let taken = self.covered(&ran);
        self.taken.extend(taken);
        Ok(ran)
    }

    /// One run of a test, after this many others.
    pub(super) fn turn(
        &mut self,
        number: usize,
        before: usize,
        strategy: ValueStrategy,
        like: &[ConcreteMessage],
    ) -> Result<RunResult, RunError> {
        let run = self.run;
        let orchestration = &run.derived.orchestration;
        let mut tempo = run.plan.tempo;
        if self.wire.is_copying() {
            // What a service says to a copy comes after what it says to the message itself.
            tempo.quiet = tempo.quiet.max(2 * tempo.tolerance);
        }
        let specification = Specification {
            stg: &orchestration.stg,
            interface: &orchestration.interface,
            view: run.view,
            tempo,
            bounds: run.plan.bounds,
        };
        let conduct = ConversationRules {
            is_adaptive: run.plan.adaptive || self.withholding.is_some(),
            on_timeout: run.plan.on_timeout,
            strategy,
        };
        let paths = &run.derived.suite.paths;
        let driver = Driver::new(specification, paths, number, conduct, 0, &mut self.terms)
            .ok_or(RunError::Cancelled)?;
        let driver = match self.withholding.clone() {
            Some((delay, known)) => driver.withholding(delay, known, self.answers()),
            None => driver,
        };
        // Each run of each test has a number of its own, whichever worker it falls to.
        let seed = run.plan.seed.wrapping_mul(RUNS_PER_SEED);
        let known = (number * RUNS_PER_TEST + before.min(RUNS_PER_TEST - 1)) as u64;
        let known = self
            .codec
            .known_texts(seed.wrapping_add(known), &self.terms);
        turn(
            driver.like(like.to_vec()).preferring(known),
            &mut self.abandoned,
            &mut self.wire,
            &mut *self.codec,
            &mut self.terms,
            &mut *self.solver,
            Audience {
                cancel: run.cancel,
                seen: &|message, terms| {
                    (run.seen)(live_message(&paths[number].name, message, terms))
                },
            },
        )
    }
}

fn live_message(test: &str, message: &ConcreteMessage, terms: &Terms) -> LiveMessage {
    let values = message.values.iter();
    let values: Vec<String> = values.map(|value| terms.print_value(value)).collect();
    LiveMessage {
        part: test.to_owned(),
        from: terms.names.text(message.from.0).to_owned(),
        to: terms.names.text(message.to.0).to_owned(),
        operation: terms.names.text(message.operation.0).to_owned(),
        values: values.join(", "),
        left_out: 0,
    }
}
