//! Who is guilty where logs do not conform.
//!
//! Let L(r) be the projection on a role *r* of the runs of the choreography.
//! After a history *h* in L(r) the role *guarantees* that what it sends keeps it there, and may *assume* the same of
//! what it receives.
//! It is guilty if its own log has a prefix in L(r) and then a sending that leaves it; after an assumption of its was
//! broken it is not judged any more.
//! So a role that does its part is never guilty, whatever the others do.
//!
//! Who received a message outside the model may have been misled by it: it is one of those who may be guilty, and so is
//! the sender (`outside.rs`).
//!
//! A log with gaps may lack the reception that broke an assumption.
//! So a role with gaps is only one that may be guilty, if
//! another role left its part, unless that reached it too late;
//! if another log tells of a message that was sent to it and that its own log lacks;
//! if a role that sends to it has no log, or if the logs of both begin late;
//! if it received something before, and one of the last two is true of a message that it sent: sent earlier, that one
//! may make what it received one that it could not expect;
//! or if it was wronged before should nothing be missing.
//!
//! The walk that computes L(r) keeps all standings of the choreography with unknown values for what the role does not
//! know: they are shared along the history, and a value that is bound again is another one.
//! Where messages are judged by their sendings, receptions may come later than the choreography has them (`delayed.rs`).
//! Where they are judged by their receptions, a role is guilty if no run has what it sent, whenever that arrives; the
//! order in which messages arrive is no one's doing.

use choros_base::Name;
use choros_model::stg::{Direction, Role};

use super::MessageMoment;
use super::alphabet::LetterId;
use super::commuting::Act;
use super::conditions::Conditions;
use super::judge::{Auditor, Subject};
use super::local::Walked;
use super::plan::all_acts;
use super::run::{At, Run, Tied, tie};
use super::tale::place;
use super::walk::{Stopped, Walk};

/// Who is guilty, and who may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blame {
    /// Roles that left the choreography by what they sent, each with its first such message.
    pub guilty: Vec<GuiltyParty>,
    /// Roles of which some logs are missing and that may be, where no log shows who is.
    pub may_be: Vec<String>,
    /// The one guilty role is the only one that can be: all others were observed.
    pub alone: bool,
    /// Sessions that do not conform although every role did its part: the choreography cannot avoid it.
    pub races: usize,
}

/// A guilty role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuiltyParty {
    pub role: String,
    /// Where its log shows it.
    pub place: String,
    /// What it sent.
    pub message: String,
}

/// What was found about all roles together in a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Globally {
    pub(super) failed: bool,
    /// Because of the order of messages, and not because they changed, crossed or are missing.
    pub(super) by_order: bool,
    pub(super) reading: MessageMoment,
}

/// What a role did in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Its part, as far as its log goes.
    Did,
    /// It sent what it must not.
    Guilty(usize),
    /// It received what it could not expect.
    Wronged(usize),
    /// It sent what it must not, unless it received what it could not expect before: that depends on the gaps of its
    /// log.
    Doubtful(usize),
    /// It sent before it had received what comes first, which receptions allow.
    Early,
    /// It received what it could not expect or sent what it must not: redacted values would say which.
    Unclear(usize),
    /// A bound was met.
    Unsure,
}

impl<'o> Auditor<'_, 'o, '_> {
    /// What a role did, by everything that it may know.
    pub(super) fn part(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
    ) -> Result<Part, Stopped> {
        let unseen = all_acts(self.alphabet);
        Ok(match self.walk_log(walk, run, log, &unseen) {
            Ok(Walked::Through(_)) => match self.first_unclear(walk, run, log, None, &unseen)? {
                Some(unclear) => Part::Unclear(unclear),
                None => Part::Did,
            },
            Ok(Walked::Stuck(position, _)) => {
                let direction = run.logs[log][position].observation.direction;
                match (
                    self.first_unclear(walk, run, log, Some(position), &unseen)?,
                    direction,
                ) {
                    (Some(unclear), _) => Part::Unclear(unclear),
                    (None, Direction::Receive) => Part::Wronged(position),
                    (None, Direction::Send | Direction::Interaction) => {
                        self.guilty_or_doubtful(walk, run, (log, position))?
                    }
                }
            }
            Err(Stopped::Spent(_)) => Part::Unsure,
            Err(other) => return Err(other),
        })
    }

