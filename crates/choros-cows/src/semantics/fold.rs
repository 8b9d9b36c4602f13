//! Replication folds what equals a copy of it: `*s | s ≡ *s`.
//!
//! A copy is a group of components for each group of the body, with private names and variables of its own; the names
//! that the body shares with the outside must be the same ones.
//! Where a body holds a closed replication, `*(a | *c)`, a copy of `c` folds too:
//! `*(a | *c) | c ≡ *(a | *c) | a | *c | c ≡ *(a | *c) | a | *c ≡ *(a | *c)`.
//!
//! Folding continues as long as something folds.
//! With several replications side by side whose bodies overlap, which one folds first can make a difference; the
//! states of a system are treated more carefully ([`super::cluster`]), terms inside others are not, so that in such
//! terms two congruent states may stay two.

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Encoder, groups};
use super::process::{Block, Id, Process, block, open, visit_ids};

/// Folds all that folds in components, at every depth; `is_local` tells what is bound just around them.
pub(crate) fn fold(body: &mut Vec<Process>, is_local: &impl Fn(Id) -> bool, encoder: &mut Encoder) {
    body.iter_mut()
        .for_each(|process| fold_blocks(process, encoder));
    if !has_candidates(body) {
        return;
    }
    let mut totals: FxHashMap<u32, usize> = FxHashMap::default();
    visit_ids(body, &mut |id| {
        if is_local(id) {
            *totals.entry(id.number).or_default() += 1;
        }
    });
    fold_levels(body, &mut totals, encoder);
}

/// The bodies of copies that fold, opened: the body itself, and those of closed replications in it.
pub(crate) fn copies(replicated: &Block, next: &mut u32) -> Vec<Vec<Process>> {
    let (_, body) = open(replicated, next);
    let mut found = Vec::new();
    for inner in closed_replications(replicated) {
        found.append(&mut copies(inner, next));
    }
    found.insert(0, body);
    found
}

fn fold_blocks(process: &mut Process, encoder: &mut Encoder) {
    match process {
        Process::Kill(..) | Process::Invoke(_) => {}
        Process::Choice(receives) => {
            for receive in receives {
                fold_block(&mut receive.continuation, encoder);
            }
        }
        Process::Protection(body) | Process::Scope(_, body) => body
            .iter_mut()
            .for_each(|process| fold_blocks(process, encoder)),
        Process::Replication(block) => fold_block(block, encoder),
    }
}

fn fold_block(inner: &mut Block, encoder: &mut Encoder) {
    let Block { ids, mut body } = std::mem::take(inner);
    fold(&mut body, &|id| ids.contains(&id), encoder);
    *inner = block(ids, body);
}

/// Whether some level has a replication and something beside it.
fn has_candidates(body: &[Process]) -> bool {
    let is_replication = |process: &Process| matches!(process, Process::Replication(_));
    (body.len() > 1 && body.iter().any(is_replication))
        || body.iter().any(|process| match process {
            Process::Protection(body) | Process::Scope(_, body) => has_candidates(body),
            _ => false,
        })
}

fn fold_levels(
    level: &mut Vec<Process>,
    totals: &mut FxHashMap<u32, usize>,
    encoder: &mut Encoder,
) {
    for process in level.iter_mut() {
        if let Process::Protection(body) | Process::Scope(_, body) = process {
            fold_levels(body, totals, encoder);
        }
    }
    while let Some(mut folding) = find_copy(level, totals, encoder) {
        folding.sort_unstable();
        for index in folding.into_iter().rev() {
            let gone = level.remove(index);
            visit_ids(&[gone], &mut |id| {
                if let Some(total) = totals.get_mut(&id.number) {
                    *total -= 1;
                }
            });
        }
    }
}

/// Positions of components that are together a copy of a replication beside them.
fn find_copy(
    level: &[Process],
    totals: &FxHashMap<u32, usize>,
    encoder: &mut Encoder,
) -> Option<Vec<usize>> {
    for (position, replication) in level.iter().enumerate() {
        let Process::Replication(replicated) = replication else {
            continue;
        };
        let mut fixed = FxHashSet::default();
        visit_ids(&replicated.body, &mut |id| {
            fixed.insert(id.number);
        });
        let beside: Vec<&Process> = level
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != position)
            .map(|(_, process)| process)
            .collect();
        let mut locals: Vec<Id> = Vec::new();
        let mut seen = FxHashSet::default();
        beside.iter().for_each(|process| {
            visit_ids(std::slice::from_ref(*process), &mut |id| {
                let is_own = totals.contains_key(&id.number) && !fixed.contains(&id.number);
                if is_own && seen.insert(id.number) {
                    locals.push(id);
                }
            });
        });
        let candidates: Vec<(Vec<u32>, Vec<usize>)> = groups(&beside, &locals)
            .into_iter()
            .filter(|group| {
                let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
                for process in &group.members {
                    visit_ids(std::slice::from_ref(*process), &mut |id| {
                        *counts.entry(id.number).or_default() += 1;
                    });
                }
                // What occurs elsewhere too is not the copy's own.
                group
                    .locals
                    .iter()
                    .all(|id| counts.get(&id.number) == totals.get(&id.number))
            })
            .map(|group| {
                let key = encoder.encode(&group.members, &group.locals);
                let positions = group
                    .members
                    .iter()
                    .filter_map(|member| level.iter().position(|it| std::ptr::eq(it, *member)));
                (key, positions.collect())
            })
            .collect();
        for wanted in copy_keys(replicated, encoder) {
            if let Some(found) = choose(&wanted, &candidates) {
                return Some(found);
            }
        }
    }
    None
}

/// A different candidate for each key.
fn choose(wanted: &[Vec<u32>], candidates: &[(Vec<u32>, Vec<usize>)]) -> Option<Vec<usize>> {
    let mut taken = vec![false; candidates.len()];
    let mut found = Vec::new();
    for key in wanted {
        let position = candidates
            .iter()
            .enumerate()
            .position(|(index, (candidate, _))| !taken[index] && candidate == key)?;
        taken[position] = true;
        found.extend_from_slice(&candidates[position].1);
    }
    Some(found)
}

/// For each copy that folds, the encodings of its groups.
fn copy_keys(replicated: &Block, encoder: &mut Encoder) -> Vec<Vec<Vec<u32>>> {
    let body: Vec<&Process> = replicated.body.iter().collect();
    let mut found = vec![
        groups(&body, &replicated.ids)
            .iter()
            .map(|group| encoder.encode(&group.members, &group.locals))
            .collect(),
    ];
    for inner in closed_replications(replicated) {
        found.append(&mut copy_keys(inner, encoder));
    }
    found
}

/// Replications in a body that share nothing private with the rest of it.
fn closed_replications(replicated: &Block) -> impl Iterator<Item = &Block> {
    replicated.body.iter().filter_map(|process| match process {
        Process::Replication(inner) => {
            let mut is_closed = true;
            visit_ids(&inner.body, &mut |id| {
                is_closed &= !replicated.ids.contains(&id);
            });
            is_closed.then_some(&**inner)
        }
        _ => None,
    })
}
