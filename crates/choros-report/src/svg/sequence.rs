//! A trace or a diagram as a sequence chart.

use choros_model::diagram::{Diagram, TimerEvent};
use choros_model::evidence::Trace;
use choros_model::stg::Direction;

use super::canvas::{Anchor, Canvas, Ink, Pen, number};
use crate::metrics::wrap;
use crate::rich::Rich;
use crate::sequence::{Chart, FaultSign, Mark, Row, RowKind};

/// The picture of a trace.
pub fn sequence_svg(trace: &Trace) -> String {
    chart_svg(&Chart::new(trace), "sequence chart")
}

/// The picture of a diagram.
pub fn diagram_svg(diagram: &Diagram) -> String {
    let title = format!("sequence diagram of {}", diagram.name);
    chart_svg(&Chart::of_diagram(diagram), &title)
}

pub(crate) fn chart_svg(chart: &Chart, title: &str) -> String {
    let mut page = Page {
        canvas: Canvas::default(),
        placing: Placing::new(chart),
        frames: Vec::new(),
        y: 0.0,
        ended: Vec::new(),
        covering: true,
    };
    let lines_from = page.y + HEAD;
    page.heads(chart);
    if !chart.start.is_empty() {
        page.note(&chart.start, Ink::Value);
    }
    for row in &chart.rows {
        page.row(row);
    }
    page.y += 10.0;
    let lines_to = page.y;
    // Who takes part is forgotten by the end of a long trace.
    if chart.rows.len() > 12 {
        page.heads(chart);
    }
    if !chart.conclusion.is_empty() {
        page.conclusion(&chart.conclusion);
    }
    let mut lifelines = Canvas::default();
    for (place, &x) in page.placing.columns.iter().enumerate() {
        let end = page.ended.iter().find(|it| it.0 == place);
        let lines_to = end.map_or(lines_to, |it| it.1);
        let path = format!(
            "M{},{} V{}",
            number(x),
            number(lines_from),
            number(lines_to)
        );
        lifelines.path(&path, Ink::Faint, true);
    }
    lifelines.append(page.canvas);
    lifelines.finish(title, page.placing.width, page.y)
}

const HEAD: f64 = 28.0;
const LABEL: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;
/// Between two lines of a text.
const LEADING: f64 = 2.5;
/// What letters such as `g` need below their line.
const DESCENT: f64 = 2.5;
/// Captions are not narrower than this, however few lifelines there are.
const CAPTION: f64 = 340.0;
/// Left of the lifelines, for numbers.
const NUMBERS: f64 = 26.0;
/// From the side of a frame to that of the frame around it.
const INSET: f64 = 10.0;

/// Where the lifelines are.
pub(super) struct Placing {
    pub(super) columns: Vec<f64>,
    /// What is free left of them.
    left: f64,
    width: f64,
}

impl Placing {
    fn new(chart: &Chart) -> Placing {
        let head = |role: &str| head_width(role) / 2.0;
        let mut columns: Vec<f64> = Vec::new();
        let mut width: f64 = 160.0;
        let frames = INSET * chart.depth as f64;
        let left = if chart.numbered { NUMBERS } else { 2.0 } + frames;
        for (place, role) in chart.roles.iter().enumerate() {
            let mut column = match place {
                0 => left + head(role),
                _ => columns[place - 1] + head(&chart.roles[place - 1]) + 24.0 + head(role),
            };
            for row in &chart.rows {
                let Some((from, to)) = row.ends else { continue };
                let (near, far) = (from.min(to), from.max(to));
                if near < far && far == place {
                    column = column.max(columns[near] + row_width(row) + 28.0);
                } else if near == far && near + 1 == place {
                    column = column.max(columns[near] + row_width(row) + 48.0);
                }
            }
            // Only now it is known where the lifeline is.
            for row in chart
                .rows
                .iter()
                .filter(|row| row.ends == Some((place, place)))
            {
                width = width.max(column + row_width(row) + 40.0);
            }
            width = width.max(column + head(role));
            columns.push(column);
        }
        // What stands across all lifelines begins a bit left of the first.
        let across = columns.first().copied().unwrap_or(left).max(left + 20.0);
        width = width.max(across + text_width(SMALL, &Rich::plain(&chart.start)) + 8.0);
        for row in chart.rows.iter().filter(|row| row.ends.is_none()) {
            width = width.max(across + row_width(row) + 8.0 + word_width(row));
        }
        let width = width + frames;
        Placing {
            columns,
            left,
            width,
        }
    }
}

