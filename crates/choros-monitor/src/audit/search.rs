//! All interleavings of local logs at once.
//!
//! Without a global clock, the order of messages is known only as far as local logs and identities of messages give it.
//! An *interleaving* is an order of the messages of a session that agrees with all of them.
//! The search walks over pairs of a *cut* (how far each log was read) and a set of standings of the model; two
//! interleavings that reach the same pair are the same from there on, so each pair is looked at once.
//! Where a message commutes with everything that may still come before it, it is taken first and nothing else is
//! tried ([`super::commuting`]).
//!
//! What happens when, by [`Reading`]: a message happens as a whole, when it is sent, or when it is received.

use choros_base::Spent;
use choros_model::stg::Direction;
use rustc_hash::FxHashSet;

use super::Reading;
use super::alphabet::Alphabet;
use super::commuting::{Act, Commuting};
use super::run::{At, Exchange, Run};
use super::walk::{Ground, SeenId, SetId, Stopped, Walk};

/// What the search found.
#[derive(Debug, Default)]
pub(crate) struct Interleavings {
    /// The sets in which complete interleavings ended, each with one of them.
    pub(crate) ends: Vec<(SetId, Vec<usize>)>,
    /// An interleaving that the model does not allow: the messages up to the one that is wrong, which is the last,
    /// and where the model stood before it.
    pub(crate) wrong: Option<(Vec<usize>, SetId)>,
    /// A situation in which no message can be next: these wait for each other.
    pub(crate) crossing: Option<(Vec<usize>, Vec<usize>)>,
}

