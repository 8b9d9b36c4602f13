//! Steps from the places of a state, in groups that become one step.

use std::hash::Hash;

use choros_data::{Term, Terms};
use choros_model::stg::{Edge, EdgeId};
use rustc_hash::FxHashMap;

use super::alike::Label;
use super::determinise::possible;
use crate::AnalysisStop;
use crate::reachability::contradiction::Oracle;

/// A visible step from one of the places.
pub(super) struct VisibleStep<'a> {
    pub(super) guard: Term,
    pub(super) expects: Term,
    pub(super) id: EdgeId,
    pub(super) edge: &'a Edge,
}

/// Steps that are the same by a key, and may happen for the same data, in one group.
pub(super) fn grouped<'a, K: Eq + Hash>(
    steps: Vec<VisibleStep<'a>>,
    key: impl Fn(&VisibleStep<'a>) -> K,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Vec<Vec<VisibleStep<'a>>>, AnalysisStop> {
    let mut groups: Vec<Vec<VisibleStep<'a>>> = Vec::new();
    let mut by_key: FxHashMap<K, Vec<usize>> = FxHashMap::default();
    for step in steps {
        let known = by_key.entry(key(&step)).or_default();
        // All groups that may happen for the same data become one with the new step.
        let mut meets = Vec::new();
        for &index in known.iter() {
            for other in &groups[index] {
                let both = terms.and([step.guard, other.guard]);
                if other.guard == step.guard || possible(both, terms, oracle)? {
                    meets.push(index);
                    break;
                }
            }
        }
        match meets.split_first() {
            None => {
                known.push(groups.len());
                groups.push(vec![step]);
            }
            Some((&first, others)) => {
                for &other in others {
                    let moved = std::mem::take(&mut groups[other]);
                    groups[first].extend(moved);
                }
                known.retain(|index| !others.contains(index));
                groups[first].push(step);
            }
        }
    }
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

/// The steps of a group by their conditions, where these differ and one of them would be lost.
pub(super) fn apart<'a>(group: Vec<VisibleStep<'a>>, terms: &Terms) -> Vec<Vec<VisibleStep<'a>>> {
    let one = group.iter().all(|step| step.guard == group[0].guard);
    if one
        || group
            .iter()
            .all(|step| Label::of(step.edge).keeps(step.guard, terms))
    {
        return vec![group];
    }
    let mut parts: Vec<Vec<VisibleStep<'a>>> = Vec::new();
    for step in group {
        match parts.iter_mut().find(|part| part[0].guard == step.guard) {
            Some(part) => part.push(step),
            None => parts.push(vec![step]),
        }
    }
    parts
}
