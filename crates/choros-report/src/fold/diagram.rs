//! Parts of sequence diagrams.

use std::collections::BTreeSet;

use choros_model::diagram::{Diagram, DiagramRow};

use super::{NothingThere, Part, mentions, words};

/// Longer diagrams are folded.
const MAX_ROWS: usize = 60;
/// How many rows before and after a message are shown.
const ROWS_AROUND: usize = 2;

/// The part of a diagram that is asked for.
pub fn diagram_part(diagram: &Diagram, part: &Part) -> Result<Diagram, NothingThere> {
    match part {
        Part::Whole => Ok(diagram.clone()),
        Part::Folded => Ok(folded(diagram)),
        Part::Around(name) => around(diagram, name),
    }
}

/// The frames that nest deepest are folded first, until the rest can be read.
fn folded(diagram: &Diagram) -> Diagram {
    if diagram.rows.len() <= MAX_ROWS {
        return diagram.clone();
    }
    let depths = (1..=diagram.depth()).rev();
    let mut without = depths.map(|depth| without_frames(diagram, depth));
    let small = without.find(|it| it.rows.len() <= MAX_ROWS);
    small.unwrap_or_else(|| {
        let (half, rows) = (MAX_ROWS / 2, diagram.rows.len());
        kept(diagram, |row| row < half || row + half >= rows)
    })
}

/// The frames at this depth become boxes with their head and the number of their messages.
fn without_frames(diagram: &Diagram, at: usize) -> Diagram {
    let mut rows = Vec::new();
    let mut depth = 0_usize;
    let (mut head, mut inside) = (String::new(), Inside::default());
    for row in &diagram.rows {
        if let DiagramRow::Open(frame, text) = row {
            depth += 1;
            if depth == at {
                head = format!("{} {text}", frame.word()).trim_end().to_owned();
                inside = Inside::default();
            }
        }
        if depth < at {
            rows.push(row.clone());
        } else {
            inside.add(row);
        }
        if *row == DiagramRow::Close {
            if depth == at {
                let text = format!("{head}: {}", inside.text());
                rows.push(inside.note(text));
            }
            depth = depth.saturating_sub(1);
        }
    }
    Diagram {
        rows,
        ..diagram.clone()
    }
}

/// What a box stands for.
#[derive(Default)]
struct Inside {
    messages: usize,
    roles: BTreeSet<usize>,
}

impl Inside {
    fn add(&mut self, row: &DiagramRow) {
        match row {
            DiagramRow::Message { from, to, .. } => {
                self.messages += 1;
                self.roles.extend([*from, *to]);
            }
            DiagramRow::Note { over, .. } => self.roles.extend(over),
            DiagramRow::Timer { at, .. } => {
                self.roles.insert(*at);
            }
            DiagramRow::Open(..) | DiagramRow::Section(_) | DiagramRow::Close => {}
        }
    }

    fn text(&self) -> String {
        match self.messages {
            1 => "1 message".to_owned(),
            count => format!("{count} messages"),
        }
    }

    fn note(&self, text: String) -> DiagramRow {
        DiagramRow::Note {
            over: self.roles.iter().copied().collect(),
            text,
        }
    }
}

/// The rows of a role, or a message with what is directly before and after it.
fn around(diagram: &Diagram, name: &str) -> Result<Diagram, NothingThere> {
    let role = diagram.roles.iter().position(|it| it == name);
    let is_meant = |row: &DiagramRow| match (row, role) {
        (DiagramRow::Message { from, to, .. }, Some(role)) => *from == role || *to == role,
        (DiagramRow::Note { over, .. }, Some(role)) => over.contains(&role),
        (DiagramRow::Timer { at, .. }, Some(role)) => *at == role,
        (DiagramRow::Message { text, .. }, None) => operation(text) == name,
        (DiagramRow::Note { text, .. }, None) => mentions(text, name),
        _ => false,
    };
    let meant: Vec<usize> = (0..diagram.rows.len())
        .filter(|&row| is_meant(&diagram.rows[row]))
        .collect();
    if meant.is_empty() {
        let operations = diagram.rows.iter().filter_map(|row| match row {
            DiagramRow::Message { text, .. } => Some(operation(text)),
            _ => None,
        });
        let known = operations.chain(diagram.roles.iter().map(String::as_str));
        return Err(NothingThere::among(name, known));
    }
    let rows = if role.is_some() { 0 } else { ROWS_AROUND };
    let is_shown = |row: usize| meant.iter().any(|&it| it.abs_diff(row) <= rows);
    Ok(kept(diagram, is_shown))
}

