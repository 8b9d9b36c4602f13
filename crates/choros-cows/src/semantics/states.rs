//! The states that were met: sorted multisets of clusters, packed.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::cluster::ClusterId;

/// Interns multisets.
///
/// Each is kept as the differences of its sorted numbers, seven bits to the byte: most take one byte.
#[derive(Debug, Default)]
pub(crate) struct States {
    packed: Vec<u8>,
    ends: Vec<u64>,
    table: HashTable<u32>,
    scratch: Vec<u8>,
}

impl States {
    /// About how much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.packed.capacity() + 8 * self.ends.capacity() + self.table.allocation_size()
    }

    /// The number of a sorted multiset; `None` when there are no more numbers.
    pub(crate) fn intern(&mut self, sorted: &[ClusterId]) -> Option<u32> {
        self.scratch.clear();
        let mut last = 0;
        for &id in sorted {
            pack(id - last, &mut self.scratch);
            last = id;
        }
        let hash = hash(&self.scratch);
        let (packed, ends, scratch) = (&self.packed, &self.ends, &self.scratch);
        let found = self.table.find(hash, |&state| {
            slice(packed, ends, state) == scratch.as_slice()
        });
        if let Some(&state) = found {
            return Some(state);
        }
        let state = u32::try_from(self.ends.len()).ok()?;
        self.packed.extend_from_slice(&self.scratch);
        self.ends.push(self.packed.len() as u64);
        let (packed, ends) = (&self.packed, &self.ends);
        self.table.insert_unique(hash, state, |&state| {
            crate::semantics::states::hash(slice(packed, ends, state))
        });
        Some(state)
    }

    /// Appends the sorted members of a state.
    pub(crate) fn members(&self, state: u32, into: &mut Vec<ClusterId>) {
        let mut last = 0;
        let mut number = 0;
        let mut shift = 0;
        for &byte in slice(&self.packed, &self.ends, state) {
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                last += number;
                into.push(last);
                (number, shift) = (0, 0);
            }
        }
    }
}

fn pack(mut number: u32, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

fn slice<'p>(packed: &'p [u8], ends: &[u64], state: u32) -> &'p [u8] {
    let state = state as usize;
    let start = match state {
        0 => 0,
        _ => ends[state - 1] as usize,
    };
    &packed[start..ends[state] as usize]
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let mut states = States::default();
        let multisets: [&[u32]; 5] = [
            &[],
            &[0],
            &[0, 0, 3],
            &[5, 127, 128, 70_000],
            &[4_000_000_000],
        ];
        for (number, multiset) in multisets.iter().enumerate() {
            assert_eq!(states.intern(multiset), Some(number as u32));
        }
        for (number, multiset) in multisets.iter().enumerate() {
            assert_eq!(states.intern(multiset), Some(number as u32));
            let mut members = Vec::new();
            states.members(number as u32, &mut members);
            assert_eq!(members, *multiset);
        }
        assert_eq!(states.ends.len(), 5);
    }
}
