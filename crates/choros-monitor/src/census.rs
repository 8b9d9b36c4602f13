//! What a log holds: how often the parts were there that properties name, and which messages no property names.
//!
//! A part that is in no record of its message is not a value that went wrong: the log calls it otherwise, or does not
//! say it at all, and what a property says about it was never judged.

use choros_model::observation::Observation;
use choros_query::property::Part;
use rustc_hash::FxHashMap;

use crate::heads::Heads;

/// How often a part of a message was there that a property names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartPresence {
    /// The message, as properties write it.
    pub message: String,
    pub part: String,
    /// In this many records.
    pub there: u64,
    /// Of so many.
    pub records: u64,
}

/// What the log of a service holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPresence {
    pub service: String,
    /// How many observations there are.
    pub taken: u64,
    /// How many have a time.
    pub timed: u64,
    /// How many have an identity.
    pub identified: u64,
    /// How many name their session.
    pub in_session: u64,
}

/// What one log holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Census {
    /// The heads that name an operation; those that name any are with each.
    by_operation: FxHashMap<Box<str>, Vec<usize>>,
    any: Vec<usize>,
    heads: Vec<HeadCount>,
    /// Observations, and how many of them have a time, an identity, a session.
    pub(crate) taken: u64,
    pub(crate) timed: u64,
    pub(crate) identified: u64,
    pub(crate) in_session: u64,
    /// How many of them some property names.
    pub(crate) named: u64,
    /// Messages that no property names, of this run.
    unnamed: FxHashMap<String, u64>,
    /// Room for the text of one.
    text: String,
}

#[derive(Debug, Clone)]
struct HeadCount {
    /// Its number among all heads.
    head: usize,
    named: u64,
    /// One per part.
    there: Vec<u64>,
}

/// More kinds of messages that no property names are counted together.
const MAX_UNNAMED: usize = 1000;

impl Census {
    /// Of a log of which nothing was seen, for these heads.
    pub(crate) fn new(mut about: Vec<usize>, heads: &Heads) -> Census {
        about.sort_unstable();
        about.dedup();
        let mut census = Census::default();
        for (place, &head) in about.iter().enumerate() {
            census.heads.push(HeadCount {
                head,
                named: 0,
                there: vec![0; heads.parts(head).count()],
            });
            if heads.operation(head).is_none() {
                census.any.push(place);
            }
        }
        for (place, &head) in about.iter().enumerate() {
            if let Some(operation) = heads.operation(head) {
                let any = &census.any;
                let places = census
                    .by_operation
                    .entry(operation.into())
                    .or_insert_with(|| any.clone());
                places.push(place);
            }
        }
        census
    }

    /// Counts an observation.
    pub(crate) fn count(&mut self, seen: &Observation<'_>, heads: &Heads) {
        self.taken += 1;
        self.timed += u64::from(seen.at.is_some());
        self.identified += u64::from(seen.id.is_some());
        self.in_session += u64::from(seen.session.is_some());
        let places = self.by_operation.get(&*seen.operation).unwrap_or(&self.any);
        let mut is_named = false;
        for &place in places {
            let count = &mut self.heads[place];
            if !heads.names(count.head, seen) {
                continue;
            }
            is_named = true;
            count.named += 1;
            for (there, part) in count.there.iter_mut().zip(heads.parts(count.head)) {
                *there += u64::from(has(seen, part));
            }
        }
        if is_named {
            self.named += 1
        } else {
            self.count_unnamed(seen)
        }
    }

    fn count_unnamed(&mut self, seen: &Observation<'_>) {
        let text = &mut self.text;
        text.clear();
        for part in [&*seen.operation, "[", &seen.from, ",", &seen.to, "]"] {
            text.push_str(part);
        }
        if let Some(count) = self.unnamed.get_mut(text.as_str()) {
            *count += 1;
            return;
        }
        let text = if self.unnamed.len() < MAX_UNNAMED {
            text.clone()
        } else {
            "other messages".to_owned()
        };
        *self.unnamed.entry(text).or_default() += 1;
    }

    /// Messages that no property names, each with how often it was seen, in any order.
    pub(crate) fn unnamed(&self) -> impl Iterator<Item = (&String, u64)> {
        self.unnamed.iter().map(|(text, count)| (text, *count))
    }

    /// How often the parts of a head were there; nothing where the log is not about it.
    pub(crate) fn presence(&self, head: usize) -> Option<(u64, &[u64])> {
        let count = self.heads.iter().find(|it| it.head == head)?;
        Some((count.named, &count.there))
    }

    /// The numbers, to be saved.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let mut numbers = vec![
            self.named,
            self.taken,
            self.timed,
            self.identified,
            self.in_session,
        ];
        for count in &self.heads {
            numbers.push(count.named);
            numbers.extend(&count.there);
        }
        numbers
    }

    /// Puts saved numbers back; older states have none.
    pub(crate) fn restore(&mut self, numbers: &[u64]) {
        let mut numbers = numbers.iter().copied();
        let own = [
            &mut self.named,
            &mut self.taken,
            &mut self.timed,
            &mut self.identified,
            &mut self.in_session,
        ];
        for number in own {
            *number = numbers.next().unwrap_or(0);
        }
        for count in &mut self.heads {
            count.named = numbers.next().unwrap_or(0);
            for there in &mut count.there {
                *there = numbers.next().unwrap_or(0);
            }
        }
    }
}

fn has(seen: &Observation<'_>, part: &Part) -> bool {
    match part {
        Part::Data(path) => seen.datum(path).is_some(),
        Part::At => seen.at.is_some(),
        Part::Id => seen.id.is_some(),
        Part::Session => seen.session.is_some(),
        Part::From | Part::To | Part::Operation => true,
    }
}
