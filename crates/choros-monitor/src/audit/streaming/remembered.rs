//! Names of sessions that are over, in few bytes each.

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashSet;

/// A number for a name; that two have the same costs a session that stays open, and no verdict.
pub(super) fn fingerprint(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// The latest names, at least this many.
const MIN_NAMES: usize = (1 << 21) / 8 * 7;

/// The names of the latest sessions.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    recent: FxHashSet<u64>,
    before: FxHashSet<u64>,
    forgotten: u64,
}

impl Remembered {
    pub(super) fn insert(&mut self, name: u64) {
        if self.recent.len() >= MIN_NAMES {
            self.forgotten += self.before.len() as u64;
            self.before = std::mem::take(&mut self.recent);
        }
        self.recent.insert(name);
    }

    pub(super) fn holds(&self, name: u64) -> bool {
        self.recent.contains(&name) || self.before.contains(&name)
    }

    /// How many names are not known any more.
    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten
    }
}
