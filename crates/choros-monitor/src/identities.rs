//! Identities that were seen lately, in fixed memory.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// A table of hashes, each at the place that its lower bits say.
///
/// Two messages with one identity are found if not too many others came between them (some tens of thousands); two
/// different identities are taken for one with a chance of about one in 2⁶⁴ per pair.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identities {
    table: Vec<u64>,
}

const SIZE: usize = 1 << 14;

impl Identities {
    /// Whether it was seen before; from now on it was.
    pub(crate) fn seen(&mut self, id: &str, sends: bool) -> bool {
        if self.table.is_empty() {
            self.table.resize(SIZE, 0);
        }
        let mut hasher = FxHasher::default();
        (id, sends).hash(&mut hasher);
        let hash = hasher.finish() | 1;
        let place = &mut self.table[(hash >> 20) as usize & (SIZE - 1)];
        std::mem::replace(place, hash) == hash
    }
}
