//! What goes wrong, in sequence charts.

use choros_model::stg::Direction;

use super::canvas::{Anchor, Ink, Pen, number};
use super::sequence::{Page, SMALL};
use crate::sequence::{FaultSign, Mark, Row};

impl Page {
    /// A cross at which the lifeline ends.
    pub(super) fn crash(&mut self, row: &Row) {
        let Some((at, _)) = row.ends else { return };
        let x = self.placing.columns[at];
        let y = self.y + 14.0;
        self.margin(y, row);
        self.cross(x, y, 7.0, "crash");
        self.y += 4.0;
        let pen = Pen::new(SMALL, Ink::Wrong);
        self.lines(x + 14.0, Anchor::Start, pen, &row.text);
        self.y = self.y.max(y + 8.0);
        self.ended.push((at, y));
    }

    /// An arrow that does not arrive, arrives twice, or overtakes others.
    pub(super) fn fault_arrow(&mut self, from: f64, to: f64, y: f64, sign: FaultSign) {
        match sign {
            FaultSign::Lost => {
                // Short of the lifeline, and beside the text.
                let end = from + (to - from) * 0.9;
                let path = format!("M{},{} H{}", number(from), number(y), number(end));
                self.canvas.path(&path, Ink::Text, false);
                self.cross(end, y, 5.0, "lost");
            }
            FaultSign::Doubled => {
                self.arrow(from, to, y, Direction::Interaction, Mark::Plain);
                self.arrow(from, to, y + 6.0, Direction::Interaction, Mark::Plain);
            }
            FaultSign::Overtakes | FaultSign::Crash => {
                let forwards = if from < to { 1.0 } else { -1.0 };
                let end = number(to - 6.0 * forwards);
                let path = format!("M{},{} H{end}", number(from), number(y));
                self.canvas.path(&path, Ink::Text, true);
                self.canvas.head(to, y, (forwards, 0.0), Ink::Text);
            }
        }
    }

    fn cross(&mut self, x: f64, y: f64, half: f64, title: &str) {
        let (whole, half) = (number(2.0 * half), half);
        let corner = (number(x - half), number(y - half));
        let path = format!(
            "M{},{} l{whole},{whole} m0,-{whole} l-{whole},{whole}",
            corner.0, corner.1
        );
        self.canvas.element(&format!(
            "<path d=\"{path}\" {} stroke-width=\"2.4\"><title>{title}</title></path>",
            Ink::Wrong.line()
        ));
    }
}
