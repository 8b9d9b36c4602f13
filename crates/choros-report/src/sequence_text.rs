//! Sequence charts for the terminal.

use choros_model::diagram::{Diagram, DiagramRow, TimerEvent};
use choros_model::evidence::Trace;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::metrics::wrap;
use crate::rich::Rich;
use crate::sequence::{Chart, FaultSign, Mark, Row, RowKind};
use crate::{Style, TextRole};

/// The chart, which ends with a line break; `None` where it would be wider than the style allows or shows no one.
pub fn sequence_text(trace: &Trace, style: &Style) -> Option<String> {
    sequence_text_until(trace, trace.steps.len(), style)
}

/// The chart of the first steps, with the columns of the whole, so that it grows in place.
pub(crate) fn sequence_text_until(trace: &Trace, shown: usize, style: &Style) -> Option<String> {
    let chart = Chart::new(trace);
    // What follows the last step is shown with it.
    let shown = if shown < trace.steps.len() {
        shown
    } else {
        chart.rows.len()
    };
    chart_text(chart, shown, style)
}

/// The diagram, which ends with a line break; a list of its rows where it would be wider than the style allows.
pub fn diagram_text(diagram: &Diagram, style: &Style) -> String {
    let name = style.paint(TextRole::Strong, &diagram.name);
    // Long messages take several lines before the whole gives way to a list.
    let widths = [usize::MAX, 40, 30, 20];
    let body = widths.into_iter().find_map(|most| {
        let mut chart = Chart::of_diagram(diagram);
        for row in chart.rows.iter_mut().filter(|row| row.ends.is_some()) {
            let text = row.text.text();
            if text.width() > most {
                row.text = Rich::plain(&wrap(&text, most, 6).join("\n"));
            }
        }
        let rows = chart.rows.len();
        chart_text(chart, rows, style)
    });
    format!("{name}\n{}", body.unwrap_or_else(|| listing(diagram)))
}

/// The width of the longest line of a row's text.
fn text_width(row: &Row) -> usize {
    row.text
        .text()
        .lines()
        .map(UnicodeWidthStr::width)
        .max()
        .unwrap_or(0)
}

/// Each message on a line of its own, frames by indentation.
fn listing(diagram: &Diagram) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    let mut line = |depth: usize, text: String| {
        out.push_str(&"  ".repeat(depth));
        out.push_str(text.trim_end());
        out.push('\n');
    };
    for row in &diagram.rows {
        match row {
            DiagramRow::Message { from, to, text } => {
                let (from, to) = (&diagram.roles[*from], &diagram.roles[*to]);
                line(depth, format!("{from} -> {to}: {text}"));
            }
            DiagramRow::Note { text, .. } => line(depth, text.clone()),
            DiagramRow::Timer { at, event, text } => {
                let (role, text) = (&diagram.roles[*at], event.text(text));
                line(depth, format!("{role}: {text}"));
            }
            DiagramRow::Open(frame, head) => {
                line(depth, format!("{} {head}", frame.word()));
                depth += 1;
            }
            DiagramRow::Section(head) => {
                let head = if head.is_empty() { "and" } else { head };
                line(depth.saturating_sub(1), head.to_owned());
            }
            DiagramRow::Close => depth = depth.saturating_sub(1),
        }
    }
    out
}

