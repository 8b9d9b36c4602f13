//! Fewer crossings: sweeps that sort a row by where its neighbours stand, and swaps of neighbours within a row.

use super::crossings::crossings;
use super::layers::Layers;

/// Reorders the rows; the best order that was seen stays.
pub(super) fn reduce_crossings(layers: &mut Layers) {
    let mut best = layers.rows.clone();
    let mut fewest = crossings(layers);
    let small = layers.vertices.len() <= 4_000;
    let sweeps = if small { 24 } else { 4 };
    let mut idle = 0;
    for sweep in 0..sweeps {
        if fewest == 0 || idle == 8 {
            break;
        }
        // Two of four sweeps let equal vertices change places, which helps to leave a dead end.
        sort_rows(layers, sweep % 2 == 0, sweep % 4 >= 2);
        if small {
            swap_neighbours(layers);
        }
        let count = crossings(layers);
        idle += 1;
        if count < fewest {
            idle = 0;
            fewest = count;
            best = layers.rows.clone();
        }
    }
    layers.rows = best;
    layers.renumber();
}

fn sort_rows(layers: &mut Layers, down: bool, turn_equals: bool) {
    let count = layers.rows.len();
    for step in 1..count {
        let row = if down { step } else { count - 1 - step };
        let neighbours = if down { &layers.above } else { &layers.below };
        let vertices = &layers.rows[row];
        let mut keyed: Vec<(f64, usize, u32)> = Vec::new();
        let mut slots: Vec<usize> = Vec::new();
        for (slot, &vertex) in vertices.iter().enumerate() {
            let places = neighbours[vertex as usize]
                .iter()
                .map(|&other| layers.position[other as usize]);
            if let Some(key) = weighted_median(places.collect()) {
                let tie = if turn_equals { count_down(slot) } else { slot };
                keyed.push((key, tie, vertex));
                slots.push(slot);
            }
        }
        // Vertices without neighbours there keep their slots.
        keyed.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        for (&slot, &(_, _, vertex)) in slots.iter().zip(&keyed) {
            layers.rows[row][slot] = vertex;
            layers.position[vertex as usize] = slot as u32;
        }
    }
}

fn count_down(slot: usize) -> usize {
    usize::MAX - slot
}

/// The median, between the two middle places nearer to the side that is denser (Gansner and others 1993).
fn weighted_median(mut places: Vec<u32>) -> Option<f64> {
    places.sort_unstable();
    let places: Vec<f64> = places.into_iter().map(f64::from).collect();
    let middle = places.len() / 2;
    match places.len() {
        0 => None,
        length if length % 2 == 1 => Some(places[middle]),
        2 => Some((places[0] + places[1]) / 2.0),
        length => {
            let left = places[middle - 1] - places[0];
            let right = places[length - 1] - places[middle];
            Some(match left + right {
                0.0 => (places[middle - 1] + places[middle]) / 2.0,
                sum => (places[middle - 1] * right + places[middle] * left) / sum,
            })
        }
    }
}

/// Swaps neighbours while that removes crossings.
fn swap_neighbours(layers: &mut Layers) {
    for _ in 0..8 {
        let mut improved = false;
        for row in 0..layers.rows.len() {
            for slot in 1..layers.rows[row].len() {
                let (left, right) = (layers.rows[row][slot - 1], layers.rows[row][slot]);
                let (now, then) = pair_crossings(layers, left, right);
                if then < now {
                    layers.rows[row].swap(slot - 1, slot);
                    layers.position[left as usize] = slot as u32;
                    layers.position[right as usize] = slot as u32 - 1;
                    improved = true;
                }
            }
        }
        if !improved {
            return;
        }
    }
}

/// Crossings between the lines of two neighbours, as they stand and swapped.
fn pair_crossings(layers: &Layers, left: u32, right: u32) -> (u64, u64) {
    let (mut now, mut then) = (0, 0);
    for neighbours in [&layers.above, &layers.below] {
        // Two hubs side by side: what a swap would gain is not worth the time to find out.
        if neighbours[left as usize].len() * neighbours[right as usize].len() > 10_000 {
            continue;
        }
        for &one in &neighbours[left as usize] {
            for &other in &neighbours[right as usize] {
                let (one, other) = (
                    layers.position[one as usize],
                    layers.position[other as usize],
                );
                now += u64::from(one > other);
                then += u64::from(other > one);
            }
        }
    }
    (now, then)
}
