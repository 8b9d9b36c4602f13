//! Calls of the service, brought to the test that they belong to.
//!
//! While one test runs, every call is its own. While several do, each of them is asked whether its model allows the
//! call now, and the call goes to the only one that says so. A service that does what its model says calls no one
//! without the consent of the conversation that the call belongs to, so a call that exactly one test allows is that
//! test's; a call that several allow, or none, is disputed, and the tests that it may belong to find no verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::codec::{Incoming, Reply};
use crate::event::Event;

/// Whether a test takes a call for its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vote {
    Yes,
    No,
    Unknown,
}

/// Brings calls to tests; all transports of a run share one.
#[derive(Debug, Default)]
pub struct Switchboard {
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    /// Tests that run now, by number, and where they hear.
    tests: BTreeMap<u64, Sender<(Instant, Event)>>,
    /// The number of the last ticket, and of the last test.
    tickets: u64,
    numbers: u64,
    /// Calls that wait for an answer, and the test that they belong to.
    open: BTreeMap<u64, (Option<u64>, oneshot::Sender<Reply>)>,
    polls: BTreeMap<u64, Poll>,
    /// Whether someone can call.
    is_called: bool,
}

/// A call that tests are asked about.
#[derive(Debug)]
struct Poll {
    at: Instant,
    incoming: Incoming,
    silent: BTreeSet<u64>,
    asked: Vec<u64>,
    votes: Vec<(u64, Vote)>,
}

impl Switchboard {
    /// A test begins; its number.
    pub(super) fn join(&self, hears: Sender<(Instant, Event)>) -> u64 {
        let mut inside = self.lock();
        inside.numbers += 1;
        let number = inside.numbers;
        inside.tests.insert(number, hears);
        number
    }

    /// A test is over: what it has not answered is refused, and it has no say any more.
    pub(super) fn leave(&self, test: u64) {
        let mut inside = self.lock();
        inside.tests.remove(&test);
        let own = |(owner, _): &(Option<u64>, _)| *owner == Some(test);
        let tickets: Vec<u64> = inside
            .open
            .iter()
            .filter(|(_, it)| own(it))
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in tickets {
            inside.refuse(ticket);
        }
        let polls: Vec<u64> = inside.polls.keys().copied().collect();
        for ticket in polls {
            inside.vote(ticket, test, Vote::No);
        }
    }

    /// The service calls; the answer will come through the receiver.
    pub(super) fn call(&self, incoming: Result<Incoming, String>) -> oneshot::Receiver<Reply> {
        let (sender, receiver) = oneshot::channel();
        let at = Instant::now();
        let mut inside = self.lock();
        inside.tickets += 1;
        let ticket = inside.tickets;
        inside.open.insert(ticket, (None, sender));
        let asked: Vec<u64> = inside.tests.keys().copied().collect();
        match (&asked[..], incoming) {
            // It comes too late for any test.
            ([], _) => inside.refuse(ticket),
            ([only], incoming) => inside.give(ticket, *only, at, incoming),
            (_, Err(reason)) => {
                let reason = format!("a call of the service matches no test: {reason}");
                inside.dispute(ticket, at, &asked, &reason);
            }
            (_, Ok(incoming)) => {
                for &test in &asked {
                    let incoming = incoming.clone();
                    inside.tell(test, at, Event::Offered { ticket, incoming });
                }
                let poll = Poll {
                    at,
                    incoming,
                    silent: asked.iter().copied().collect(),
                    asked,
                    votes: Vec::new(),
                };
                inside.polls.insert(ticket, poll);
            }
        }
        receiver
    }

    /// A test says whether a call is its own.
    pub(super) fn vote(&self, ticket: u64, test: u64, vote: Vote) {
        self.lock().vote(ticket, test, vote);
    }

    /// Someone can call from now on.
    pub(super) fn serve(&self) {
        self.lock().is_called = true;
    }

    /// Whether someone can call.
    pub(super) fn is_called(&self) -> bool {
        self.lock().is_called
    }

    /// What tests are asked about is not a call, and belongs to no test.
    pub(super) fn dismiss(&self, ticket: u64, reply: Reply) {
        self.lock().polls.remove(&ticket);
        self.answer(ticket, reply);
    }

    /// A call is answered.
    pub(super) fn answer(&self, ticket: u64, reply: Reply) -> bool {
        let open = self.lock().open.remove(&ticket);
        open.is_some_and(|(_, waiting)| waiting.send(reply).is_ok())
    }