    /// A role whose log lacks nothing may have been wronged by what is in it, before it did wrong whatever is missing.
    fn guilty_or_doubtful(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        (log, position): At,
    ) -> Result<Part, Stopped> {
        let lack = self.lacks[log];
        if !lack.gaps && !lack.beginning {
            return Ok(Part::Guilty(position));
        }
        Ok(match self.walk_log(walk, run, log, &[])? {
            Walked::Stuck(first, _)
                if first < position
                    && run.logs[log][first].observation.direction == Direction::Receive =>
            {
                Part::Doubtful(position)
            }
            _ => Part::Guilty(position),
        })
    }

    /// Where a log may have left L(r), depending on redacted values, before it left it for all of them, if it did; only
    /// where that would be told in other words.
    ///
    /// Had it sent what it must not it would be guilty; had it received what it could not expect it would not be judged
    /// after that, or not at all.
    fn first_unclear(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
        stuck: Option<usize>,
        unseen: &[Act],
    ) -> Result<Option<usize>, Stopped> {
        if self.ground.redacted.is_empty() {
            return Ok(None);
        }
        let sightings = &run.logs[log];
        let is_received =
            |position: usize| sightings[position].observation.direction == Direction::Receive;
        let mut set = self.before_log(walk, log, unseen)?;
        let mut before = walk.condition(set, &mut self.ground)?;
        for position in 0..stuck.unwrap_or(sightings.len()) {
            set = self.step_of_log(walk, run, (log, position), set, unseen)?;
            let after = walk.condition(set, &mut self.ground)?;
            let differs = match stuck {
                None => !is_received(position) || position == 0,
                Some(stuck) => is_received(position) || is_received(stuck),
            };
            let ground = &mut self.ground;
            let not_after = ground.terms.not(after);
            let left = ground.terms.and([before, not_after]);
            if differs
                && !ground.redacted.texts(left, ground.terms).is_empty()
                && Conditions::default().possible(left, ground)?
            {
                self.unclear_because = self.depends_on_redacted(left, run, &[log])?;
                return Ok(Some(position));
            }
            before = after;
        }
        Ok(None)
    }

    /// The roles without logs that may be guilty: those from which some log has received something, and those that may
    /// have sent something to one of them. What any other role without a log did reached no role that has one.
    fn suspects(&self, run: &Run<'o>, unobserved: &[Role]) -> Vec<String> {
        let text = |role: Role| self.ground.terms.names.text(role.0).to_owned();
        let received: Vec<Role> = run
            .logs
            .iter()
            .flatten()
            .filter(|it| it.observation.direction == Direction::Receive)
            .map(|it| Role(self.alphabet.letter(it.letter).from))
            .collect();
        let mut suspects: Vec<Role> = unobserved.to_vec();
        suspects.retain(|role| received.contains(role));
        loop {
            let sends_on = |role: &Role| {
                let mut messages = self.model.messages();
                messages.any(|it| it.from == *role && suspects.contains(&it.to))
            };
            let more = unobserved
                .iter()
                .copied()
                .find(|role| !suspects.contains(role) && sends_on(role));
            match more {
                Some(role) => suspects.push(role),
                None => break,
            }
        }
        let in_order = unobserved.iter().copied();
        in_order
            .filter(|it| suspects.contains(it))
            .map(text)
            .collect()
    }

    /// The roles that may have been wronged in a gap of their logs: what they sent after that would be no fault of
    /// theirs.
    fn may_have_been_wronged(&self, parts: &[Part], run: &Run<'o>, tied: &Tied) -> Vec<bool> {
        let left = |part: &Part| match part {
            Part::Guilty(position) | Part::Doubtful(position) => Some(*position),
            _ => None,
        };
        // What another role sent when it left its part; what was received later came too late to mislead.
        let excuses = |log: usize, position: usize, other: usize| {
            let Some(wrong) = left(&parts[other]).filter(|_| other != log) else {
                return false;
            };
            let mut sent = tied
                .exchanges
                .iter()
                .filter(|it| it.sent == Some((other, wrong)));
            sent.all(|it| {
                let is_later = |(by, at): At| by == log && at > position;
                !it.received.is_some_and(is_later) || tied.by_order.contains(&it.letter)
            })
        };
        let of = |(log, part): (usize, &Part)| {
            let has_gaps = self.lacks[log].gaps || self.lacks[log].beginning;
            let Some(position) = left(part).filter(|_| has_gaps) else {
                return false;
            };
            let before = &run.logs[log][..position];
            let was_told = before
                .iter()
                .any(|it| it.observation.direction == Direction::Receive);
            (0..parts.len()).any(|other| excuses(log, position, other))
                || self.may_lack(run, tied, log, Direction::Receive)
                || was_told && self.may_lack(run, tied, log, Direction::Send)
        };
        parts.iter().enumerate().map(of).collect()
    }

