//! Lines that look like lines that were read before, read again without looking at their labels.
//!
//! A service writes the same few forms of line over and over: what stands between the values (brackets, labels, commas,
//! blanks) is the same to the byte.
//! A line that was read once is remembered as these pieces in between, each with what follows it: a text, another
//! value, one that is skipped, or the end.
//! The pieces of all lines form a tree, which the next line is led through; a line that leaves it is read label by label
//! ([`super::json`]) and adds a way of its own.
//!
//! Why both readings are the same: which value goes where depends on the labels and brackets before it, and at a node of
//! the tree these are the bytes of a line that [`super::json`] accepted. What a value may be, the tree asks again of
//! each line, with the scanner's own words: a text without escapes, a scalar, or whatever the scanner skips.

use std::borrow::Cow;

use choros_model::observation::{Datum, Number};

use super::draft::Draft;
use super::json::{Scanner, ends_token, join};
use super::plan::{Plan, Target};
use super::problem::RecordFlaw;

/// The tree of pieces.
#[derive(Debug, Clone)]
pub(super) struct Shapes {
    /// What may come next, of each node; the first node is the beginning of a line.
    nodes: Vec<Vec<Branch>>,
    /// Of each end the places of the values on the way to it.
    ends: Vec<Vec<Vec<Place>>>,
    /// How many branches there are.
    branches: usize,
}

/// A piece between two values, and what comes after it.
#[derive(Debug, Clone)]
struct Branch {
    piece: Piece,
    then: Then,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// A text without escapes, whose quotes belong to the pieces around it; then this node.
    Text(usize),
    /// A number or a word; then this node.
    Scalar(usize),
    /// Any value, which no one asks for; then this node.
    Skipped(usize),
    /// The end of the line.
    End(usize),
}

/// Where a value goes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Target(Target),
    /// It is data under this path.
    Data(String),
}

/// A value of a line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    /// A text, from here to there.
    Text(u32, u32),
    /// A whole number of few digits without a sign.
    Small(i64),
    /// Another scalar, from here on.
    Scalar(u32),
}

/// The number of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End(usize);

/// So many pieces are remembered at most: lines whose labels are data would go on forever.
const MAX_BRANCHES: usize = 2048;
/// And so many after one value, since they are tried in turn.
const MAX_BRANCHES_OF_NODE: usize = 24;

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes {
            nodes: vec![Vec::new()],
            ends: Vec::new(),
            branches: 0,
        }
    }
}

