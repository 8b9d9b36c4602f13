//! Logs of any length, judged session by session as sessions end.
//!
//! What is said of a session rests on its own observations, and on a few facts about the logs as wholes: how sessions
//! are distinguished, which fields no record has, which observations name no session.
//! A [`Survey`] of the logs gives these facts and holds no observation; then a [`SessionStream`] takes the same
//! observations again, judges a session when the model allows nothing more in it ([`course`]), and forgets it.
//! So memory grows with the sessions that are open, and not with the logs.
//!
//! Judging early is never a guess: names of sessions that were judged are remembered, and an observation that comes late
//! makes the answer [`Streamed::Late`].
//! Then the logs are read again, and the sessions that it names stay open to the end of the logs.
//!
//! Each verdict is put together from sessions in the order in which the logs begin them, so it is the one that
//! [`audit`](super::audit) gives on whole logs.

mod course;
mod gathered;
mod judging;
mod open;
mod remembered;
mod survey;

pub(in crate::audit) use course::{Courses, Point};
pub(in crate::audit) use judging::Facts;
pub use open::Quiet;
pub(in crate::audit) use open::may_matter;
pub use survey::Survey;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use choros_base::Budget;
use choros_data::Terms;
use choros_model::observation::Observation;
use choros_model::stg::Stg;
use choros_smt::Solver;
use rustc_hash::FxHashSet;

use self::gathered::Gathered;
use self::open::{Arrival, OpenSessions, Session};
use self::remembered::{Remembered, fingerprint};
use super::judge::without_key_words;
use super::{Audit, Auditing, Log, NotAudited};

/// Sessions that ended are judged together once they have this many observations.
const MAX_WAITING: usize = 8192;

/// What becomes of logs whose sessions were judged as they ended.
#[derive(Debug)]
pub enum Streamed {
    /// The verdicts; observations that came after their session was cut because it was quiet were not judged.
    Found(Box<Audit>),
    /// Something was observed in sessions after they had been judged: the logs must be read again, and these sessions
    /// stay open.
    Late(BTreeSet<u64>),
}

/// Observations in, verdicts on sessions out.
pub struct SessionStream<'h> {
    how: &'h Auditing,
    facts: Facts,
    fields: Vec<super::Presence>,
    without_key: u64,
    terms: Terms,
    open: OpenSessions,
    /// Sessions that were judged.
    judged: Remembered,
    late: BTreeSet<u64>,
    late_after_cut: u64,
    filtered: BTreeMap<String, u64>,
    filtered_by_role: Vec<usize>,
    gathered: Gathered,
    /// What was open when the logs were over, and is not judged yet.
    rest: VecDeque<Session>,
    is_closed: bool,
    most_held: usize,
}