fn head_width(role: &str) -> f64 {
    let role = short(role);
    (Pen::new(13.0, Ink::Text).bold().width(&role) + 22.0).max(48.0)
}

fn short(text: &str) -> String {
    wrap(text, 30, 1).concat()
}

/// The lines of a text beside an arrow.
fn lines(text: &Rich) -> Vec<Rich> {
    text.wrapped(52, 4)
}

/// Lines of at most this width, broken at blanks.
fn wrap_to(text: &str, width: f64, pen: Pen) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if pen.width(line) + pen.width(" ") + pen.width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// How the event of a row is written.
fn event_pen(row: &Row) -> Pen {
    Pen::new(LABEL, mark_ink(row.mark, Ink::Text))
}

fn mark_ink(mark: Mark, plain: Ink) -> Ink {
    match mark {
        Mark::Plain => plain,
        Mark::Wrong => Ink::Wrong,
        Mark::Expected => Ink::Guard,
    }
}

fn row_width(row: &Row) -> f64 {
    let guard = Rich::plain(row.guard.as_deref().unwrap_or_default());
    let texts = [(SMALL, &guard), (LABEL, &row.text), (SMALL, &row.values)];
    let widths = texts.into_iter().map(|(size, text)| text_width(size, text));
    widths.fold(0.0, f64::max)
}

/// The width of the longest line of a text.
fn text_width(size: f64, text: &Rich) -> f64 {
    // What is wrong is bold, so there is room for that.
    let pen = Pen::new(size, Ink::Text).bold();
    let widths = lines(text).into_iter().map(|line| pen.rich_width(&line));
    widths.fold(0.0, f64::max)
}

/// What the word of a frame takes.
fn word_width(row: &Row) -> f64 {
    match row.kind {
        RowKind::Open(frame) => Pen::new(SMALL, Ink::Text).bold().width(frame.word()) + 26.0,
        _ => 0.0,
    }
}

pub(super) struct Page {
    pub(super) canvas: Canvas,
    pub(super) placing: Placing,
    /// Where the frames that are open began.
    frames: Vec<f64>,
    pub(super) y: f64,
    /// Lifelines that have ended, and where.
    pub(super) ended: Vec<(usize, f64)>,
    /// Whether texts cover the lifelines after them.
    covering: bool,
}

impl Page {
    fn heads(&mut self, chart: &Chart) {
        if chart.roles.is_empty() {
            return;
        }
        for (role, &x) in chart.roles.iter().zip(&self.placing.columns) {
            let width = head_width(role);
            self.canvas.element(&format!(
                "<rect class=\"node\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#f3f6fb\" \
                 stroke=\"#4a5363\"/>",
                number(x - width / 2.0),
                number(self.y),
                number(width),
                number(HEAD)
            ));
            let pen = Pen::new(13.0, Ink::Text).bold().at(Anchor::Middle);
            self.canvas.text(x, self.y + 18.5, pen, &short(role));
        }
        self.y += HEAD + 10.0;
    }

