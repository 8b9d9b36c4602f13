//! A sequence chart for the terminal.

use choros_model::evidence::Trace;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::sequence::{Chart, Row, RowKind};
use crate::{Paint, Style};

/// The chart, which ends with a line break; `None` where it would be wider than the style allows or shows nobody.
pub fn sequence_text(trace: &Trace, style: &Style) -> Option<String> {
    sequence_text_until(trace, trace.steps.len(), style)
}

/// The chart of the first steps, with the columns of the whole, so that it grows in place.
pub(crate) fn sequence_text_until(trace: &Trace, shown: usize, style: &Style) -> Option<String> {
    let mut chart = Chart::new(trace);
    if !style.unicode {
        for row in &mut chart.rows {
            match row.kind {
                RowKind::Silent => row.text = "tau".to_owned(),
                RowKind::Termination => row.text = "end".to_owned(),
                RowKind::Message(_) | RowKind::Other => {}
            }
        }
    }
    if chart.roles.is_empty() {
        return None;
    }
    let numbers = chart.rows.len().to_string().len() + 1;
    let (columns, right) = columns(&chart, numbers);
    if right > style.width {
        return None;
    }
    let mut page = Page {
        style,
        columns: &columns,
        out: String::new(),
        widest: 0,
    };
    let mut heading = Line::default();
    for (role, &column) in chart.roles.iter().zip(&columns) {
        heading.centre(column, role, Some(Paint::Strong));
    }
    page.push(heading);
    if !chart.start.is_empty() {
        page.across(&chart.start, None);
    }
    for (index, row) in chart.rows.iter().enumerate().take(shown) {
        page.row(index + 1, numbers, row);
    }
    let end = page.lifelines();
    page.push(end);
    if page.widest > style.width {
        return None;
    }
    if !chart.conclusion.is_empty() && shown == chart.rows.len() {
        page.out.push_str(&chart.conclusion);
        page.out.push('\n');
    }
    Some(page.out)
}

/// The column of each lifeline, and where the rightmost text ends.
fn columns(chart: &Chart, numbers: usize) -> (Vec<usize>, usize) {
    let half = |text: &str| text.width().div_ceil(2);
    let mut columns = vec![0; chart.roles.len()];
    let mut right = 0;
    for place in 0..columns.len() {
        let role = half(&chart.roles[place]);
        let mut column = match place {
            0 => numbers + role + 1,
            _ => columns[place - 1] + half(&chart.roles[place - 1]) + role + 2,
        };
        for row in &chart.rows {
            let Some((from, to)) = row.ends else { continue };
            let (near, far) = (from.min(to), from.max(to));
            let guard = row.guard.as_deref().unwrap_or_default().width();
            let wide = row.text.width().max(guard).max(row.values.width());
            let ends_here = near < far && far == place;
            let loops_before = near == far && near + 1 == place;
            if ends_here || loops_before {
                column = column.max(columns[near] + wide + 8);
            }
            if near == far && near == place {
                right = right.max(column + wide + 8);
            }
        }
        columns[place] = column;
        right = right.max(column + role + 1);
    }
    for row in &chart.rows {
        if row.ends.is_none() {
            let guard = row.guard.as_deref().unwrap_or_default().width();
            let wide = row.text.width().max(guard).max(row.values.width());
            right = right.max(numbers + wide + 4);
        }
    }
    (columns, right)
}

struct Page<'a> {
    style: &'a Style,
    columns: &'a [usize],
    out: String,
    /// The length of the longest line.
    widest: usize,
}

