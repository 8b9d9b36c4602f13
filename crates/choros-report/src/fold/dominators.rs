//! Which states every run passes on its way to a state.

use crate::GraphDrawing;

/// For each node the last other node that every way from the start passes; `None` for the start and what no run
/// reaches.
///
/// K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
pub(super) fn immediate_dominators(drawing: &GraphDrawing) -> Vec<Option<usize>> {
    let order = reverse_postorder(drawing);
    let mut rank = vec![usize::MAX; drawing.nodes.len()];
    for (place, &node) in order.iter().enumerate() {
        rank[node] = place;
    }
    let mut before = vec![Vec::new(); drawing.nodes.len()];
    for edge in &drawing.edges {
        if rank[edge.source] != usize::MAX {
            before[edge.target].push(edge.source);
        }
    }
    let mut above: Vec<Option<usize>> = vec![None; drawing.nodes.len()];
    above[drawing.initial] = Some(drawing.initial);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().skip(1) {
            let known = before[node]
                .iter()
                .copied()
                .filter(|&it| above[it].is_some());
            let found = known.reduce(|one, other| meet(one, other, &above, &rank));
            if found.is_some() && above[node] != found {
                above[node] = found;
                changed = true;
            }
        }
    }
    above[drawing.initial] = None;
    above
}

/// The nearest node above both.
fn meet(mut one: usize, mut other: usize, above: &[Option<usize>], rank: &[usize]) -> usize {
    while one != other {
        let lower = if rank[one] > rank[other] {
            &mut one
        } else {
            &mut other
        };
        match above[*lower] {
            Some(up) => *lower = up,
            None => return *lower,
        }
    }
    one
}

fn reverse_postorder(drawing: &GraphDrawing) -> Vec<usize> {
    let leaving = drawing.leaving();
    let mut seen = vec![false; drawing.nodes.len()];
    let mut order = Vec::new();
    let mut open = vec![(drawing.initial, 0)];
    seen[drawing.initial] = true;
    while let Some((node, next)) = open.pop() {
        let Some(&edge) = leaving[node].get(next) else {
            order.push(node);
            continue;
        };
        open.push((node, next + 1));
        let target = drawing.edges[edge].target;
        if !std::mem::replace(&mut seen[target], true) {
            open.push((target, 0));
        }
    }
    order.reverse();
    order
}
