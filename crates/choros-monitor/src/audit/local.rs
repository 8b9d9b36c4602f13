//! Local conformance: what one role saw, against its part of the model.

use choros_data::Term;
use choros_model::Evidence;
use choros_model::evidence::Trace;
use choros_model::stg::Role;

use super::automaton::View;
use super::commuting::Act;
use super::guilt::Part;
use super::judge::{Auditor, conforms, settled, torn_outcome};
use super::run::{At, Run};
use super::tale::{NOT_ALLOWED, of_role, place, wrong_at_the_end};
use super::tally::{PartTally, SessionResult, Tally};
use super::timing::{RoleClock, measures};
use super::walk::{SetId, Stopped, Walk};
use super::{Projection, Runs, plan};

/// How far a log was walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walked {
    /// To its end, where the model stands in this set.
    Through(SetId),
    /// To an observation that leads nowhere from this set.
    Stuck(usize, SetId),
}

impl<'o> Auditor<'_, 'o, '_> {
    /// Local conformance of one role.
    pub(super) fn local(&mut self, number: usize, view: View<'_>) -> Result<PartTally, Stopped> {
        let mut walk = self.walk(view);
        let mut knowing = match view {
            View::Of(role) => Some(self.walk(View::Knows(role))),
            _ => None,
        };
        let mut alone = None;
        let role = self.ground.terms.names.get(self.roles[number].role);
        let clock = role.and_then(|it| RoleClock::of(self.timed, Role(it), self.alphabet));
        if clock.is_none() && role.is_some_and(|it| measures(self.timed, Role(it))) {
            self.times.without_unit(self.roles[number].role);
        }
        let mut tally = Tally::new();
        let mut observations = 0;
        for run in self.runs {
            observations += run.logs[number].len();
            let torn = run.torn.iter().any(|(role, _)| *role == number);
            let part = match &mut knowing {
                Some(knowing) if !torn && self.adrift[number] == 0 => {
                    self.part(knowing, run, number)?
                }
                _ => Part::Unsure,
            };
            let part = match view {
                View::Of(role) => self.blamed(role, run, number, part)?,
                _ => part,
            };
            self.parts[number].push(part);
            let outcome = match run.torn.iter().find(|(role, _)| *role == number) {
                Some((_, sources)) => Ok(torn_outcome(run, number, *sources)),
                None => self.role_in_session(&mut walk, run, number, part),
            };
            let mut outcome = settled(outcome)?;
            if let (SessionResult::Conforms { .. }, Part::Did, Some(knowing)) =
                (&outcome, part, &mut knowing)
                && self.how.projection == Projection::Remembering
            {
                match self.lacks_by_knowledge(knowing, run, number) {
                    Ok(None) => {}
                    Ok(Some(other)) => outcome = other,
                    Err(stopped) => outcome = settled(Err(stopped))?,
                }
            }
            if let (View::Of(role), false) = (view, torn) {
                let found = self.by_mode(&mut alone, role, (run, number), outcome, part);
                outcome = settled(found)?;
            }
            let mut outcome = self.clear(outcome, run, &[number])?;
            let mut untimely = None;
            if let (Some(clock), false) = (&clock, torn) {
                (outcome, untimely) = self.by_its_clock(clock, (run, number), outcome);
            }
            self.untimely[number].push(untimely);
            tally.add(&run.name, run.place, outcome);
        }
        Ok(PartTally {
            name: self.roles[number].role.to_owned(),
            tally,
            observations,
            adrift: self.adrift[number],
        })
    }

