//! One open window.

use std::sync::Arc;

use choros_model::Judgeable;
use choros_model::observation::{Datum, Number};

use crate::members::Members;
use crate::recent::Kept;
use crate::verdict::{Mark, Outcome};

/// An open window.
#[derive(Debug, Clone, Default)]
pub(crate) struct Open {
    /// Changes when the place is used again.
    pub(crate) generation: u32,
    pub(crate) is_live: bool,
    /// In which list it stands.
    pub(crate) standing: Standing,
    pub(crate) opened: Mark,
    /// The position of its first message in the log.
    pub(crate) position: u64,
    /// The observations of its context, as far as they are kept.
    pub(crate) context: Context,
    /// How many events of the context were seen.
    pub(crate) matched: usize,
    /// The values that the context bound.
    pub(crate) values: Vec<Datum<'static>>,
    /// The properties for which it is not decided.
    pub(crate) undecided: Members,
    /// Those of them for which redacted values say whether its context was seen.
    pub(crate) redacted_context: Members,
    /// Those of them for which redacted values say whether an answer was seen.
    pub(crate) redacted_answer: Members,
    /// What correlates it.
    pub(crate) key: Option<Arc<str>>,
    pub(crate) session: Option<Arc<str>>,
    /// Messages of its session since the context.
    pub(crate) counted: u64,
    /// The position of the last message of its context, for windows in messages that are not per session.
    pub(crate) ripened: u64,
    /// When that was, for windows in time.
    pub(crate) begun: Option<Number>,
}

/// The observations of a context, in order; it holds them however many messages come after them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Context {
    /// Most contexts are one message, which takes no room of its own here.
    first: Option<Arc<Kept>>,
    others: Vec<Arc<Kept>>,
}

impl Context {
    /// Begins again.
    pub(crate) fn begin(&mut self, first: Option<&Arc<Kept>>) {
        self.first = first.cloned();
        self.others.clear();
    }

    /// One more.
    pub(crate) fn push(&mut self, kept: Option<&Arc<Kept>>) {
        self.others.extend(kept.cloned());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Kept>> {
        self.first.iter().chain(&self.others)
    }
}

/// Where a window waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Standing {
    /// Nowhere, or with those whose context is not complete.
    #[default]
    Young,
    /// With those that any message may answer.
    Mature,
    /// With those that have no session, where windows are counted per session.
    Keyless,
    /// With those of one key: its hash, and the next window there.
    Keyed(u64, Option<u32>),
}

/// A window that has been decided for one property.
#[derive(Debug, Clone)]
pub(crate) struct Decided {
    pub(crate) property: usize,
    pub(crate) opened: Mark,
    /// The position of its first message.
    pub(crate) position: u64,
    pub(crate) context: Context,
    /// What correlates it, or its session where that counts.
    pub(crate) key: Option<Arc<str>>,
    /// Only messages of this session belong to it.
    pub(crate) session: Option<Option<Arc<str>>>,
    pub(crate) outcome: Outcome,
    /// Redacted values would say more.
    pub(crate) is_redacted: bool,
}

impl Judgeable for Decided {}
