//! Pomsets are taken up to isomorphism: what counts is labels and order, not which event is which.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::Pomset;

/// Whether two pomsets are the same but for the identity of their events.
pub fn isomorphic(left: &Pomset, right: &Pomset) -> bool {
    left.len() == right.len() && Coloured::new(left).matches(&Coloured::new(right))
}

/// The pomsets without those that are isomorphic to an earlier one.
pub fn without_copies(pomsets: Vec<Pomset>) -> Vec<Pomset> {
    let mut groups: FxHashMap<Vec<u64>, Vec<usize>> = FxHashMap::default();
    let mut kept: Vec<Pomset> = Vec::new();
    let mut views: Vec<Coloured> = Vec::new();
    for pomset in pomsets {
        let view = Coloured::new(&pomset);
        let mut key = view.colours.clone();
        key.sort_unstable();
        let group = groups.entry(key).or_default();
        if !group.iter().any(|&known| views[known].matches(&view)) {
            group.push(kept.len());
            kept.push(pomset);
            views.push(view);
        }
    }
    kept
}

/// A pomset whose events have colours: isomorphic events have equal ones, and mostly only those.
struct Coloured {
    closure: Vec<Vec<u64>>,
    colours: Vec<u64>,
}

impl Coloured {
    fn new(pomset: &Pomset) -> Coloured {
        let closure = pomset.closure();
        let mut colours: Vec<u64> = pomset.events().iter().map(hash).collect();
        // Two rounds tell apart what differs in its past and future and in theirs; the search does the rest.
        for _ in 0..2 {
            colours = (0..colours.len())
                .map(|event| {
                    let mut past: Vec<u64> = Vec::new();
                    let mut future: Vec<u64> = Vec::new();
                    for (other, &colour) in colours.iter().enumerate() {
                        if is_before(&closure, other, event) {
                            past.push(colour);
                        } else if is_before(&closure, event, other) {
                            future.push(colour);
                        }
                    }
                    past.sort_unstable();
                    future.sort_unstable();
                    hash(&(colours[event], past, future))
                })
                .collect();
        }
        Coloured { closure, colours }
    }

    /// Looks for a bijection that keeps colours and order, event by event, going back where it does not continue.
    fn matches(&self, other: &Coloured) -> bool {
        let size = self.colours.len();
        let mut image: Vec<usize> = Vec::with_capacity(size);
        let mut used = vec![false; size];
        let mut next = 0;
        loop {
            if image.len() == size {
                return true;
            }
            let event = image.len();
            let found = (next..size).find(|&candidate| {
                !used[candidate]
                    && self.colours[event] == other.colours[candidate]
                    && image.iter().enumerate().all(|(earlier, &to)| {
                        is_before(&self.closure, earlier, event)
                            == is_before(&other.closure, to, candidate)
                            && is_before(&self.closure, event, earlier)
                                == is_before(&other.closure, candidate, to)
                    })
            });
            match found {
                Some(candidate) => {
                    image.push(candidate);
                    used[candidate] = true;
                    next = 0;
                }
                None => match image.pop() {
                    None => return false,
                    Some(last) => {
                        used[last] = false;
                        next = last + 1;
                    }
                },
            }
        }
    }
}

fn is_before(closure: &[Vec<u64>], earlier: usize, later: usize) -> bool {
    closure[later][earlier / 64] & (1 << (earlier % 64)) != 0
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use choros_base::Names;

    use super::*;
    use crate::gchor::Interaction;

    fn interactions(count: usize) -> Vec<Pomset> {
        let mut names = Names::new();
        let (from, to) = (names.intern("A"), names.intern("B"));
        (0..count)
            .map(|number| {
                let message = names.intern(&format!("m{number}"));
                Pomset::interaction(Interaction { from, to, message })
            })
            .collect()
    }

    #[test]
    fn the_order_of_threads_does_not_count() {
        let parts = interactions(2);
        let (mut left, mut right) = (parts[0].clone(), parts[1].clone());
        left.add_parallel(&parts[1]);
        right.add_parallel(&parts[0]);
        assert!(isomorphic(&left, &right));
        let mut sequence = parts[0].clone();
        sequence.append(&parts[1]);
        assert!(!isomorphic(&left, &sequence));
    }

    #[test]
    fn equal_labels_need_a_search() {
        // a;b | a;b against a;a | b;b: the same labels, each with the same numbers before and after.
        let parts = interactions(2);
        let chain = |order: [usize; 2]| {
            let mut chain = parts[order[0]].clone();
            chain.append(&parts[order[1]]);
            chain
        };
        let mut left = chain([0, 1]);
        left.add_parallel(&chain([0, 1]));
        let mut right = chain([0, 0]);
        right.add_parallel(&chain([1, 1]));
        assert!(isomorphic(&left, &left.clone()));
        assert!(!isomorphic(&left, &right));
        assert_eq!(without_copies(vec![left.clone(), right, left]).len(), 2);
    }
}