    /// Whether a log with gaps may lack a message that its role received or sent: one that another log tells of, or one
    /// of a role whose log would not tell of it either.
    ///
    /// That both ends of a message fell into gaps is not assumed, unless one record tells of both.
    fn may_lack(&self, run: &Run<'o>, tied: &Tied, log: usize, direction: Direction) -> bool {
        let names = &self.ground.terms.names;
        let role = self.roles[log].role;
        let is_received = direction == Direction::Receive;
        let ends = |from: Name, to: Name| if is_received { (to, from) } else { (from, to) };
        let is_own = |letter: LetterId| {
            let letter = self.alphabet.letter(letter);
            names.text(ends(letter.from, letter.to).0) == role
        };
        let mut exchanges = tied.exchanges.iter();
        let is_told_elsewhere = exchanges.any(|it| {
            let is_missing = if is_received {
                it.is_on_its_way()
            } else {
                it.sent.is_none()
            };
            is_missing && it.lacking == Some(log)
        });
        let mut by_order = tied.by_order.iter();
        let mut outside = run.outside.iter();
        let may_not_tell = |other: Name| {
            let other = names.text(other);
            let logged = self.roles.iter().position(|it| it.role == other);
            logged.is_none_or(|other| {
                // Logs that begin late lack the same time, and where one record tells of both ends both are lost.
                let lack = self.lacks[other];
                let is_lost_with_it = || run.shares_records(tied, log, other);
                lack.beginning || lack.gaps && (self.lacks[log].beginning || is_lost_with_it())
            })
        };
        let mut messages = self.model.messages();
        is_told_elsewhere
            || by_order.any(|&letter| is_own(letter))
            || is_received && outside.any(|it| it.observation.to == role)
            || messages.any(|it| {
                let (own, other) = ends(it.from.0, it.to.0);
                names.text(own) == role && may_not_tell(other)
            })
    }

    /// The roles whose messages to another may be lost at both ends.
    fn lost_with(&self, run: &Run<'o>, tied: &Tied, log: usize) -> Vec<String> {
        let names = &self.ground.terms.names;
        let is_lost = |other: usize| {
            let role = |log: usize| self.roles[log].role;
            let mut messages = self.model.messages();
            self.lacks[other].gaps
                && run.shares_records(tied, log, other)
                && messages.any(|it| {
                    names.text(it.from.0) == role(other) && names.text(it.to.0) == role(log)
                })
        };
        let others = (0..self.roles.len()).filter(|&other| other != log && is_lost(other));
        others.map(|it| self.roles[it].role.to_owned()).collect()
    }

    /// Who is guilty, once all roles and the whole were judged.
    pub(super) fn blame(&mut self) -> Result<Blame, Stopped> {
        let (blame, excused) = self.suspicions()?;
        Ok(self.concluded(blame, excused))
    }

