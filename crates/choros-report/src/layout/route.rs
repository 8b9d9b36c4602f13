//! Heights of rows, ends of links at their boxes, and the lines between.
//!
//! Inside a row a line runs straight down; it changes its column only between rows, where nothing else is.

use super::layers::{LABEL_GAP, Layers, VertexKind};
use super::{BoxSize, Layout, Plan, Point, Route};

/// Room for an arrow's head.
pub(crate) const ARROW: f64 = 8.0;

/// Everything in its place.
pub(super) fn routes(plan: &Plan, layers: &Layers, columns: &[f64]) -> Layout {
    let rows = rows(layers, columns);
    let ports = Ports::new(plan, layers, columns);
    let boxes: Vec<Point> = (0..plan.boxes.len())
        .map(|index| {
            let row = rows[layers.vertices[index].row as usize];
            Point {
                x: columns[index],
                y: (row.0 + row.1) / 2.0,
            }
        })
        .collect();
    let mut routes = Vec::with_capacity(plan.links.len());
    for (link, chain) in layers.chains.iter().enumerate() {
        let flipped = layers.flipped[link];
        let (upper, lower) = (chain[0] as usize, chain[chain.len() - 1] as usize);
        let mut route = Route {
            upwards: flipped,
            ..Route::default()
        };
        let offset = ports.lower[link];
        let start = boxes[upper].y + border(&plan.boxes[upper], offset);
        let bottom = rows[layers.vertices[upper].row as usize].1.max(start);
        let room = if flipped { ARROW } else { 0.0 };
        route
            .pieces
            .push((boxes[upper].x + offset, start, bottom + room));
        for &vertex in &chain[1..chain.len() - 1] {
            let (top, bottom) = rows[layers.vertices[vertex as usize].row as usize];
            route.pieces.push((columns[vertex as usize], top, bottom));
            if layers.vertices[vertex as usize].kind == VertexKind::Label {
                let height = layers.vertices[vertex as usize].height;
                route.label = Some(Point {
                    x: columns[vertex as usize] + LABEL_GAP,
                    y: (top + bottom - height) / 2.0,
                });
            }
        }
        let offset = ports.upper[link];
        let end = boxes[lower].y - border(&plan.boxes[lower], offset);
        let top = rows[layers.vertices[lower].row as usize].0.min(end);
        let room = if flipped { 0.0 } else { ARROW };
        route
            .pieces
            .push((boxes[lower].x + offset, top - room, end));
        routes.push(route);
    }
    let width = columns
        .iter()
        .zip(&layers.vertices)
        .map(|(column, vertex)| column + vertex.right)
        .fold(0.0, f64::max);
    Layout {
        width,
        height: rows.last().map_or(0.0, |row| row.1),
        boxes,
        routes,
    }
}

/// Top and bottom of each row; the further lines go sideways, the more room they get to do so.
fn rows(layers: &Layers, columns: &[f64]) -> Vec<(f64, f64)> {
    let mut rows = Vec::with_capacity(layers.rows.len());
    let mut top = 0.0;
    for row in &layers.rows {
        let height = row
            .iter()
            .map(|&vertex| layers.vertices[vertex as usize].height)
            .fold(0.0, f64::max);
        let bottom = top + height;
        rows.push((top, bottom));
        let (mut sideways, mut boxes) = (0.0f64, false);
        for &vertex in row {
            boxes |= !layers.is_bend(vertex);
            for &lower in &layers.below[vertex as usize] {
                sideways = sideways.max((columns[vertex as usize] - columns[lower as usize]).abs());
                boxes |= !layers.is_bend(lower);
            }
        }
        let room = if boxes { 10.0 + ARROW } else { 10.0 };
        top = bottom + room + (0.09 * sideways).min(48.0);
    }
    rows
}

/// How far from the axis each link leaves its upper box and enters its lower one.
struct Ports {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Ports {
    fn new(plan: &Plan, layers: &Layers, columns: &[f64]) -> Ports {
        let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); plan.boxes.len()];
        let mut above: Vec<Vec<(f64, usize)>> = vec![Vec::new(); plan.boxes.len()];
        for (link, chain) in layers.chains.iter().enumerate() {
            let last = chain.len() - 1;
            below[chain[0] as usize].push((columns[chain[1] as usize], link));
            above[chain[last] as usize].push((columns[chain[last - 1] as usize], link));
        }
        let spread = |sides: Vec<Vec<(f64, usize)>>| {
            let mut offsets = vec![0.0; plan.links.len()];
            for (size, mut side) in plan.boxes.iter().zip(sides) {
                side.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
                let count = side.len();
                if count < 2 {
                    continue;
                }
                let step = (2.0 * size.ports / (count - 1) as f64).min(12.0);
                for (place, (_, link)) in side.into_iter().enumerate() {
                    offsets[link] = (place as f64 - (count - 1) as f64 / 2.0) * step;
                }
            }
            offsets
        };
        Ports {
            lower: spread(below),
            upper: spread(above),
        }
    }
}

/// How far from the middle the border of a shape with rounded ends is, at some distance from its axis.
fn border(size: &BoxSize, offset: f64) -> f64 {
    let half = size.shape_height / 2.0;
    let radius = half.min(size.half_width);
    let into_corner = (offset.abs() - (size.half_width - radius)).clamp(0.0, radius);
    half - radius + (radius * radius - into_corner * into_corner).sqrt()
}
