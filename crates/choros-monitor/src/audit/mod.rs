//! Whether logs follow a choreography (chapter 4.1 of Nguyen's thesis), with data and without a global clock.
//!
//! *Local conformance* (Definition 9): what a role saw, without messages the model does not speak of, is a prefix of a
//! trace of the role's natural projection.
//! *Global conformance*: the messages of all logs, in an order that agrees with them, are a prefix of a trace of the
//! choreography.
//! Services conform if both hold (Definition 10; Example 9 shows that neither implies the other).
//!
//! Where the thesis computes all traces and compares, the model is walked alongside the log (`walk.rs`); where it takes
//! one order by a global clock, all orders that the logs allow are examined together (`search.rs`), unless a clock is
//! asked for (`clock.rs`).

mod alphabet;
mod automaton;
mod by_mode;
mod by_time;
mod clock;
mod commuting;
mod conditions;
mod delayed;
mod expectation;
mod global;
mod guilt;
mod judge;
mod lack;
mod likeness;
mod local;
mod online;
mod outside;
mod plan;
mod presence;
mod reached;
mod redacted;
mod remarks;
mod run;
mod search;
mod sessions;
mod sorted;
mod sorts;
mod standing;
mod strays;
mod streaming;
mod tale;
mod tally;
mod timing;
mod unclear;
mod unwritten;
mod values;
mod walk;

pub use guilt::{Blame, GuiltyParty};
pub use judge::audit;
pub use lack::Hypothesis;
pub use online::{
    EndedSessions, OnlineAudit, OnlineBlame, OnlineBounds, OnlineState, OpenSession, PartCounts,
    SessionVerdict,
};
pub use presence::Presence;
pub use sessions::Sessions;
pub use streaming::{Quiet, SessionStream, Streamed, Survey};

use choros_base::Choice;
use choros_model::Observed;
use choros_model::observation::Observation;
use choros_model::stg::{Event, Stg, is_split};
use choros_smt::SolverError;

/// What one service saw; a role that several instances play may have several, if no session is in two of them.
#[derive(Debug, Clone)]
pub struct Log {
    /// The role it plays.
    pub role: String,
    /// Where the observations come from, for messages to people.
    pub source: String,
    /// What it may lack.
    pub hypothesis: Hypothesis,
    /// Someone said where its data stand, so they should be there.
    pub promises_data: bool,
    /// What it saw, in order.
    pub observations: Vec<Observation<'static>>,
}

/// How logs are judged.
#[derive(Debug, Clone)]
pub struct Auditing {
    /// What is known about the order of messages at different services.
    pub order: Order,
    /// When a message happens.
    pub reading: MessageMoment,
    /// What happens to logs that no order of whole messages explains.
    pub crossing: CrossingMessages,
    /// How sessions are distinguished.
    pub sessions: Sessions,
    /// Whether a run must have come to its end.
    pub runs: Runs,
    /// By what a role is judged.
    pub projection: Projection,
    /// What logs without any message of the model say.
    pub empty: Empty,
    /// What the network may do to messages.
    pub network: Network,
    /// Whether integers that the model only passes on stand for values of any kind.
    pub integers: Integers,
    /// So many milliseconds a clock or a time stamp may be wrong before a role is said to have missed its time.
    pub tolerance: u64,
    /// This many situations beyond the length of the logs are examined before giving up.
    pub limit: u64,
}

impl Default for Auditing {
    fn default() -> Self {
        Auditing {
            order: Order::Local,
            reading: MessageMoment::Whole,
            crossing: CrossingMessages::JudgedBySendings,
            sessions: Sessions::Found,
            runs: Runs::MayBeUnfinished,
            projection: Projection::Remembering,
            empty: Empty::IsUnknown,
            network: Network::Once,
            integers: Integers::WhereComputed,
            tolerance: 100,
            limit: 1_000_000,
        }
    }
}

impl Auditing {
    /// The same for a model: where messages can be late they cross, so they happen when they are sent unless something
    /// else was asked for.
    #[must_use]
    pub fn suited_to(self, model: &Stg) -> Auditing {
        let is_open = (self.reading, self.crossing)
            == (MessageMoment::Whole, CrossingMessages::JudgedBySendings);
        if is_open && has_late_messages(model) {
            let reading = MessageMoment::Sendings;
            return Auditing { reading, ..self };
        }
        self
    }
}

