//! How many lines cross between two rows.

use super::layers::Layers;

pub(super) fn crossings(layers: &Layers) -> u64 {
    (1..layers.rows.len())
        .map(|row| between(layers, row - 1))
        .sum()
}

/// Crossings between a row and the next: inversions, counted with a Fenwick tree (Barth, Jünger and Mutzel 2004).
fn between(layers: &Layers, row: usize) -> u64 {
    let width = layers.rows[row + 1].len();
    let mut tree = vec![0u64; width + 1];
    let mut seen = 0u64;
    let mut count = 0;
    let mut ends: Vec<usize> = Vec::new();
    for &vertex in &layers.rows[row] {
        ends.clear();
        ends.extend(
            layers.below[vertex as usize]
                .iter()
                .map(|&lower| layers.position[lower as usize] as usize),
        );
        ends.sort_unstable();
        for &end in &ends {
            let mut index = end + 1;
            let mut not_right = 0;
            while index > 0 {
                not_right += tree[index];
                index &= index - 1;
            }
            count += seen - not_right;
        }
        for &end in &ends {
            let mut index = end + 1;
            while index <= width {
                tree[index] += 1;
                index += index & index.wrapping_neg();
            }
            seen += 1;
        }
    }
    count
}
