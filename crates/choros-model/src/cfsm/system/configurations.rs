//! A store of configurations in which each is kept once, in as few bits as will do.
//!
//! A configuration is a row of small numbers, one field for each machine and channel.
//! All rows have the same layout: field *i* takes `widths[i]` bits.
//! How many contents a channel will have is not known beforehand, so its field starts narrow, and when a number does
//! not fit, all rows are rewritten with a wider field: a field is widened at most 16 times, by two bits each time.
//!
//! A row is found by its hash in a table with one number of 32 bits for each place.
//! What the number of the row leaves of these bits holds a part of the hash, so that other rows are rarely compared:
//! each of them would be a further miss of the processor's cache.
//! The table is up to seven eighths full and grows by half, and rows by an eighth, so little memory stands empty.

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
    /// Open addressing: number of a row plus one and above it a part of its hash, or 0 for a free place.
    table: Vec<u32>,
    /// Bits of a place that hold the number of its row.
    number_bits: u32,
    /// The row that is looked up, and [`SLACK`] bytes after it.
    scratch: Vec<u8>,
}

const FEWEST_PLACES: usize = 64;

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
            table: vec![0; FEWEST_PLACES],
            number_bits: number_bits(FEWEST_PLACES),
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
        let mut row = std::mem::take(&mut self.scratch);
        row.clear();
        row.resize(self.stride + SLACK, 0);
        for (field, &value) in fields.iter().enumerate() {
            self.put(&mut row, field, value);
        }
        self.scratch = row;
        self.intern_scratch()
    }

    /// The number of the row that differs from a known one in two fields; it is added if it is new.
    pub(super) fn intern_changed(&mut self, row: u32, changes: [(usize, u32); 2]) -> u32 {
        for (field, value) in changes {
            self.make_room(field, value);
        }
        let mut changed = std::mem::take(&mut self.scratch);
        changed.clear();
        self.append_changed(row, changes, &mut changed);
        self.scratch = changed;
        self.intern_scratch()
    }

    fn intern_scratch(&mut self) -> u32 {
        let hash = self.hash_of(&self.scratch);
        let row = std::mem::take(&mut self.scratch);
        let id = self.intern_row(&row, hash);
        self.scratch = row;
        id
    }

    /// Whether a row may hold this number in this field, as rows are now.
    pub(super) fn has_room(&self, (field, value): (usize, u32)) -> bool {
        u64::from(value) <= mask(self.widths[field])
    }

    /// Appends the row that differs from a known one in two fields that have room for it, and [`SLACK`] bytes.
    pub(super) fn append_changed(&self, row: u32, changes: [(usize, u32); 2], into: &mut Vec<u8>) {
        let (start, end) = (row as usize * self.stride, into.len());
        into.extend_from_slice(&self.rows[start..start + self.stride]);
        into.extend_from_slice(&[0; SLACK]);
        for (field, value) in changes {
            self.put(&mut into[end..], field, value);
        }
    }

    /// The hash of a row; [`SLACK`] bytes follow it.
    pub(super) fn hash_of(&self, row: &[u8]) -> u64 {
        hash(row, 0, self.stride)
    }

    /// The number of a row with this hash, if it has one; [`SLACK`] bytes follow it.
    pub(super) fn find(&self, row: &[u8], hash: u64) -> Option<u32> {
        self.search(row, hash).ok()
    }

    /// The bytes of a row, [`SLACK`] included.
    pub(super) fn row_bytes(&self) -> usize {
        self.stride + SLACK
    }

    /// One field of a row.
    pub(super) fn field(&self, id: u32, field: usize) -> u32 {
        let offset = self.offsets[field] as usize;
        let word = load(&self.rows, id as usize * self.stride + offset / 8);
        ((word >> (offset % 8)) & mask(self.widths[field])) as u32
    }

    /// Writes a field of a row that is to be looked up.
    fn put(&self, row: &mut [u8], field: usize, value: u32) {
        let offset = self.offsets[field] as usize;
        let (at, shift) = (offset / 8, offset % 8);
        let cleared = load(row, at) & !(mask(self.widths[field]) << shift);
        let word = cleared | u64::from(value) << shift;
        row[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }

    /// The number of a row with this hash, which is added if it is new; [`SLACK`] bytes follow it.
    pub(super) fn intern_row(&mut self, row: &[u8], hash: u64) -> u32 {
        match self.search(row, hash) {
            Ok(id) => id,
            Err(free) => {
                let id = self.count as u32;
                self.table[free] = self.part(hash) | (id + 1);
                self.add(row);
                if self.count * 8 > self.table.len() * 7 {
                    self.rehash(self.table.len() + self.table.len() / 2);
                }
                id
            }
        }
    }

    /// The number of a row, or the place in the table where it belongs.
    fn search(&self, wanted: &[u8], hash: u64) -> Result<u32, usize> {
        let (number, part) = (self.number_mask(), self.part(hash));
        let mut at = self.place(hash);
        loop {
            match self.table[at] {
                0 => return Err(at),
                found if found & !number == part => {
                    let row = (found & number) - 1;
                    if self.is_row(row, wanted) {
                        return Ok(row);
                    }
                }
                _ => {}
            }
            at += 1;
            if at == self.table.len() {
                at = 0;
            }
        }
    }

    fn is_row(&self, row: u32, wanted: &[u8]) -> bool {
        let start = row as usize * self.stride;
        let mut at = 0;
        while at + 8 < self.stride {
            if load(&self.rows, start + at) != load(wanted, at) {
                return false;
            }
            at += 8;
        }
        let last = load(&self.rows, start + at) ^ load(wanted, at);
        last & low_bytes(self.stride - at) == 0
    }

    fn add(&mut self, row: &[u8]) {
        self.rows.truncate(self.count * self.stride);
        if self.rows.capacity() < self.rows.len() + row.len() {
            let more = (self.rows.len() / 8).max(row.len());
            self.rows.reserve_exact(more);
        }
        self.rows.extend_from_slice(row);
        self.count += 1;
    }

    fn number_mask(&self) -> u32 {
        u32::MAX >> (32 - self.number_bits)
    }

    /// The part of a hash that stands above the number of a row.
    fn part(&self, hash: u64) -> u32 {
        hash as u32 & !self.number_mask()
    }

    /// Where the search for a hash begins.
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash >> 32) * self.table.len() as u128) >> 32) as usize
    }

    /// Widens a field until a value fits.
    fn make_room(&mut self, field: usize, value: u32) {
        while !self.has_room((field, value)) {
            self.widen(field);
        }
    }

    /// Writes all rows again with two more bits for a field.
    fn widen(&mut self, field: usize) {
        let old = self.clone_layout();
        self.widths[field] = (self.widths[field] + 2).min(32);
        self.lay_out();
        let rows = std::mem::take(&mut self.rows);
        self.rows.reserve_exact(self.count * self.stride + SLACK);
        let mut row = Vec::new();
        for id in 0..self.count {
            row.clear();
            row.resize(self.stride + SLACK, 0);
            for (other, &(offset, width)) in old.fields.iter().enumerate() {
                let word = load(&rows, id * old.stride + offset / 8);
                self.put(
                    &mut row,
                    other,
                    ((word >> (offset % 8)) & mask(width)) as u32,
                );
            }
            self.rows.extend_from_slice(&row[..self.stride]);
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

    fn rehash(&mut self, places: usize) {
        // The old table goes before the new one comes.
        self.table = Vec::new();
        self.table = vec![0; places];
        self.number_bits = number_bits(places);
        for id in 0..self.count {
            let hash = hash(&self.rows, id * self.stride, self.stride);
            let mut at = self.place(hash);
            while self.table[at] != 0 {
                at += 1;
                if at == places {
                    at = 0;
                }
            }
            self.table[at] = self.part(hash) | (id as u32 + 1);
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

/// Bits for the numbers of rows, counted from one: there are fewer rows than places.
fn number_bits(places: usize) -> u32 {
    (usize::BITS - places.leading_zeros()).min(32)
}

/// A mask of the first bytes of eight.
fn low_bytes(count: usize) -> u64 {
    u64::MAX >> (64 - 8 * count)
}

/// The hash of so many bytes from a place on, at least one; its upper half says where to begin, its lower half is
/// compared.
fn hash(bytes: &[u8], start: usize, length: usize) -> u64 {
    let mut hash = 0_u64;
    let mut at = 0;
    while at + 8 < length {
        hash = mixed(hash ^ load(bytes, start + at));
        at += 8;
    }
    mixed(hash ^ load(bytes, start + at) & low_bytes(length - at))
}

/// Every bit of a number has a say in every bit of the answer: both halves of a product by an odd constant.
fn mixed(number: u64) -> u64 {
    let product = u128::from(number ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    (product as u64) ^ (product >> 64) as u64
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
