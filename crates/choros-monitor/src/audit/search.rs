//! All interleavings of local logs at once.
//!
//! Without a global clock, the order of messages is known only as far as local logs and identities of messages give it.
//! An *interleaving* is an order of the messages of a session that agrees with all of them.
//! The search walks over pairs of a *cut* (how far each log was read) and a set of standings of the model; two
//! interleavings that reach the same pair are the same from there on, so each pair is examined once.
//! Where a message commutes with everything that may still come before it, it is taken first and nothing else is
//! tried ([`super::commuting`]).
//!
//! When completions are examined, messages that no log tells of happen in between, wherever the logs may lack them:
//! to the walk they are silent steps.

use choros_base::StopReason;
use rustc_hash::FxHashSet;

use super::Runs;
use super::alphabet::{Alphabet, LetterId};
use super::commuting::Commuting;
use super::plan::Plan;
use super::walk::{Ground, SetId, Stopped, Walk};

/// What the search found.
#[derive(Debug, Default)]
pub(crate) struct Interleavings {
    /// The sets in which complete interleavings ended, each with one of them; if runs must be finished, only those
    /// in which one may end.
    pub(crate) ends: Vec<(SetId, Vec<usize>)>,
    /// An interleaving that the model does not allow: the messages up to the one that is wrong, which is the last,
    /// and where the model stood before it.
    pub(crate) wrong: Option<(Vec<usize>, SetId)>,
    /// A complete interleaving after which the run must continue, though runs must be finished.
    pub(crate) unfinished: Option<(Vec<usize>, SetId)>,
}

/// A situation in which no message can be next: an order so far, and messages that wait for each other.
pub(crate) struct Crossed {
    pub(crate) order: Vec<usize>,
    pub(crate) waiting: Vec<usize>,
}

/// Looks whether any order of the messages agrees with the logs at all, whatever the model says.
///
/// Messages are taken as they come: taking one never hinders another, so if some order gets through, this one does.
/// Only where logs may lack their beginnings a message may come too late, and then all cuts are examined.
pub(crate) fn crossing(plan: &Plan<'_>, limit: u64) -> Result<Option<Crossed>, Stopped> {
    let mut visited: FxHashSet<Box<[u32]>> = FxHashSet::default();
    let mut pending = vec![(plan.start(), Vec::new())];
    let mut crossed = None;
    let exhaustive = plan.depends_on_beginnings();
    while let Some((cut, order)) = pending.pop() {
        if plan.is_over(&cut) {
            return Ok(None);
        }
        if exhaustive {
            if !visited.insert(cut.clone().into_boxed_slice()) {
                continue;
            }
            if visited.len() as u64 > limit {
                return Err(StopReason::Steps(limit).into());
            }
        }
        let mut next = plan.enabled(&cut);
        if next.is_empty() && crossed.is_none() {
            crossed = Some(Crossed {
                order: order.clone(),
                waiting: plan.waiting(&cut),
            });
        }
        if !exhaustive {
            next.truncate(1);
        }
        for &exchange in next.iter().rev() {
            let mut longer = order.clone();
            longer.push(exchange);
            pending.push((plan.after(exchange, &cut), longer));
        }
    }
    Ok(crossed)
}