    fn role_in_session(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
        part: Part,
    ) -> Result<SessionResult, Stopped> {
        let sightings = &run.logs[log];
        let part = match self.how.projection {
            Projection::Remembering => part,
            Projection::Natural => Part::Unsure,
        };
        let walked = self.walk_log(walk, run, log, &[])?;
        if let Some(mut outcome) = self.by_knowledge(run, log, part, walked) {
            if let (Part::Wronged(position), SessionResult::Conforms { condition, .. }) =
                (part, &mut outcome)
            {
                *condition = self.under_redaction(walk, run, (log, position))?;
            }
            return Ok(outcome);
        }
        let set = match walked {
            Walked::Through(set) => set,
            Walked::Stuck(position, before) => {
                let sighting = &sightings[position];
                let (expected, departure) = self.expectations(walk, before)?;
                let conclusion = format!(
                    "{}: {} {NOT_ALLOWED}; expected {expected}",
                    place(sighting.source, sighting.observation, &run.name),
                    sighting.observation.shown(self.ground.terms)
                );
                let trace = of_role(run, log, position + 1, conclusion);
                let wrong = Evidence::Trace(wrong_at_the_end(trace, departure));
                if let Some(reason) = self.misled_words(run, log, position) {
                    return Ok(SessionResult::Either(reason, wrong));
                }
                if let Part::Guilty(_) = part {
                    // By what the role knows nothing that is missing makes it right.
                    return Ok(SessionResult::Wrong(wrong));
                }
                return self.or_missing(walk, run, log, wrong);
            }
        };
        let finished = walk.may_end(set, &mut self.ground)?;
        let condition = walk.condition(set, &mut self.ground)?;
        let ending = if finished {
            String::new()
        } else {
            format!(", unfinished: expected {}", self.expected(walk, set)?)
        };
        if !finished && self.how.runs == Runs::MustBeFinished {
            let wrong = Evidence::Trace(self.ends_here(run, log, &ending));
            return match self.misled_words(run, log, sightings.len()) {
                Some(reason) => Ok(SessionResult::Either(reason, wrong)),
                None => self.or_missing(walk, run, log, wrong),
            };
        }
        let conclusion = conforms(condition, &ending, self.ground.terms);
        Ok(SessionResult::Conforms {
            condition,
            finished,
            evidence: Some(of_role(run, log, sightings.len(), conclusion)),
        })
    }

    /// The condition on redacted values under which a log conforms up to and with an observation.
    fn under_redaction(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        (log, last): At,
    ) -> Result<Term, Stopped> {
        if self.ground.redacted.is_empty() {
            return Ok(Term::TRUE);
        }
        let mut set = self.before_log(walk, log, &[])?;
        for position in 0..=last {
            set = self.step_of_log(walk, run, (log, position), set, &[])?;
        }
        let condition = walk.condition(set, &mut self.ground)?;
        let texts = self.ground.redacted.texts(condition, self.ground.terms);
        Ok(if texts.is_empty() {
            Term::TRUE
        } else {
            condition
        })
    }

    /// A log that, by what the role knows, is in L(r) only with what it may lack, or does not end there.
    fn lacks_by_knowledge(
        &mut self,
        knowing: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
    ) -> Result<Option<SessionResult>, Stopped> {
        let lack = self.lacks[log];
        let must_end = self.how.runs == Runs::MustBeFinished;
        if !lack.gaps && !lack.beginning && !must_end {
            return Ok(None);
        }
        let wrong = match self.walk_log(knowing, run, log, &[])? {
            Walked::Stuck(position, before) => {
                let sighting = &run.logs[log][position];
                let (expected, departure) = self.expectations(knowing, before)?;
                let conclusion = format!(
                    "{}: {} {NOT_ALLOWED}; expected {expected}",
                    place(sighting.source, sighting.observation, &run.name),
                    sighting.observation.shown(self.ground.terms)
                );
                let trace = of_role(run, log, position + 1, conclusion);
                let wrong = Evidence::Trace(wrong_at_the_end(trace, departure));
                if let Some(reason) = self.misled_words(run, log, position) {
                    return Ok(Some(SessionResult::Either(reason, wrong)));
                }
                wrong
            }
            Walked::Through(set) if must_end && !knowing.may_end(set, &mut self.ground)? => {
                let ending = format!(", unfinished: expected {}", self.expected(knowing, set)?);
                Evidence::Trace(self.ends_here(run, log, &ending))
            }
            Walked::Through(_) => return Ok(None),
        };
        self.or_missing(knowing, run, log, wrong).map(Some)
    }

    /// A log after which the run must continue.
    pub(super) fn ends_here(&self, run: &Run<'o>, log: usize, ending: &str) -> Trace {
        let place = match run.logs[log].last() {
            Some(last) => place(last.source, last.observation, &run.name),
            None => self.roles[log].sources.join(", "),
        };
        let conclusion = format!("{place}: the log ends here{ending}");
        of_role(run, log, run.logs[log].len(), conclusion)
    }

