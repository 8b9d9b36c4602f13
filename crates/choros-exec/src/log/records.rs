//! Bytes of a log, record by record, with bounded memory.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memchr_iter};

/// A buffer over something that is read piece by piece.
pub(super) struct Records {
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The first byte that no record has taken.
    start: usize,
    /// The end of what was read.
    end: usize,
    /// No line break lies between `start` and here.
    searched: usize,
    /// A record that is too long is being skipped.
    skipping: bool,
    /// Bytes taken by records.
    pub(super) taken: u64,
    /// Line breaks taken by records.
    pub(super) lines: u64,
    limit: usize,
}

/// The next line, or why there is none.
pub(super) enum Line {
    /// Its bytes, without the line break.
    Here(Range<usize>),
    /// It was longer than the limit and is gone.
    TooLong,
    /// There is nothing more, now.
    End,
}

const FIRST_SIZE: usize = 1 << 16;

impl Records {
    pub(super) fn new(input: Box<dyn Read + Send>, limit: usize) -> Records {
        Records {
            input,
            buffer: vec![0; FIRST_SIZE],
            start: 0,
            end: 0,
            searched: 0,
            skipping: false,
            taken: 0,
            lines: 0,
            limit,
        }
    }

    /// What was read and not yet taken.
    pub(super) fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.buffer[range]
    }

    /// Takes bytes from the front of the window; their place in the buffer stays valid until more is read.
    pub(super) fn take(&mut self, count: usize) -> Range<usize> {
        let range = self.start..(self.start + count).min(self.end);
        self.lines += memchr_iter(b'\n', &self.buffer[range.clone()]).count() as u64;
        self.taken += range.len() as u64;
        self.start = range.end;
        self.searched = self.searched.max(self.start);
        range
    }

    /// Whether the window is as long as a record may be.
    pub(super) fn is_full(&self) -> bool {
        self.end - self.start > self.limit
    }

    /// Reads more; false when there is nothing more, now.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            let size = (self.buffer.len() * 2)
                .min(self.limit + FIRST_SIZE)
                .max(self.end + 1);
            self.buffer.resize(size, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.end += count;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    ) =>
                {
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The next line; with `closed`, what comes after the last line break is one too.
    pub(super) fn line(&mut self, closed: bool) -> io::Result<Line> {
        loop {
            if let Some(offset) = memchr(b'\n', &self.buffer[self.searched..self.end]) {
                let line_break = self.searched + offset;
                let range = self.start..line_break;
                self.taken += (line_break + 1 - self.start) as u64;
                self.lines += 1;
                self.start = line_break + 1;
                self.searched = self.start;
                if std::mem::take(&mut self.skipping) || range.len() > self.limit {
                    return Ok(Line::TooLong);
                }
                return Ok(Line::Here(range));
            }
            self.searched = self.end;
            if self.is_full() {
                self.skipping = true;
            }
            if self.skipping {
                self.taken += (self.end - self.start) as u64;
                self.start = self.end;
            }
            if !self.more()? {
                return Ok(if closed && (self.start < self.end || self.skipping) {
                    self.last()
                } else {
                    Line::End
                });
            }
        }
    }

    fn last(&mut self) -> Line {
        let range = self.start..self.end;
        self.taken += range.len() as u64;
        self.lines += 1;
        self.start = self.end;
        self.searched = self.end;
        if std::mem::take(&mut self.skipping) {
            Line::TooLong
        } else {
            Line::Here(range)
        }
    }
}
