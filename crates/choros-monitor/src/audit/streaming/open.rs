//! The sessions that are open.

use std::collections::BTreeSet;

use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_model::stg::Direction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::Hypothesis;
use super::super::alphabet::LetterId;
use super::super::outside::{is_between_roles, may_refuse_some};
use super::super::tally::Place;
use super::course::{Courses, Point};
use super::judging::Facts;
use super::remembered::{Remembered, fingerprint};

/// A session of which nothing was seen for so long is cut.
#[derive(Debug, Clone)]
pub struct Quiet {
    /// By the times of the logs, in milliseconds.
    pub after: Number,
    /// The same in words: `30 s`.
    pub words: String,
}

/// What a session has shown so far.
#[derive(Debug)]
pub(super) struct Session {
    /// None of those that name no session.
    pub(super) name: Option<String>,
    /// With the number of their log, in the order in which they came.
    pub(super) observations: Vec<(usize, Observation<'static>)>,
    /// Where its first message of the model is.
    pub(super) place: Option<Place>,
    /// Why it was cut; empty if it was not.
    pub(super) cut: String,
    points: Box<[Point]>,
    is_over: bool,
    latest: Option<Number>,
}

/// What an observation is to the sessions.
pub(super) enum Arrival {
    /// Nothing: the model does not speak of it.
    Ignored,
    /// It belongs to this session, which is open; the message of the model that it is.
    Open(Option<String>, Option<LetterId>),
    /// A message of the model in a session that is not open.
    New(Option<String>, LetterId),
    /// Another message in a session that is not open.
    Stranger(String),
}

pub(super) struct OpenSessions {
    courses: Courses,
    quiet: Option<Quiet>,
    kept: FxHashSet<u64>,
    sessions: FxHashMap<Option<String>, Session>,
    /// Those that are over, or were when they came here; in that order.
    ended: Vec<String>,
    /// Those that were cut.
    closed: Vec<Session>,
    by_time: BTreeSet<(Number, String)>,
    cut: Remembered,
    now: Option<Number>,
    /// How many observations of each log were taken.
    counts: Vec<u64>,
    held: usize,
    waiting: usize,
}

impl OpenSessions {
    pub(super) fn new(
        courses: Courses,
        quiet: Option<Quiet>,
        kept: FxHashSet<u64>,
        logs: usize,
    ) -> OpenSessions {
        OpenSessions {
            courses,
            quiet,
            kept,
            sessions: FxHashMap::default(),
            ended: Vec::new(),
            closed: Vec::new(),
            cut: Remembered::default(),
            by_time: BTreeSet::new(),
            now: None,
            counts: vec![0; logs],
            held: 0,
            waiting: 0,
        }
    }

    /// How many observations are held.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// How many of them are of sessions that ended.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// What an observation is; it counts as taken.
    pub(super) fn arrive(
        &mut self,
        log: usize,
        observation: &Observation<'_>,
        facts: &Facts,
        terms: &Terms,
    ) -> Arrival {
        self.counts[log] += 1;
        let head = &facts.heads[log];
        if let Some(letter) = facts.letter(log, observation, terms) {
            let session = facts.key.of(observation, letter, terms);
            return if self.sessions.contains_key(&session) {
                Arrival::Open(session, Some(letter))
            } else {
                Arrival::New(session, letter)
            };
        }
        if !is_between_roles(observation, &head.role, &facts.prepared.model, terms) {
            return Arrival::Ignored;
        }
        let Some(session) = facts.session_of_stranger(observation, terms) else {
            return Arrival::Ignored;
        };
        let session = Some(session);
        match (self.sessions.get(&session), session) {
            (Some(open), session)
                if may_matter(&open.observations, log, observation, facts, terms) =>
            {
                Arrival::Open(session, None)
            }
            (None, Some(session)) => Arrival::Stranger(session),
            _ => Arrival::Ignored,
        }
    }

    /// Whether a message outside the model may matter before any other of its session has come.
    pub(super) fn waits_for_strangers(
        &self,
        log: usize,
        observation: &Observation<'_>,
        facts: &Facts,
        terms: &Terms,
    ) -> bool {
        facts.is_divided(log)
            || facts.heads[log].hypothesis != Hypothesis::Cut
                && may_refuse_some(observation, &facts.prepared.alphabet, terms)
    }

