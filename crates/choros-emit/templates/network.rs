//! How messages travel.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::messages::{Message, Role};

/// What a service sends with and receives from.
///
/// Messages between two roles arrive in the order in which they were sent.
pub trait Network {
    /// Sends a message.
    fn send(&mut self, message: Message) -> Result<(), Failure>;

    /// The next message from one of these roles; `None` when none will come any more.
    fn receive(&mut self, from: &[Role]) -> Result<Option<Message>, Failure>;

    /// The next message from one of these roles; `None` when the time is over before. Services with timers need it.
    fn receive_within(&mut self, _from: &[Role], _time: Duration) -> Result<Option<Message>, Failure> {
        Err(Failure::Network("it measures no time".to_owned()))
    }
}

/// Why a service could not continue.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// A message came that the role does not expect now.
    Unexpected(Message),
    /// No condition of what could happen in this state holds.
    Stuck(Role, &'static str),
    /// The role waits in this state, and no message will come.
    Silence(Role, &'static str),
    /// A number cannot be said exactly.
    Number(&'static str),
    /// The network failed.
    Network(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unexpected(message) => write!(out, "unexpected: {message:?}"),
            Failure::Stuck(role, state) => write!(out, "{role:?} cannot continue in state {state}"),
            Failure::Silence(role, state) => write!(out, "{role:?} waits forever in state {state}"),
            Failure::Number(reason) => write!(out, "{reason}"),
            Failure::Network(reason) => write!(out, "network: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}

/// A network within one process.
#[derive(Clone)]
pub struct Memory {
    shared: Arc<(Mutex<Traffic>, Condvar)>,
}

struct Traffic {
    queues: BTreeMap<(Role, Role), VecDeque<Message>>,
    sent: Vec<Message>,
    /// How many messages may still be sent.
    left: usize,
    /// Who has not ended, and for whom each of them waits.
    running: BTreeMap<Role, Vec<Role>>,
    /// Everyone waits, and nothing is on its way.
    quiet: bool,
}

impl Memory {
    /// A network for these roles, which carries at most this many messages.
    pub fn new(roles: &[Role], most: usize) -> Memory {
        let traffic = Traffic {
            queues: BTreeMap::new(),
            sent: Vec::new(),
            left: most,
            running: roles.iter().map(|&role| (role, Vec::new())).collect(),
            quiet: false,
        };
        let shared = Arc::new((Mutex::new(traffic), Condvar::new()));
        Memory { shared }
    }

    /// Where a role is connected; when it is dropped, the role has ended.
    pub fn endpoint(&self, role: Role) -> Endpoint {
        let memory = self.clone();
        Endpoint { memory, role }
    }

    /// All messages, in the order in which they were sent.
    pub fn sent(&self) -> Vec<Message> {
        self.traffic().sent.clone()
    }

    fn traffic(&self) -> MutexGuard<'_, Traffic> {
        let lock = self.shared.0.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Traffic {
    fn take(&mut self, from: &[Role], to: Role) -> Option<Message> {
        let mut queues = from.iter().map(|&from| (from, to));
        let place = queues.find(|place| self.queues.get(place).is_some_and(|it| !it.is_empty()))?;
        self.queues.get_mut(&place)?.pop_front()
    }

    /// Notices when everyone waits for messages that are not there.
    fn look_around(&mut self) {
        let queues = &self.queues;
        let served = |from: &Role, to: &Role| queues.get(&(*from, *to)).is_some_and(|it| !it.is_empty());
        self.quiet = self
            .running
            .iter()
            .all(|(to, senders)| !senders.is_empty() && !senders.iter().any(|from| served(from, to)));
    }
}

/// A role's connection to a network within one process.
pub struct Endpoint {
    memory: Memory,
    role: Role,
}

impl Network for Endpoint {
    fn send(&mut self, message: Message) -> Result<(), Failure> {
        let mut traffic = self.memory.traffic();
        if traffic.left == 0 {
            return Err(Failure::Network("it has carried enough messages".to_owned()));
        }
        traffic.left -= 1;
        traffic.sent.push(message.clone());
        let place = (message.from, message.to);
        traffic.queues.entry(place).or_default().push_back(message);
        self.memory.shared.1.notify_all();
        Ok(())
    }

    fn receive(&mut self, from: &[Role]) -> Result<Option<Message>, Failure> {
        let mut traffic = self.memory.traffic();
        loop {
            if let Some(message) = traffic.take(from, self.role) {
                traffic.running.insert(self.role, Vec::new());
                return Ok(Some(message));
            }
            if !traffic.quiet {
                traffic.running.insert(self.role, from.to_vec());
                traffic.look_around();
            }
            if traffic.quiet {
                self.memory.shared.1.notify_all();
                return Ok(None);
            }
            let woken = self.memory.shared.1.wait(traffic);
            traffic = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn receive_within(&mut self, from: &[Role], time: Duration) -> Result<Option<Message>, Failure> {
        let over = Instant::now() + time;
        let mut traffic = self.memory.traffic();
        // Who has a timer waits for time, which comes.
        traffic.running.insert(self.role, Vec::new());
        loop {
            if let Some(message) = traffic.take(from, self.role) {
                return Ok(Some(message));
            }
            let left = over.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let woken = self.memory.shared.1.wait_timeout(traffic, left);
            traffic = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let mut traffic = self.memory.traffic();
        traffic.running.remove(&self.role);
        if !traffic.quiet {
            traffic.look_around();
        }
        self.memory.shared.1.notify_all();
    }
}
