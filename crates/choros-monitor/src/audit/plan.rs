//! The messages of a session, ready to be ordered.
//!
//! A message happens at places of logs, by [`MessageMoment`]: where it was sent, where it was received, or both at once.
//! A message that was received was sent, and one of which a log tells only one end stands for the whole; the log of
//! the other end must then be at a point where it may lack something ([`Lack`]).
//! When *completions* are examined, such a message may also have been sent at another time than it was seen, which is
//! a place in a log of its own.
//! A message that was sent and is not in the log of its receiver arrives: when that log has come to its end.

use choros_model::stg::Direction;

use super::MessageMoment;
use super::alphabet::{Alphabet, LetterId};
use super::commuting::{Act, Commuting};
use super::lack::Lack;
use super::run::{At, Exchange, Run};
use super::walk::{SeenId, Walk};

/// What an observation means for the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// It is passed without anything happening.
    Passes,
    /// The message happens here.
    Happens(usize),
    /// It is passed once the message has happened.
    Follows(usize),
}

/// What is asked of the messages of a session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'q> {
    pub(crate) reading: MessageMoment,
    /// Whether messages may be added.
    pub(crate) completing: bool,
    /// What each log may lack.
    pub(crate) lacks: &'q [Lack],
    /// For each letter the logs of its ends.
    pub(crate) ends: &'q [(Option<usize>, Option<usize>)],
}

/// The messages of a session, ready to be ordered.
pub(crate) struct Plan<'q> {
    asked: Asked<'q>,
    pub(crate) seen: Vec<SeenId>,
    acts: Vec<Act>,
    /// For each log, what each observation means; after the logs of roles those of single messages.
    marks: Vec<Vec<Mark>>,
    /// For each message the places where it happens.
    happens: Vec<Vec<At>>,
    /// For each message a place that must have been passed before it happens.
    needs: Vec<Option<At>>,
    /// For each message a log that must be at a point where it may lack something.
    lacking: Vec<Option<usize>>,
    /// For each log and message: the last position where it happens there alone, and with another log.
    last: Vec<Vec<(Option<u32>, Option<u32>)>>,
    /// The logs in which each message happens.
    happens_in: Vec<Vec<usize>>,
}

/// All messages, as wholes and at their ends.
pub(crate) fn all_acts(alphabet: &Alphabet) -> Vec<Act> {
    let directions = [Direction::Interaction, Direction::Send, Direction::Receive];
    (0..alphabet.len() as u32)
        .flat_map(|letter| directions.map(|direction| (LetterId(letter), direction)))
        .collect()
}

/// A number for a message as a whole or one of its ends.
fn number((letter, direction): Act) -> usize {
    3 * letter.index()
        + match direction {
            Direction::Interaction => 0,
            Direction::Send => 1,
            Direction::Receive => 2,
        }
}

/// Where a message happens, what is passed freely, and what is passed once it has happened.
struct Places {
    happens: Vec<At>,
    /// In a log of its own.
    apart: bool,
    passes: Option<At>,
    follows: Option<At>,
}

impl Places {
    fn at(happens: impl IntoIterator<Item = At>) -> Places {
        Places {
            happens: happens.into_iter().collect(),
            apart: false,
            passes: None,
            follows: None,
        }
    }

    fn apart() -> Places {
        Places {
            apart: true,
            ..Places::at([])
        }
    }

    fn of(exchange: &Exchange, asked: &Asked<'_>) -> Places {
        if exchange.direction != Direction::Interaction {
            return match exchange.sent.or(exchange.received) {
                Some(at) => Places::at([at]),
                None => Places::apart(),
            };
        }
        let completing = asked.completing;
        match (asked.reading, exchange.sent, exchange.received) {
            (MessageMoment::Whole, Some(sent), None) if exchange.is_stray => Places {
                passes: Some(sent),
                ..Places::at([])
            },
            (MessageMoment::Receptions, Some(sent), None)
                if completing || exchange.lacking.is_some() =>
            {
                Places {
                    passes: Some(sent),
                    ..Places::apart()
                }
            }
            (MessageMoment::Sendings, None, Some(received)) if completing => Places {
                follows: Some(received),
                ..Places::apart()
            },
            (MessageMoment::Sendings, Some(sent), received) => Places {
                follows: received,
                ..Places::at([sent])
            },
            (MessageMoment::Receptions, sent, Some(received)) => Places {
                passes: sent,
                ..Places::at([received])
            },
            (_, sent, received) => Places::at(sent.into_iter().chain(received)),
        }
    }
}