/// Whether a message can be late, so that its sending and its reception are steps of their own beside whole messages.
///
/// Graphs of events have nothing but such steps, and are judged by both.
fn has_late_messages(model: &Stg) -> bool {
    let mut edges = model.edges().iter();
    is_split(model) && edges.any(|it| matches!(it.event, Event::TickOf(_)))
}

/// What is known about the order of messages at different services.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Only what local logs and message ids imply.
    Local,
    /// By timestamps: the clocks of all services agree.
    Time,
}

impl Choice for Order {
    const CHOICES: &'static [(&'static str, Order, &'static str)] = &[
        (
            "local",
            Order::Local,
            "Only what local logs and message ids imply",
        ),
        (
            "time",
            Order::Time,
            "By timestamps: the clocks of all services agree",
        ),
    ];
}

/// When a message happens (section 4.1.5 of Nguyen's thesis).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageMoment {
    /// From its sending to its reception, without anything between them: `c1? → c2!`.
    Whole,
    /// When it is sent: `c1! → c2!`.
    Sendings,
    /// When it is received: `c1? → c2?`.
    Receptions,
}

/// What happens to logs that no order of whole messages explains, because messages cross on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrossingMessages {
    /// They do not conform: communication is synchronous.
    Fails,
    /// They show that communication is asynchronous, and are judged by the order of sendings.
    JudgedBySendings,
}

/// Whether a run must have come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// It may be cut off anywhere.
    MayBeUnfinished,
    /// It must be whole.
    MustBeFinished,
}

/// By what a role is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// By what the runs of the choreography let it know: a role that was told something it could not expect is not
    /// judged from there on.
    Remembering,
    /// By its natural projection, literally: what is received again replaces what was known.
    Natural,
}

/// What logs without any message of the model say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// Nothing.
    IsUnknown,
    /// That everything conforms so far, as in Nguyen's thesis.
    Conforms,
}

impl Choice for Empty {
    const CHOICES: &'static [(&'static str, Empty, &'static str)] = &[
        (
            "unknown",
            Empty::IsUnknown,
            "Unknown, because nothing was judged",
        ),
        ("conforms", Empty::Conforms, "Everything conforms so far"),
    ];
}

/// What the network may do to messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// It delivers each once.
    Once,
    /// It may deliver one again; its identity tells.
    MayRepeat,
}

impl Choice for Network {
    const CHOICES: &'static [(&'static str, Network, &'static str)] = &[
        ("once", Network::Once, "Each message is delivered once"),
        (
            "repeats",
            Network::MayRepeat,
            "A message may be delivered again, with the same id",
        ),
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integers {
    /// Integers, because the model says so.
    Declared,
    /// Integers only where the model computes with them or compares them.
    WhereComputed,
}

/// The verdicts on a set of logs.
#[derive(Debug)]
pub struct Audit {
    /// One per observed role, then `global` if the model is one of all roles.
    pub results: Vec<AuditVerdict>,
    /// How many sessions there are.
    pub sessions: usize,
    /// How sessions were distinguished, in words.
    pub told_apart: String,
    /// Who is guilty where logs do not conform.
    pub blame: Blame,
    /// How many receptions were left out because the network had delivered the message before.
    pub repeated: usize,
    /// How often the fields of the model were there.
    pub fields: Vec<Presence>,
    /// Messages the model does not speak of, with how often they were seen.
    pub filtered: Vec<(String, u64)>,
    /// Sessions of which several logs of one role tell.
    pub torn: Vec<SplitSession>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

/// A session of which several logs of one role tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitSession {
    pub role: String,
    /// The session; empty where there is only one.
    pub session: String,
    /// Two of the logs.
    pub sources: [String; 2],
}

#[derive(Debug)]
pub struct AuditVerdict {
    /// The role, or `global`.
    pub name: String,
    pub verdict: Observed,
    /// Whether all runs came to their ends.
    pub finished: bool,
    /// How many observations it is about.
    pub observations: usize,
    /// How many observations were dropped because the model does not speak of them.
    pub filtered: usize,
    /// Sessions that conform.
    pub pass: usize,
    /// Sessions that do not.
    pub fail: usize,
    /// Sessions of which it is not known.
    pub inconclusive: usize,
    /// How many sessions conform and do not, after each; empty where that cannot be said.
    pub growth: Vec<[usize; 2]>,
}

/// Why nothing could be judged.
#[derive(Debug)]
pub enum NotAudited {
    /// The solver is missing or broken.
    Solver(SolverError),
    /// Someone interrupted.
    Cancelled,
}
