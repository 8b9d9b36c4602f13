//! What an audit that runs remembers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use choros_model::observation::{Number, Observation};

use super::super::guilt::{Blame, GuiltyParty};

/// Everything that is remembered between two observations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OnlineState {
    /// Sessions that are open, by name.
    pub sessions: Vec<OpenSession>,
    /// The latest time that was seen.
    pub now: Option<Number>,
    /// How many observations were taken.
    pub taken: u64,
    /// What was found of each part.
    pub parts: Vec<PartCounts>,
    pub sessions_judged: u64,
    /// Messages of which the model does not speak, with how often they were seen; the first kinds of them.
    pub filtered: BTreeMap<String, u64>,
    /// Observations by those who play no role.
    pub strangers: BTreeMap<String, u64>,
    /// Messages of the model that name no session.
    pub unnamed: u64,
    /// Messages that came after their session was judged.
    pub late: u64,
    /// Verdicts that are conditions on parameters.
    pub conditional: u64,
    /// Sessions that could have continued, and were cut because they were quiet, or because there was no room.
    pub cut_quiet: u64,
    pub cut_for_room: u64,
    /// Who is guilty, and who may be.
    pub blame: OnlineBlame,
    pub ended: EndedSessions,
    /// So many sessions that were judged are not remembered any more.
    pub forgotten: u64,
}

/// Who is guilty in some session, and who may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OnlineBlame {
    /// By the first session, in the order of logs and lines, in which each is.
    pub guilty: BTreeMap<String, ((u64, u64), GuiltyParty)>,
    pub may_be: BTreeSet<String>,
    /// Sessions that do not conform although every role did its part.
    pub races: u64,
}

impl OnlineBlame {
    /// What was found of a session that begins here.
    pub(super) fn add(&mut self, blame: Blame, begins: (u64, u64)) {
        for party in blame.guilty {
            self.offer(begins, party);
        }
        self.may_be.extend(blame.may_be);
        self.races += blame.races as u64;
    }

    fn offer(&mut self, begins: (u64, u64), party: GuiltyParty) {
        match self.guilty.get_mut(&party.role) {
            Some(known) if known.0 <= begins => {}
            Some(known) => *known = (begins, party),
            None => {
                self.guilty.insert(party.role.clone(), (begins, party));
            }
        }
    }

    fn absorb(&mut self, other: &OnlineBlame) {
        for (begins, party) in other.guilty.values() {
            self.offer(*begins, party.clone());
        }
        self.may_be.extend(other.may_be.iter().cloned());
        self.races += other.races;
    }

    /// In the order of sessions; whether all roles have logs is for the caller to say.
    pub fn concluded(&self, all_observed: bool) -> Blame {
        let mut guilty: Vec<_> = self.guilty.values().collect();
        guilty.sort_by_key(|(begins, _)| *begins);
        let is_guilty = |role: &&String| self.guilty.contains_key(*role);
        let may_be: Vec<String> = self
            .may_be
            .iter()
            .filter(|it| !is_guilty(it))
            .cloned()
            .collect();
        Blame {
            alone: guilty.len() == 1 && all_observed && may_be.is_empty(),
            guilty: guilty.into_iter().map(|(_, it)| it.clone()).collect(),
            may_be,
            races: usize::try_from(self.races).unwrap_or(usize::MAX),
        }
    }
}

/// The sessions that were judged last, as numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndedSessions {
    order: VecDeque<u64>,
    all: BTreeSet<u64>,
}

/// What was found of a role, or of all together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartCounts {
    pub pass: u64,
    pub fail: u64,
    pub inconclusive: u64,
    /// Sessions that did not come to their end.
    pub unfinished: u64,
    /// Of how many observations.
    pub observations: u64,
    /// How many were dropped because the model does not speak of them.
    pub filtered: u64,
}

/// What is kept until its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    pub name: String,
    /// With the number of their log, in the order in which they came.
    pub observations: Vec<(usize, Observation<'static>)>,
    /// The latest time of its observations.
    pub latest: Option<Number>,
    /// How many observations had been taken when the last of its came.
    pub touched: u64,
    /// How many had been when the model allowed nothing more in it.
    pub over_since: Option<u64>,
}

/// So many sessions that were judged are remembered.
const MOST_ENDED: usize = 1 << 14;

/// So many kinds of messages of which the model does not speak are counted.
const MOST_FILTERED: usize = 1_000;

impl EndedSessions {
    /// A session was judged; whether another one is forgotten for it.
    pub(super) fn add(&mut self, number: u64) -> bool {
        if self.all.insert(number) {
            self.order.push_back(number);
        }
        let is_full = self.order.len() > MOST_ENDED;
        if let Some(oldest) = self.order.pop_front_if(|_| is_full) {
            self.all.remove(&oldest);
        }
        is_full
    }

    pub(super) fn holds(&self, number: u64) -> bool {
        self.all.contains(&number)
    }

    /// The numbers, the oldest first.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.order.iter().copied()
    }
}

impl FromIterator<u64> for EndedSessions {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> EndedSessions {
        let mut ended = EndedSessions::default();
        for number in numbers {
            ended.add(number);
        }
        ended
    }
}

impl OnlineState {
    pub(super) fn filter(&mut self, text: String, count: u64) {
        if self.filtered.len() < MOST_FILTERED || self.filtered.contains_key(&text) {
            *self.filtered.entry(text).or_default() += count;
        }
    }

    /// Adds what was found elsewhere; sessions that are open, and what ended, stay there.
    pub fn absorb(&mut self, other: &OnlineState) {
        self.parts.resize(other.parts.len(), PartCounts::default());
        for (sum, more) in self.parts.iter_mut().zip(&other.parts) {
            sum.pass += more.pass;
            sum.fail += more.fail;
            sum.inconclusive += more.inconclusive;
            sum.unfinished += more.unfinished;
            sum.observations += more.observations;
            sum.filtered += more.filtered;
        }
        for (text, count) in &other.filtered {
            self.filter(text.clone(), *count);
        }
        for (name, count) in &other.strangers {
            *self.strangers.entry(name.clone()).or_default() += count;
        }
        self.blame.absorb(&other.blame);
        self.taken += other.taken;
        self.sessions_judged += other.sessions_judged;
        self.unnamed += other.unnamed;
        self.late += other.late;
        self.conditional += other.conditional;
        self.cut_quiet += other.cut_quiet;
        self.cut_for_room += other.cut_for_room;
        self.forgotten += other.forgotten;
    }
}
