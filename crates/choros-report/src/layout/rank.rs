//! Rows: as high as the links allow, then pulled together where that makes links shorter.

use super::Plan;

/// The row of each box; a link spans at least two rows, so that its label has one in between.
pub(super) fn ranks(plan: &Plan, flipped: &[bool]) -> Vec<usize> {
    let size = plan.boxes.len();
    let mut below: Vec<Vec<(usize, usize)>> = vec![Vec::new(); size];
    let mut above: Vec<Vec<(usize, usize)>> = vec![Vec::new(); size];
    for (link, &flipped) in plan.links.iter().zip(flipped) {
        let (upper, lower) = if flipped {
            (link.target, link.source)
        } else {
            (link.source, link.target)
        };
        let length = if link.label.is_some() { 2 } else { 1 };
        below[upper].push((lower, length));
        above[lower].push((upper, length));
    }
    let mut waiting: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..size).filter(|&vertex| waiting[vertex] == 0).collect();
    let mut rank = vec![0; size];
    let mut done = 0;
    while let Some(&vertex) = order.get(done) {
        done += 1;
        for &(lower, length) in &below[vertex] {
            rank[lower] = rank[lower].max(rank[vertex] + length);
            waiting[lower] -= 1;
            if waiting[lower] == 0 {
                order.push(lower);
            }
        }
    }
    // A box with more links down than up is better off lower, and the other way round: a light form of the network
    // simplex of Gansner and others (1993), which would also move whole groups.
    for _ in 0..4 {
        for &vertex in order.iter().rev() {
            let lowest = below[vertex]
                .iter()
                .map(|&(lower, length)| rank[lower] - length)
                .min();
            if let Some(lowest) = lowest
                && below[vertex].len() > above[vertex].len()
            {
                rank[vertex] = lowest;
            }
        }
        for &vertex in &order {
            let highest = above[vertex]
                .iter()
                .map(|&(upper, length)| rank[upper] + length)
                .max();
            if let Some(highest) = highest
                && above[vertex].len() > below[vertex].len()
            {
                rank[vertex] = highest;
            }
        }
    }
    let top = rank.iter().copied().min().unwrap_or(0);
    for rank in &mut rank {
        *rank -= top;
    }
    rank
}
