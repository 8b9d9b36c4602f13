//! What is strange about the observations of a log, found while it is read.

use std::hash::{DefaultHasher, Hash, Hasher};

use choros_base::Diagnostic;
use choros_codes::diagnostics::{backward_time, repeated_identity};
use choros_model::observation::{Number, Observation};
use rustc_hash::FxHashSet;

/// Identities are compared with at least this many before them.
const MIN_COMPARED: usize = (1 << 21) / 8 * 7;

/// Times that go backwards, and identities that come again.
///
/// Of identities only fingerprints are kept, those of the latest observations.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    before: Option<(Number, String)>,
    /// The first observation that is older than the one before it, and how many there are.
    backward: Option<(u64, usize)>,
    recent: FxHashSet<u64>,
    earlier: FxHashSet<u64>,
    /// The first message whose identity another has that its service sent, or received, too.
    repeated: Option<(u64, String)>,
    repetitions: usize,
}

impl Doubts {
    pub(super) fn see(&mut self, seen: &Observation<'_>) {
        self.see_time(seen);
        let Some(id) = &seen.id else {
            return;
        };
        let mut hasher = DefaultHasher::new();
        (&seen.by, seen.direction, id).hash(&mut hasher);
        let fingerprint = hasher.finish();
        if self.recent.len() >= MIN_COMPARED {
            self.earlier = std::mem::take(&mut self.recent);
        }
        if !self.recent.insert(fingerprint) || self.earlier.contains(&fingerprint) {
            self.repetitions += 1;
            self.repeated
                .get_or_insert_with(|| (seen.line, id.to_string()));
        }
    }

    fn see_time(&mut self, seen: &Observation<'_>) {
        let Some(at) = &seen.at else {
            self.before = None;
            return;
        };
        match &mut self.before {
            Some((earlier, by)) => {
                if at < earlier && *by == seen.by {
                    let first = self.backward.get_or_insert((seen.line, 0));
                    first.1 += 1;
                }
                *earlier = at.clone();
                if *by != seen.by {
                    by.clear();
                    by.push_str(&seen.by);
                }
            }
            None => self.before = Some((at.clone(), seen.by.to_string())),
        }
    }

    pub(super) fn diagnostics(self, path: &str) -> Vec<Diagnostic> {
        let backward = self.backward;
        let backward = backward.map(|(line, count)| backward_time::diagnostic(path, line, count));
        let repeated = self
            .repeated
            .map(|(line, id)| repeated_identity::diagnostic(path, line, &id, self.repetitions));
        backward.into_iter().chain(repeated).collect()
    }
}
