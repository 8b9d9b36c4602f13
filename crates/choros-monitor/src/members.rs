//! A set of members of a group.

/// Numbers of members; the first 64 need no room of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Members {
    first: u64,
    rest: Vec<u64>,
}

impl Members {
    /// Makes it empty; its room is kept.
    pub(crate) fn clear(&mut self) {
        self.first = 0;
        self.rest.clear();
    }

    /// Adds those of another.
    pub(crate) fn add(&mut self, other: &Members) {
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (own, other) in self.rest.iter_mut().zip(&other.rest) {
            *own |= other;
        }
    }

    /// Whether a member is in it.
    pub(crate) fn contains(&self, member: usize) -> bool {
        self.word(member / 64) >> (member % 64) & 1 == 1
    }

    /// Adds one.
    pub(crate) fn insert(&mut self, member: usize) {
        let bit = 1 << (member % 64);
        match member / 64 {
            0 => self.first |= bit,
            word => {
                if self.rest.len() < word {
                    self.rest.resize(word, 0);
                }
                self.rest[word - 1] |= bit;
            }
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.iter().all(|word| *word == 0)
    }

    /// Whether both have one.
    pub(crate) fn meets(&self, other: &Members) -> bool {
        let mut rest = self.rest.iter().zip(&other.rest);
        self.first & other.first != 0 || rest.any(|(own, other)| own & other != 0)
    }

    /// Its members, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        let words = std::iter::once(self.first).chain(self.rest.iter().copied());
        words.enumerate().flat_map(|(word, bits)| ones(word, bits))
    }

    /// Takes out those that the other has too, or all where there is no other, and tells each.
    pub(crate) fn take(&mut self, other: Option<&Members>, each: impl FnMut(usize)) {
        self.take_by(
            |word| other.map_or(u64::MAX, |other| other.word(word)),
            each,
        );
    }

    /// Takes out those that the other has not, and tells each.
    pub(crate) fn take_others(&mut self, other: &Members, each: impl FnMut(usize)) {
        self.take_by(|word| !other.word(word), each);
    }

    fn take_by(&mut self, mask: impl Fn(usize) -> u64, mut each: impl FnMut(usize)) {
        let words = std::iter::once(&mut self.first).chain(&mut self.rest);
        for (word, own) in words.enumerate() {
            let mask = mask(word);
            let taken = *own & mask;
            *own &= !mask;
            ones(word, taken).for_each(&mut each);
        }
    }

    fn word(&self, word: usize) -> u64 {
        match word.checked_sub(1) {
            None => self.first,
            Some(word) => self.rest.get(word).copied().unwrap_or(0),
        }
    }
}

/// The numbers of the bits that are set in a word.
fn ones(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        (bit < 64).then(|| {
            bits &= bits - 1;
            64 * word + bit as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use super::Members;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(of: &BTreeSet<usize>) -> Members {
        let mut members = Members::default();
        of.iter().for_each(|member| members.insert(*member));
        members
    }

    proptest! {
        #[test]
        fn it_is_a_set(
            left in prop::collection::btree_set(0usize..200, 0..20),
            right in prop::collection::btree_set(0usize..200, 0..20),
        ) {
            let (mut own, other) = (set(&left), set(&right));
            prop_assert_eq!(own.iter().collect::<BTreeSet<_>>(), left.clone());
            prop_assert_eq!(own.meets(&other), left.intersection(&right).next().is_some());
            let mut both = own.clone();
            both.add(&other);
            prop_assert_eq!(both.iter().collect::<BTreeSet<_>>(), &left | &right);
            both.clear();
            prop_assert!(both.is_empty());
            let mut others = BTreeSet::new();
            let mut kept = own.clone();
            kept.take_others(&other, |member| { others.insert(member); });
            prop_assert_eq!(others, &left - &right);
            prop_assert_eq!(kept.iter().collect::<BTreeSet<_>>(), &left & &right);
            let mut taken = BTreeSet::new();
            own.take(Some(&other), |member| { taken.insert(member); });
            prop_assert_eq!(&taken, &(&left & &right));
            prop_assert_eq!(own.iter().collect::<BTreeSet<_>>(), &left - &right);
            own.take(None, |member| { taken.insert(member); });
            prop_assert_eq!(taken, left);
            prop_assert!(own.is_empty());
        }
    }
}