pub(crate) fn chart_text(chart: Chart, shown: usize, style: &Style) -> Option<String> {
    if chart.roles.is_empty() {
        return None;
    }
    let numbers = if chart.numbered {
        chart.rows.len().to_string().len() + 1
    } else {
        2 * chart.depth
    };
    let (columns, right) = columns(&chart, numbers);
    // Frames end right of everything else, the outermost last.
    let right = right + 2 * chart.depth;
    if right > style.width {
        return None;
    }
    let mut page = Page {
        style,
        columns: &columns,
        right,
        frames: 0,
        ended: Vec::new(),
        out: String::new(),
        widest: 0,
    };
    let mut heading = Line::default();
    for (role, &column) in chart.roles.iter().zip(&columns) {
        heading.centre(column, role, Some(TextRole::Strong));
    }
    page.push(heading);
    if !chart.start.is_empty() {
        page.across(&Rich::plain(&chart.start), None);
    }
    for row in chart.rows.iter().take(shown) {
        page.row(numbers, row);
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
            let wide = text_width(row).max(guard).max(row.values.text().width());
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
            let wide = text_width(row).max(guard).max(row.values.text().width());
            let word = match row.kind {
                RowKind::Open(_) | RowKind::Section => 10,
                _ => 4,
            };
            right = right.max(numbers + wide + word);
        }
    }
    (columns, right)
}

struct Page<'a> {
    style: &'a Style,
    columns: &'a [usize],
    /// The column of the right side of the outermost frame.
    right: usize,
    /// How many frames are open.
    frames: usize,
    /// Columns of lifelines that have ended.
    ended: Vec<usize>,
    out: String,
    /// The length of the longest line.
    widest: usize,
}

