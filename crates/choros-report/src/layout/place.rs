//! Columns after Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment" (2002).
//!
//! Each vertex is aligned with a median neighbour, from each of four corners; blocks of aligned vertices are packed
//! by a longest path over the graph of blocks (which avoids the slip in the paper's own compaction, see its erratum
//! of 2020); of the four columns of a vertex, the mean of the two in the middle is taken.

use rustc_hash::FxHashSet;

use super::layers::Layers;

/// The column of each vertex: the position of its axis, from zero on.
pub(super) fn columns(layers: &Layers) -> Vec<f64> {
    let conflicts = conflicts(layers);
    let mut candidates: Vec<Candidate> = Vec::new();
    for downwards in [true, false] {
        for rightwards in [true, false] {
            let corner = Corner {
                downwards,
                rightwards,
            };
            candidates.push(candidate(layers, &conflicts, corner));
        }
    }
    // All are moved to the bounds of the narrowest, on the side from which they were packed.
    let narrowest = candidates
        .iter()
        .min_by(|left, right| (left.to - left.from).total_cmp(&(right.to - right.from)));
    let Some((from, to)) = narrowest.map(|best| (best.from, best.to)) else {
        return Vec::new();
    };
    for candidate in &mut candidates {
        let shift = if candidate.rightwards {
            from - candidate.from
        } else {
            to - candidate.to
        };
        for column in &mut candidate.columns {
            *column += shift;
        }
    }
    let mut columns: Vec<f64> = (0..layers.vertices.len())
        .map(|vertex| {
            let mut four: Vec<f64> = candidates.iter().map(|it| it.columns[vertex]).collect();
            four.sort_by(f64::total_cmp);
            (four[1] + four[2]) / 2.0
        })
        .collect();
    keep_apart(layers, &mut columns);
    let leftmost = columns
        .iter()
        .zip(&layers.vertices)
        .map(|(column, vertex)| column - vertex.left)
        .fold(f64::INFINITY, f64::min);
    for column in &mut columns {
        *column -= leftmost;
    }
    columns
}

/// Room between the axes of two neighbours.
pub(super) fn separation(layers: &Layers, left: u32, right: u32) -> f64 {
    let gap = match (layers.is_bend(left), layers.is_bend(right)) {
        (false, false) => 26.0,
        (true, true) => 12.0,
        _ => 16.0,
    };
    layers.vertices[left as usize].right + gap + layers.vertices[right as usize].left
}

/// Rounding must not make anything overlap.
fn keep_apart(layers: &Layers, columns: &mut [f64]) {
    for row in &layers.rows {
        for pair in row.windows(2) {
            let least = columns[pair[0] as usize] + separation(layers, pair[0], pair[1]);
            let column = &mut columns[pair[1] as usize];
            *column = column.max(least);
        }
    }
}

/// Lines from a box that cross a line between two bends: the latter is to be straight, so the former gives way.
fn conflicts(layers: &Layers) -> FxHashSet<(u32, u32)> {
    let mut conflicts = FxHashSet::default();
    for upper in 1..layers.rows.len().saturating_sub(1) {
        let (above, below) = (&layers.rows[upper], &layers.rows[upper + 1]);
        let mut first = 0;
        let mut scanned = 0;
        for (place, &vertex) in below.iter().enumerate() {
            let inner = inner_neighbour(layers, vertex);
            if inner.is_none() && place + 1 < below.len() {
                continue;
            }
            let last = inner.map_or(above.len() - 1, |other| {
                layers.position[other as usize] as usize
            });
            for &lower in &below[scanned..=place] {
                for &other in &layers.above[lower as usize] {
                    let position = layers.position[other as usize] as usize;
                    let both_bends = layers.is_bend(other) && layers.is_bend(lower);
                    if (position < first || position > last) && !both_bends {
                        conflicts.insert((other, lower));
                    }
                }
            }
            scanned = place + 1;
            first = last;
        }
    }
    conflicts
}

/// The bend above a bend.
fn inner_neighbour(layers: &Layers, vertex: u32) -> Option<u32> {
    if !layers.is_bend(vertex) {
        return None;
    }
    let above = layers.above[vertex as usize].first().copied()?;
    layers.is_bend(above).then_some(above)
}

