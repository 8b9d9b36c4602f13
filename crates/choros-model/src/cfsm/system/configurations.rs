//! A store of configurations in which each is kept once, in as few bits as will do.
//!
//! A configuration is a row of small numbers, one field for each machine and channel.
//! All rows have the same layout: field *i* takes `widths[i]` bits.
//! How many contents a channel will have is not known beforehand, so its field starts narrow, and when a number does
//! not fit, all rows are written anew with a wider field: a field is widened at most 16 times, by two bits each time.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Rows of fields, each row once.
#[derive(Debug, Clone)]
pub(super) struct Configurations {
    widths: Vec<u8>,
    /// Bytes of one row.
    stride: usize,
    rows: Vec<u8>,
    count: usize,
    /// Open addressing: number of a row plus one, or 0 for a free place; its length is a power of two.
    table: Vec<u32>,
    scratch: Vec<u8>,
}

impl Configurations {
    /// An empty store; `most[i]` is the largest number that field *i* is known to hold.
    pub(super) fn new(most: impl IntoIterator<Item = u32>) -> Self {
        let widths: Vec<u8> = most.into_iter().map(bits).collect();
        let stride = stride(&widths);
        Self {
            widths,
            stride,
            rows: Vec::new(),
            count: 0,
            table: vec![0; 64],
            scratch: Vec::new(),
        }
    }

    /// Forgets all rows, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
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
        while let Some(field) = self.too_narrow(fields) {
            self.widen(field);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        pack(fields, &self.widths, &mut scratch);
        let mask = self.table.len() - 1;
        let mut at = hash(&scratch) & mask;
        let id = loop {
            match self.table[at] {
                0 => {
                    let id = self.count as u32;
                    self.rows.extend_from_slice(&scratch);
                    self.count += 1;
                    self.table[at] = id + 1;
                    if self.count * 4 > self.table.len() * 3 {
                        self.rehash(self.table.len() * 2);
                    }
                    break id;
                }
                found => {
                    if self.row(found - 1) == scratch {
                        break found - 1;
                    }
                }
            }
            at = (at + 1) & mask;
        };
        self.scratch = scratch;
        id
    }

    /// The fields of a row.
    pub(super) fn fields(&self, id: u32, into: &mut Vec<u32>) {
        into.clear();
        unpack(self.row(id), &self.widths, into);
    }

    /// One field of a row.
    pub(super) fn field(&self, id: u32, field: usize) -> u32 {
        let before: usize = self.widths[..field]
            .iter()
            .map(|&width| width as usize)
            .sum();
        let row = self.row(id);
        let mut value = 0;
        for bit in 0..self.widths[field] as usize {
            let at = before + bit;
            value |= u32::from(row[at / 8] >> (at % 8) & 1) << bit;
        }
        value
    }

    fn row(&self, id: u32) -> &[u8] {
        let start = id as usize * self.stride;
        &self.rows[start..start + self.stride]
    }

    fn too_narrow(&self, fields: &[u32]) -> Option<usize> {
        fields
            .iter()
            .zip(&self.widths)
            .position(|(&value, &width)| u64::from(value) >> width != 0)
    }

    /// Writes all rows anew with two more bits for a field.
    fn widen(&mut self, field: usize) {
        let old = self.widths.clone();
        let old_stride = self.stride;
        self.widths[field] = (self.widths[field] + 2).min(32);
        self.stride = stride(&self.widths);
        let rows = std::mem::take(&mut self.rows);
        self.rows.reserve(self.count * self.stride);
        let mut fields = Vec::with_capacity(old.len());
        for row in rows.chunks_exact(old_stride).take(self.count) {
            fields.clear();
            unpack(row, &old, &mut fields);
            pack(&fields, &self.widths, &mut self.rows);
        }
        self.rehash(self.table.len());
    }

    fn rehash(&mut self, length: usize) {
        self.table.clear();
        self.table.resize(length, 0);
        let mask = length - 1;
        for id in 0..self.count as u32 {
            let mut at = hash(self.row(id)) & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = id + 1;
        }
    }
}

/// Bits that hold every number up to `most`; at least one, so that every row has a byte.
fn bits(most: u32) -> u8 {
    (32 - most.leading_zeros()).max(1) as u8
}

fn stride(widths: &[u8]) -> usize {
    let bits: usize = widths.iter().map(|&width| width as usize).sum();
    bits.div_ceil(8).max(1)
}

fn pack(fields: &[u32], widths: &[u8], into: &mut Vec<u8>) {
    let (mut buffer, mut filled) = (0_u64, 0);
    let start = into.len();
    for (&value, &width) in fields.iter().zip(widths) {
        buffer |= u64::from(value) << filled;
        filled += u32::from(width);
        while filled >= 8 {
            into.push(buffer as u8);
            buffer >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 || into.len() == start {
        into.push(buffer as u8);
    }
}

fn unpack(row: &[u8], widths: &[u8], into: &mut Vec<u32>) {
    let (mut buffer, mut filled) = (0_u64, 0);
    let mut bytes = row.iter();
    for &width in widths {
        while filled < u32::from(width) {
            buffer |= u64::from(bytes.next().copied().unwrap_or(0)) << filled;
            filled += 8;
        }
        into.push((buffer & ((1 << width) - 1)) as u32);
        buffer >>= width;
        filled -= u32::from(width);
    }
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
            let mut fields = Vec::new();
            for (row, &id) in rows.iter().zip(&ids) {
                store.fields(id, &mut fields);
                prop_assert_eq!(&fields[..], &row[..]);
                prop_assert_eq!(store.field(id, 1), row[1]);
                let first = rows.iter().position(|other| other == row).map(|at| ids[at]);
                prop_assert_eq!(first, Some(id));
            }
        }
    }
}
