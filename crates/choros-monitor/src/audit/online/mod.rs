//! Sessions of a stream, judged one by one as they end, with a memory that is bounded.
//!
//! What [`SessionStream`](super::SessionStream) learns by reading logs twice cannot be known of a stream, so here every
//! session is judged by its own observations and nothing else: its verdicts are those that [`audit`](super::audit::audit)
//! gives on them.
//! What is remembered between two observations is a value, [`OnlineState`]: it can be saved, restored elsewhere, and
//! continued to the same verdicts.
//!
//! Time is what observations and ticks say.
//! A session is judged and forgotten
//! - some observations after the model allowed nothing more in it, so that what was sent too much is judged with it;
//! - when nothing was seen of it for long enough: if it could have continued, nothing is known of it;
//! - when too much is held, beginning with the one that was quiet for longest: the same;
//! - when the stream ends.
//!
//! What comes for a session after that is late: it is counted and not judged, and nothing conforms for certain.

mod open;
mod state;

pub use state::{EndedSessions, OnlineBlame, OnlineState, OpenSession, PartCounts};

use choros_base::Budget;
use choros_data::Terms;
use choros_model::Observed;
use choros_model::observation::{Correlation, Number, Observation};
use choros_model::stg::Stg;
use choros_smt::Solver;

use self::open::{Ended, OpenSessions, fingerprint};
use super::judge::{Subject, audit};
use super::outside::{is_between_roles, may_refuse_some};
use super::streaming::{Courses, Facts, Survey, may_matter};
use super::{Audit, Auditing, Hypothesis, Log, NotAudited, Quiet, Sessions};
use crate::verdict::{Mark, Outcome};

/// What bounds the memory of an audit that runs.
#[derive(Debug, Clone)]
pub struct OnlineBounds {
    /// A session of which nothing was seen for so long is cut.
    pub quiet: Quiet,
    /// After this many further observations a session that ended is judged.
    pub linger: u64,
    /// No more observations are held; the sessions that were quiet for longest are cut.
    pub most_held: usize,
}

/// What was found of a session that ended, for each part.
#[derive(Debug, Clone)]
pub struct SessionVerdict {
    pub session: String,
    /// The role that saw its first message of the model, by the order of logs, and where.
    pub opener: String,
    pub opened: Mark,
    /// The last message of it that came.
    pub decided: Mark,
    /// Of each part of the audit.
    pub outcomes: Vec<Outcome>,
    /// What was seen of it, log by log.
    pub observations: Vec<Observation<'static>>,
}

/// Observations in, verdicts on sessions out.
pub struct OnlineAudit {
    model: Stg,
    heads: Vec<Log>,
    how: Auditing,
    bounds: OnlineBounds,
    facts: Facts,
    courses: Courses,
    terms: Terms,
    parts: Vec<String>,
    open: OpenSessions,
    state: OnlineState,
}

impl OnlineAudit {
    /// Has seen nothing; `heads` are the logs that there are, without observations.
    ///
    /// Sessions are those that observations name.
    pub fn new(
        model: &Stg,
        heads: Vec<Log>,
        how: &Auditing,
        bounds: OnlineBounds,
        terms: &Terms,
    ) -> OnlineAudit {
        let mut terms = terms.clone();
        let how = Auditing {
            sessions: Sessions::By(Correlation::Session),
            ..how.clone()
        };
        let survey = Survey::new(model, &how, &mut terms);
        let (facts, _, _) = survey.settled(model, heads.clone(), &how, &mut terms);
        let courses = Courses::of(&facts, &terms);
        let is_role = |name: &str| {
            let name = terms.names.get(name);
            model.roles().iter().any(|it| Some(it.0) == name)
        };
        let mut parts: Vec<String> = Vec::new();
        for head in heads.iter().filter(|it| is_role(&it.role)) {
            if !parts.contains(&head.role) {
                parts.push(head.role.clone());
            }
        }
        if Subject::of(&facts.prepared.model) != Subject::OneRole {
            parts.push("global".to_owned());
        }
        OnlineAudit {
            state: OnlineState {
                parts: vec![PartCounts::default(); parts.len()],
                ..OnlineState::default()
            },
            open: OpenSessions::default(),
            model: model.clone(),
            heads,
            how,
            bounds,
            facts,
            courses,
            terms,
            parts,
        }
    }

    /// The roles that have logs, then `global` if the model is one of all roles.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// What was found so far, without what is open.
    pub fn found(&self) -> &OnlineState {
        &self.state
    }

    /// How many observations are held.
    pub fn held(&self) -> usize {
        self.open.held()
    }

    /// How many sessions are open.
    pub fn open(&self) -> usize {
        self.open.count()
    }

    /// Takes the next observation, and judges the sessions that are due then.
    pub fn take(
        &mut self,
        seen: &Observation<'static>,
        verdicts: &mut Vec<SessionVerdict>,
        (solver, budget): (&mut dyn FnMut() -> Box<dyn Solver>, &Budget),
    ) -> Result<(), NotAudited> {
        self.state.taken += 1;
        self.sort_in(seen);
        if let Some(at) = &seen.at {
            self.pass(at);
        }
        self.judge_due(verdicts, (solver, budget))
    }