impl Page<'_> {
    fn lifelines(&self) -> Line {
        let mut line = Line::default();
        let bar = self.style.sign("│", "|");
        for &column in self.columns.iter().filter(|it| !self.ended.contains(it)) {
            line.put(column, bar, Some(TextRole::Faint));
        }
        for frame in 0..self.frames {
            line.put(2 * frame, bar, None);
            line.put(self.right - 2 * frame, bar, None);
        }
        line
    }

    /// A line along a frame, which opens, divides or closes it.
    fn frame(&mut self, row: &Row) {
        let (word, ends, dash, ascii) = match row.kind {
            RowKind::Open(frame) => (frame.word(), ["┌", "┐"], "─", "-"),
            RowKind::Section => ("", ["├", "┤"], "╌", "."),
            _ => ("", ["└", "┘"], "─", "-"),
        };
        if row.kind != RowKind::Section && word.is_empty() {
            self.frames = self.frames.saturating_sub(1);
        }
        let level = match row.kind {
            RowKind::Section => self.frames.saturating_sub(1),
            _ => self.frames,
        };
        let (left, right) = (2 * level, self.right - 2 * level);
        let mut line = self.lifelines();
        for column in left..=right {
            line.put(column, self.style.sign(dash, ascii), None);
        }
        line.put(left, self.style.sign(ends[0], "+"), None);
        line.put(right, self.style.sign(ends[1], "+"), None);
        let mut column = left + 2;
        for (text, paint) in [
            (word, TextRole::Strong),
            (&row.text.text(), TextRole::Condition),
        ] {
            if !text.is_empty() {
                line.put(column, &format!(" {text} "), Some(paint));
                column += text.width() + 1;
            }
        }
        self.push(line);
        if let RowKind::Open(_) = row.kind {
            self.frames += 1;
        }
    }

    /// A remark over some lifelines.
    fn note(&mut self, row: &Row) {
        let Some((first, last)) = row.ends else {
            for line in wrap(&row.text.text(), self.right.max(40), 6) {
                self.across(&Rich::plain(&line), Some(TextRole::Condition));
            }
            return;
        };
        let middle = (self.columns[first] + self.columns[last]) / 2;
        for text in row.text.text().lines() {
            let mut line = self.lifelines();
            line.centre(middle, &format!("[ {text} ]"), None);
            self.push(line);
        }
    }

    /// A timer on a lifeline: an hourglass, as message sequence charts have it.
    fn timer(&mut self, event: TimerEvent, row: &Row) {
        let Some((at, _)) = row.ends else { return };
        let column = self.columns[at];
        let sign = match event {
            TimerEvent::Starts => self.style.sign("⧖──", "X--"),
            TimerEvent::Over => self.style.sign("⧗─►", "X->"),
            TimerEvent::Waits => self.style.sign("⧖┄┄", "X.."),
        };
        let mut line = self.lifelines();
        line.put(column, sign, Some(TextRole::Condition));
        line.put(column + 4, &row.text.text(), Some(TextRole::Condition));
        self.push(line);
    }

    /// A cross at the end of a lifeline.
    fn crash(&mut self, numbers: usize, row: &Row) {
        let Some((at, _)) = row.ends else { return };
        let column = self.columns[at];
        let mut line = self.lifelines();
        self.margin(&mut line, numbers, row);
        line.put(column, self.style.sign("✗", "X"), Some(TextRole::Bad));
        line.put(column + 2, &row.text.text(), Some(TextRole::Bad));
        self.push(line);
        self.ended.push(column);
    }

    fn push(&mut self, line: Line) {
        self.widest = self.widest.max(line.cells.len());
        self.out.push_str(&line.print(self.style));
        self.out.push('\n');
    }

    /// A text over all lifelines.
    fn across(&mut self, text: &Rich, paint: Option<TextRole>) {
        let (first, last) = (self.columns[0], self.columns[self.columns.len() - 1]);
        let middle = (first + last) / 2;
        let mut line = self.lifelines();
        line.centre_rich(middle, &spaced(text), paint);
        self.push(line);
    }

    fn row(&mut self, numbers: usize, row: &Row) {
        match row.kind {
            RowKind::Open(_) | RowKind::Section | RowKind::Close => return self.frame(row),
            RowKind::Note => return self.note(row),
            RowKind::Timer(event) => return self.timer(event, row),
            RowKind::Fault(FaultSign::Crash) => return self.crash(numbers, row),
            _ => {}
        }
        let Some((from, to)) = row.ends else {
            if let Some(guard) = &row.guard {
                self.across(&Rich::plain(guard), Some(TextRole::Condition));
            }
            self.across_numbered(numbers, row);
            if !row.values.is_empty() {
                self.across(&row.values, Some(TextRole::Faint));
            }
            return;
        };
        let (left, right) = (
            self.columns[from.min(to)],
            self.columns[from.max(to)].max(self.columns[from.min(to)] + 4),
        );
        let middle = (left + right) / 2;
        let paint = row_paint(row.mark);
        let beside = |line: &mut Line, text: &Rich, paint: Option<TextRole>| {
            if from == to {
                line.put_rich(left + 6, text, paint);
            } else {
                line.centre_rich(middle, text, paint);
            }
        };
        if let Some(guard) = &row.guard {
            let mut line = self.lifelines();
            beside(&mut line, &Rich::plain(guard), Some(TextRole::Condition));
            self.push(line);
        }
        let whole = row.text.text();
        let mut above: Vec<&str> = whole.lines().collect();
        let last = above.pop().unwrap_or_default();
        let text = if above.is_empty() {
            row.text.clone()
        } else {
            Rich::plain(last)
        };
        for above in above {
            let mut line = self.lifelines();
            beside(&mut line, &Rich::plain(above), paint);
            self.push(line);
        }
        let mut line = self.lifelines();
        self.margin(&mut line, numbers, row);
        let dash = match (row.mark, row.kind) {
            (Mark::Expected, _) | (_, RowKind::Fault(FaultSign::Overtakes)) => {
                self.style.sign("╌", ".")
            }
            (Mark::Plain | Mark::Wrong, _) => self.style.sign("─", "-"),
        };
        if from == to {
            line.put(left + 1, self.style.sign("──╮", "--."), paint);
            line.put_rich(left + 6, &text, paint);
            self.push(line);
            let mut back = self.lifelines();
            back.put(left + 1, self.style.sign("◄─╯", "<-'"), paint);
            self.push(back);
        } else {
            for column in left + 1..right {
                line.put(column, dash, paint);
            }
            self.head(&mut line, (left, right), from < to, row);
            line.centre_rich(middle, &spaced(&text), paint);
            self.push(line);
        }
        if !row.values.is_empty() {
            let mut line = self.lifelines();
            beside(&mut line, &row.values, Some(TextRole::Faint));
            self.push(line);
        }
    }

    /// The head of an arrow between two columns: a cross where it does not arrive, two heads where it arrives twice.
    fn head(&self, line: &mut Line, (left, right): (usize, usize), is_right: bool, row: &Row) {
        let paint = row_paint(row.mark);
        let sign = if is_right {
            self.style.sign("►", ">")
        } else {
            self.style.sign("◄", "<")
        };
        let place = |back: usize| {
            if is_right {
                right - 1 - back
            } else {
                left + 1 + back
            }
        };
        match row.kind {
            RowKind::Fault(FaultSign::Lost) => {
                line.put(place(0), " ", paint);
                line.put(place(1), self.style.sign("✗", "x"), Some(TextRole::Bad));
            }
            RowKind::Fault(FaultSign::Doubled) => {
                line.put(place(0), sign, paint);
                line.put(place(1), sign, paint);
            }
            _ => line.put(place(0), sign, paint),
        }
    }

    /// The number of a step, or a sign that it must not happen.
    fn margin(&self, line: &mut Line, numbers: usize, row: &Row) {
        if row.mark == Mark::Wrong {
            let sign = self.style.sign("✗", "x");
            line.put(0, &format!("{sign:>numbers$}"), Some(TextRole::Bad));
        } else if let Some(number) = row.number {
            line.put(0, &format!("{number:>numbers$}"), Some(TextRole::Faint));
        }
    }

    fn across_numbered(&mut self, numbers: usize, row: &Row) {
        let (first, last) = (self.columns[0], self.columns[self.columns.len() - 1]);
        let mut line = self.lifelines();
        self.margin(&mut line, numbers, row);
        let paint = row_paint(row.mark);
        if row.kind == RowKind::Termination {
            let sign = match row.mark {
                Mark::Expected => self.style.sign("╌", "."),
                Mark::Plain | Mark::Wrong => self.style.sign("═", "="),
            };
            for column in first..=last {
                line.put(column, sign, paint);
            }
        }
        let middle = (first + last) / 2;
        line.centre_rich(middle, &spaced(&row.text), paint);
        self.push(line);
    }
}

