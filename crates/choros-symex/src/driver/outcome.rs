//! How a test ended, and what it rests on.

use choros_data::Terms;
use choros_model::evidence::{Departure, Expected, Step, StepEvent, Trace, WrongEvent};
use choros_model::stg::{EdgeId, Operation, Role};

use super::clock::Moment;
use super::message::ConcreteMessage;
use super::withheld::Withheld;

/// The verdict of one test (Bentakouk 3.4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TestVerdict {
    /// The whole path was followed.
    Pass,
    /// Nothing is wrong, but the path was not followed, or no one can say.
    Inconclusive,
    /// The service did what no branch of the specification allows.
    Fail,
}

impl TestVerdict {
    /// Both together: *fail* dominates, then *inconclusive* (`verdictResponse`, Algorithm 3).
    #[must_use]
    pub fn and(self, other: TestVerdict) -> TestVerdict {
        self.max(other)
    }

    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            TestVerdict::Pass => "pass",
            TestVerdict::Inconclusive => "inconclusive",
            TestVerdict::Fail => "fail",
        }
    }
}

/// How a test ended.
#[derive(Debug, Clone)]
pub struct TestOutcome {
    pub verdict: TestVerdict,
    /// Why, in a sentence.
    pub reason: String,
    /// What the specification allowed instead, for a failure.
    pub expected: Vec<ExpectedEvent>,
    /// What happened.
    pub log: Vec<ConversationEntry>,
    /// Which path was followed in the end; another than at the start if the driver adapts.
    pub path: usize,
    /// Edges of the model along one explanation of what was seen.
    pub covered: Vec<EdgeId>,
    /// What was not followed, if branches were cut.
    pub cut: Option<String>,
    /// What the tester kept back, if it was told to.
    pub withheld: Option<Withheld>,
}

/// Something that the specification allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedEvent {
    /// For people: `request[Loan,USER](v) where v > 3`.
    pub text: String,
    /// The message, with what is known of its values.
    pub expected: Expected,
}

impl std::fmt::Display for ExpectedEvent {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.text)
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConversationEntry {
    /// The tester sent.
    Sent {
        /// When.
        at: Moment,
        /// What.
        message: ConcreteMessage,
    },
    /// The tester saw.
    Seen {
        /// When.
        at: Moment,
        /// What.
        message: ConcreteMessage,
    },
    /// The transport gave up on an operation.
    Refused {
        /// When.
        at: Moment,
        operation: Operation,
        /// Why.
        reason: String,
    },
    /// A call without an answer is known to have arrived.
    Arrived {
        /// When.
        at: Moment,
        operation: Operation,
    },
    /// Something came that is not a message of the model.
    Malformed {
        /// When.
        at: Moment,
        /// What is wrong with it.
        reason: String,
    },
    /// The tester waited for time to pass, or for something that did not come.
    Waited {
        /// Until when.
        at: Moment,
        /// This many ticks; none if it was for something to come.
        ticks: u64,
    },
}

impl choros_model::Judgeable for ConversationEntry {}

impl ConversationEntry {
    /// When it happened.
    pub(super) fn at(&self) -> Moment {
        match self {
            ConversationEntry::Sent { at, .. }
            | ConversationEntry::Seen { at, .. }
            | ConversationEntry::Refused { at, .. }
            | ConversationEntry::Arrived { at, .. }
            | ConversationEntry::Malformed { at, .. }
            | ConversationEntry::Waited { at, .. } => *at,
        }
    }
}

/// Whether two reasons are the same but for the values in them: what the service chooses differs from run to run.
pub fn is_same_reason(one: &str, other: &str) -> bool {
    let words = |text: &str| text.split('(').next().unwrap_or_default().to_owned();
    words(one) == words(other)
}

impl TestOutcome {
    /// Whether both fail in the same way: the same kind of event, for the same reason, with any values.
    pub fn fails_like(&self, other: &TestOutcome) -> bool {
        let last = |outcome: &TestOutcome| outcome.log.last().map(std::mem::discriminant);
        [self, other]
            .iter()
            .all(|it| it.verdict == TestVerdict::Fail)
            && last(self) == last(other)
            && is_same_reason(&self.reason, &other.reason)
    }

    /// What the service did, or was given time to do: all but what the tester sent.
    pub fn judged(&self) -> impl Iterator<Item = &ConversationEntry> {
        let sent = |entry: &&ConversationEntry| matches!(entry, ConversationEntry::Sent { .. });
        self.log.iter().filter(move |entry| !sent(entry))
    }

    /// What the tester sent.
    pub fn sent(&self) -> Vec<ConcreteMessage> {
        self.log
            .iter()
            .filter_map(|entry| match entry {
                ConversationEntry::Sent { message, .. } => Some(message.clone()),
                _ => None,
            })
            .collect()
    }

    /// What the service did wrong, if it did.
    fn departure(&self) -> Departure {
        if self.verdict != TestVerdict::Fail {
            return Departure::default();
        }
        let last_is_wrong = matches!(
            self.log.last(),
            Some(
                ConversationEntry::Seen { .. }
                    | ConversationEntry::Refused { .. }
                    | ConversationEntry::Malformed { .. }
            )
        );
        Departure {
            wrong: if last_is_wrong {
                WrongEvent::LastStep
            } else {
                WrongEvent::Nothing
            },
            expected: self.expected.iter().map(|it| it.expected.clone()).collect(),
            decisive: Vec::new(),
        }
    }

    /// What happened as a run of the service, with the reason as its conclusion.
    pub fn trace(&self, service: Role, terms: &Terms) -> Trace {
        let other = |text: String| Step {
            event: StepEvent::Other(text),
            guard: None,
            bindings: Vec::new(),
            states: None,
            origin: None,
        };
        let steps = self
            .log
            .iter()
            .filter_map(|entry| match entry {
                ConversationEntry::Sent { message, .. }
                | ConversationEntry::Seen { message, .. } => Some(message.step(service, terms)),
                ConversationEntry::Arrived { .. } => None,
                ConversationEntry::Refused {
                    operation, reason, ..
                } => {
                    let operation = terms.names.text(operation.0);
                    Some(other(format!("{operation} refused: {reason}")))
                }
                ConversationEntry::Malformed { reason, .. } => {
                    Some(other(format!("not a message: {reason}")))
                }
                ConversationEntry::Waited { ticks: 0, .. } => {
                    Some(other("nothing came".to_owned()))
                }
                ConversationEntry::Waited { ticks, .. } => Some(other(format!("tick × {ticks}"))),
            })
            .collect();
        Trace {
            steps,
            departure: self.departure(),
            conclusion: self.reason.clone(),
            ..Trace::default()
        }
    }
}
