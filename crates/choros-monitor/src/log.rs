//! What is known of the log of one service.

use std::sync::Arc;

use choros_model::observation::Number;
use rustc_hash::FxHashMap;

use crate::census::Census;
use crate::config::KeepObservations;
use crate::group::Group;
use crate::heads::Heads;
use crate::identities::Identities;
use crate::recent::Recent;
use crate::reorder::Reorder;
use crate::verdict::{Mark, PropertyCounts};
use crate::windows::Windows;

/// More observations than this are not kept for evidence.
const MAX_RECENT_OBSERVATIONS: usize = 1024;

/// What is known of the log of one service.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    pub(crate) service: Arc<str>,
    /// How many messages were judged.
    pub(crate) position: u64,
    /// The largest time seen.
    pub(crate) clock: Option<Number>,
    /// The last message.
    pub(crate) last: Mark,
    /// The groups of properties about it, and their windows.
    pub(crate) windows: Vec<(usize, Windows)>,
    pub(crate) dispatch: Dispatch,
    /// No window ends at an earlier position.
    pub(crate) next_deadline: u64,
    pub(crate) recent: Recent,
    /// No one asks for more evidence.
    pub(crate) has_samples: bool,
    pub(crate) reorder: Reorder,
    pub(crate) identities: Identities,
    /// What it holds.
    pub(crate) census: Census,
    pub(crate) needs_time: bool,
}

/// Which groups of a log must be told of a message.
#[derive(Debug, Clone)]
pub(crate) struct Dispatch {
    by_operation: FxHashMap<Box<str>, Vec<usize>>,
    /// Those that must be told of every message.
    told_of_all: Vec<usize>,
}

impl Dispatch {
    /// `operations` are what each group asks for; none where it asks for all.
    fn new(operations: &[Option<Vec<&str>>]) -> Dispatch {
        let told_of = |operation: &str| -> Vec<usize> {
            let is_told = |names: &Option<Vec<&str>>| {
                names
                    .as_ref()
                    .is_none_or(|names| names.contains(&operation))
            };
            (0..operations.len())
                .filter(|&number| is_told(&operations[number]))
                .collect()
        };
        let mut by_operation: FxHashMap<Box<str>, Vec<usize>> = FxHashMap::default();
        for operation in operations.iter().flatten().flatten() {
            by_operation
                .entry((*operation).into())
                .or_insert_with(|| told_of(operation));
        }
        Dispatch {
            by_operation,
            told_of_all: (0..operations.len())
                .filter(|&number| operations[number].is_none())
                .collect(),
        }
    }

    /// The groups that must be told of a message with this operation.
    pub(crate) fn told(&self, operation: &str) -> &[usize] {
        self.by_operation
            .get(operation)
            .unwrap_or(&self.told_of_all)
    }
}

impl Log {
    /// A log of which nothing was seen.
    pub(crate) fn new(
        service: &str,
        groups: &[Group],
        heads: &Heads,
        keep: KeepObservations,
    ) -> Log {
        let is_about = |group: &Group| group.service.as_deref().is_none_or(|it| it == service);
        let about: Vec<usize> = (0..groups.len())
            .filter(|&group| is_about(&groups[group]))
            .collect();
        let sizes = about
            .iter()
            .map(|&group| groups[group].size().unwrap_or(MAX_RECENT_OBSERVATIONS));
        let recent = match keep {
            KeepObservations::Nothing => 0,
            _ => sizes.max().unwrap_or(0).min(MAX_RECENT_OBSERVATIONS),
        };
        let named = about.iter().flat_map(|&group| groups[group].heads());
        let census = Census::new(named.collect(), heads);
        let operations: Vec<Option<Vec<&str>>> = about
            .iter()
            .map(|&group| groups[group].operations(heads))
            .collect();
        Log {
            service: service.into(),
            position: 0,
            clock: None,
            last: Mark::default(),
            needs_time: about.iter().any(|&group| groups[group].needs_time()),
            windows: about
                .into_iter()
                .map(|group| (group, Windows::default()))
                .collect(),
            dispatch: Dispatch::new(&operations),
            next_deadline: u64::MAX,
            recent: Recent::new(recent),
            has_samples: false,
            reorder: Reorder::default(),
            identities: Identities::default(),
            census,
        }
    }

    /// Whether enough windows of each property have passed, and enough have failed.
    pub(crate) fn has_samples(
        &self,
        groups: &[Group],
        counts: &[PropertyCounts],
        most: u64,
    ) -> bool {
        let mut members = self
            .windows
            .iter()
            .flat_map(|(group, _)| &groups[*group].members);
        members.all(|member| {
            let counts = &counts[member.property];
            counts.pass.total() >= most && counts.fail >= most
        })
    }
}