impl Page<'_> {
    fn lifelines(&self) -> Line {
        let mut line = Line::default();
        for &column in self.columns {
            let bar = self.style.sign("│", "|");
            line.put(column, bar, Some(Paint::Faint));
        }
        line
    }

    fn push(&mut self, line: Line) {
        self.widest = self.widest.max(line.cells.len());
        self.out.push_str(&line.print(self.style));
        self.out.push('\n');
    }

    /// A text over all lifelines.
    fn across(&mut self, text: &str, paint: Option<Paint>) {
        let (first, last) = (self.columns[0], self.columns[self.columns.len() - 1]);
        let middle = (first + last) / 2;
        let mut line = self.lifelines();
        line.centre(middle, &format!(" {text} "), paint);
        self.push(line);
    }

    fn row(&mut self, number: usize, numbers: usize, row: &Row) {
        let Some((from, to)) = row.ends else {
            if let Some(guard) = &row.guard {
                self.across(guard, Some(Paint::Condition));
            }
            self.across_numbered(number, numbers, row);
            if !row.values.is_empty() {
                self.across(&row.values, Some(Paint::Faint));
            }
            return;
        };
        let (left, right) = (
            self.columns[from.min(to)],
            self.columns[from.max(to)].max(self.columns[from.min(to)] + 4),
        );
        let middle = (left + right) / 2;
        let beside = |line: &mut Line, text: &str, paint: Paint| match from == to {
            true => line.put(left + 6, text, Some(paint)),
            false => line.centre(middle, text, Some(paint)),
        };
        if let Some(guard) = &row.guard {
            let mut line = self.lifelines();
            beside(&mut line, guard, Paint::Condition);
            self.push(line);
        }
        let mut line = self.lifelines();
        line.put(0, &format!("{number:>numbers$}"), Some(Paint::Faint));
        let dash = self.style.sign("─", "-");
        if from == to {
            line.put(left + 1, self.style.sign("──╮", "--."), None);
            line.put(left + 6, &row.text, None);
            self.push(line);
            let mut back = self.lifelines();
            back.put(left + 1, self.style.sign("◄─╯", "<-'"), None);
            self.push(back);
        } else {
            for column in left + 1..right {
                line.put(column, dash, None);
            }
            match from < to {
                true => line.put(right - 1, self.style.sign("►", ">"), None),
                false => line.put(left + 1, self.style.sign("◄", "<"), None),
            }
            line.centre(middle, &format!(" {} ", row.text), None);
            self.push(line);
        }
        if !row.values.is_empty() {
            let mut line = self.lifelines();
            beside(&mut line, &row.values, Paint::Faint);
            self.push(line);
        }
    }

    fn across_numbered(&mut self, number: usize, numbers: usize, row: &Row) {
        let (first, last) = (self.columns[0], self.columns[self.columns.len() - 1]);
        let mut line = self.lifelines();
        line.put(0, &format!("{number:>numbers$}"), Some(Paint::Faint));
        if row.kind == RowKind::Termination {
            for column in first..=last {
                line.put(column, self.style.sign("═", "="), None);
            }
        }
        let middle = (first + last) / 2;
        line.centre(middle, &format!(" {} ", row.text), None);
        self.push(line);
    }
}

/// Characters at columns; a wide one covers two.
#[derive(Default)]
struct Line {
    cells: Vec<(char, Option<Paint>)>,
}

/// The second half of a wide character.
const COVERED: char = '\0';

impl Line {
    fn put(&mut self, column: usize, text: &str, paint: Option<Paint>) {
        let mut column = column;
        for character in text.chars() {
            let width = character.width().unwrap_or(0);
            if width == 0 {
                continue;
            }
            if self.cells.len() < column + width {
                self.cells.resize(column + width, (' ', None));
            }
            self.cells[column] = (character, paint);
            if width == 2 {
                self.cells[column + 1] = (COVERED, paint);
            }
            column += width;
        }
    }

    fn centre(&mut self, column: usize, text: &str, paint: Option<Paint>) {
        self.put(column.saturating_sub(text.width() / 2), text, paint);
    }

    fn print(&self, style: &Style) -> String {
        let mut out = String::new();
        let mut rest = &self.cells[..];
        while let Some(&(_, paint)) = rest.first() {
            let length = rest.iter().take_while(|cell| cell.1 == paint).count();
            let text: String = rest[..length]
                .iter()
                .map(|cell| cell.0)
                .filter(|&character| character != COVERED)
                .collect();
            match paint {
                Some(paint) => out.push_str(&style.paint(paint, &text)),
                None => out.push_str(&text),
            }
            rest = &rest[length..];
        }
        out.truncate(out.trim_end().len());
        out
    }
}

#[cfg(test)]
mod tests {
    use choros_model::evidence::{Binding, Step, StepEvent};
    use choros_model::stg::Direction;

    use super::*;

    fn message(from: &str, to: &str, operation: &str, guard: Option<&str>) -> Step {
        Step {
            event: StepEvent::Message {
                operation: operation.to_owned(),
                from: from.to_owned(),
                to: to.to_owned(),
                direction: Direction::Interaction,
                fields: vec![(String::new(), "3".to_owned())],
            },
            guard: guard.map(str::to_owned),
            bindings: Vec::new(),
            states: None,
            origin: None,
        }
    }

    #[test]
    fn messages_are_arrows_between_lifelines() {
        let mut first = message("b", "v", "req", None);
        first.bindings.push(Binding {
            variable: "x".to_owned(),
            value: "3".to_owned(),
        });
        let trace = Trace {
            start: Vec::new(),
            steps: vec![
                first,
                message("v", "b", "ok", Some("x > 0")),
                Step {
                    event: StepEvent::Termination,
                    ..message("", "", "", None)
                },
            ],
            conclusion: "ends well".to_owned(),
        };
        let text = sequence_text(&trace, &Style::PLAIN).unwrap_or_default();
        let expected = [
            "    b              v",
            " 1  |-- req(3) --->|",
            "    |    x = 3     |",
            "    |   [x > 0]    |",
            " 2  |<-- ok(3) ----|",
            " 3  ===== end ======",
            "    |              |",
            "ends well",
            "",
        ];
        assert_eq!(text, expected.join("\n"));
    }
}