    /// A call is never answered: its connection ends.
    pub(crate) fn hang_up(&self, ticket: u64) {
        self.lock().open.remove(&ticket);
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn vote(&mut self, ticket: u64, test: u64, vote: Vote) {
        let Some(poll) = self.polls.get_mut(&ticket) else {
            return;
        };
        if !poll.silent.remove(&test) {
            return;
        }
        poll.votes.push((test, vote));
        if !poll.silent.is_empty() {
            return;
        }
        let Some(poll) = self.polls.remove(&ticket) else {
            return;
        };
        let of = |wanted: Vote| {
            let votes = poll.votes.iter().filter(move |(_, vote)| *vote == wanted);
            votes.map(|(test, _)| *test).collect::<Vec<u64>>()
        };
        let mut claims = of(Vote::Yes);
        match (&claims[..], &of(Vote::Unknown)[..]) {
            ([only], []) => self.give(ticket, *only, poll.at, Ok(poll.incoming)),
            ([], []) => {
                let reason = "no test that runs now allows a call of the service";
                self.dispute(ticket, poll.at, &poll.asked, reason);
            }
            (_, doubtful) => {
                claims.extend(doubtful);
                let reason = "a call of the service may belong to several tests";
                self.dispute(ticket, poll.at, &claims, reason);
            }
        }
    }

    fn give(&mut self, ticket: u64, test: u64, at: Instant, incoming: Result<Incoming, String>) {
        if let Some((owner, _)) = self.open.get_mut(&ticket) {
            *owner = Some(test);
        }
        self.tell(test, at, Event::Called { ticket, incoming });
    }

    fn dispute(&mut self, ticket: u64, at: Instant, tests: &[u64], reason: &str) {
        for &test in tests {
            let reason = reason.to_owned();
            self.tell(test, at, Event::Disputed { reason });
        }
        self.refuse(ticket);
    }

    fn tell(&self, test: u64, at: Instant, event: Event) {
        if let Some(hears) = self.tests.get(&test) {
            // No one listens any more when the run is over.
            let _ = hears.send((at, event));
        }
    }

    fn refuse(&mut self, ticket: u64) {
        if let Some((_, waiting)) = self.open.remove(&ticket) {
            let _ = waiting.send(Reply {
                status: 503,
                content_type: Some("text/plain".to_owned()),
                body: b"choros drive: the test is over\n".to_vec(),
                headers: Vec::new(),
                remark: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use choros_data::Terms;
    use choros_model::stg::Role;

    use super::*;

    fn incoming() -> Result<Incoming, String> {
        let mut terms = Terms::new();
        Ok(Incoming {
            role: Role(terms.names.intern("BK")),
            method: "POST".to_owned(),
            target: "/".to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        })
    }

    fn heard(receiver: &Receiver<(Instant, Event)>) -> Vec<&'static str> {
        receiver
            .try_iter()
            .map(|(_, event)| match event {
                Event::Offered { .. } => "offered",
                Event::Called { .. } => "called",
                Event::Disputed { .. } => "disputed",
                _ => "other",
            })
            .collect()
    }

    #[test]
    fn a_call_goes_to_the_only_test_that_allows_it() {
        let board = Switchboard::default();
        let (sender, first) = channel();
        let one = board.join(sender);
        board.call(incoming());
        assert_eq!(heard(&first), ["called"], "alone, it need not be asked");
        let (sender, second) = channel();
        let two = board.join(sender);
        board.call(incoming());
        board.vote(2, one, Vote::No);
        assert_eq!(heard(&first), ["offered"]);
        board.vote(2, two, Vote::Yes);
        assert_eq!(heard(&second), ["offered", "called"]);
        assert_eq!(heard(&first), Vec::<&str>::new());
        // Several that allow it, or none, or one that does not know: no one is given it.
        for (votes, disputed) in [
            ([Vote::Yes, Vote::Yes], [true, true]),
            ([Vote::No, Vote::No], [true, true]),
            ([Vote::Yes, Vote::Unknown], [true, true]),
            ([Vote::No, Vote::Unknown], [false, true]),
        ] {
            let mut answer = board.call(incoming());
            let ticket = board.lock().tickets;
            board.vote(ticket, one, votes[0]);
            board.vote(ticket, two, votes[1]);
            let tail = |is: bool| {
                if is {
                    vec!["offered", "disputed"]
                } else {
                    vec!["offered"]
                }
            };
            assert_eq!(heard(&first), tail(disputed[0]), "{votes:?}");
            assert_eq!(heard(&second), tail(disputed[1]), "{votes:?}");
            assert_eq!(answer.try_recv().expect("refused").status, 503);
        }
        // Who leaves has no say.
        let mut answer = board.call(incoming());
        let ticket = board.lock().tickets;
        board.vote(ticket, two, Vote::Yes);
        board.leave(one);
        assert_eq!(heard(&second), ["offered", "called"]);
        board.leave(two);
        assert_eq!(answer.try_recv().expect("refused").status, 503);
        assert_eq!(
            board.call(incoming()).try_recv().expect("too late").status,
            503
        );
    }
}
