//! Rows and columns.

use super::canvas::{Canvas, Ink, Pen, number};
use crate::metrics::wrap;

const SIZE: f64 = 12.0;
const LINE: f64 = 15.0;

/// The picture; the first row is the heading.
pub(super) fn table_svg(title: &str, rows: &[Vec<String>]) -> String {
    let mut canvas = Canvas::default();
    let (width, height) = draw_table(&mut canvas, 0.0, 0.0, rows);
    canvas.finish(title, width, height)
}

/// Draws a table with its upper left corner at a point and says how large it is.
pub(super) fn draw_table(
    canvas: &mut Canvas,
    left: f64,
    top: f64,
    rows: &[Vec<String>],
) -> (f64, f64) {
    let cells: Vec<Vec<Vec<String>>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| wrap(cell, 48, 6)).collect())
        .collect();
    let pen = |row: usize| match row {
        0 => Pen::new(SIZE, Ink::Faint).bold(),
        _ => Pen::new(SIZE, Ink::Text),
    };
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0.0f64; columns];
    for (index, row) in cells.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            for line in cell {
                widths[column] = widths[column].max(pen(index).width(line));
            }
        }
    }
    let width: f64 = widths.iter().map(|width| width + 22.0).sum::<f64>();
    let mut y = top;
    for (index, row) in cells.iter().enumerate() {
        let lines = row.iter().map(Vec::len).max().unwrap_or(1);
        let mut x = left;
        for (column, cell) in row.iter().enumerate() {
            for (number, line) in cell.iter().enumerate() {
                let base = y + 15.0 + LINE * number as f64;
                canvas.text(x + 2.0, base, pen(index), line);
            }
            x += widths[column] + 22.0;
        }
        y += LINE * lines as f64 + 7.0;
        let ink = if index == 0 { Ink::Text } else { Ink::Dead };
        let path = format!("M{},{} h{}", number(left), number(y), number(width));
        canvas.path(&path, ink, false);
    }
    (width, y - top)
}