impl<'h> SessionStream<'h> {
    /// Takes observations of these logs, which a survey has seen; `heads` are the logs without observations.
    ///
    /// Sessions in `kept` stay open to the end of the logs.
    pub fn new(
        model: &Stg,
        survey: Survey,
        heads: Vec<Log>,
        how: &'h Auditing,
        (quiet, kept): (Option<Quiet>, BTreeSet<u64>),
        terms: &Terms,
    ) -> SessionStream<'h> {
        let mut terms = terms.clone();
        let (facts, fields, without_key) = survey.settled(model, heads, how, &mut terms);
        let courses = Courses::of(&facts, &terms);
        let kept: FxHashSet<u64> = kept.into_iter().collect();
        SessionStream {
            how,
            open: OpenSessions::new(courses, quiet, kept, facts.heads.len()),
            filtered: BTreeMap::new(),
            filtered_by_role: vec![0; facts.roles().len()],
            facts,
            fields,
            without_key,
            terms,
            judged: Remembered::default(),
            late: BTreeSet::new(),
            late_after_cut: 0,
            gathered: Gathered::default(),
            rest: VecDeque::new(),
            is_closed: false,
            most_held: 0,
        }
    }

    /// Takes the next observation of a log.
    pub fn take(&mut self, log: usize, observation: Observation<'static>) {
        let arrival = self
            .open
            .arrive(log, &observation, &self.facts, &self.terms);
        match arrival {
            Arrival::Ignored => self.leave_out(log, &observation),
            Arrival::Open(session, letter) => {
                let seen = (observation, letter);
                self.open.add(session, log, seen, &self.facts);
            }
            Arrival::New(session, letter) => {
                let name = session.as_deref().map(fingerprint);
                if name.is_some_and(|it| self.open.was_cut(it)) {
                    self.late_after_cut += 1;
                } else if let Some(name) = name.filter(|&it| self.judged.holds(it)) {
                    self.late.insert(name);
                } else {
                    let seen = (observation, Some(letter));
                    self.open.add(session, log, seen, &self.facts);
                }
            }
            Arrival::Stranger(session) => {
                // It matters to a session that is over only if it refuses a message of it.
                let name = fingerprint(&session);
                if observation.is_fault && self.judged.holds(name) {
                    self.late.insert(name);
                } else if self
                    .open
                    .waits_for_strangers(log, &observation, &self.facts, &self.terms)
                {
                    let seen = (observation, None);
                    self.open.add(Some(session), log, seen, &self.facts);
                } else {
                    self.leave_out(log, &observation);
                }
            }
        }
        self.most_held = self.most_held.max(self.open.held());
    }

    /// An observation of which the model does not speak.
    fn leave_out(&mut self, log: usize, observation: &Observation<'_>) {
        let text = format!(
            "{}[{},{}]",
            observation.operation, observation.from, observation.to
        );
        *self.filtered.entry(text).or_default() += 1;
        self.filtered_by_role[self.facts.role_of(log)] += 1;
    }

    /// How many observations are held now.
    pub fn held(&self) -> usize {
        self.open.held()
    }

    /// How many were held at most.
    pub fn most_held(&self) -> usize {
        self.most_held
    }

    /// The logs are over: what is still open has ended.
    pub fn close(&mut self) {
        self.rest.extend(self.open.take_all());
        self.is_closed = true;
    }

    /// Whether enough sessions have ended to be judged, or any after the logs are over.
    pub fn is_due(&self) -> bool {
        if !self.is_closed {
            return self.open.waiting() >= MAX_WAITING;
        }
        self.late.is_empty() && (!self.rest.is_empty() || self.gathered.sessions() == 0)
    }

    /// Judges sessions that have ended, and forgets them.
    ///
    /// The solver must not have been used before: what it remembers is about the terms of one call.
    pub fn judge(&mut self, solver: &mut dyn Solver, budget: &Budget) -> Result<(), NotAudited> {
        let mut due = Vec::new();
        if self.is_closed {
            let mut count = 0;
            while let Some(session) = self.rest.pop_front_if(|_| count < MAX_WAITING) {
                count += session.observations.len();
                due.push(session);
            }
            self.facts.expects_nothing = self.rest.is_empty() && self.gathered.sessions() == 0;
        } else {
            due = self.open.take_ended();
            for name in due.iter().filter_map(|it| it.name.as_ref()) {
                self.judged.insert(fingerprint(name));
            }
        }
        let mut terms = self.terms.clone();
        let with = (&mut terms, solver);
        let found = self.facts.judge(due, self.how, with, budget)?;
        if self.gathered.absorb(found) {
            // Conditions are terms of the store in which they were found; there are few different ones.
            self.terms = terms;
        }
        Ok(())
    }

    /// Puts the verdicts together, once nothing is due after the end; `terms` becomes the store of their conditions.
    ///
    /// The solver must not have been used before.
    pub fn conclude(
        mut self,
        solver: &mut dyn Solver,
        budget: &Budget,
        terms: &mut Terms,
    ) -> Result<Streamed, NotAudited> {
        if !self.late.is_empty() {
            return Ok(Streamed::Late(self.late));
        }
        let mut found = self.gathered.concluded(
            &self.facts,
            (self.filtered, self.filtered_by_role),
            self.how,
            (&mut self.terms, solver),
            budget,
        )?;
        found.fields = self.fields;
        found
            .notes
            .splice(0..0, without_key_words(self.without_key));
        if self.judged.forgotten() > 0 {
            found.notes.push(format!(
                "a message of one of the first {} sessions that ended would count as the beginning of another",
                self.judged.forgotten()
            ));
        }
        gathered::doubt_after_cuts(&mut found, self.late_after_cut);
        *terms = self.terms;
        Ok(Streamed::Found(Box::new(found)))
    }
}