    /// It is this time: sessions that are quiet for too long are judged.
    pub fn tick(
        &mut self,
        now: &Number,
        verdicts: &mut Vec<SessionVerdict>,
        with: (&mut dyn FnMut() -> Box<dyn Solver>, &Budget),
    ) -> Result<(), NotAudited> {
        self.pass(now);
        self.judge_due(verdicts, with)
    }

    /// Nothing more will come: what is open has ended, and is not cut.
    pub fn finish(
        &mut self,
        verdicts: &mut Vec<SessionVerdict>,
        (solver, budget): (&mut dyn FnMut() -> Box<dyn Solver>, &Budget),
    ) -> Result<(), NotAudited> {
        while let Some(session) = self.open.take_any() {
            self.judge(session, Ended::WithTheStream, verdicts, (solver, budget))?;
        }
        Ok(())
    }

    /// What is remembered.
    pub fn save(&self) -> OnlineState {
        OnlineState {
            sessions: self.open.save(),
            ..self.state.clone()
        }
    }

    /// Continues from what was remembered; false if that is of another model.
    pub fn restore(&mut self, state: Option<&OnlineState>) -> bool {
        self.open = OpenSessions::default();
        self.state = OnlineState {
            parts: vec![PartCounts::default(); self.parts.len()],
            ..OnlineState::default()
        };
        let Some(state) = state else { return true };
        let logs_fit = state
            .sessions
            .iter()
            .flat_map(|it| &it.observations)
            .all(|(log, _)| *log < self.heads.len());
        if state.parts.len() != self.parts.len() || !logs_fit {
            return false;
        }
        for session in &state.sessions {
            let mut points = self.courses.start();
            for (log, seen) in &session.observations {
                if let Some(letter) = self.facts.letter(*log, seen, &self.terms) {
                    let step = (letter, seen.direction);
                    self.courses
                        .step(&mut points, self.facts.role_of(*log), step);
                }
            }
            self.open.restore(session.clone(), points);
        }
        self.state = OnlineState {
            sessions: Vec::new(),
            ..state.clone()
        };
        true
    }

    fn pass(&mut self, at: &Number) {
        if self.state.now.as_ref().is_none_or(|now| now < at) {
            self.state.now = Some(at.clone());
        }
    }

    /// Adds an observation to its session, if it has one and matters to it.
    fn sort_in(&mut self, seen: &Observation<'static>) {
        let by = |head: &Log| head.role == *seen.by;
        let Some(log) = self.heads.iter().position(by) else {
            *self.state.strangers.entry(seen.by.to_string()).or_default() += 1;
            return;
        };
        let (facts, terms) = (&self.facts, &self.terms);
        let letter = facts.letter(log, seen, terms);
        let Some(name) = seen.session.as_deref() else {
            match letter {
                Some(_) => self.state.unnamed += 1,
                None => self.leave_out(log, seen),
            }
            return;
        };
        let known = self.open.observations(name);
        let matters = match (letter, known) {
            (Some(_), _) => true,
            (None, _)
                if !is_between_roles(seen, &self.heads[log].role, &facts.prepared.model, terms) =>
            {
                false
            }
            (None, Some(observations)) => may_matter(observations, log, seen, facts, terms),
            (None, None) => {
                seen.is_fault && self.state.ended.holds(fingerprint(name))
                    || facts.is_divided(log)
                    || facts.heads[log].hypothesis != Hypothesis::Cut
                        && may_refuse_some(seen, &facts.prepared.alphabet, terms)
            }
        };
        if !matters {
            self.leave_out(log, seen);
        } else if known.is_none() && self.state.ended.holds(fingerprint(name)) {
            self.state.late += 1;
        } else {
            let step = letter.map(|it| (self.facts.role_of(log), (it, seen.direction)));
            let taken = self.state.taken;
            self.open
                .add(name, (log, seen), (step, taken), &mut self.courses);
        }
    }

    /// An observation of which the model does not speak.
    fn leave_out(&mut self, log: usize, seen: &Observation<'_>) {
        let text = format!("{}[{},{}]", seen.operation, seen.from, seen.to);
        self.state.filter(text, 1);
        let role = self.heads[log].role.clone();
        self.filter_of(&role, 1);
    }

    fn filter_of(&mut self, role: &str, count: u64) {
        for (part, counts) in self.parts.iter().zip(&mut self.state.parts) {
            if part == role || part == "global" {
                counts.filtered += count;
            }
        }
    }

    fn judge_due(
        &mut self,
        verdicts: &mut Vec<SessionVerdict>,
        (solver, budget): (&mut dyn FnMut() -> Box<dyn Solver>, &Budget),
    ) -> Result<(), NotAudited> {
        loop {
            let (session, ended) = {
                let now = self.state.now.as_ref();
                if let Some(session) = self.open.take_over(self.state.taken, self.bounds.linger) {
                    (session, Ended::ByTheModel)
                } else if let Some(session) = self.open.take_quiet(now, &self.bounds.quiet.after) {
                    (session, Ended::Quiet)
                } else if self.open.held() > self.bounds.most_held
                    && let Some(session) = self.open.take_oldest()
                {
                    (session, Ended::ForRoom)
                } else {
                    return Ok(());
                }
            };
            self.judge(session, ended, verdicts, (solver, budget))?;
        }
    }

