//! Queues, machines, and the loop that drives a test.
//!
//! Generated, and the same forevery model.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::protocol::{Kind, Message, Participant, Payloads};

/// Why a session ended before its time.
#[derive(Debug, Clone)]
pub enum SessionError {
    /// A message came that the session does not expect at this point.
    Unexpected(String),
    /// The implementation gave up.
    Other(String),
}

impl fmt::Display for SessionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Unexpected(reason) | SessionError::Other(reason) => {
                formatter.write_str(reason)
            }
        }
    }
}

impl std::error::Error for SessionError {}

/// A message with the parties between which it went.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub sender: Participant,
    pub receiver: Participant,
    pub message: Message,
}

type Channel = (Participant, Participant);

/// One queue per ordered pair of participants.
#[derive(Default)]
pub struct Network {
    queues: RefCell<BTreeMap<Channel, VecDeque<Message>>>,
    /// What the implementation did, in order: its machine follows it for coverage.
    seen: RefCell<Vec<(bool, Channel, Kind)>>,
    activity: Cell<u64>,
    changed: Notify,
}

impl Network {
    /// Puts a message into the queue of its channel.
    pub fn send(&self, from: Participant, to: Participant, message: Message) {
        self.seen.borrow_mut().push((true, (from, to), message.kind()));
        self.queues
            .borrow_mut()
            .entry((from, to))
            .or_default()
            .push_back(message);
        self.wake();
    }

    /// The kind of the next message, which stays.
    pub fn first(&self, from: Participant, to: Participant) -> Option<Kind> {
        self.queues
            .borrow()
            .get(&(from, to))
            .and_then(|queue| queue.front().map(Message::kind))
    }

    /// Takes the next message.
    pub fn take(&self, from: Participant, to: Participant) -> Option<Message> {
        let message = self.queues.borrow_mut().get_mut(&(from, to))?.pop_front()?;
        self.seen.borrow_mut().push((false, (from, to), message.kind()));
        self.wake();
        Some(message)
    }

    /// Waits for one of these messages and takes it.
    ///
    /// A first message of another kind may be meant for later as long as another sender can
    /// still decide; when there is no one left to wait for, it is an error.
    pub async fn await_one(
        &self,
        me: Participant,
        wanted: &[(Participant, Kind)],
    ) -> Result<Message, SessionError> {
        loop {
            let changed = self.changed.notified();
            for &(from, kind) in wanted {
                if self.first(from, me) == Some(kind) {
                    if let Some(message) = self.take(from, me) {
                        return Ok(message);
                    }
                }
            }
            let undecided = wanted.iter().any(|&(from, _)| self.first(from, me).is_none());
            if !undecided {
                return Err(SessionError::Unexpected(format!(
                    "{me:?} expects {wanted:?}, and something else came"
                )));
            }
            changed.await;
        }
    }

    /// What was sent and not received.
    pub fn in_flight(&self) -> Vec<String> {
        let queues = self.queues.borrow();
        let each = queues.iter().flat_map(|((from, to), queue)| {
            queue.iter().map(move |message| format!("{from:?} -> {to:?} : {message:?}"))
        });
        each.collect()
    }

    /// Lets everyone run until no one moves any more.
    async fn settle(&self) {
        let mut quiet = 0;
        while quiet < 10 {
            let before = self.activity.get();
            tokio::task::yield_now().await;
            quiet = if self.activity.get() == before { quiet + 1 } else { 0 };
        }
    }

    fn wake(&self) {
        self.activity.set(self.activity.get() + 1);
        self.changed.notify_waiters();
    }
}

/// One step of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transition {
    pub source: &'static str,
    pub sends: bool,
    pub partner: Participant,
    pub kind: Kind,
    pub target: &'static str,
}

/// The machine of a participant.
#[derive(Debug)]
pub struct Machine {
    pub participant: Participant,
    pub initial: &'static str,
    pub success: &'static [&'static str],
    pub transitions: &'static [Transition],
}

/// An abstract test: transitions that are left out, and success states that differ.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    pub without: &'static [(Participant, usize)],
    pub success: &'static [(Participant, &'static [&'static str])],
}

impl Machine {
    fn label(&self, transition: &Transition) -> String {
        let (from, to, mark) = if transition.sends { (self.participant, transition.partner, '!') } else { (transition.partner, self.participant, '?') };
        format!("{from:?}·{to:?}{mark}{:?}", transition.kind)
    }
}

/// How tests are run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How long the implementation may think when all machines wait for it.
    pub timeout: Duration,
    /// How many runs each test makes.
    pub cases: u32,
    /// How many steps a run may have.
    pub max_steps: usize,
    /// Whether an error or panic of the implementation fails the test even when no one notices it.
    pub check_errors: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            timeout: Duration::from_millis(10),
            cases: 100,
            max_steps: 200,
            check_errors: false,
        }
    }
}

