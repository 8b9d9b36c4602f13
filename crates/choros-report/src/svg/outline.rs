//! An explanation whose parts have explanations, as an outline.

use choros_model::evidence::Tree;

use super::canvas::{Canvas, Ink, Pen, number};
use crate::metrics::wrap;

const SIZE: f64 = 12.0;
const LINE: f64 = 15.0;
const STEP: f64 = 22.0;
/// Deeper claims are not moved further to the right.
const MAX_NESTING: usize = 24;

/// The picture; evidence of claims stands below them as text.
pub(super) fn outline_svg(
    tree: &Tree,
    text_of: impl Fn(&choros_model::Evidence) -> String,
) -> String {
    let mut canvas = Canvas::default();
    let (mut width, mut y) = (0.0f64, 0.0);
    // Where the line of each level of the outline starts.
    let mut starts: Vec<f64> = Vec::new();
    let mut pending = vec![(tree, 0usize)];
    while let Some((tree, depth)) = pending.pop() {
        let depth = depth.min(MAX_NESTING);
        let x = STEP * depth as f64;
        starts.truncate(depth);
        if let Some(&start) = starts.last() {
            let path = format!(
                "M{},{} V{} H{}",
                number(x - STEP + 5.0),
                number(start),
                number(y + 8.0),
                number(x - 4.0)
            );
            canvas.path(&path, Ink::Faint, false);
        }
        let pen = Pen::new(SIZE, Ink::Text).bold();
        for line in wrap(&tree.claim, 80, 6) {
            canvas.text(x, y + 12.0, pen, &line);
            width = width.max(x + pen.width(&line));
            y += LINE;
        }
        if let Some(evidence) = &tree.evidence {
            let pen = Pen::new(SIZE, Ink::Guard);
            for text in text_of(evidence).lines() {
                for line in wrap(text, 90, 3) {
                    canvas.text(x + 14.0, y + 12.0, pen, &line);
                    width = width.max(x + 14.0 + pen.width(&line));
                    y += LINE;
                }
            }
        }
        starts.push(y + 2.0);
        y += 5.0;
        pending.extend(tree.because.iter().rev().map(|child| (child, depth + 1)));
    }
    canvas.finish("explanation", width, y)
}
