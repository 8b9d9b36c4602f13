//! Lines of a log read and scanned by a thread of its own, while others judge those before them.
//!
//! The thread cuts the log into lines, sees that they are texts, and looks for the values of lines whose shape is known;
//! lines of another shape it hands over as they are.
//! What is done with a line does not depend on which thread has scanned it, so the observations are the same, in the
//! same order; only who learns a new shape, and when it is used, depends on time.

use std::io;
use std::mem;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::reader::LogPosition;
use super::records::{Line, Records};
use super::shapes::{End, Found, Shapes};

/// The lines of a log that were read ahead.
pub(super) struct Ahead {
    chunks: Receiver<Message>,
    /// Chunks go back, so that their room is used again.
    used: Sender<Chunk>,
    shapes: Arc<Mutex<Arc<Shapes>>>,
    chunk: Chunk,
    /// The next line of the chunk.
    next: usize,
    position: LogPosition,
    is_over: bool,
}

/// Some lines.
#[derive(Default)]
struct Chunk {
    text: String,
    lines: Vec<ScannedLine>,
    found: Vec<Found>,
    shapes: Arc<Shapes>,
}

/// A line, by the places of what it holds in its chunk.
#[derive(Clone)]
pub(super) struct ScannedLine {
    pub(super) form: LineForm,
    /// Where it is, and where its values are.
    text: Range<usize>,
    found: Range<usize>,
    /// How far the log was read after it.
    after: LogPosition,
}

/// What is known of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineForm {
    /// It has a shape that was known.
    Known(End),
    New,
    TooLong,
    /// It is not UTF-8.
    NoText,
}

/// A line as it is examined.
pub(super) struct SeenLine<'a> {
    pub(super) text: &'a str,
    pub(super) found: &'a [Found],
    /// The shapes that its form speaks of.
    pub(super) shapes: &'a Shapes,
}

enum Message {
    Lines(Chunk),
    /// The log ends here; a thread that dies does not say so.
    End,
    Failed(io::Error),
}

/// So many bytes go from thread to thread at once, and so many of these may wait.
const CHUNK_SIZE: usize = 1 << 18;
const MAX_WAITING: usize = 2;

impl Ahead {
    /// Begins to read where the records stand; the log does not grow.
    pub(super) fn start(records: Records, shapes: &Arc<Shapes>) -> Ahead {
        let (lines, chunks) = sync_channel(MAX_WAITING);
        let (used, free) = channel();
        let shapes = Arc::new(Mutex::new(Arc::clone(shapes)));
        let position = LogPosition {
            bytes: records.taken,
            lines: records.lines,
        };
        let known = Arc::clone(&shapes);
        thread::spawn(move || run(records, &known, &free, &lines));
        Ahead {
            chunks,
            used,
            shapes,
            chunk: Chunk::default(),
            next: 0,
            position,
            is_over: false,
        }
    }

    /// How far the log was read, as far as it was asked for.
    pub(super) fn position(&self) -> LogPosition {
        self.position
    }

    /// From now on these shapes are known.
    pub(super) fn know(&self, shapes: &Arc<Shapes>) {
        *self.shapes.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(shapes);
    }

    /// Goes to the next line; none at the end.
    pub(super) fn advance(&mut self) -> io::Result<Option<ScannedLine>> {
        loop {
            if let Some(line) = self.chunk.lines.get(self.next) {
                self.next += 1;
                self.position = line.after;
                return Ok(Some(line.clone()));
            }
            if self.is_over {
                return Ok(None);
            }
            match self.chunks.recv() {
                Ok(Message::Lines(chunk)) => {
                    self.next = 0;
                    // Where it does not come back, another is made.
                    let _ = self.used.send(mem::replace(&mut self.chunk, chunk));
                }
                Ok(Message::End) => self.is_over = true,
                Ok(Message::Failed(error)) => return Err(error),
                Err(_) => return Err(io::Error::other("the thread that reads the log ended")),
            }
        }
    }

    /// A line of the chunk at hand.
    pub(super) fn line(&self, line: &ScannedLine) -> SeenLine<'_> {
        SeenLine {
            text: &self.chunk.text[line.text.clone()],
            found: &self.chunk.found[line.found.clone()],
            shapes: &self.chunk.shapes,
        }
    }
}

fn run(
    mut records: Records,
    shapes: &Mutex<Arc<Shapes>>,
    free: &Receiver<Chunk>,
    lines: &SyncSender<Message>,
) {
    let mut values = Vec::new();
    loop {
        let mut chunk = free.try_recv().unwrap_or_default();
        chunk.begin(Arc::clone(
            &shapes.lock().unwrap_or_else(PoisonError::into_inner),
        ));
        let end = loop {
            if chunk.text.len() >= CHUNK_SIZE {
                break None;
            }
            match chunk.add(&mut records, &mut values) {
                Ok(true) => {}
                Ok(false) => break Some(Message::End),
                Err(error) => break Some(Message::Failed(error)),
            }
        };
        let sent = lines.send(Message::Lines(chunk));
        // Where no one listens any more, no one wants the rest.
        if sent.is_err() || end.is_some_and(|end| lines.send(end).is_ok()) {
            return;
        }
    }
}

impl Chunk {
    fn begin(&mut self, shapes: Arc<Shapes>) {
        self.text.clear();
        self.lines.clear();
        self.found.clear();
        self.shapes = shapes;
    }

    /// Adds the next line; false at the end of the log.
    fn add(&mut self, records: &mut Records, values: &mut Vec<Found>) -> io::Result<bool> {
        let text = self.text.len();
        let found = self.found.len();
        let form = match records.line(true)? {
            Line::End => return Ok(false),
            Line::TooLong => LineForm::TooLong,
            Line::Here(range) => match std::str::from_utf8(records.bytes(range)) {
                Err(_) => LineForm::NoText,
                Ok(line) => {
                    let known = self.shapes.scan(line, values);
                    self.text.push_str(line);
                    match known {
                        None => LineForm::New,
                        Some(end) => {
                            self.found.extend_from_slice(values);
                            LineForm::Known(end)
                        }
                    }
                }
            },
        };
        self.lines.push(ScannedLine {
            form,
            text: text..self.text.len(),
            found: found..self.found.len(),
            after: LogPosition {
                bytes: records.taken,
                lines: records.lines,
            },
        });
        Ok(true)
    }
}