/// Which transitions were taken, over all runs of a test.
#[derive(Debug, Default)]
pub struct Coverage {
    taken: BTreeSet<(Participant, Transition)>,
    runs: usize,
}

impl Coverage {
    /// Counts, and what is missing.
    pub fn report(&self, model: &[&Machine]) -> String {
        let mut missing = Vec::new();
        let mut total = 0;
        for machine in model {
            for transition in machine.transitions {
                total += 1;
                if !self.taken.contains(&(machine.participant, *transition)) {
                    missing.push(machine.label(transition));
                }
            }
        }
        let mut report = format!("{} runs, transitions {}/{total}", self.runs, total - missing.len());
        if !missing.is_empty() {
            report.push_str("  missing ");
            report.push_str(&missing.join(", "));
        }
        report
    }
}

/// A machine in a run.
struct Player<'a> {
    machine: &'a Machine,
    state: &'static str,
    steps: Vec<Transition>,
    success: &'static [&'static str],
}

/// How a run ended.
pub enum Ended {
    /// In success.
    Well,
    /// After too many steps to say anything.
    TooLong,
}

/// What is drawn for a run.
///
/// A schedule that is too short continues with the first choice, so that it can always be shrunk.
#[derive(Debug, Clone)]
pub struct Drawn {
    pub schedule: Vec<u16>,
    pub payloads: Payloads,
}

/// One run of an implementation against the machines of all the others.
pub fn drive<F: Future<Output = Result<(), SessionError>> + 'static>(
    model: &[&Machine],
    under_test: Participant,
    implementation: impl FnOnce(Rc<Network>) -> F,
    drawn: &Drawn,
    case: Option<&Case>,
    options: &Options,
    coverage: &RefCell<Coverage>,
) -> Result<Ended, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let local = tokio::task::LocalSet::new();
    let network = Rc::new(Network::default());
    let mut run = Run {
        players: players(model, under_test, case),
        under_test,
        network: Rc::clone(&network),
        history: Vec::new(),
        steps: Vec::new(),
        schedule: drawn.schedule.iter(),
        payloads: &drawn.payloads,
        sent: BTreeMap::new(),
        options,
        coverage,
    };
    let result = local.block_on(&runtime, async {
        let task = tokio::task::spawn_local(implementation(Rc::clone(&network)));
        let outcome = run.follow(&task).await;
        run.finish(outcome, task).await
    });
    let mut coverage = coverage.borrow_mut();
    coverage.runs += 1;
    if let Some(machine) = model.iter().find(|it| it.participant == under_test) {
        follow(machine, &network.seen.borrow(), &mut coverage);
    }
    result
}

fn players<'a>(
    model: &[&'a Machine],
    under_test: Participant,
    case: Option<&Case>,
) -> Vec<Player<'a>> {
    let others = model.iter().filter(|it| it.participant != under_test);
    others
        .map(|machine| {
            let without = |at: usize| {
                case.is_some_and(|case| case.without.contains(&(machine.participant, at)))
            };
            let own = case.and_then(|case| {
                let mut own = case.success.iter();
                own.find(|(participant, _)| *participant == machine.participant)
            });
            Player {
                machine,
                state: machine.initial,
                steps: machine
                    .transitions
                    .iter()
                    .enumerate()
                    .filter(|&(at, _)| !without(at))
                    .map(|(_, transition)| *transition)
                    .collect(),
                success: own.map_or(machine.success, |&(_, success)| success),
            }
        })
        .collect()
}

/// Follows the implementation along its machine, to cover what it did.
fn follow(machine: &Machine, seen: &[(bool, Channel, Kind)], coverage: &mut Coverage) {
    let mut state = machine.initial;
    for &(sends, (from, to), kind) in seen {
        let (me, partner) = if sends { (from, to) } else { (to, from) };
        if me != machine.participant {
            continue;
        }
        let next = machine.transitions.iter().find(|it| {
            it.source == state && it.sends == sends && it.partner == partner && it.kind == kind
        });
        if let Some(transition) = next {
            coverage.taken.insert((me, *transition));
            state = transition.target;
        }
    }
}

struct Run<'a> {
    players: Vec<Player<'a>>,
    under_test: Participant,
    network: Rc<Network>,
    history: Vec<Exchange>,
    steps: Vec<String>,
    schedule: std::slice::Iter<'a, u16>,
    payloads: &'a Payloads,
    sent: BTreeMap<Kind, usize>,
    options: &'a Options,
    coverage: &'a RefCell<Coverage>,
}