impl Shapes {
    /// The values of a line, if it has a known shape, and its end.
    #[inline]
    pub(super) fn scan(&self, text: &str, found: &mut Vec<Found>) -> Option<End> {
        found.clear();
        let bytes = text.as_bytes();
        if u32::try_from(bytes.len()).is_err() {
            return None;
        }
        let (mut node, mut at) = (0, 0);
        'values: loop {
            for branch in &self.nodes[node] {
                if !branch.piece.is_at(bytes, at) {
                    continue;
                }
                let start = at + branch.piece.len();
                match branch.then {
                    Then::Text(next) => {
                        at = text_end(bytes, start)?;
                        found.push(Found::Text(start as u32, at as u32));
                        node = next;
                    }
                    Then::Scalar(next) => {
                        let Some((value, end)) = scalar(text, start) else {
                            continue;
                        };
                        found.push(value);
                        (at, node) = (end, next);
                    }
                    Then::Skipped(next) => {
                        let mut scanner = Scanner::at(text, start);
                        scanner.skip().ok()?;
                        (at, node) = (scanner.position(), next);
                    }
                    Then::End(end) => {
                        if start != bytes.len() {
                            continue;
                        }
                        return Some(End(end));
                    }
                }
                continue 'values;
            }
            return None;
        }
    }

    /// Puts the values of a line where they belong.
    #[inline]
    pub(super) fn take<'t>(
        &'t self,
        end: End,
        text: &'t str,
        found: &[Found],
        plan: &'t Plan,
        draft: &mut Draft<'t>,
    ) -> Result<(), RecordFlaw> {
        for (places, value) in self.ends[end.0].iter().zip(found) {
            for place in places {
                match (place, *value) {
                    (Place::Target(target), Found::Text(start, end)) => {
                        draft.put_text(plan, *target, &text[start as usize..end as usize]);
                    }
                    (Place::Target(target), Found::Small(value)) => {
                        draft.put_small(plan, *target, value)?;
                    }
                    (Place::Target(target), value) => {
                        draft.put(plan, *target, value.datum(text))?;
                    }
                    (Place::Data(path), value) => {
                        let path = Cow::Borrowed(path.as_str());
                        draft.data.push((path, value.datum(text)));
                    }
                }
            }
        }
        Ok(())
    }

    /// How many branches there are.
    pub(super) fn size(&self) -> usize {
        self.branches
    }

    /// Whether there is room for more.
    pub(super) fn may_learn(&self) -> bool {
        self.branches < MAX_BRANCHES
    }

    /// Remembers the shape of a line that can be read, if it has one that is worth it.
    pub(super) fn learn(&mut self, text: &str, plan: &Plan) {
        let mut lesson = Lesson {
            scanner: Scanner::new(text),
            text,
            plan,
            last: 0,
            ways: Vec::new(),
        };
        if lesson.line().is_none() {
            return;
        }
        let Lesson { ways, last, .. } = lesson;
        let mut node = 0;
        let mut places = Vec::new();
        for (piece, value) in ways {
            let kind = match &value {
                Value::Text(_) => Then::Text,
                Value::Scalar(_) => Then::Scalar,
                Value::Skipped => Then::Skipped,
            };
            let Some(next) = self.follow(node, piece, kind) else {
                return;
            };
            node = next;
            if let Value::Text(own) | Value::Scalar(own) = value {
                places.push(own);
            }
        }
        let tail = &text.as_bytes()[last..];
        let branches = &mut self.nodes[node];
        if branches.len() < MAX_BRANCHES_OF_NODE {
            branches.push(Branch {
                piece: Piece::new(tail),
                then: Then::End(self.ends.len()),
            });
            self.branches += 1;
            self.ends.push(places);
        }
    }

    /// The node that a piece leads to, made if it is not there.
    fn follow(&mut self, node: usize, piece: &[u8], kind: fn(usize) -> Then) -> Option<usize> {
        for branch in &self.nodes[node] {
            if let Then::Text(next) | Then::Scalar(next) | Then::Skipped(next) = branch.then
                && branch.then == kind(next)
                && *branch.piece.bytes == *piece
            {
                return Some(next);
            }
        }
        if self.nodes[node].len() >= MAX_BRANCHES_OF_NODE {
            return None;
        }
        let next = self.nodes.len();
        self.nodes.push(Vec::new());
        self.nodes[node].push(Branch {
            piece: Piece::new(piece),
            then: kind(next),
        });
        self.branches += 1;
        Some(next)
    }
}

impl Found {
    fn datum(self, text: &str) -> Datum<'_> {
        match self {
            Found::Text(start, end) => {
                Datum::Text(Cow::Borrowed(&text[start as usize..end as usize]))
            }
            Found::Small(value) => Datum::Number(Number::from(value)),
            Found::Scalar(start) => Scanner::at(text, start as usize)
                .scalar()
                .unwrap_or(Datum::Null),
        }
    }
}

/// A line on its way into the tree.
struct Lesson<'t, 'p> {
    scanner: Scanner<'t>,
    text: &'t str,
    plan: &'p Plan,
    /// Where the last value ended.
    last: usize,
    ways: Vec<(&'t [u8], Value)>,
}

enum Value {
    Text(Vec<Place>),
    Scalar(Vec<Place>),
    Skipped,
}

impl Lesson<'_, '_> {
    /// Walks through a line that [`super::json::read`] accepted, as it does; nothing where it has no shape to be
    /// remembered.
    fn line(&mut self) -> Option<()> {
        self.scanner.blank();
        if self.scanner.peek() != Some(b'{') {
            return None;
        }
        self.object(Some(0), self.plan.at(0).everything.then(String::new))?;
        self.scanner.end().ok()
    }

    fn object(&mut self, node: Option<usize>, path: Option<String>) -> Option<()> {
        let mut goes_on = self.scanner.begin(b'}');
        while goes_on {
            let label = self.scanner.string().ok()?;
            self.scanner.colon().ok()?;
            let child = node.and_then(|node| self.plan.child(node, &label));
            let below = path.as_deref().map(|path| join(path, &label));
            self.value(child, below)?;
            goes_on = self.scanner.goes_on(b'}', "").ok()?;
        }
        Some(())
    }

