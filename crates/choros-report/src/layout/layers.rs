//! Rows of vertices: boxes, and the bends of links that pass through a row.

use super::Plan;

/// The rows, from top to bottom, and what connects them.
#[derive(Debug, Clone)]
pub(super) struct Layers {
    /// All vertices; the boxes come first, in their order.
    pub(super) vertices: Vec<Vertex>,
    /// Neighbours in the row above.
    pub(super) above: Vec<Vec<u32>>,
    /// Neighbours in the row below.
    pub(super) below: Vec<Vec<u32>>,
    /// The vertices of each row, from left to right.
    pub(super) rows: Vec<Vec<u32>>,
    /// The place of each vertex in its row.
    pub(super) position: Vec<u32>,
    /// The vertices of each link, from top to bottom, its boxes included.
    pub(super) chains: Vec<Vec<u32>>,
    /// Whether a link was turned round.
    pub(super) flipped: Vec<bool>,
}

/// A box or a bend.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) kind: VertexKind,
    pub(super) row: u32,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) height: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VertexKind {
    Box,
    Bend,
    Label,
}

/// Between the line of a link and its label.
pub(super) const LABEL_GAP: f64 = 6.0;

impl Layers {
    /// The rows in the order of a depth-first search; `None` when there would be too many vertices.
    pub(super) fn new(
        plan: &Plan,
        flipped: &[bool],
        ranks: &[usize],
        most: usize,
    ) -> Option<Layers> {
        let bends: usize = plan
            .links
            .iter()
            .map(|link| ranks[link.source].abs_diff(ranks[link.target]) - 1)
            .try_fold(0usize, usize::checked_add)?;
        if plan.boxes.len() + bends > most {
            return None;
        }
        let mut layers = Layers {
            vertices: Vec::new(),
            above: Vec::new(),
            below: Vec::new(),
            rows: vec![Vec::new(); ranks.iter().max().map_or(0, |&last| last + 1)],
            position: Vec::new(),
            chains: Vec::new(),
            flipped: flipped.to_vec(),
        };
        for (size, &rank) in plan.boxes.iter().zip(ranks) {
            layers.add(Vertex {
                kind: VertexKind::Box,
                row: rank as u32,
                left: size.left,
                right: size.right,
                height: size.height,
            });
        }
        for (link, &flipped) in plan.links.iter().zip(flipped) {
            let (upper, lower) = if flipped {
                (link.target, link.source)
            } else {
                (link.source, link.target)
            };
            // The label sits next to where the link starts: what a box can do is read side by side.
            let labelled = if flipped {
                ranks[lower] - 1
            } else {
                ranks[upper] + 1
            };
            let mut chain = vec![upper as u32];
            for row in ranks[upper] + 1..ranks[lower] {
                let label = link.label.filter(|_| row == labelled);
                chain.push(layers.add(match label {
                    Some((width, height)) => Vertex {
                        kind: VertexKind::Label,
                        row: row as u32,
                        left: 2.0,
                        right: LABEL_GAP + width,
                        height,
                    },
                    None => Vertex {
                        kind: VertexKind::Bend,
                        row: row as u32,
                        left: 2.0,
                        right: 2.0,
                        height: 0.0,
                    },
                }));
            }
            chain.push(lower as u32);
            for pair in chain.windows(2) {
                layers.below[pair[0] as usize].push(pair[1]);
                layers.above[pair[1] as usize].push(pair[0]);
            }
            layers.chains.push(chain);
        }
        layers.order_depth_first(plan.first);
        Some(layers)
    }

    fn add(&mut self, vertex: Vertex) -> u32 {
        let id = self.vertices.len() as u32;
        self.vertices.push(vertex);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.position.push(0);
        id
    }

    /// Appends vertices to their rows as they are met going down: a tree gets no crossings at all.
    fn order_depth_first(&mut self, first: usize) {
        let mut met = vec![false; self.vertices.len()];
        let mut tops: Vec<u32> = (0..self.vertices.len() as u32).collect();
        tops.sort_by_key(|&vertex| self.vertices[vertex as usize].row);
        let starts: Vec<u32> = std::iter::once(first as u32).chain(tops).collect();
        let mut pending: Vec<u32> = Vec::new();
        for start in starts {
            pending.push(start);
            while let Some(vertex) = pending.pop() {
                if std::mem::replace(&mut met[vertex as usize], true) {
                    continue;
                }
                self.rows[self.vertices[vertex as usize].row as usize].push(vertex);
                pending.extend(self.below[vertex as usize].iter().rev());
            }
        }
        self.renumber();
    }

    /// Makes positions agree with rows.
    pub(super) fn renumber(&mut self) {
        for row in &self.rows {
            for (position, &vertex) in row.iter().enumerate() {
                self.position[vertex as usize] = position as u32;
            }
        }
    }

    pub(super) fn is_bend(&self, vertex: u32) -> bool {
        self.vertices[vertex as usize].kind != VertexKind::Box
    }
}