type Task = tokio::task::JoinHandle<Result<(), SessionError>>;

impl Run<'_> {
    async fn follow(&mut self, task: &Task) -> Result<Ended, String> {
        for _ in 0..self.options.max_steps {
            let mut waiting = true;
            let enabled = loop {
                self.network.settle().await;
                if self.succeeded() {
                    return Ok(Ended::Well);
                }
                let enabled = self.enabled();
                // On a busy machine both times may be over at once, the implementation's and
                // ours; so there is a last look after ours.
                if !enabled.is_empty() || !waiting {
                    break enabled;
                }
                waiting = self.something_happens(task).await;
            };
            if enabled.is_empty() {
                return Err("no one can continue".to_owned());
            }
            let choice = match enabled.len() {
                1 => 0,
                several => usize::from(self.schedule.next().copied().unwrap_or(0)) % several,
            };
            let (player, transition) = enabled[choice];
            self.take(player, transition)?;
        }
        if self.players.iter().all(|it| !it.success.is_empty()) { Ok(Ended::TooLong) } else { Ok(Ended::Well) }
    }

    fn enabled(&self) -> Vec<(usize, Transition)> {
        let mut enabled = Vec::new();
        for (at, player) in self.players.iter().enumerate() {
            let me = player.machine.participant;
            for step in player.steps.iter().filter(|it| it.source == player.state) {
                if step.sends || self.network.first(step.partner, me) == Some(step.kind) {
                    enabled.push((at, *step));
                }
            }
        }
        enabled
    }

    fn take(&mut self, at: usize, transition: Transition) -> Result<(), String> {
        let me = self.players[at].machine.participant;
        if transition.sends {
            let count = self.sent.entry(transition.kind).or_default();
            let message = self.payloads.get(transition.kind, *count);
            *count += 1;
            self.steps.push(format!("{me:?} sends {message:?} to {:?}", transition.partner));
            self.history.push(Exchange {
                sender: me,
                receiver: transition.partner,
                message: message.clone(),
            });
            self.network.send(me, transition.partner, message);
        } else if let Some(message) = self.network.take(transition.partner, me) {
            self.steps.push(format!("{me:?} receives {message:?} from {:?}", transition.partner));
            if transition.partner == self.under_test {
                message.check(&self.history)?;
                self.history.push(Exchange {
                    sender: transition.partner,
                    receiver: me,
                    message,
                });
            }
        }
        self.players[at].state = transition.target;
        self.coverage.borrow_mut().taken.insert((me, transition));
        Ok(())
    }

    fn succeeded(&self) -> bool {
        self.players.iter().all(|it| it.success.contains(&it.state))
            && self.network.in_flight().is_empty()
    }

    /// Whether the implementation does something before its time is over.
    async fn something_happens(&self, task: &Task) -> bool {
        if task.is_finished() {
            return false;
        }
        let changed = self.network.changed.notified();
        tokio::time::timeout(self.options.timeout, changed).await.is_ok()
    }

    async fn finish(&self, outcome: Result<Ended, String>, mut task: Task) -> Result<Ended, String> {
        let ended = if self.options.check_errors || outcome.is_err() { tokio::time::timeout(self.options.timeout, &mut task).await.ok() } else { None };
        task.abort();
        let (words, bad) = match &ended {
            None => ("the implementation is still waiting".to_owned(), false),
            Some(Ok(Ok(()))) => ("the implementation has ended".to_owned(), false),
            Some(Ok(Err(error))) => (format!("the implementation gave up: {error}"), true),
            Some(Err(error)) => (format!("the implementation panicked: {error}"), true),
        };
        match outcome {
            Err(reason) => Err(self.failure(&reason, &words)),
            Ok(_) if bad && self.options.check_errors => Err(self.failure(&words, &words)),
            Ok(ended) => Ok(ended),
        }
    }

    fn failure(&self, reason: &str, words: &str) -> String {
        let mut lines = vec![format!("{:?} does not comply: {reason}", self.under_test)];
        for (number, step) in self.steps.iter().enumerate() {
            lines.push(format!("  {}. {step}", number + 1));
        }
        for player in &self.players {
            let me = player.machine.participant;
            let wants: Vec<String> = player
                .steps
                .iter()
                .filter(|it| it.source == player.state)
                .map(|it| player.machine.label(it))
                .collect();
            let wants = if player.success.contains(&player.state) { "has ended well".to_owned() } else { format!("wants {}", wants.join(" or ")) };
            lines.push(format!("  {me:?} in state {} {wants}", player.state));
        }
        for flight in self.network.in_flight() {
            lines.push(format!("  not received: {flight}"));
        }
        lines.push(format!("  {words}"));
        lines.join("\n")
    }
}