    fn value(&mut self, node: Option<usize>, path: Option<String>) -> Option<()> {
        let path = match node {
            Some(node) if self.plan.at(node).everything => Some(String::new()),
            _ => path,
        };
        if node.is_none() && path.is_none() {
            let start = self.scanner.position();
            self.scanner.skip().ok()?;
            self.way(start, self.scanner.position(), Value::Skipped);
            return Some(());
        }
        let targets = node.map_or(&[][..], |node| &self.plan.at(node).targets);
        match self.scanner.peek()? {
            b'{' => self.object(node, path),
            // The length of a list is a part of the data.
            b'[' => None,
            first => {
                let mut places: Vec<Place> = targets
                    .iter()
                    .map(|&target| Place::Target(target))
                    .collect();
                places.extend(path.filter(|path| !path.is_empty()).map(Place::Data));
                let start = self.scanner.position();
                if first == b'"' {
                    let text = self.scanner.string().ok()?;
                    if matches!(text, Cow::Owned(_)) {
                        return None;
                    }
                    self.way(start + 1, self.scanner.position() - 1, Value::Text(places));
                } else {
                    self.scanner.scalar().ok()?;
                    self.way(start, self.scanner.position(), Value::Scalar(places));
                }
                Some(())
            }
        }
    }

    fn way(&mut self, start: usize, end: usize, value: Value) {
        self.ways
            .push((&self.text.as_bytes()[self.last..start], value));
        self.last = end;
    }
}

/// Bytes that stand between two values.
#[derive(Debug, Clone)]
struct Piece {
    bytes: Box<[u8]>,
    /// The same, eight at a time, and the bits of the last eight that count.
    words: Box<[u64]>,
    mask: u64,
}

impl Piece {
    fn new(bytes: &[u8]) -> Piece {
        let words = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        let rest = match bytes.len() % 8 {
            0 => 8,
            rest => rest,
        };
        Piece {
            bytes: bytes.into(),
            words: words.collect(),
            mask: u64::MAX >> (64 - 8 * rest),
        }
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it stands at a place of a text.
    #[inline]
    fn is_at(&self, text: &[u8], at: usize) -> bool {
        let Some((last, words)) = self.words.split_last() else {
            return true;
        };
        let rest = &text[at..];
        let Some(window) = rest.get(..8 * self.words.len()) else {
            return rest.starts_with(&self.bytes);
        };
        let (chunks, _) = window.as_chunks::<8>();
        let Some((end, chunks)) = chunks.split_last() else {
            return false;
        };
        u64::from_le_bytes(*end) & self.mask == *last
            && words
                .iter()
                .zip(chunks)
                .all(|(word, chunk)| *word == u64::from_le_bytes(*chunk))
    }
}

/// Where a text ends that begins at `start`: its closing quote; nothing where it has escapes or is not closed.
#[inline]
fn text_end(bytes: &[u8], start: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // The lowest marked byte is right, whatever the bytes above it: a borrow only goes upwards.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let mut at = start;
    while let Some(chunk) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let escapes = zeros(word ^ (ONES * u64::from(b'\\')));
        let both = quotes | escapes;
        if both != 0 {
            let offset = both.trailing_zeros() as usize / 8;
            return (bytes[at + offset] == b'"').then_some(at + offset);
        }
        at += 8;
    }
    let offset = bytes[at..]
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\'))?;
    (bytes[at + offset] == b'"').then_some(at + offset)
}

/// A number or a word that begins at `start`, and where it ends.
#[inline]
fn scalar(text: &str, start: usize) -> Option<(Found, usize)> {
    let bytes = text.as_bytes();
    let mut value = 0i64;
    let mut at = start;
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
        && at - start < 18
    {
        value = value * 10 + i64::from(digit);
        at += 1;
    }
    match bytes.get(at) {
        Some(byte) if at > start && ends_token(*byte) => Some((Found::Small(value), at)),
        Some(b'"') if at == start => None,
        _ => {
            let mut scanner = Scanner::at(text, start);
            scanner.scalar().ok()?;
            Some((Found::Scalar(start as u32), scanner.position()))
        }
    }
}

#[cfg(test)]
mod tests;
