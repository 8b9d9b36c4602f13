//! A store of configurations in which each is kept once, in as few bits as will do.
//!
//! A configuration is a row of small numbers, one field for each machine and channel.
//! All rows have the same layout: field *i* takes `widths[i]` bits.
//! How many contents a channel will have is not known beforehand, so its field starts narrow, and when a number does
//! not fit, all rows are rewritten with a wider field: a field is widened at most 16 times, by two bits each time.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Rows of fields, each row once.
#[derive(Debug, Clone)]
pub(super) struct Configurations {
    widths: Vec<u8>,
    /// The first bit of each field in its row.
    offsets: Vec<u32>,
    /// Bytes of one row.
    stride: usize,
    /// All rows, and [`SLACK`] bytes after them.
    rows: Vec<u8>,
    count: usize,
    /// Open addressing: number of a row plus one, or 0 for a free place; its length is a power of two.
    table: Vec<u32>,
    /// The row that is looked up, and [`SLACK`] bytes after it.
    scratch: Vec<u8>,
}

/// Fields are read and written eight bytes at a time, which may reach beyond the last row.
const SLACK: usize = 8;

impl Configurations {
    /// An empty store; `most[i]` is the largest number that field *i* is known to hold.
    pub(super) fn new(most: impl IntoIterator<Item = u32>) -> Self {
        let mut store = Self {
            widths: most.into_iter().map(bits).collect(),
            offsets: Vec::new(),
            stride: 0,
            rows: vec![0; SLACK],
            count: 0,
            table: vec![0; 64],
            scratch: Vec::new(),
        };
        store.lay_out();
        store
    }

    /// Forgets all rows, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.rows.resize(SLACK, 0);
        self.count = 0;
        self.table.fill(0);
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() + self.table.capacity() * 4
    }

    /// The number of a row, which is added if it is new.
    pub(super) fn intern(&mut self, fields: &[u32]) -> u32 {
        for (field, &value) in fields.iter().enumerate() {
            self.make_room(field, value);
        }
        self.scratch.clear();
        self.scratch.resize(self.stride + SLACK, 0);
        for (field, &value) in fields.iter().enumerate() {
            self.put(field, value);
        }
        self.find_scratch()
    }

    /// The number of the row that differs from a known one in two fields; it is added if it is new.
    pub(super) fn intern_changed(&mut self, row: u32, changes: [(usize, u32); 2]) -> u32 {
        for (field, value) in changes {
            self.make_room(field, value);
        }
        let start = row as usize * self.stride;
        self.scratch.clear();
        self.scratch
            .extend_from_slice(&self.rows[start..start + self.stride]);
        self.scratch.resize(self.stride + SLACK, 0);
        for (field, value) in changes {
            self.put(field, value);
        }
        self.find_scratch()
    }

    /// One field of a row.
    pub(super) fn field(&self, id: u32, field: usize) -> u32 {
        let offset = self.offsets[field] as usize;
        let word = load(&self.rows, id as usize * self.stride + offset / 8);
        ((word >> (offset % 8)) & mask(self.widths[field])) as u32
    }

    /// Writes a field of the row that is to be looked up.
    fn put(&mut self, field: usize, value: u32) {
        let offset = self.offsets[field] as usize;
        let (at, shift) = (offset / 8, offset % 8);
        let cleared = load(&self.scratch, at) & !(mask(self.widths[field]) << shift);
        let word = cleared | u64::from(value) << shift;
        self.scratch[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }

    /// The number of the row in `scratch`.
    fn find_scratch(&mut self) -> u32 {
        let wanted = &self.scratch[..self.stride];
        let mask = self.table.len() - 1;
        let mut at = hash(wanted) & mask;
        loop {
            match self.table[at] {
                0 => break,
                found => {
                    let start = (found as usize - 1) * self.stride;
                    if self.rows[start..start + self.stride] == *wanted {
                        return found - 1;
                    }
                }
            }
            at = (at + 1) & mask;
        }
        let id = self.count as u32;
        self.rows.truncate(self.count * self.stride);
        self.rows.extend_from_slice(&self.scratch);
        self.count += 1;
        self.table[at] = id + 1;
        if self.count * 4 > self.table.len() * 3 {
            self.rehash(self.table.len() * 2);
        }
        id
    }

    /// Widens a field until a value fits.
    fn make_room(&mut self, field: usize, value: u32) {
        while u64::from(value) > mask(self.widths[field]) {
            self.widen(field);
        }
    }

    /// Writes all rows again with two more bits for a field.
    fn widen(&mut self, field: usize) {
        let old = self.clone_layout();
        self.widths[field] = (self.widths[field] + 2).min(32);
        self.lay_out();
        let rows = std::mem::take(&mut self.rows);
        self.rows.reserve(self.count * self.stride + SLACK);
        for id in 0..self.count {
            self.scratch.clear();
            self.scratch.resize(self.stride + SLACK, 0);
            for (other, &(offset, width)) in old.fields.iter().enumerate() {
                let word = load(&rows, id * old.stride + offset / 8);
                self.put(other, ((word >> (offset % 8)) & mask(width)) as u32);
            }
            self.rows.extend_from_slice(&self.scratch[..self.stride]);
        }
        self.rows.resize(self.count * self.stride + SLACK, 0);
        self.rehash(self.table.len());
    }

    fn clone_layout(&self) -> Layout {
        let offsets = self.offsets.iter().map(|&offset| offset as usize);
        Layout {
            stride: self.stride,
            fields: offsets.zip(self.widths.iter().copied()).collect(),
        }
    }

    /// Places the fields one after the other.
    fn lay_out(&mut self) {
        let mut offset = 0;
        self.offsets.clear();
        for &width in &self.widths {
            self.offsets.push(offset);
            offset += u32::from(width);
        }
        self.stride = (offset as usize).div_ceil(8).max(1);
    }

    fn rehash(&mut self, length: usize) {
        self.table.clear();
        self.table.resize(length, 0);
        let mask = length - 1;
        for id in 0..self.count {
            let row = &self.rows[id * self.stride..(id + 1) * self.stride];
            let mut at = hash(row) & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = id as u32 + 1;
        }
    }
}