    fn row(&mut self, row: &Row) {
        match row.kind {
            RowKind::Open(frame) => return self.open(frame.word(), row),
            RowKind::Section => return self.section(row),
            RowKind::Close => return self.close(),
            RowKind::Note => return self.remark(row),
            RowKind::Timer(event) => return self.timer(event, row),
            RowKind::Fault(FaultSign::Crash) => return self.crash(row),
            _ => {}
        }
        self.y += 8.0;
        let (from, to) = match row.ends {
            Some((from, to)) => (self.placing.columns[from], self.placing.columns[to]),
            None => return self.silent_row(row),
        };
        let (x, anchor) = if from == to {
            (from + 34.0, Anchor::Start)
        } else {
            ((from + to) / 2.0, Anchor::Middle)
        };
        if let Some(guard) = &row.guard {
            self.lines(x, anchor, Pen::new(SMALL, Ink::Guard), &Rich::plain(guard));
        }
        self.lines(x, anchor, event_pen(row), &row.text);
        let y = self.y + 4.0;
        self.margin(y, row);
        let direction = match row.kind {
            RowKind::Message(direction) => direction,
            _ => Direction::Interaction,
        };
        match row.kind {
            RowKind::Fault(sign) => self.fault_arrow(from, to, y, sign),
            _ => self.arrow(from, to, y, direction, row.mark),
        }
        let below = match row.kind {
            RowKind::Fault(FaultSign::Doubled) => 10.0,
            _ if from == to => 16.0,
            _ => 4.0,
        };
        self.y = y + below;
        self.lines(x, anchor, Pen::new(SMALL, Ink::Value), &row.values);
    }

    /// The number of a step, and a cross where it must not happen.
    pub(super) fn margin(&mut self, y: f64, row: &Row) {
        let numbers = Pen::new(SMALL, Ink::Faint).at(Anchor::End);
        let number_text = row.number.map(|it| it.to_string()).unwrap_or_default();
        let x = NUMBERS - 12.0;
        if row.mark == Mark::Wrong {
            let path = format!("M{},{} l8,8 m0,-8 l-8,8", number(x + 4.0), number(y - 4.0));
            self.canvas.element(&format!(
                "<path d=\"{path}\" {} stroke-width=\"2.4\"><title>wrong</title></path>",
                Ink::Wrong.line()
            ));
        }
        self.canvas.text(x, y + 3.5, numbers, &number_text);
    }

    /// The sides of the innermost frame.
    fn sides(&self) -> (f64, f64) {
        let inset = INSET * self.frames.len().saturating_sub(1) as f64 + 1.0;
        (inset, self.placing.width - inset)
    }

    /// The upper side of a frame, with its word in a tab and what its first section says.
    fn open(&mut self, word: &str, row: &Row) {
        self.y += 12.0;
        self.frames.push(self.y);
        let (left, _) = self.sides();
        let pen = Pen::new(SMALL, Ink::Text).bold();
        let tab = pen.width(word) + 12.0;
        let path = format!(
            "M{},{} h{} v10 l-6,6 H{} Z",
            number(left),
            number(self.y),
            number(tab),
            number(left)
        );
        self.canvas.element(&format!(
            "<path class=\"node\" d=\"{path}\" fill=\"#f3f6fb\" stroke=\"#4a5363\"/>"
        ));
        self.canvas.text(left + 5.0, self.y + 12.0, pen, word);
        let top = self.y;
        let pen = Pen::new(SMALL, Ink::Guard);
        self.lines(left + tab + 8.0, Anchor::Start, pen, &row.text);
        self.y = self.y.max(top + 16.0);
    }

    /// The line between two sections of a frame.
    fn section(&mut self, row: &Row) {
        self.y += 10.0;
        let (left, right) = self.sides();
        let path = format!("M{},{} H{}", number(left), number(self.y), number(right));
        self.canvas.path(&path, Ink::Faint, true);
        let pen = Pen::new(SMALL, Ink::Guard);
        self.lines(left + 8.0, Anchor::Start, pen, &row.text);
    }

    fn close(&mut self) {
        self.y += 10.0;
        let (left, right) = self.sides();
        let top = self.frames.pop().unwrap_or_default();
        self.canvas.element(&format!(
            "<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\"/>",
            Ink::Text.line(),
            number(left),
            number(top),
            number(right - left),
            number(self.y - top)
        ));
        self.y += 4.0;
    }

