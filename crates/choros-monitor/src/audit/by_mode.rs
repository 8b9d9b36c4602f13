//! A role's own verdict where messages take their time: by the runs of the choreography in the mode that was asked for.
//!
//! By sendings a role may receive later than the choreography has it, and by receptions it may send earlier.
//! So its log conforms if some run shows it with such delays, whatever the other logs tell, and with as few assumptions
//! as can be made: the role need not wait, and only those channels keep their order of which both logs show it.
//! A log that no run shows does not conform, unless the role may have been wronged before it left all of them
//! (`delayed.rs`).
//! What was expected instead is every message that some run shows next: a role need not wait, so that may be more than
//! comes first in the choreography.

use choros_data::Term;
use choros_model::Evidence;
use choros_model::stg::{Direction, Role};

use super::automaton::View;
use super::delayed::{Alone, Delays};
use super::guilt::Part;
use super::judge::{Auditor, Subject, conforms};
use super::lack::Lack;
use super::run::Run;
use super::tale::{NOT_ALLOWED, of_role, place, wrong_at_the_end};
use super::tally::SessionResult;
use super::walk::{Stopped, Walk};
use super::{MessageMoment, Projection, Runs};

impl<'o> Auditor<'_, 'o, '_> {
    /// What a session gives for a role in the mode that was asked for, if it gives `known` without any delays.
    pub(super) fn by_mode(
        &mut self,
        walk: &mut Option<Walk<'o>>,
        role: Role,
        (run, log): (&Run<'o>, usize),
        known: SessionResult,
        part: Part,
    ) -> Result<SessionResult, Stopped> {
        let has_delays = self.how.reading != MessageMoment::Whole
            && self.how.projection == Projection::Remembering
            && Subject::of(self.model) == Subject::Messages;
        if !has_delays || (part == Part::Did && is_certain(&known)) {
            return Ok(known);
        }
        let walk = walk.get_or_insert_with(|| self.walk(View::Observed(&[role])));
        let delays = Delays::with(&self.orders_kept(run), false);
        let mut alone = self.alone(run, log, self.how.reading);
        let unfinished = alone.lack;
        let must_end = self.how.runs == Runs::MustBeFinished;
        let lacking = |beginning, gaps, end| Lack {
            beginning,
            gaps,
            end,
        };
        alone.lack = lacking(false, false, !must_end);
        let count = run.logs[log].len();
        if let Some(condition) = self.weakest(walk, &alone, count, &delays, must_end)? {
            alone.lack = lacking(false, false, false);
            let finished = must_end
                || match self.weakest(walk, &alone, count, &delays, true) {
                    // That it may have come to its end is worth knowing, and no more.
                    Err(Stopped::Spent(_)) => false,
                    found => found?.is_some(),
                };
            let ending = if finished { "" } else { ", unfinished" };
            let conclusion = conforms(condition, ending, self.ground.terms);
            return Ok(SessionResult::Conforms {
                condition,
                finished,
                evidence: Some(of_role(run, log, count, conclusion)),
            });
        }
        let SessionResult::Wrong(wrong) = known else {
            // Its log lacks something, or it was wronged.
            return Ok(known);
        };
        alone.lack = lacking(unfinished.beginning, unfinished.gaps, !must_end);
        let has_gaps = unfinished.beginning || unfinished.gaps;
        if has_gaps
            && self
                .weakest(walk, &alone, count, &delays, must_end)?
                .is_some()
        {
            let words = self.missing_words(&run.name, &[log]);
            return Ok(SessionResult::Either(words, wrong));
        }
        alone.lack = unfinished;
        if must_end && self.shown(walk, &alone, count, &delays)?.is_some() {
            let wrong = Evidence::Trace(self.ends_here(run, log, ", unfinished"));
            return Ok(match self.misled_words(run, log, count) {
                Some(reason) => SessionResult::Either(reason, wrong),
                None => SessionResult::Wrong(wrong),
            });
        }
        self.out_of_all_runs(walk, &alone, role, (run, log), &delays, part)
    }

    /// What the roles did in a session that does not conform by receptions, from what they did without any delays.
    ///
    /// A role is judged as long as it could expect what it received had nothing taken time, and what it sends is wrong
    /// only if no run shows it, however early it was sent.
    pub(super) fn parts_by_receptions(
        &mut self,
        run: &Run<'o>,
        roles: &[Option<Role>],
        without_delays: &[Part],
    ) -> Result<Vec<Part>, Stopped> {
        let mut parts = without_delays.to_vec();
        let nothing_held = Delays::with(&[], false);
        for (log, part) in parts.iter_mut().enumerate() {
            let (Some(role), Part::Guilty(left) | Part::Doubtful(left)) = (roles[log], *part)
            else {
                continue;
            };
            let alone = self.alone(run, log, MessageMoment::Receptions);
            let mut walk = self.walk(View::Observed(&[role]));
            match self.shown(&mut walk, &alone, left + 1, &nothing_held) {
                // It is not judged any more.
                Ok(Some(_)) => *part = Part::Early,
                Ok(None) => {}
                Err(Stopped::Spent(_)) => *part = Part::Unsure,
                Err(other) => return Err(other),
            }
        }
        Ok(parts)
    }

    /// The weakest condition under which a run shows a log, and ends with it if it must.
    fn weakest(
        &mut self,
        walk: &mut Walk<'o>,
        alone: &Alone<'_, 'o>,
        count: usize,
        delays: &Delays,
        must_end: bool,
    ) -> Result<Option<Term>, Stopped> {
        let mut found = Vec::new();
        for set in self.showing(walk, alone, count, delays, false)? {
            if !must_end || walk.may_end(set, &mut self.ground)? {
                found.push(set);
            }
        }
        self.any_of(walk, &found)
    }

    /// A log that no run shows.
    fn out_of_all_runs(
        &mut self,
        walk: &mut Walk<'o>,
        alone: &Alone<'_, 'o>,
        role: Role,
        (run, log): (&Run<'o>, usize),
        delays: &Delays,
        part: Part,
    ) -> Result<SessionResult, Stopped> {
        let (position, _) = self.leaves(walk, alone, delays)?;
        let sighting = &run.logs[log][position];
        let message = sighting.observation.shown(self.ground.terms);
        let told = |words: &str| {
            let conclusion = format!(
                "{}: {message} {words}",
                place(sighting.source, sighting.observation, &run.name)
            );
            of_role(run, log, position + 1, conclusion)
        };
        let is_unjudged = |words: &str| {
            let trace = told(words);
            SessionResult::Either(trace.conclusion.clone(), Evidence::Trace(trace))
        };
        let could_expect = match (self.how.reading, part) {
            (MessageMoment::Receptions, Part::Guilty(left) | Part::Wronged(left)) => {
                left == position
            }
            (MessageMoment::Receptions, _) => false,
            _ => {
                let fewest = Delays::fewest(self.alphabet.len());
                // Not even by what its log lacks should it have been wronged.
                let plain = alone.without_gaps();
                let condition = match self.shown(walk, &plain, position, &fewest)? {
                    Some(_) => self.shown(walk, alone, position, &fewest)?,
                    None => None,
                };
                // With other values it may have been wronged before.
                condition.is_some_and(|it| {
                    let redacted = self.ground.redacted.texts(it, self.ground.terms);
                    redacted.is_empty()
                })
            }
        };
        if !could_expect {
            return Ok(is_unjudged(
                "is in no run of the choreography, but a service need not expect the order of what came before; it is \
                 not judged",
            ));
        }
        if let Some(reason) = self.misled_words(run, log, position) {
            let trace = told(NOT_ALLOWED);
            return Ok(SessionResult::Either(reason, Evidence::Trace(trace)));
        }
        let is_received = sighting.observation.direction == Direction::Receive;
        if is_received && self.alphabet.letter(sighting.letter).carries {
            return Ok(is_unjudged(
                "is not what the choreography lets it expect; it is not judged from here on",
            ));
        }
        let sets = self.showing(walk, alone, position, delays, false)?;
        let (expected, departure) = self.expectations_of(walk, &sets, Some(role))?;
        let trace = told(&format!(
            "{NOT_ALLOWED}, however long messages take; expected {expected}"
        ));
        let trace = wrong_at_the_end(trace, departure);
        Ok(SessionResult::Wrong(Evidence::Trace(trace)))
    }
}

/// Whether a log conforms whatever the parameters are.
fn is_certain(known: &SessionResult) -> bool {
    matches!(
        known,
        SessionResult::Conforms {
            condition: Term::TRUE,
            ..
        }
    )
}
