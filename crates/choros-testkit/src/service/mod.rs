//! Pretended services: what a service does with requests, written down in a document.
//!
//! ```text
//! partner BANK
//!
//! on /ask where value > 10
//!   answer {"value": {value + 1}}
//!   wait 300
//!   call BANK /alarm {"value": {value}}
//! on /stop
//!   forget
//!   answer 204
//! on <MT-selectIn>
//!   answer 500 text/plain not today
//! next
//!   answer soap11
//!     <MT-selectOut><status>true</status></MT-selectOut>
//! ```
//!
//! A rule begins with `on`, and its first turn is the indented lines below it.
//! The first rule that a request fits does what its turn says, line by line; `next` begins the turn of the next such
//! request, the last turn is kept, and `again` at the end begins again.
//! A request that no rule fits is answered with status 404.
//!
//! The service listens on a free port of this machine from its block to the end of the section; its address, as
//! `host:port`, is the variable with its name.
//! `partner NAME` is an address on which no one listens yet, for a command to listen on.

mod fields;
mod read;
mod run;

use std::time::Duration;

use crate::recipe::Recipe;

pub(crate) use self::read::is_variable;
pub(crate) use self::run::Running;

/// The word that says that a block is a pretended service.
pub(crate) const LANGUAGE: &str = "service";

/// A pretended service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Service {
    /// Names of addresses on which commands may listen.
    pub(crate) partners: Vec<String>,
    /// What it does; the first rule that fits counts.
    rules: Vec<Rule>,
}

/// Which requests, and what is done with them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// The path of the request, if it matters.
    path: Option<String>,
    /// An element that the body has, if it matters.
    element: Option<String>,
    /// What a field of the body must be.
    condition: Option<Condition>,
    /// What is done with the first request, with the second, and so on.
    turns: Vec<Vec<Action>>,
    /// Whether the turns start over after the last one.
    is_cyclic: bool,
}

/// `where FIELD < VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Condition {
    field: String,
    relation: Relation,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Unequal,
    Less,
    Greater,
}

/// A line of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    /// A whole response.
    Answer {
        status: u16,
        content_type: Option<String>,
        /// With fields of the request in braces.
        body: String,
    },
    /// So long nothing is done.
    Wait(Duration),
    /// From here on each byte takes so long.
    Trickle(Duration),
    /// These bytes, whatever they are.
    Raw(Recipe),
    /// Nothing more, until the client goes.
    Hang,
    /// The end of the connection, in order.
    Close,
    /// The end of the connection as of a program that crashed.
    Reset,
    /// A request to a partner, whose answer is waited for.
    Call {
        partner: String,
        path: String,
        content_type: String,
        body: String,
    },
    /// What other requests left to be done is not done.
    Forget,
}
