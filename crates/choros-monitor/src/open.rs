//! One open window.

use std::sync::Arc;

use choros_model::Judgeable;
use choros_model::observation::{Datum, Number};

use crate::members::Members;
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
    /// How many events of the context were seen.
    pub(crate) matched: usize,
    /// The values that the context bound.
    pub(crate) values: Vec<Datum<'static>>,
    /// The properties for which it is not decided.
    pub(crate) undecided: Members,
    /// What correlates it.
    pub(crate) key: Option<Arc<str>>,
    pub(crate) session: Option<Arc<str>>,
    /// Messages of its session since the context.
    pub(crate) counted: u64,
    /// Where it ends: a position, for windows in messages that are not per session.
    pub(crate) last_position: u64,
    /// Where it ends: a time.
    pub(crate) last_time: Option<Number>,
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
    /// What correlates it, or its session where that counts.
    pub(crate) key: Option<Arc<str>>,
    /// Only messages of this session belong to it.
    pub(crate) session: Option<Option<Arc<str>>>,
    pub(crate) outcome: Outcome,
}

impl Judgeable for Decided {}
