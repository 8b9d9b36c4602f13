//! What waits in one channel, as a number.
//!
//! Few contents occur again and again, so each is stored once and a configuration holds its number.
//! What adding and taking a message leads to is learnt once and looked up from then on.
//! A multiset is stored as its sorted word, so that equal multisets have equal numbers.

use rustc_hash::FxHashMap;

use super::Channels;

/// A message of a channel's own alphabet.
pub(super) type Letter = u32;

/// The number of the empty content.
pub(super) const EMPTY: u32 = 0;

/// All contents of one channel that have occurred.
#[derive(Debug, Clone)]
pub(super) struct Contents {
    channels: Channels,
    alphabet: usize,
    words: Vec<Box<[Letter]>>,
    ids: FxHashMap<Box<[Letter]>, u32>,
    /// `added[word * alphabet + letter]`, or [`UNKNOWN`].
    added: Vec<u32>,
    /// `taken[word * alphabet + letter]`, [`UNKNOWN`] or [`ABSENT`].
    taken: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;
const ABSENT: u32 = u32::MAX - 1;

impl Contents {
    /// The empty content alone.
    pub(super) fn new(channels: Channels, alphabet: usize) -> Self {
        let mut contents = Self {
            channels,
            alphabet,
            words: Vec::new(),
            ids: FxHashMap::default(),
            added: Vec::new(),
            taken: Vec::new(),
        };
        contents.intern(Box::default());
        contents
    }

    /// The messages of a content, first the one that waits longest.
    pub(super) fn word(&self, content: u32) -> &[Letter] {
        &self.words[content as usize]
    }

    /// How many messages a content has.
    pub(super) fn length(&self, content: u32) -> u32 {
        self.word(content).len() as u32
    }

    /// The content with one more message, if it has occurred.
    pub(super) fn added(&self, content: u32, letter: Letter) -> Option<u32> {
        let known = self.added[self.step(content, letter)];
        (known != UNKNOWN).then_some(known)
    }

    /// The content without a message, nothing if that one cannot be received now; if that is known.
    pub(super) fn taken(&self, content: u32, letter: Letter) -> Option<Option<u32>> {
        let known = self.taken[self.step(content, letter)];
        (known != UNKNOWN).then(|| (known != ABSENT).then_some(known))
    }

    /// Finds out which content has one more message.
    pub(super) fn learn_added(&mut self, content: u32, letter: Letter) {
        let mut word = self.word(content).to_vec();
        word.push(letter);
        if self.channels == Channels::Bag {
            word.sort_unstable();
        }
        let at = self.step(content, letter);
        self.added[at] = self.intern(word.into());
    }

    /// Finds out which content is without a message.
    pub(super) fn learn_taken(&mut self, content: u32, letter: Letter) {
        let rest = match self.position(content, letter) {
            None => ABSENT,
            Some(position) => {
                let mut word = self.word(content).to_vec();
                word.remove(position);
                self.intern(word.into())
            }
        };
        let at = self.step(content, letter);
        self.taken[at] = rest;
    }

    fn step(&self, content: u32, letter: Letter) -> usize {
        content as usize * self.alphabet + letter as usize
    }

    /// Where a message that can be received now stands.
    pub(super) fn position(&self, content: u32, letter: Letter) -> Option<usize> {
        let word = self.word(content);
        match self.channels {
            Channels::Bag => word.iter().position(|&other| other == letter),
            Channels::Fifo | Channels::Synchronous => (word.first() == Some(&letter)).then_some(0),
        }
    }

    /// Bytes of memory, without what the allocator keeps for itself.
    pub(super) fn bytes(&self) -> usize {
        let words: usize = self.words.iter().map(|word| 4 * word.len() + 2 * 16).sum();
        words + self.ids.capacity() * 8 + (self.added.capacity() + self.taken.capacity()) * 4
    }

    fn intern(&mut self, word: Box<[Letter]>) -> u32 {
        if let Some(&id) = self.ids.get(&word) {
            return id;
        }
        let id = self.words.len() as u32;
        self.ids.insert(word.clone(), id);
        self.words.push(word);
        self.added.resize(self.words.len() * self.alphabet, UNKNOWN);
        self.taken.resize(self.words.len() * self.alphabet, UNKNOWN);
        id
    }
}