impl<'q> Plan<'q> {
    pub(crate) fn new<'o>(
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        exchanges: &[Exchange],
        asked: Asked<'q>,
        alphabet: &Alphabet,
    ) -> Plan<'q> {
        let mut plan = Plan {
            asked,
            seen: Vec::new(),
            acts: Vec::new(),
            marks: run
                .logs
                .iter()
                .map(|log| vec![Mark::Passes; log.len()])
                .collect(),
            happens: Vec::new(),
            needs: Vec::new(),
            lacking: Vec::new(),
            last: Vec::new(),
            happens_in: vec![Vec::new(); 3 * alphabet.len()],
        };
        for (index, exchange) in exchanges.iter().enumerate() {
            let reports = exchange.reports(run);
            let (letter, direction) = (exchange.letter, exchange.direction);
            plan.seen
                .push(walk.see(letter, direction, reports, alphabet));
            plan.acts.push((letter, direction));
            let mut places = Places::of(exchange, &asked);
            if places.apart {
                places.happens.push((plan.marks.len(), 0));
                plan.marks.push(vec![Mark::Passes]);
            }
            for &(log, position) in &places.happens {
                plan.marks[log][position] = Mark::Happens(index);
            }
            if let Some((log, position)) = places.follows {
                plan.marks[log][position] = Mark::Follows(index);
            }
            plan.needs.push(places.passes);
            plan.lacking.push(exchange.lacking.filter(|&log| {
                let whole = exchange.direction == Direction::Interaction;
                match asked.reading {
                    // It may be received later, unless the run has come to its end.
                    MessageMoment::Sendings if whole && exchange.sent.is_some() => {
                        !asked.lacks[log].end
                    }
                    // It may have been sent before the log of its sender begins.
                    MessageMoment::Receptions if whole && exchange.sent.is_none() => {
                        !asked.lacks[log].beginning
                    }
                    _ => true,
                }
            }));
            plan.happens.push(places.happens);
        }
        plan.last = vec![vec![(None, None); 3 * alphabet.len()]; plan.marks.len()];
        for (index, exchange) in exchanges.iter().enumerate() {
            let act = number(plan.acts[index]);
            for &(log, position) in &plan.happens[index] {
                let last = &mut plan.last[log][act];
                let last = match plan.happens[index].len() {
                    1 => &mut last.0,
                    _ => &mut last.1,
                };
                *last = (*last).max(Some(position as u32));
                if !plan.happens_in[act].contains(&log) {
                    plan.happens_in[act].push(log);
                }
            }
            if let Some(before) = exchange.after {
                plan.needs[index] = plan.happens[before].first().copied();
            }
        }
        plan
    }

    /// Before anything happened.
    pub(crate) fn start(&self) -> Vec<u32> {
        let mut cut = vec![0; self.marks.len()];
        self.settle(&mut cut);
        cut
    }

    /// Whether everything has happened.
    pub(crate) fn is_over(&self, cut: &[u32]) -> bool {
        cut.iter()
            .zip(&self.marks)
            .all(|(&at, marks)| at as usize == marks.len())
    }

    /// Moves over everything that waits for nothing.
    fn settle(&self, cut: &mut [u32]) {
        for (log, marks) in self.marks.iter().enumerate() {
            while let Some(&mark) = marks.get(cut[log] as usize) {
                let goes = match mark {
                    Mark::Passes => true,
                    Mark::Follows(exchange) => self.happened(exchange, cut),
                    Mark::Happens(_) => false,
                };
                if !goes {
                    break;
                }
                cut[log] += 1;
            }
        }
    }

    pub(crate) fn happened(&self, exchange: usize, cut: &[u32]) -> bool {
        self.happens[exchange]
            .iter()
            .all(|&(log, position)| cut[log] > position as u32)
    }

    /// The messages that can be next.
    pub(crate) fn enabled(&self, cut: &[u32]) -> Vec<usize> {
        let mut enabled = Vec::new();
        for (log, marks) in self.marks.iter().enumerate() {
            let Some(&Mark::Happens(exchange)) = marks.get(cut[log] as usize) else {
                continue;
            };
            let here = self.happens[exchange]
                .iter()
                .all(|&(log, position)| cut[log] == position as u32);
            let needed =
                self.needs[exchange].is_none_or(|(log, position)| cut[log] > position as u32);
            let lacks = self.lacking[exchange].is_none_or(|log| self.may_lack(log, cut));
            if here && needed && lacks && !enabled.contains(&exchange) {
                enabled.push(exchange);
            }
        }
        enabled
    }

    /// Whether a message may be missing from a log at this cut.
    fn may_lack(&self, log: usize, cut: &[u32]) -> bool {
        let (lack, marks) = (self.asked.lacks[log], &self.marks[log]);
        let at = cut[log] as usize;
        // What is passed freely may be passed later as well, so only what happened stands in the way.
        let happened = || {
            marks[..at]
                .iter()
                .any(|mark| matches!(mark, Mark::Happens(_)))
        };
        lack.gaps || (lack.end && at == marks.len()) || (lack.beginning && !happened())
    }

    /// The letters that may happen at this cut without any log telling of them.
    pub(crate) fn unseen(&self, cut: &[u32], alphabet: &Alphabet) -> Vec<Act> {
        if !self.asked.completing {
            return Vec::new();
        }
        let free = |log: Option<usize>| log.is_none_or(|log| self.may_lack(log, cut));
        let later = |log: Option<usize>| log.is_none_or(|log| self.asked.lacks[log].end);
        let mut unseen = Vec::new();
        for index in 0..alphabet.len() as u32 {
            let (sender, receiver) = self.asked.ends[index as usize];
            let letter = LetterId(index);
            let whole = match self.asked.reading {
                MessageMoment::Whole => free(sender) && free(receiver),
                // It may be received later, or still be on its way.
                MessageMoment::Sendings => free(sender) && (later(receiver) || free(receiver)),
                // It may have been sent before the log of its sender begins.
                MessageMoment::Receptions => {
                    let early = sender.is_some_and(|log| self.asked.lacks[log].beginning);
                    free(receiver) && (free(sender) || early)
                }
            };
            if whole {
                unseen.push((letter, Direction::Interaction));
            }
            if free(sender) {
                unseen.push((letter, Direction::Send));
            }
            if free(receiver) {
                unseen.push((letter, Direction::Receive));
            }
        }
        unseen
    }

    /// The messages at the cut that wait.
    pub(crate) fn waiting(&self, cut: &[u32]) -> Vec<usize> {
        let mut waiting = Vec::new();
        for (log, marks) in self.marks.iter().enumerate() {
            let exchange = match marks.get(cut[log] as usize) {
                Some(&(Mark::Happens(exchange) | Mark::Follows(exchange))) => exchange,
                _ => continue,
            };
            if !waiting.contains(&exchange) {
                waiting.push(exchange);
            }
        }
        waiting
    }

    /// The cut after a message.
    pub(crate) fn after(&self, exchange: usize, cut: &[u32]) -> Vec<u32> {
        let mut further = cut.to_vec();
        for &(log, position) in &self.happens[exchange] {
            further[log] = position as u32 + 1;
        }
        self.settle(&mut further);
        further
    }

    /// Whether a message may be missing only as long as something else has not happened.
    pub(crate) fn depends_on_beginnings(&self) -> bool {
        let begins_late = |log: usize| self.asked.lacks[log].beginning;
        if self.asked.completing {
            (0..self.asked.lacks.len()).any(begins_late)
        } else {
            self.lacking.iter().flatten().copied().any(begins_late)
        }
    }

    /// Whether nothing that may still happen before this message minds if this message comes first.
    ///
    /// What happens in one of the same logs comes after it anyway.
    pub(crate) fn may_go_first(&self, exchange: usize, cut: &[u32], commuting: &Commuting) -> bool {
        let act = self.acts[exchange];
        let own = |log: usize| self.happens[exchange].iter().any(|&(it, _)| it == log);
        commuting.clashes(act).iter().all(|&clash| {
            let other = number(clash);
            let shares_a_log = self.happens_in[other].iter().any(|&log| own(log));
            let later = self.last.iter().enumerate().all(|(log, last)| {
                let (alone, together) = last[other];
                let ahead = |last: Option<u32>| last.is_some_and(|last| last >= cut[log]);
                own(log) || (!ahead(alone) && (shares_a_log || !ahead(together)))
            });
            later && !(self.asked.completing && self.may_come_unseen(clash, &own))
        })
    }

    /// Whether a message that no log tells of may happen while this log has not come further.
    fn may_come_unseen(&self, (letter, direction): Act, own: &dyn Fn(usize) -> bool) -> bool {
        let free = |log: Option<usize>| {
            log.is_none_or(|log| {
                let lack = self.asked.lacks[log];
                lack.gaps || lack.beginning || (lack.end && !own(log))
            })
        };
        let (sender, receiver) = self.asked.ends[letter.index()];
        match (direction, self.asked.reading) {
            (Direction::Send, _) | (Direction::Interaction, MessageMoment::Sendings) => {
                free(sender)
            }
            (Direction::Receive, _) | (Direction::Interaction, MessageMoment::Receptions) => {
                free(receiver)
            }
            (Direction::Interaction, MessageMoment::Whole) => free(sender) && free(receiver),
        }
    }
}