    fn judge(
        &mut self,
        session: OpenSession,
        ended: Ended,
        verdicts: &mut Vec<SessionVerdict>,
        (solver, budget): (&mut dyn FnMut() -> Box<dyn Solver>, &Budget),
    ) -> Result<(), NotAudited> {
        let OpenSession {
            name, observations, ..
        } = session;
        let mut logs = self.heads.clone();
        let mut decided = Mark::default();
        let mut opened: Option<(usize, Mark)> = None;
        let has_letter: Vec<bool> = observations
            .iter()
            .map(|(log, seen)| self.facts.letter(*log, seen, &self.terms).is_some())
            .collect();
        for ((log, seen), is_letter) in observations.into_iter().zip(has_letter) {
            let mark = Mark {
                line: seen.line,
                at: seen.at.clone(),
            };
            decided = mark.clone();
            if is_letter && opened.as_ref().is_none_or(|(known, _)| log < *known) {
                opened = Some((log, mark));
            }
            logs[log].observations.push(seen);
        }
        let Some((opener, opened)) = opened else {
            // Nothing of it was of the model.
            for (log, head) in logs.iter().enumerate() {
                for seen in &head.observations {
                    self.leave_out(log, seen);
                }
            }
            return Ok(());
        };
        let found = judged(
            (&self.model, &logs, &self.how),
            &mut self.terms.clone(),
            (solver().as_mut(), budget),
        )?;
        let outcomes = self.count(&found, ended);
        self.state
            .blame
            .add(found.blame, (opener as u64, opened.line));
        if !matches!(ended, Ended::WithTheStream) {
            let is_full = self.state.ended.add(fingerprint(&name));
            self.state.forgotten += u64::from(is_full);
        }
        self.state.sessions_judged += 1;
        verdicts.push(SessionVerdict {
            session: name,
            opener: self.heads[opener].role.clone(),
            opened,
            decided,
            outcomes,
            observations: logs.into_iter().flat_map(|it| it.observations).collect(),
        });
        Ok(())
    }

    /// Adds what was found of a session.
    fn count(&mut self, found: &Audit, ended: Ended) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut is_cut = false;
        for (name, number) in self.parts.iter().zip(0..) {
            let counts = &mut self.state.parts[number];
            let Some(result) = found.results.iter().find(|it| it.name == *name) else {
                counts.inconclusive += 1;
                outcomes.push(Outcome::Inconclusive);
                continue;
            };
            let may_go_on = matches!(ended, Ended::Quiet | Ended::ForRoom) && !result.finished;
            let outcome = match result.verdict {
                Observed::Holds { .. } if !may_go_on => Outcome::Pass,
                Observed::Fails { .. } => Outcome::Fail,
                _ => Outcome::Inconclusive,
            };
            match outcome {
                Outcome::Pass => counts.pass += 1,
                Outcome::Fail => counts.fail += 1,
                Outcome::Inconclusive => counts.inconclusive += 1,
            }
            is_cut |= may_go_on && outcome == Outcome::Inconclusive;
            counts.observations += result.observations as u64;
            counts.filtered += result.filtered as u64;
            counts.unfinished += u64::from(!result.finished && !may_go_on);
            self.state.conditional += u64::from(matches!(result.verdict, Observed::HoldsIf { .. }));
            outcomes.push(outcome);
        }
        for (text, count) in &found.filtered {
            self.state.filter(text.clone(), *count);
        }
        match ended {
            Ended::Quiet => self.state.cut_quiet += u64::from(is_cut),
            Ended::ForRoom => self.state.cut_for_room += u64::from(is_cut),
            Ended::ByTheModel | Ended::WithTheStream => {}
        }
        outcomes
    }

    /// Whether all roles of the model have logs.
    pub fn is_observed(&self) -> bool {
        let mut roles = self.model.roles().into_iter();
        roles.all(|role| {
            let name = self.terms.names.text(role.0);
            self.heads.iter().any(|it| it.role == name)
        })
    }

    /// What is found of one session by itself, with what it rests on.
    pub fn explain(
        &self,
        observations: &[Observation<'static>],
        terms: &mut Terms,
        with: (&mut dyn Solver, &Budget),
    ) -> Result<Audit, NotAudited> {
        let mut logs = self.heads.clone();
        for seen in observations {
            if let Some(log) = logs.iter_mut().find(|it| it.role == *seen.by) {
                log.observations.push(seen.clone());
            }
        }
        judged((&self.model, &logs, &self.how), terms, with)
    }
}

fn judged(
    (model, logs, how): (&Stg, &[Log], &Auditing),
    terms: &mut Terms,
    (solver, budget): (&mut dyn Solver, &Budget),
) -> Result<Audit, NotAudited> {
    audit(model, logs, how, terms, solver, budget)
}
