//! Lexicographic tuples for loops within loops.
//!
//! A term that no edge of a cycle makes larger, and that some edge makes smaller, comes first; without the edges that
//! it decreases the cycle falls into parts, and each is treated in the same way.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::places::{Number, Part, places};

/// What an edge within the component does to a term for certain.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sure {
    /// It makes it less by one or more.
    pub(crate) less: bool,
    /// It does not make it more.
    pub(crate) same: bool,
}

/// Tuples that differ in which of the possible terms comes first.
pub(crate) fn tuples(
    nodes: &[usize],
    edges: &[(usize, usize)],
    sure: &[(Number, Vec<Sure>)],
    most: usize,
) -> Vec<Vec<Part>> {
    let mut found: Vec<Vec<Part>> = Vec::new();
    for turn in 0..most.min(sure.len()) {
        let mut order: Vec<&(Number, Vec<Sure>)> = sure.iter().collect();
        order.rotate_left(turn);
        let (parts, terms) = tuple(nodes, edges, &order);
        // One term or two are tried anyway.
        if terms > 1 && !found.iter().any(|it| same(it, &parts)) {
            found.push(parts);
        }
    }
    found
}

fn same(left: &[Part], right: &[Part]) -> bool {
    let terms = |parts: &[Part]| -> Vec<Number> {
        let terms = parts.iter().filter_map(|it| match it {
            Part::Term(term) => Some(*term),
            Part::Place(_) => None,
        });
        terms.collect()
    };
    terms(left) == terms(right)
}

fn tuple(
    nodes: &[usize],
    edges: &[(usize, usize)],
    order: &[&(Number, Vec<Sure>)],
) -> (Vec<Part>, usize) {
    let mut parts = Vec::new();
    let mut count = 0;
    let mut left: Vec<usize> = (0..edges.len()).collect();
    loop {
        let remaining: Vec<(usize, usize)> = left.iter().map(|&it| edges[it]).collect();
        let component = strong(nodes, &remaining);
        let mut chosen: Vec<Number> = Vec::new();
        let mut gone: FxHashSet<usize> = FxHashSet::default();
        let numbers: FxHashSet<usize> = component.values().copied().collect();
        for number in sorted(&numbers) {
            let inside: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&it| {
                    [edges[it].0, edges[it].1]
                        .iter()
                        .all(|node| component[node] == number)
                })
                .collect();
            let helps = |sure: &[Sure]| {
                inside.iter().all(|&it| sure[it].same) && inside.iter().any(|&it| sure[it].less)
            };
            if let Some((term, sure)) = order.iter().copied().find(|it| helps(&it.1)) {
                gone.extend(inside.iter().copied().filter(|&it| sure[it].less));
                if !chosen.contains(term) {
                    chosen.push(*term);
                }
            }
        }
        if chosen.is_empty() {
            parts.push(Part::Place(places(nodes, &remaining)));
            return (parts, count);
        }
        if count > 0 {
            parts.push(Part::Place(component));
        }
        count += chosen.len();
        parts.extend(chosen.into_iter().map(Part::Term));
        left.retain(|it| !gone.contains(it));
    }
}

/// The strongly connected component of each node; edges lead to the same number or to a smaller one.
pub(crate) fn strong(nodes: &[usize], edges: &[(usize, usize)]) -> FxHashMap<usize, usize> {
    let forward = places(nodes, edges);
    // From the node that was left last, against the edges.
    let mut order = nodes.to_vec();
    order.sort_by_key(|it| std::cmp::Reverse(forward[it]));
    let mut found: FxHashMap<usize, usize> = FxHashMap::default();
    let mut next = nodes.len();
    for root in order {
        if found.contains_key(&root) {
            continue;
        }
        next -= 1;
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if found.contains_key(&node) {
                continue;
            }
            found.insert(node, next);
            pending.extend(edges.iter().filter(|it| it.1 == node).map(|it| it.0));
        }
    }
    found
}

fn sorted(numbers: &FxHashSet<usize>) -> Vec<usize> {
    let mut numbers: Vec<usize> = numbers.iter().copied().collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::strong;

    #[test]
    fn components_are_numbered_against_the_edges() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (4, 0)];
        let found = strong(&[0, 1, 2, 3, 4], &edges);
        assert_eq!(found[&1], found[&2]);
        assert!(edges.iter().all(|(from, to)| found[to] <= found[from]));
        assert!(found[&3] < found[&2] && found[&1] < found[&0] && found[&0] < found[&4]);
    }
}