/// The name of the message: what its text begins with.
fn operation(text: &str) -> &str {
    words(text).next().unwrap_or(text)
}

/// Shown rows, the frames around them, and boxes for the rest; lifelines without any of it are left out.
fn kept(diagram: &Diagram, is_shown: impl Fn(usize) -> bool) -> Diagram {
    let frames = frames_of_shown(diagram, &is_shown);
    let mut rows = Vec::new();
    let mut left_out = Inside::default();
    for (place, row) in diagram.rows.iter().enumerate() {
        let stays = match row {
            DiagramRow::Message { .. } | DiagramRow::Note { .. } | DiagramRow::Timer { .. } => {
                is_shown(place)
            }
            _ => frames.contains(&place),
        };
        if stays {
            rows.extend(std::mem::take(&mut left_out).rest());
            rows.push(row.clone());
        } else {
            left_out.add(row);
        }
    }
    rows.extend(left_out.rest());
    without_idle_roles(diagram, rows)
}

impl Inside {
    /// The box for what is left out, if anything is.
    fn rest(self) -> Option<DiagramRow> {
        let text = match self.messages {
            0 => return None,
            1 => "1 more message".to_owned(),
            count => format!("{count} more messages"),
        };
        let over = Vec::new();
        Some(DiagramRow::Note { over, text })
    }
}

/// The rows that open, divide and close the frames around shown rows.
fn frames_of_shown(diagram: &Diagram, is_shown: &impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let mut needed = BTreeSet::new();
    // Per open frame: its rows so far, and whether something inside is shown.
    let mut open: Vec<(Vec<usize>, bool)> = Vec::new();
    for (place, row) in diagram.rows.iter().enumerate() {
        match row {
            DiagramRow::Open(..) => open.push((vec![place], false)),
            DiagramRow::Section(_) => {
                if let Some((rows, _)) = open.last_mut() {
                    rows.push(place);
                }
            }
            DiagramRow::Close => {
                let Some((rows, shown)) = open.pop() else {
                    continue;
                };
                if shown {
                    needed.extend(rows);
                    needed.insert(place);
                    if let Some((_, outer)) = open.last_mut() {
                        *outer = true;
                    }
                }
            }
            DiagramRow::Message { .. } | DiagramRow::Note { .. } | DiagramRow::Timer { .. } => {
                if let (true, Some((_, shown))) = (is_shown(place), open.last_mut()) {
                    *shown = true;
                }
            }
        }
    }
    needed
}

fn without_idle_roles(diagram: &Diagram, mut rows: Vec<DiagramRow>) -> Diagram {
    let mut busy = BTreeSet::new();
    for row in &rows {
        match row {
            DiagramRow::Message { from, to, .. } => busy.extend([*from, *to]),
            DiagramRow::Note { over, .. } => busy.extend(over.iter().copied()),
            DiagramRow::Timer { at, .. } => {
                busy.insert(*at);
            }
            _ => {}
        }
    }
    let place = |role: usize| busy.iter().position(|&it| it == role).unwrap_or(0);
    for row in &mut rows {
        match row {
            DiagramRow::Message { from, to, .. } => (*from, *to) = (place(*from), place(*to)),
            DiagramRow::Note { over, .. } => over.iter_mut().for_each(|it| *it = place(*it)),
            DiagramRow::Timer { at, .. } => *at = place(*at),
            _ => {}
        }
    }
    Diagram {
        name: diagram.name.clone(),
        roles: busy.iter().map(|&it| diagram.roles[it].clone()).collect(),
        rows,
    }
}