    /// A remark in a box over its lifelines, or over all of them.
    fn remark(&mut self, row: &Row) {
        self.y += 8.0;
        let (left, right) = match row.ends {
            Some((first, last)) => {
                let columns = &self.placing.columns;
                (columns[first] - 24.0, columns[last] + 24.0)
            }
            None => {
                let ((left, right), (first, last)) = (self.span(), self.sides());
                let inside = if self.frames.is_empty() { 0.0 } else { INSET };
                (left.max(first + inside), right.min(last - inside))
            }
        };
        let half = (row_width(row) / 2.0 + 8.0).max((right - left) / 2.0);
        // A wide remark over the first or the last lifeline would not be inside the picture.
        let middle = ((left + right) / 2.0)
            .min(self.placing.width - half)
            .max(half - INSET);
        let wrapped = lines(&row.text);
        let height = wrapped.len() as f64 * (SMALL + LEADING) + 8.0;
        self.canvas.element(&format!(
            "<rect class=\"node\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f6f7f9\" stroke=\"#7b8494\"/>",
            number(middle - half),
            number(self.y),
            number(2.0 * half),
            number(height)
        ));
        let bottom = self.y + height;
        self.covering = false;
        let pen = Pen::new(SMALL, Ink::Text);
        self.lines(middle, Anchor::Middle, pen, &row.text);
        self.covering = true;
        self.y = bottom + 2.0;
    }

    /// An hourglass on a lifeline; its sand has run through when the time is over.
    fn timer(&mut self, event: TimerEvent, row: &Row) {
        let Some((at, _)) = row.ends else { return };
        let (x, top) = (self.placing.columns[at], self.y + 6.0);
        let corner = |x: f64, y: f64| format!("{} {}", number(x), number(y));
        let (left, right, bottom) = (x - 6.0, x + 6.0, top + 14.0);
        let outline = format!(
            "M{} L{} L{} L{} Z",
            corner(left, top),
            corner(right, top),
            corner(left, bottom),
            corner(right, bottom)
        );
        let sand = match event {
            TimerEvent::Over => format!(
                "M{} L{} L{} Z",
                corner(x, top + 7.0),
                corner(left, bottom),
                corner(right, bottom)
            ),
            TimerEvent::Starts | TimerEvent::Waits => format!(
                "M{} L{} L{} Z",
                corner(left, top),
                corner(right, top),
                corner(x, top + 7.0)
            ),
        };
        self.canvas.element(&format!(
            "<path class=\"node\" d=\"{outline}\" fill=\"#ffffff\" stroke=\"#4a5363\"/>"
        ));
        self.canvas.element(&format!(
            "<path d=\"{sand}\" fill=\"#9aa5b8\" stroke=\"none\"/>"
        ));
        self.y = top - 2.0;
        self.lines(
            x + 14.0,
            Anchor::Start,
            Pen::new(SMALL, Ink::Guard),
            &row.text,
        );
        self.y = self.y.max(bottom) + 4.0;
    }

    pub(super) fn arrow(&mut self, from: f64, to: f64, y: f64, direction: Direction, mark: Mark) {
        let ink = mark_ink(mark, Ink::Text);
        let dashed = mark == Mark::Expected;
        // What is seen from one end only has an open head.
        let open = direction != Direction::Interaction;
        if from == to {
            let path = format!(
                "M{},{} h26 v12 H{}",
                number(from),
                number(y),
                number(from + 6.0)
            );
            self.canvas.path(&path, ink, dashed);
            self.canvas.head(from, y + 12.0, (-1.0, 0.0), ink);
            return;
        }
        let forwards = if from < to { 1.0 } else { -1.0 };
        let end = if open { to } else { to - 6.0 * forwards };
        let path = format!("M{},{} H{}", number(from), number(y), number(end));
        self.canvas.path(&path, ink, dashed);
        if open {
            let back = to - 8.0 * forwards;
            let path = format!(
                "M{},{} L{},{} L{},{}",
                number(back),
                number(y - 4.0),
                number(to),
                number(y),
                number(back),
                number(y + 4.0)
            );
            self.canvas.path(&path, ink, false);
        } else {
            self.canvas.head(to, y, (forwards, 0.0), ink)
        }
    }

