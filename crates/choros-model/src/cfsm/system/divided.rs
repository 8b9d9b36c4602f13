//! Configurations that several look at at the same time.
//!
//! Those that are open stand together in the order of their numbers.
//! Each member of a crew takes a part of them, and the system stays as it is meanwhile: a member looks up where steps
//! lead, and notes the configurations that have no number, once each, in the order of the steps that lead to them.
//! Then these are numbered, part by part.
//! So numbers are given in the order in which one member would have given them: by the first step that leads to a
//! configuration, in the order of sources and of the steps of each.
//! All else that is found is noted by the source, too.
//!
//! A member that comes to a content of a channel that has not occurred gives up, because contents are kept once for all;
//! then everything is explored one after the other.
//! That happens at the beginning, and rarely later: channels have few contents.

use std::ops::Range;

use choros_base::{Budget, Job, StopReason};
use rustc_hash::FxHashMap;

use super::semantics::Change;
use super::survey::STRIDE;
use super::{Situation, Survey, System};
use crate::lts::StateId;

/// So many are explored before numbers are given: enough to be worth the crew's while, and so few that what they lead
/// to stays in the processor's cache.
const MOST_AT_ONCE: usize = 1 << 13;

/// What one member has found.
#[derive(Default)]
struct Part {
    transitions: usize,
    /// Configurations that nothing follows.
    dead: Vec<StateId>,
    unspecified: (usize, Option<StateId>),
    orphans: (usize, Option<StateId>),
    refused: bool,
    /// The rows without numbers, one after the other.
    rows: Vec<u8>,
    hashes: Vec<u64>,
    /// By its hash, the place of a row among them: most steps lead to what other steps of the same part lead to.
    places: FxHashMap<u64, usize>,
    /// How many rows there were before each source whose number is a multiple of [`STRIDE`].
    noted: Vec<usize>,
}

impl Survey {
    /// Looks at the configurations from one on, as far as there are some now; answers at how many, and why no more.
    pub(super) fn look_at_many(
        &mut self,
        system: &mut System<'_>,
        first: usize,
        orphans: bool,
        budget: &Budget,
    ) -> (usize, Option<StopReason>) {
        let wanted = (system.seen() - first).min(MOST_AT_ONCE);
        let mut stopped = None;
        let mut granted = 0;
        while granted < wanted && stopped.is_none() {
            match budget.spend() {
                Ok(()) => granted += 1,
                Err(spent) => stopped = Some(spent),
            }
        }
        let crew = budget.crew();
        let share = granted.div_ceil(crew.members().max(1)).max(1);
        let mut parts: Vec<Option<Part>> = Vec::new();
        parts.resize_with(granted.div_ceil(share), || None);
        let shared: &System<'_> = system;
        let jobs = parts.iter_mut().enumerate().map(|(at, part)| -> Job<'_> {
            let from = first + at * share;
            let own = from..(from + share).min(first + granted);
            Box::new(move || *part = Part::of(shared, own, orphans))
        });
        crew.carry_out(jobs.collect());
        let parts: Option<Vec<Part>> = parts.into_iter().collect();
        match parts {
            Some(parts) => {
                for part in parts {
                    self.add(part, system);
                }
            }
            None => {
                let mut moves = Vec::new();
                for state in first..first + granted {
                    moves.clear();
                    self.look_at(system, StateId(state as u32), orphans, &mut moves);
                }
            }
        }
        (granted, stopped)
    }

    /// Numbers what one member has found.
    fn add(&mut self, part: Part, system: &mut System<'_>) {
        self.transitions += part.transitions;
        self.bound_reached |= part.refused;
        for state in part.dead {
            let kind = system.dead_kind(state);
            self.dead.push(Situation { state, kind });
        }
        for (all, own) in [
            (&mut self.unspecified, part.unspecified),
            (&mut self.orphans, part.orphans),
        ] {
            all.0 += own.0;
            all.1 = all.1.or(own.1);
        }
        let mut noted = part.noted.into_iter().peekable();
        let length = system.configurations.row_bytes();
        for (at, (row, hash)) in part.rows.chunks_exact(length).zip(part.hashes).enumerate() {
            while noted.next_if_eq(&at).is_some() {
                self.seen_before.push(system.seen() as u32);
            }
            system.configurations.intern_row(row, hash);
        }
        for _ in noted {
            self.seen_before.push(system.seen() as u32);
        }
    }
}

impl Part {
    /// What is found in these configurations, or nothing where that takes a content that has not occurred.
    fn of(system: &System<'_>, own: Range<usize>, orphans: bool) -> Option<Part> {
        let mut part = Part::default();
        let mut changes: Vec<Change> = Vec::new();
        for number in own {
            let state = StateId(number as u32);
            if number.is_multiple_of(STRIDE) {
                part.noted.push(part.hashes.len());
            }
            changes.clear();
            let sight = system.peek(state, &mut changes).ok()?;
            part.refused |= sight.refused;
            part.transitions += changes.len();
            if changes.is_empty() {
                part.dead.push(state);
            }
            if sight.unspecified {
                part.unspecified.0 += 1;
                part.unspecified.1.get_or_insert(state);
            }
            if orphans && system.orphan(state).is_some() {
                part.orphans.0 += 1;
                part.orphans.1.get_or_insert(state);
            }
            for change in &changes {
                part.look_up(state, change, system)?;
            }
        }
        Some(part)
    }

    /// Notes where a step leads, unless that has a number.
    fn look_up(&mut self, state: StateId, change: &Change, system: &System<'_>) -> Option<()> {
        let store = &system.configurations;
        if !change.fields.iter().all(|&it| store.has_room(it)) {
            return None;
        }
        let (start, length) = (self.rows.len(), store.row_bytes());
        store.append_changed(state.0, change.fields, &mut self.rows);
        let row = &self.rows[start..];
        let hash = store.hash_of(row);
        let place = self.places.get(&hash);
        // Another row may have the same hash; then this one is noted each time, which does no harm.
        let is_noted = place.is_some_and(|&at| self.rows[at * length..(at + 1) * length] == *row);
        if is_noted || store.find(row, hash).is_some() {
            self.rows.truncate(start);
        } else {
            self.places.insert(hash, self.hashes.len());
            self.hashes.push(hash);
        }
        Some(())
    }
}
