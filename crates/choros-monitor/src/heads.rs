//! The distinct heads of all candidate events, each compared with a message at most once.
//!
//! Properties of one service name the same messages again and again; with a hundred of them this is what makes a
//! message cheap.

use choros_model::observation::{Datum, Observation};
use choros_query::property::Part;

use crate::pattern::{Head, Match};

/// Distinct heads, and what is known of the message at hand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heads {
    heads: Vec<Head>,
    known: Vec<Known>,
    /// The number of the message at hand.
    message: u64,
}

#[derive(Debug, Clone)]
struct Known {
    /// The message that this is about.
    message: u64,
    compared: Match,
    values: Vec<Datum<'static>>,
}

impl Heads {
    /// The number of a head, which is added if it is new.
    pub(crate) fn add(&mut self, head: &Head) -> usize {
        if let Some(known) = self.heads.iter().position(|it| it == head) {
            return known;
        }
        self.heads.push(head.clone());
        self.known.push(Known {
            message: 0,
            compared: Match::No,
            values: Vec::new(),
        });
        self.heads.len() - 1
    }

    /// Another message is at hand.
    pub(crate) fn begin(&mut self) {
        self.message += 1;
    }

    /// How the message at hand compares with a head, and its values.
    #[inline]
    pub(crate) fn compare(
        &mut self,
        head: usize,
        seen: &Observation<'_>,
    ) -> (Match, &[Datum<'static>]) {
        let known = &mut self.known[head];
        if known.message != self.message {
            known.message = self.message;
            known.compared = self.heads[head].values(seen, &mut known.values);
        }
        (known.compared, &known.values)
    }

    /// The operation that a head names; none where it is any.
    pub(crate) fn operation(&self, head: usize) -> Option<&str> {
        self.heads[head].operation.as_deref()
    }

    /// The parts that a head takes values from, in the order of its places.
    pub(crate) fn parts(&self, head: usize) -> impl Iterator<Item = &Part> {
        self.heads[head].parts()
    }

    /// The message of a head, as properties write it.
    pub(crate) fn message(&self, head: usize) -> String {
        self.heads[head].message()
    }

    /// The part that a value of a head was taken from, in words.
    pub(crate) fn part(&self, head: usize, position: usize) -> String {
        self.heads[head].part(position)
    }

    /// Whether some head names the message.
    pub(crate) fn names(&self, head: usize, seen: &Observation<'_>) -> bool {
        self.heads[head].names(seen)
    }
}