/// Looks at all interleavings of the messages of a session.
pub(crate) fn search(
    walk: &mut Walk<'_>,
    plan: &Plan<'_>,
    runs: Runs,
    alphabet: &Alphabet,
    commuting: &mut Option<Commuting>,
    ground: &mut Ground<'_>,
) -> Result<Interleavings, Stopped> {
    let mut found = Interleavings::default();
    let mut ended: FxHashSet<SetId> = FxHashSet::default();
    let mut visited: FxHashSet<(Box<[u32]>, SetId)> = FxHashSet::default();
    // How each pair was reached, to tell the interleaving.
    let mut history: Vec<(usize, usize)> = Vec::new();
    let start = walk.start(ground)?;
    let mut pending: Vec<(Vec<u32>, SetId, usize, usize)> =
        vec![(plan.start(), start, usize::MAX, 0)];
    while let Some((cut, set, reached_by, length)) = pending.pop() {
        let set = walk.unseen(set, &plan.unseen(&cut, alphabet), ground)?;
        if !visited.insert((cut.clone().into_boxed_slice(), set)) {
            continue;
        }
        ground.budget.spend()?;
        // A log that is read once from end to end costs nothing of the bound, however long it is.
        if visited.len() as u64 > ground.limit.saturating_add(plan.seen.len() as u64 + 1) {
            return Err(StopReason::Steps(ground.limit).into());
        }
        if plan.is_over(&cut) {
            if ended.insert(set) {
                let order = path(&history, reached_by);
                if runs == Runs::MayBeUnfinished || walk.may_end(set, ground)? {
                    found.ends.push((set, order))
                } else {
                    found.unfinished = Some((order, set))
                }
            }
            continue;
        }
        let mut next = plan.enabled(&cut);
        if next.len() > 1 && !plan.depends_on_beginnings() {
            let commuting = commuting
                .get_or_insert_with(|| Commuting::of(walk.automaton(), alphabet, ground.terms));
            if let Some(&first) = next
                .iter()
                .find(|&&exchange| plan.may_go_first(exchange, &cut, commuting))
            {
                next = vec![first];
            }
        }
        // The first one is examined first: pushed last.
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
            history.push((reached_by, exchange));
            let further = plan.after(exchange, &cut);
            pending.push((further, after, history.len() - 1, length + 1));
        }
        // One of each kind settles it, as long as no condition is open.
        if (found.wrong.is_some() || found.unfinished.is_some()) && !found.ends.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// A situation with a cut of so many words counts as another one.
const LARGE_CUT: u64 = 64;

/// Letters of messages that are in transit only after others have happened.
pub(crate) type Held = Vec<(LetterId, usize)>;

/// A cut of one log and of single messages, in few words.
fn packed(cut: &[u32]) -> Box<[u32]> {
    let (log, single) = cut.split_at(1);
    let words = single.chunks(u32::BITS as usize).map(|chunk| {
        let bits = chunk.iter().enumerate();
        bits.fold(0, |word, (bit, at)| word | (at & 1) << bit)
    });
    log.iter().copied().chain(words).collect()
}

fn unpacked(packed: &[u32], length: usize) -> Vec<u32> {
    let (log, words) = packed.split_at(1);
    let bits = words
        .iter()
        .flat_map(|word| (0..u32::BITS).map(move |bit| word >> bit & 1));
    log.iter().copied().chain(bits).take(length).collect()
}

/// The sets in which orders of the messages of one log end that the model allows; only one of them if that is enough.
pub(crate) fn ends(
    walk: &mut Walk<'_>,
    plan: &Plan<'_>,
    held: &Held,
    is_enough: bool,
    alphabet: &Alphabet,
    ground: &mut Ground<'_>,
) -> Result<Vec<SetId>, Stopped> {
    let mut found = Vec::new();
    let mut visited: FxHashSet<(Box<[u32]>, SetId)> = FxHashSet::default();
    let start = plan.start();
    let mut pending = vec![(packed(&start), walk.start(ground)?)];
    while let Some((words, set)) = pending.pop() {
        let cut = unpacked(&words, start.len());
        let mut unseen = plan.unseen(&cut, alphabet);
        unseen.retain(|(letter, _)| {
            let mut before = held.iter().filter(|(it, _)| it == letter);
            before.all(|(_, exchange)| plan.happened(*exchange, &cut))
        });
        let set = walk.unseen(set, &unseen, ground)?;
        // Where every message has a place of its own, long logs make large situations.
        let size = 1 + words.len() as u64 / LARGE_CUT;
        if !visited.insert((words, set)) {
            continue;
        }
        ground.budget.spend()?;
        let free = plan.seen.len() as u64 + 1;
        if visited.len() as u64 > (ground.limit / size).saturating_add(free) {
            return Err(StopReason::Steps(ground.limit).into());
        }
        if plan.is_over(&cut) {
            found.push(set);
            if is_enough {
                break;
            }
            continue;
        }
        for &exchange in plan.enabled(&cut).iter().rev() {
            let after = walk.after(set, plan.seen[exchange], ground)?;
            if after != SetId::EMPTY {
                pending.push((packed(&plan.after(exchange, &cut)), after));
            }
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