/// With a blank before and after it.
fn spaced(text: &Rich) -> Rich {
    let mut spaced = Rich::plain(" ");
    for (piece, bold) in &text.pieces {
        spaced.push(piece, *bold);
    }
    spaced.push(" ", false);
    spaced
}

fn row_paint(mark: Mark) -> Option<TextRole> {
    match mark {
        Mark::Plain => None,
        Mark::Wrong => Some(TextRole::Bad),
        Mark::Expected => Some(TextRole::Condition),
    }
}

/// Characters at columns; a wide one covers two.
#[derive(Default)]
struct Line {
    cells: Vec<(char, Option<TextRole>)>,
}

/// The second half of a wide character.
const COVERED: char = '\0';

impl Line {
    fn put(&mut self, column: usize, text: &str, paint: Option<TextRole>) {
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

    fn centre(&mut self, column: usize, text: &str, paint: Option<TextRole>) {
        self.put(column.saturating_sub(text.width() / 2), text, paint);
    }

    /// Bold pieces are strong where the rest has no colour of its own.
    fn put_rich(&mut self, column: usize, rich: &Rich, paint: Option<TextRole>) {
        let mut column = column;
        for (text, bold) in &rich.pieces {
            let strong = match paint {
                Some(TextRole::Bad) => TextRole::StrongBad,
                _ => TextRole::Strong,
            };
            self.put(column, text, if *bold { Some(strong) } else { paint });
            column += text.width();
        }
    }

    fn centre_rich(&mut self, column: usize, rich: &Rich, paint: Option<TextRole>) {
        let half = rich.text().width() / 2;
        self.put_rich(column.saturating_sub(half), rich, paint);
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
mod tests;
