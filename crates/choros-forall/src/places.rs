//! What ranks are made of, and nodes in an order.

use choros_data::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// A number of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Number {
    pub(crate) term: Term,
    /// By how much it falls at least, if not by 1: something positive that no step changes.
    pub(crate) by: Option<Term>,
}

/// A part of a rank.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// A number.
    Term(Number),
    /// Where the run is.
    Place(FxHashMap<usize, usize>),
}

/// Nodes numbered such that edges lead to smaller numbers, where the edges have no cycle; depth first otherwise.
pub(crate) fn places(component: &[usize], edges: &[(usize, usize)]) -> FxHashMap<usize, usize> {
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for &root in component {
        if !seen.insert(root) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            let target = edges.iter().filter(|it| it.0 == node).nth(next);
            match target {
                Some(&(_, target)) => {
                    stack.push((node, next + 1));
                    if seen.insert(target) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    let number = places.len();
                    places.insert(node, number);
                }
            }
        }
    }
    places
}