/// Looks at all interleavings of the messages of a session.
pub(crate) fn search<'o>(
    walk: &mut Walk<'o>,
    run: &Run<'o>,
    exchanges: &[Exchange],
    reading: Reading,
    alphabet: &Alphabet,
    commuting: &mut Option<Commuting>,
    ground: &mut Ground<'_>,
) -> Result<Interleavings, Stopped> {
    let plan = Plan::new(walk, run, exchanges, reading, alphabet);
    let mut found = Interleavings::default();
    let mut ended: FxHashSet<SetId> = FxHashSet::default();
    let mut visited: FxHashSet<(Box<[u32]>, SetId)> = FxHashSet::default();
    // How each pair was reached, to tell the interleaving.
    let mut history: Vec<(usize, usize)> = Vec::new();
    let start = walk.start(ground)?;
    let mut cut = vec![0u32; run.logs.len()];
    plan.settle(&mut cut);
    let mut pending: Vec<(Vec<u32>, SetId, usize, usize)> = vec![(cut, start, usize::MAX, 0)];
    while let Some((cut, set, reached_by, length)) = pending.pop() {
        if !visited.insert((cut.clone().into_boxed_slice(), set)) {
            continue;
        }
        ground.budget.spend()?;
        // A log that is read once from end to end costs nothing of the bound, however long it is.
        if visited.len() as u64 > ground.limit.saturating_add(exchanges.len() as u64 + 1) {
            return Err(Spent::Steps(ground.limit).into());
        }
        if length == exchanges.len() {
            if ended.insert(set) {
                found.ends.push((set, path(&history, reached_by)));
            }
            continue;
        }
        let mut next = plan.enabled(&cut);
        if next.is_empty() {
            if found.crossing.is_none() {
                let waiting = plan.waiting(&cut);
                found.crossing = Some((path(&history, reached_by), waiting));
            }
            continue;
        }
        if next.len() > 1 {
            let commuting = commuting
                .get_or_insert_with(|| Commuting::of(walk.automaton(), alphabet, ground.terms));
            if let Some(&first) = next
                .iter()
                .find(|&&exchange| plan.may_go_first(exchange, &cut, commuting))
            {
                next = vec![first];
            }
        }
        // The first one is looked at first: pushed last.
        for &exchange in next.iter().rev() {
            let after = walk.after(set, plan.seen[exchange], ground)?;
            if after == SetId::EMPTY {
                // Of several wrong interleavings the one that goes furthest says most.
                let longer = found
                    .wrong
                    .as_ref()
                    .is_none_or(|(known, _)| known.len() <= length);
                if longer {
                    let mut interleaving = path(&history, reached_by);
                    interleaving.push(exchange);
                    found.wrong = Some((interleaving, set));
                }
                continue;
            }
            let mut further = cut.clone();
            plan.take(exchange, &mut further);
            plan.settle(&mut further);
            history.push((reached_by, exchange));
            pending.push((further, after, history.len() - 1, length + 1));
        }
        // One of each kind settles it, as long as no condition is open.
        if found.wrong.is_some() && !found.ends.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// The messages on the way to a pair, first to last.
fn path(history: &[(usize, usize)], mut at: usize) -> Vec<usize> {
    let mut path = Vec::new();
    while let Some(&(before, exchange)) = history.get(at) {
        path.push(exchange);
        at = before;
    }
    path.reverse();
    path
}

/// A number for a message as a whole or one of its ends.
fn number((letter, direction): Act) -> usize {
    3 * letter.0 as usize
        + match direction {
            Direction::Interaction => 0,
            Direction::Send => 1,
            Direction::Receive => 2,
        }
}

/// What an observation means for the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// It is skipped: it belongs to no message.
    Skip,
    /// The message happens here.
    Happens(usize),
    /// It is passed without anything happening.
    Passes,
    /// It is passed once the message has happened.
    Follows(usize),
}

/// The messages of a session, ready to be ordered.
struct Plan {
    seen: Vec<SeenId>,
    acts: Vec<Act>,
    /// For each log, what each observation means.
    marks: Vec<Vec<Mark>>,
    /// For each message the places where it happens.
    happens: Vec<Vec<At>>,
    /// For each message a place that must have been passed before it happens.
    needs: Vec<Option<At>>,
    /// For each log and message: the last position where it happens there alone, and with another log.
    last: Vec<Vec<(Option<u32>, Option<u32>)>>,
    /// The logs in which each message happens.
    ends: Vec<Vec<usize>>,
}

impl Plan {
    fn new<'o>(
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        exchanges: &[Exchange],
        reading: Reading,
        alphabet: &Alphabet,
    ) -> Plan {
        let mut plan = Plan {
            seen: Vec::new(),
            acts: exchanges
                .iter()
                .map(|exchange| (exchange.letter, exchange.direction))
                .collect(),
            marks: run
                .logs
                .iter()
                .map(|log| vec![Mark::Skip; log.len()])
                .collect(),
            happens: vec![Vec::new(); exchanges.len()],
            needs: vec![None; exchanges.len()],
            last: vec![vec![(None, None); 3 * alphabet.len()]; run.logs.len()],
            ends: vec![Vec::new(); 3 * alphabet.len()],
        };
        for (index, exchange) in exchanges.iter().enumerate() {
            let places = [exchange.sent, exchange.received];
            let reports = places
                .iter()
                .flatten()
                .map(|&(log, position)| run.logs[log][position].observation)
                .collect();
            plan.seen
                .push(walk.see(exchange.letter, exchange.direction, reports, alphabet));
            let (happens, passes, follows) = match (reading, exchange.sent, exchange.received) {
                (Reading::Sendings, Some(sent), received) => (vec![sent], None, received),
                (Reading::Receptions, sent, Some(received)) => (vec![received], sent, None),
                (_, sent, received) => (sent.into_iter().chain(received).collect(), None, None),
            };
            for &(log, position) in &happens {
                plan.marks[log][position] = Mark::Happens(index);
                let last = &mut plan.last[log][number(plan.acts[index])];
                let last = match happens.len() {
                    1 => &mut last.0,
                    _ => &mut last.1,
                };
                *last = (*last).max(Some(position as u32));
            }
            if let Some((log, position)) = passes {
                plan.marks[log][position] = Mark::Passes;
            }
            if let Some((log, position)) = follows {
                plan.marks[log][position] = Mark::Follows(index);
            }
            let ends = &mut plan.ends[number(plan.acts[index])];
            for &(log, _) in &happens {
                if !ends.contains(&log) {
                    ends.push(log);
                }
            }
            plan.needs[index] = passes.or(exchange.needs);
            plan.happens[index] = happens;
        }
        plan
    }

    /// Moves over everything that waits for nothing.
    fn settle(&self, cut: &mut [u32]) {
        for (log, marks) in self.marks.iter().enumerate() {
            while let Some(&mark) = marks.get(cut[log] as usize) {
                let goes = match mark {
                    Mark::Skip | Mark::Passes => true,
                    Mark::Follows(exchange) => self.happens[exchange]
                        .iter()
                        .all(|&(log, position)| cut[log] > position as u32),
                    Mark::Happens(_) => false,
                };
                if !goes {
                    break;
                }
                cut[log] += 1;
            }
        }
    }

    /// The messages that can be next.
    fn enabled(&self, cut: &[u32]) -> Vec<usize> {
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
            if here && needed && !enabled.contains(&exchange) {
                enabled.push(exchange);
            }
        }
        enabled
    }

    /// The messages at the cut that wait.
    fn waiting(&self, cut: &[u32]) -> Vec<usize> {
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

    fn take(&self, exchange: usize, cut: &mut [u32]) {
        for &(log, position) in &self.happens[exchange] {
            cut[log] = position as u32 + 1;
        }
    }

    /// Whether nothing that may still happen before this message minds if this message comes first.
    ///
    /// What happens in one of the same logs comes after it anyway.
    fn may_go_first(&self, exchange: usize, cut: &[u32], commuting: &Commuting) -> bool {
        let act = self.acts[exchange];
        let own = |log: usize| self.happens[exchange].iter().any(|&(it, _)| it == log);
        commuting.clashes(act).iter().all(|&other| {
            let other = number(other);
            let shares_a_log = self.ends[other].iter().any(|&log| own(log));
            self.last.iter().enumerate().all(|(log, last)| {
                let (alone, together) = last[other];
                let ahead = |last: Option<u32>| last.is_some_and(|last| last >= cut[log]);
                own(log) || (!ahead(alone) && (shares_a_log || !ahead(together)))
            })
        })
    }
}