    /// Adds an observation to its session.
    pub(super) fn add(
        &mut self,
        name: Option<String>,
        log: usize,
        (observation, letter): (Observation<'static>, Option<LetterId>),
        facts: &Facts,
    ) {
        let courses = &mut self.courses;
        let session = self
            .sessions
            .entry(name.clone())
            .or_insert_with_key(|name| Session {
                name: name.clone(),
                observations: Vec::new(),
                place: None,
                cut: String::new(),
                points: courses.start(),
                is_over: false,
                latest: None,
            });
        self.held += 1;
        self.waiting += usize::from(session.is_over);
        if let Some(at) = observation.at.as_ref().filter(|_| self.quiet.is_some()) {
            if self.now.as_ref().is_none_or(|now| now < at) {
                self.now = Some(at.clone());
            }
            if let Some(name) = &name
                && session.latest.as_ref().is_none_or(|latest| latest < at)
            {
                if let Some(latest) = session.latest.replace(at.clone()) {
                    self.by_time.remove(&(latest, name.clone()));
                }
                self.by_time.insert((at.clone(), name.clone()));
            }
        }
        let seen = letter.map(|it| (it, observation.direction));
        session.observations.push((log, observation));
        if let Some(seen) = seen {
            let place = Place::new(log, self.counts[log]);
            session.place = Some(session.place.map_or(place, |known| known.min(place)));
            self.courses
                .step(&mut session.points, facts.role_of(log), seen);
            let is_over = self.courses.is_over(&session.points);
            let count = session.observations.len();
            match (session.is_over, is_over, name) {
                (false, true, Some(name)) if !self.kept.contains(&fingerprint(&name)) => {
                    session.is_over = true;
                    self.waiting += count;
                    self.ended.push(name);
                }
                (true, false, _) => {
                    session.is_over = false;
                    self.waiting -= count;
                }
                _ => {}
            }
        }
        self.cut_quiet();
    }

    /// Cuts sessions of which nothing was seen for long enough.
    fn cut_quiet(&mut self) {
        let (Some(quiet), Some(now)) = (&self.quiet, &self.now) else {
            return;
        };
        while let Some((latest, _)) = self.by_time.first()
            && now.minus(latest) > quiet.after
            && let Some((_, name)) = self.by_time.pop_first()
        {
            self.cut.insert(fingerprint(&name));
            let Some(mut session) = self.sessions.remove(&Some(name)) else {
                continue;
            };
            session.cut = format!("nothing was seen of it for {}, so it was cut", quiet.words);
            if !session.is_over {
                self.waiting += session.observations.len();
            }
            self.closed.push(session);
        }
    }

    /// Whether a session was cut.
    pub(super) fn was_cut(&self, name: u64) -> bool {
        self.cut.holds(name)
    }

    /// The sessions that ended; they are open no more.
    pub(super) fn take_ended(&mut self) -> Vec<Session> {
        for name in std::mem::take(&mut self.ended) {
            let key = Some(name);
            // It may have gone on, or be here twice.
            if self.sessions.get(&key).is_some_and(|it| it.is_over)
                && let Some(session) = self.sessions.remove(&key)
            {
                if let (Some(latest), Some(name)) = (&session.latest, key) {
                    self.by_time.remove(&(latest.clone(), name));
                }
                self.closed.push(session);
            }
        }
        self.held -= self.waiting;
        self.waiting = 0;
        std::mem::take(&mut self.closed)
    }

    /// All sessions that are open, those that begin first in the logs first.
    pub(super) fn take_all(&mut self) -> Vec<Session> {
        self.held = 0;
        self.waiting = 0;
        self.ended.clear();
        self.by_time.clear();
        let mut all = std::mem::take(&mut self.closed);
        all.extend(std::mem::take(&mut self.sessions).into_values());
        all.sort_by(|left, right| (left.place, &left.name).cmp(&(right.place, &right.name)));
        all
    }
}

/// Whether a message outside the model may matter to a session of which this was seen: it answers a message in the same log, or what its
/// log lacks may.
pub(in crate::audit) fn may_matter(
    seen: &[(usize, Observation<'static>)],
    log: usize,
    observation: &Observation<'_>,
    facts: &Facts,
    terms: &Terms,
) -> bool {
    if facts.is_divided(log) {
        return true;
    }
    let is_whole = facts.heads[log].hypothesis == Hypothesis::Cut;
    let opposite = match observation.direction {
        Direction::Send => Direction::Receive,
        Direction::Receive | Direction::Interaction => Direction::Send,
    };
    let mut earlier = seen.iter();
    !is_whole && may_refuse_some(observation, &facts.prepared.alphabet, terms)
        || observation.id.is_some()
            && earlier.any(|(of, it)| {
                *of == log
                    && it.direction == opposite
                    && it.id == observation.id
                    && it.from == observation.to
                    && it.to == observation.from
            })
}
