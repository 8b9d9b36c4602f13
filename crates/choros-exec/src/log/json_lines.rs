//! Lines of JSON as observations.

use std::io;
use std::mem;
use std::sync::Arc;

use super::ahead::{Ahead, LineForm};
use super::draft::{Draft, Surroundings};
use super::json;
use super::plan::Plan;
use super::problem::RecordFlaw;
use super::reader::{LogPosition, NextRecord, finish, problem};
use super::records::{Line, Records};
use super::shapes::{Found, Shapes};

/// How the lines of a log looked so far, and room for the values of one.
#[derive(Default)]
pub(super) struct JsonLines {
    shapes: Arc<Shapes>,
    found: Vec<Found>,
    /// The thread that reads them, where there is one.
    ahead: Option<Ahead>,
}

/// What is taken from a line.
#[derive(Clone, Copy)]
pub(super) struct Taken<'r> {
    pub(super) plan: &'r Plan,
    pub(super) surroundings: &'r Surroundings,
    /// No line may be longer.
    pub(super) limit: usize,
}

impl JsonLines {
    /// How far the log was read, where another thread reads it.
    pub(super) fn position(&self) -> Option<LogPosition> {
        self.ahead.as_ref().map(Ahead::position)
    }

    /// The next observation; with `closed`, what comes after the last line break is one too.
    pub(super) fn next<'r>(
        &'r mut self,
        records: &'r mut Records,
        closed: bool,
        taken: Taken<'r>,
    ) -> NextRecord<'r> {
        let range = loop {
            match records.line(closed) {
                Err(error) => return NextRecord::Failed(error),
                Ok(Line::End) => return NextRecord::End,
                Ok(Line::TooLong) => {
                    let limit = taken.limit;
                    return problem(records.lines, RecordFlaw::TooLong { limit });
                }
                Ok(Line::Here(range)) => {
                    let bytes = records.bytes(range.clone());
                    if !bytes.iter().all(u8::is_ascii_whitespace) {
                        break range;
                    }
                }
            }
        };
        let line = records.lines;
        let Ok(text) = std::str::from_utf8(records.bytes(range)) else {
            return problem(line, RecordFlaw::Encoding);
        };
        if let Some(end) = self.shapes.scan(text, &mut self.found) {
            let mut draft = Draft::default();
            let values = &self.found;
            return match self.shapes.take(end, text, values, taken.plan, &mut draft) {
                Ok(()) => finish(draft, taken.surroundings, line),
                Err(flaw) => problem(line, flaw),
            };
        }
        read(&mut self.shapes, text, line, taken)
    }

    /// The same, where a thread of its own reads the lines from here on.
    pub(super) fn next_ahead<'r>(
        &'r mut self,
        records: &mut Records,
        taken: Taken<'r>,
    ) -> NextRecord<'r> {
        let shapes = &mut self.shapes;
        let ahead = self.ahead.get_or_insert_with(|| {
            let nothing = Records::new(Box::new(io::empty()), taken.limit);
            Ahead::start(mem::replace(records, nothing), shapes)
        });
        let line = loop {
            match ahead.advance() {
                Err(error) => return NextRecord::Failed(error),
                Ok(None) => return NextRecord::End,
                Ok(Some(line)) => {
                    let is_blank = |text: &str| text.bytes().all(|it| it.is_ascii_whitespace());
                    if line.form != LineForm::New || !is_blank(ahead.line(&line).text) {
                        break line;
                    }
                }
            }
        };
        let number = ahead.position().lines;
        let seen = ahead.line(&line);
        match line.form {
            LineForm::TooLong => {
                let limit = taken.limit;
                problem(number, RecordFlaw::TooLong { limit })
            }
            LineForm::NoText => problem(number, RecordFlaw::Encoding),
            LineForm::Known(end) => {
                let mut draft = Draft::default();
                let took = seen
                    .shapes
                    .take(end, seen.text, seen.found, taken.plan, &mut draft);
                match took {
                    Ok(()) => finish(draft, taken.surroundings, number),
                    Err(flaw) => problem(number, flaw),
                }
            }
            LineForm::New => {
                let before = shapes.size();
                let read = read(shapes, seen.text, number, taken);
                if shapes.size() > before {
                    ahead.know(shapes);
                }
                read
            }
        }
    }
}

/// Reads a line label by label, and learns how it looks.
fn read<'r>(
    shapes: &mut Arc<Shapes>,
    text: &'r str,
    line: u64,
    taken: Taken<'r>,
) -> NextRecord<'r> {
    let mut draft = Draft::default();
    if let Err(flaw) = json::read(text, taken.plan, &mut draft) {
        return problem(line, flaw);
    }
    if shapes.may_learn() {
        Arc::make_mut(shapes).learn(text, taken.plan);
    }
    finish(draft, taken.surroundings, line)
}
