//! Who works, so that each has a fair share of the partitions.
//!
//! All members are in one value: each with a number that it counts up.
//! A member whose number did not change for a while, by the clock of whoever looks, is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use super::names::Key;
use super::place::Place;

/// What one member knows of all.
pub(super) struct Members {
    own: String,
    beats: u64,
    /// Of each other the number that was seen, and since when it is that one.
    others: BTreeMap<String, (u64, u64)>,
    patience: u64,
}

impl Members {
    pub(super) fn new(own: &str, patience: u64) -> Members {
        Members {
            own: own.to_owned(),
            beats: 0,
            others: BTreeMap::new(),
            patience,
        }
    }

    /// Says that this one is there, if it works, and looks who else is; how many there are. None if the broker does not
    /// say.
    pub(super) fn meet(&mut self, place: &Place, now: u64, works: bool) -> Option<usize> {
        let (revision, text) = place.value(Key::Members).ok()?;
        self.look(&members(text.as_deref()), now);
        if !works {
            return Some(self.others.len());
        }
        self.beats += 1;
        let own = (self.own.clone(), self.beats);
        let others = self.others.iter();
        let all: BTreeMap<String, u64> = others
            .map(|(name, (beats, _))| (name.clone(), *beats))
            .chain([own])
            .collect();
        // Whoever was faster is met the next time.
        let _ = place.write(Key::Members, revision, text_of(&all).into_bytes());
        Some(all.len())
    }

    /// Says that this one is gone.
    pub(super) fn leave(&self, place: &Place) {
        for _ in 0..5 {
            let Ok((revision, text)) = place.value(Key::Members) else {
                return;
            };
            let mut all = members(text.as_deref());
            all.remove(&self.own);
            if place
                .write(Key::Members, revision, text_of(&all).into_bytes())
                .is_ok()
            {
                return;
            }
        }
    }

    fn look(&mut self, all: &BTreeMap<String, u64>, now: u64) {
        self.others.retain(|name, _| all.contains_key(name));
        for (name, beats) in all.iter().filter(|(name, _)| **name != self.own) {
            let known = self.others.entry(name.clone()).or_insert((*beats, now));
            if known.0 != *beats {
                *known = (*beats, now);
            }
        }
        let patience = self.patience;
        self.others
            .retain(|_, (_, since)| now.saturating_sub(*since) < patience);
    }
}

fn members(text: Option<&[u8]>) -> BTreeMap<String, u64> {
    let text = String::from_utf8_lossy(text.unwrap_or_default()).into_owned();
    let one = |line: &str| {
        let (name, beats) = line.split_once(' ')?;
        Some((name.to_owned(), beats.parse().ok()?))
    };
    text.lines().filter_map(one).collect()
}

fn text_of(all: &BTreeMap<String, u64>) -> String {
    let lines = all.iter().map(|(name, beats)| format!("{name} {beats}\n"));
    lines.collect()
}

/// The partitions that a process owns, and how many it should.
pub(super) struct Share {
    inner: Mutex<(BTreeSet<u32>, usize)>,
    partitions: u32,
}

impl Share {
    /// Nothing is taken before someone knows how many share.
    pub(super) fn new(partitions: u32) -> Share {
        Share {
            inner: Mutex::new((BTreeSet::new(), 0)),
            partitions,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (BTreeSet<u32>, usize)> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many share.
    pub(super) fn among(&self, members: usize) {
        self.lock().1 = (self.partitions as usize).div_ceil(members.max(1));
    }

    /// Takes a place for a partition that is about to be taken over, if there is one.
    pub(super) fn take(&self, partition: u32) -> bool {
        let mut inner = self.lock();
        let (owned, most) = &mut *inner;
        owned.contains(&partition) || {
            let has_room = owned.len() < *most;
            if has_room {
                owned.insert(partition);
            }
            has_room
        }
    }

    /// A partition is not owned any more, or was not to be had.
    pub(super) fn lost(&self, partition: u32) {
        self.lock().0.remove(&partition);
    }

    /// Whether this partition should be given back, because there are more than should be.
    pub(super) fn has_too_many(&self, partition: u32) -> bool {
        let mut inner = self.lock();
        let (owned, most) = &mut *inner;
        let is_one_of_them = owned.len() > *most && owned.contains(&partition);
        if is_one_of_them {
            owned.remove(&partition);
        }
        is_one_of_them
    }
}

#[cfg(test)]
mod tests {
    use super::{Members, Share, members, text_of};
    use std::collections::BTreeMap;

    #[test]
    fn who_is_silent_is_gone() {
        let mut one = Members::new("a", 100);
        let all = |b: u64| BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), b)]);
        one.look(&all(1), 0);
        one.look(&all(1), 90);
        assert_eq!(one.others.len(), 1);
        one.look(&all(2), 99);
        one.look(&all(2), 180);
        assert_eq!(one.others.len(), 1);
        one.look(&all(2), 199);
        assert!(one.others.is_empty());
        assert_eq!(members(Some(text_of(&all(7)).as_bytes())), all(7));
    }

    #[test]
    fn a_share_is_fair() {
        let share = Share::new(5);
        assert!(!share.take(0));
        share.among(1);
        assert!((0..5).all(|it| share.take(it)));
        share.among(2);
        assert!(share.has_too_many(4) && share.has_too_many(0));
        assert!(!share.has_too_many(1) && !share.take(0));
        share.lost(2);
        assert!(share.take(0) && !share.take(4));
    }
}