    /// The roles that the logs show to be guilty, or that may be where no log shows it; and apart from them those that
    /// a log shows, and that may have been wronged before.
    pub(super) fn suspicions(&mut self) -> Result<(Blame, Vec<String>), Stopped> {
        let mut blame = Blame::default();
        if self.globally.len() != self.runs.len() || self.is_keyless {
            // The model of one role says nothing about others, and sessions that are mixed up about no one.
            return Ok((blame, Vec::new()));
        }
        let all: Vec<Role> = self.model.roles().to_vec();
        let names = &self.ground.terms.names;
        let observed: Vec<Option<Role>> = self
            .roles
            .iter()
            .map(|logged| names.get(logged.role).map(Role))
            .collect();
        let unobserved: Vec<Role> = all
            .iter()
            .copied()
            .filter(|&role| !observed.contains(&Some(role)))
            .collect();
        // A role that the model does not speak of has no part in it.
        let taking_part: Vec<Option<Role>> = observed
            .iter()
            .map(|role| role.filter(|role| all.contains(role)))
            .collect();
        let is_of_messages = Subject::of(self.model) == Subject::Messages;
        // Who has gaps in its log may have sent anything there.
        let mut lacks = self.lacks.iter();
        let is_whole = lacks.all(|it| !it.gaps && !it.beginning);
        let ends = self.ends();
        let mut excused = Vec::new();
        for (number, run) in self.runs.iter().enumerate() {
            self.blame_untimely(number, run, &mut blame);
            let Globally {
                failed,
                by_order,
                reading,
            } = self.globally[number];
            let takes_time = reading != MessageMoment::Whole && is_of_messages;
            if (takes_time && !failed) || (reading == MessageMoment::Receptions && !is_of_messages)
            {
                // Some run shows every log, so no role left its part.
                continue;
            }
            let whole = taking_part.iter().zip(&self.parts);
            let whole = whole.map(|(role, parts)| match role {
                None => Part::Did,
                Some(_) => parts.get(number).copied().unwrap_or(Part::Unsure),
            });
            let whole: Vec<Part> = whole.collect();
            let parts = match reading {
                MessageMoment::Sendings if takes_time => {
                    let is_complete = by_order && is_whole && unobserved.is_empty();
                    self.parts_by_sendings(run, &taking_part, is_complete)?
                }
                MessageMoment::Receptions => self.parts_by_receptions(run, &taking_part, &whole)?,
                MessageMoment::Sendings | MessageMoment::Whole => whole,
            };
            let (mut found, mut unsure, mut early) = (false, false, Vec::new());
            let tied = tie(run, &ends);
            let lost = self.may_have_been_wronged(&parts, run, &tied);
            for (log, part) in parts.into_iter().enumerate() {
                unsure |= matches!(part, Part::Unsure | Part::Unclear(_));
                if part == Part::Early {
                    early.push(self.roles[log].role.to_owned());
                }
                let (Part::Guilty(position) | Part::Doubtful(position)) = part else {
                    continue;
                };
                found = true;
                let role = self.roles[log].role;
                if lost[log] || matches!(part, Part::Doubtful(_)) {
                    // Those without logs that may have wronged it in a gap may be, too.
                    let names = &self.ground.terms.names;
                    let sends_to = |it: &&Role| {
                        let mut messages = self.model.messages();
                        messages
                            .any(|message| message.from == **it && names.text(message.to.0) == role)
                    };
                    let senders = unobserved.iter().filter(sends_to);
                    excused.extend(senders.map(|it| names.text(it.0).to_owned()));
                    excused.push(role.to_owned());
                    excused.extend(self.may_have_wronged(run, log, position));
                    excused.extend(self.lost_with(run, &tied, log));
                    continue;
                }
                if let Some(outsider) = self.misled_by(run, log, position) {
                    excused.push(outsider.observation.from.to_string());
                    excused.push(role.to_owned());
                    continue;
                }
                let sighting = &run.logs[log][position];
                if !blame.guilty.iter().any(|it| it.role == role) {
                    blame.guilty.push(GuiltyParty {
                        role: role.to_owned(),
                        place: place(sighting.source, sighting.observation, &run.name),
                        message: sighting.observation.shown(self.ground.terms),
                    });
                }
            }
            if found || unsure || !failed || !by_order {
                continue;
            }
            // No log shows who it was: someone who has none, or whose log does not tell of what others received.
            let mut may_be = self.suspects(run, &unobserved);
            may_be.append(&mut early);
            for exchange in &tied.exchanges {
                if let (None, Some(log)) = (exchange.sent, exchange.lacking) {
                    may_be.push(self.roles[log].role.to_owned());
                }
            }
            blame.races += usize::from(is_whole && may_be.is_empty());
            for role in may_be {
                if !blame.may_be.contains(&role) {
                    blame.may_be.push(role);
                }
            }
        }
        Ok((blame, excused))
    }

    /// Adds the roles that acted at a wrong time by their own clocks.
    fn blame_untimely(&self, number: usize, run: &Run<'o>, blame: &mut Blame) {
        for (log, sessions) in self.untimely.iter().enumerate() {
            let Some(position) = sessions.get(number).copied().flatten() else {
                continue;
            };
            let role = self.roles[log].role;
            if blame.guilty.iter().all(|it| it.role != role) {
                let sighting = &run.logs[log][position];
                blame.guilty.push(GuiltyParty {
                    role: role.to_owned(),
                    place: place(sighting.source, sighting.observation, &run.name),
                    message: sighting.observation.shown(self.ground.terms),
                });
            }
        }
    }

    /// Who is guilty and who may be, after all sessions.
    pub(super) fn concluded(&self, mut blame: Blame, excused: Vec<String>) -> Blame {
        for role in excused {
            let is_named = blame.guilty.iter().any(|it| it.role == role);
            if !is_named && !blame.may_be.contains(&role) {
                blame.may_be.push(role);
            }
        }
        let names = &self.ground.terms.names;
        let is_observed = |role: &Role| {
            let mut observed = self.roles.iter();
            observed.any(|it| names.get(it.role) == Some(role.0))
        };
        let all_observed = self.model.roles().iter().all(is_observed);
        blame.alone = blame.guilty.len() == 1 && all_observed && blame.may_be.is_empty();
        blame
    }
}