/// Where fields were before one of them was widened.
struct Layout {
    stride: usize,
    /// First bit and number of bits of each.
    fields: Vec<(usize, u8)>,
}

/// Bits that hold every number up to `most`; at least one, so that every row has a byte.
fn bits(most: u32) -> u8 {
    (32 - most.leading_zeros()).max(1) as u8
}

fn mask(width: u8) -> u64 {
    (1 << width) - 1
}

/// Eight bytes from a place on; a field of 32 bits fits wherever in the first byte it begins.
fn load(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

fn hash(row: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(row);
    let hash = hasher.finish();
    (hash ^ (hash >> 29)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is put in comes out, equal rows have equal numbers, and widening changes neither.
        #[test]
        fn rows_come_out_as_they_went_in(rows in prop::collection::vec([0..5_u32, 0..2_000, 0..u32::MAX, 0..2], 1..300)) {
            let mut store = Configurations::new([4, 0, 0, 1]);
            let ids: Vec<u32> = rows.iter().map(|row| store.intern(row)).collect();
            for (row, &id) in rows.iter().zip(&ids) {
                let fields: Vec<u32> = (0..4).map(|field| store.field(id, field)).collect();
                prop_assert_eq!(&fields[..], &row[..]);
                let first = rows.iter().position(|other| other == row).map(|at| ids[at]);
                prop_assert_eq!(first, Some(id));
            }
            // A row with two other fields is the row that has them.
            let (last, first) = (ids[ids.len() - 1], rows[0]);
            let mut changed = rows[rows.len() - 1];
            (changed[1], changed[2]) = (first[1], first[2]);
            let id = store.intern_changed(last, [(1, first[1]), (2, first[2])]);
            prop_assert_eq!(store.intern(&changed), id);
        }
    }
}