/// From where vertices are aligned and packed.
#[derive(Debug, Clone, Copy)]
struct Corner {
    downwards: bool,
    rightwards: bool,
}

struct Candidate {
    rightwards: bool,
    columns: Vec<f64>,
    from: f64,
    to: f64,
}

fn candidate(layers: &Layers, conflicts: &FxHashSet<(u32, u32)>, corner: Corner) -> Candidate {
    let roots = align(layers, conflicts, corner);
    let mut columns = pack(layers, &roots, corner.rightwards);
    let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
    if !corner.rightwards {
        for column in &mut columns {
            *column = -*column;
        }
    }
    for (column, vertex) in columns.iter().zip(&layers.vertices) {
        from = from.min(column - vertex.left);
        to = to.max(column + vertex.right);
    }
    Candidate {
        rightwards: corner.rightwards,
        columns,
        from,
        to,
    }
}

/// The root of the block of each vertex.
fn align(layers: &Layers, conflicts: &FxHashSet<(u32, u32)>, corner: Corner) -> Vec<u32> {
    let size = layers.vertices.len();
    let mut root: Vec<u32> = (0..size as u32).collect();
    let mut taken = vec![false; size];
    let count = layers.rows.len();
    for step in 1..count {
        let row = if corner.downwards {
            step
        } else {
            count - 1 - step
        };
        let neighbours = if corner.downwards {
            &layers.above
        } else {
            &layers.below
        };
        // Seen from the corner, places grow to the right or to the left.
        let place = |vertex: u32| {
            let position = i64::from(layers.position[vertex as usize]);
            if corner.rightwards {
                position
            } else {
                -position
            }
        };
        let mut last = i64::MIN;
        let width = layers.rows[row].len();
        for index in 0..width {
            let slot = if corner.rightwards {
                index
            } else {
                width - 1 - index
            };
            let vertex = layers.rows[row][slot];
            let mut others = neighbours[vertex as usize].clone();
            others.sort_by_key(|&other| place(other));
            if others.is_empty() {
                continue;
            }
            let middle = others.len() - 1;
            for choice in [middle / 2, middle.div_ceil(2)] {
                let other = others[choice];
                let pair = if corner.downwards {
                    (other, vertex)
                } else {
                    (vertex, other)
                };
                let free = root[vertex as usize] == vertex && !taken[other as usize];
                if free && place(other) > last && !conflicts.contains(&pair) {
                    taken[other as usize] = true;
                    root[vertex as usize] = root[other as usize];
                    last = place(other);
                }
            }
        }
    }
    root
}

/// Packs blocks as far to the side as they go, then pulls each towards its neighbours on the other side.
fn pack(layers: &Layers, roots: &[u32], rightwards: bool) -> Vec<f64> {
    let size = layers.vertices.len();
    let mut after: Vec<Vec<(u32, f64)>> = vec![Vec::new(); size];
    let mut waiting = vec![0u32; size];
    for row in &layers.rows {
        for pair in row.windows(2) {
            let room = separation(layers, pair[0], pair[1]);
            let (near, far) = if rightwards {
                (pair[0], pair[1])
            } else {
                (pair[1], pair[0])
            };
            let (near, far) = (roots[near as usize], roots[far as usize]);
            after[near as usize].push((far, room));
            waiting[far as usize] += 1;
        }
    }
    let mut column = vec![0.0f64; size];
    let mut order: Vec<u32> = (0..size as u32)
        .filter(|&block| roots[block as usize] == block && waiting[block as usize] == 0)
        .collect();
    let mut done = 0;
    while let Some(&block) = order.get(done) {
        done += 1;
        for &(far, room) in &after[block as usize] {
            let least = column[block as usize] + room;
            column[far as usize] = column[far as usize].max(least);
            waiting[far as usize] -= 1;
            if waiting[far as usize] == 0 {
                order.push(far);
            }
        }
    }
    for &block in order.iter().rev() {
        let most = after[block as usize]
            .iter()
            .map(|&(far, room)| column[far as usize] - room)
            .fold(f64::INFINITY, f64::min);
        if most.is_finite() {
            column[block as usize] = column[block as usize].max(most);
        }
    }
    (0..size)
        .map(|vertex| column[roots[vertex] as usize])
        .collect()
}