    /// What a role's knowledge says of its log, where its natural projection does not decide.
    fn by_knowledge(
        &self,
        run: &Run<'o>,
        log: usize,
        part: Part,
        walked: Walked,
    ) -> Option<SessionResult> {
        let stuck = match walked {
            Walked::Through(_) => usize::MAX,
            Walked::Stuck(position, _) => position,
        };
        let told = |position: usize, words: &str| {
            let sighting = &run.logs[log][position];
            let conclusion = format!(
                "{}: {} {words}",
                place(sighting.source, sighting.observation, &run.name),
                sighting.observation.shown(self.ground.terms)
            );
            of_role(run, log, position + 1, conclusion)
        };
        match part {
            Part::Guilty(position) if position < stuck => {
                let trace = told(position, "is not what the choreography lets it send here");
                let wrong = Evidence::Trace(trace);
                Some(match self.misled_words(run, log, position) {
                    Some(reason) => SessionResult::Either(reason, wrong),
                    None => SessionResult::Wrong(wrong),
                })
            }
            Part::Doubtful(position) => {
                let words = "is not what the choreography lets it send here, unless it was wronged before, which depends \
                             on what its log lacks";
                let trace = told(position, words);
                let reason = trace.conclusion.clone();
                Some(SessionResult::Either(reason, Evidence::Trace(trace)))
            }
            Part::Unclear(position) => {
                let reason = self.unclear_because.clone().unwrap_or_default();
                let trace = of_role(run, log, position + 1, reason.clone());
                Some(SessionResult::Either(reason, Evidence::Trace(trace)))
            }
            Part::Wronged(position)
                if position < stuck || self.is_refusal(run.logs[log][position].letter) =>
            {
                let words =
                    "is not what the choreography lets it expect; it is not judged from here on";
                let trace = told(position, words);
                Some(match position {
                    0 => SessionResult::Either(trace.conclusion.clone(), Evidence::Trace(trace)),
                    _ => SessionResult::Conforms {
                        condition: Term::TRUE,
                        finished: false,
                        evidence: Some(trace),
                    },
                })
            }
            _ => None,
        }
    }

    /// Follows a log; any of `unseen` may have happened without being in it, where it may lack something.
    pub(super) fn walk_log(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
        unseen: &[Act],
    ) -> Result<Walked, Stopped> {
        let mut set = self.before_log(walk, log, unseen)?;
        for position in 0..run.logs[log].len() {
            let after = self.step_of_log(walk, run, (log, position), set, unseen)?;
            if after == SetId::EMPTY {
                return Ok(Walked::Stuck(position, set));
            }
            set = after;
        }
        Ok(Walked::Through(set))
    }

    /// Where the model may stand before the first observation of a log.
    pub(super) fn before_log(
        &mut self,
        walk: &mut Walk<'o>,
        log: usize,
        unseen: &[Act],
    ) -> Result<SetId, Stopped> {
        let lack = self.lacks[log];
        let set = walk.start(&mut self.ground)?;
        if lack.beginning || lack.gaps {
            walk.unseen(set, unseen, &mut self.ground)
        } else {
            Ok(set)
        }
    }

    /// Where it may stand after one observation.
    pub(super) fn step_of_log(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        (log, position): At,
        set: SetId,
        unseen: &[Act],
    ) -> Result<SetId, Stopped> {
        self.ground.budget.spend()?;
        let sighting = &run.logs[log][position];
        let observation = sighting.observation;
        let seen = walk.see(
            sighting.letter,
            observation.direction,
            vec![observation],
            self.alphabet,
        );
        let after = walk.after(set, seen, &mut self.ground)?;
        if self.lacks[log].gaps {
            walk.unseen(after, unseen, &mut self.ground)
        } else {
            Ok(after)
        }
    }

    /// A log that does not conform, unless something is missing from it.
    fn or_missing(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
        wrong: Evidence,
    ) -> Result<SessionResult, Stopped> {
        let lack = self.lacks[log];
        if !lack.gaps && !lack.beginning {
            return Ok(SessionResult::Wrong(wrong));
        }
        let unseen = plan::all_acts(self.alphabet);
        let missing = match self.walk_log(walk, run, log, &unseen)? {
            Walked::Stuck(..) => false,
            Walked::Through(set) => {
                self.how.runs == Runs::MayBeUnfinished || walk.may_end(set, &mut self.ground)?
            }
        };
        Ok(if missing {
            SessionResult::Either(self.missing_words(&run.name, &[log]), wrong)
        } else {
            SessionResult::Wrong(wrong)
        })
    }
}