    /// A step that no two roles share: a band over all lifelines.
    fn silent_row(&mut self, row: &Row) {
        let (left, right) = self.span();
        let middle = (left + right) / 2.0;
        let top = self.y;
        let body = |page: &mut Page| {
            page.y += 2.0;
            if let Some(guard) = &row.guard {
                let guard = Rich::plain(guard);
                page.lines(middle, Anchor::Middle, Pen::new(SMALL, Ink::Guard), &guard);
            }
            page.lines(middle, Anchor::Middle, event_pen(row), &row.text);
            let pen = Pen::new(SMALL, Ink::Value);
            page.lines(middle, Anchor::Middle, pen, &row.values);
            page.y += 4.0;
        };
        let texts = std::mem::take(&mut self.canvas);
        self.covering = false;
        body(self);
        self.covering = true;
        let drawn = std::mem::replace(&mut self.canvas, texts);
        let bottom = self.y;
        let (class, fill) = match row.kind {
            RowKind::Termination => ("band end", "#e8ecf3"),
            _ => ("band", "#f6f7f9"),
        };
        let frame = if row.mark == Mark::Expected {
            " stroke=\"#0b6a8c\" stroke-dasharray=\"4 3\""
        } else {
            ""
        };
        self.canvas.element(&format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{fill}\"{frame}/>",
            number(left),
            number(top),
            number(right - left),
            number(bottom - top)
        ));
        self.canvas.append(drawn);
        self.margin((top + bottom) / 2.0, row);
    }

    fn note(&mut self, text: &str, ink: Ink) {
        let (left, right) = self.span();
        let pen = Pen::new(SMALL, ink);
        let text = Rich::plain(text);
        self.lines((left + right) / 2.0, Anchor::Middle, pen, &text);
    }

    /// What is to be seen at the end, whole: it is the point of the chart.
    fn conclusion(&mut self, text: &str) {
        self.y += 6.0;
        let pen = Pen::new(LABEL, Ink::Text).bold();
        for line in wrap_to(text, self.placing.width.max(CAPTION), pen) {
            self.y += 15.0;
            self.placing.width = self.placing.width.max(pen.width(&line));
            self.canvas.text(0.0, self.y, pen, &line);
        }
        self.y += 4.0;
    }

    pub(super) fn lines(&mut self, x: f64, anchor: Anchor, pen: Pen, text: &Rich) {
        let lines = lines(text);
        let pen = pen.at(anchor);
        let wide = lines.iter().map(|it| pen.rich_width(it));
        let wide = wide.fold(0.0, f64::max);
        let high = lines.len() as f64 * (pen.size + LEADING);
        if self.covering && !lines.is_empty() {
            let area = (wide, high + DESCENT);
            self.canvas.halo(x, self.y + LEADING / 2.0, area, anchor);
        }
        for line in lines {
            self.y += pen.size + LEADING;
            self.canvas.rich(x, self.y, pen, &line);
        }
    }

    /// From the first lifeline to the last, and a bit more.
    fn span(&self) -> (f64, f64) {
        let first = self
            .placing
            .columns
            .first()
            .copied()
            .unwrap_or(self.placing.left + 20.0);
        let last = self.placing.columns.last().copied();
        let last = last.unwrap_or(self.placing.left);
        let right = (last + 20.0)
            .max(self.placing.width - 4.0)
            .min(self.placing.width);
        ((first - 20.0).max(self.placing.left - 4.0), right)
    }
}
