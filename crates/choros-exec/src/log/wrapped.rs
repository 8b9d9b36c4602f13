//! JSON that others have put into lines of their own: syslog (RFC 5424 and 3164), the journal, container logs.
//!
//! What is around a record is put into it, under the label `syslog`, `journal` or `container`, so that a binding can
//! use it: `record.syslog.app`.

use std::io::{self, Read};

use choros_syntax::quote;
use memchr::memchr;

use super::tree::Tree;

/// What is around records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapping {
    /// A prefix before the record.
    Syslog,
    /// A JSON object of the journal, with the record as a text in `MESSAGE`.
    Journal,
    /// A JSON object of a container's log, with the record as a text in `log`.
    Container,
}

impl Wrapping {
    /// By the first line.
    pub(super) fn of(head: &[u8]) -> Option<Wrapping> {
        let end = memchr(b'\n', head).unwrap_or(head.len());
        let line = std::str::from_utf8(&head[..end]).ok()?.trim();
        if line.starts_with('{') {
            let tree = Tree::read(line).ok()?;
            let is_record = |label: &str| {
                let text = tree.get(label).and_then(Tree::text);
                text.is_some_and(|text| text.trim_start().starts_with('{'))
            };
            if is_record("MESSAGE") {
                return Some(Wrapping::Journal);
            }
            return (is_record("log") && tree.get("stream").is_some())
                .then_some(Wrapping::Container);
        }
        let at = record_start(line)?;
        // A prefix names a time, a host or a stream: it has several words or a priority.
        let is_prefix = line.starts_with('<') || line[..at].split(' ').count() > 2;
        let is_record = line.ends_with('}') && Tree::read(&line[at..]).is_ok();
        (is_prefix && is_record).then_some(Wrapping::Syslog)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Wrapping::Syslog => "syslog",
            Wrapping::Journal => "the journal",
            Wrapping::Container => "a container's log",
        }
    }
}

/// Where the record begins in a line: after the structured data of RFC 5424, or at the first `{`.
fn record_start(line: &str) -> Option<usize> {
    let mut in_data = false;
    let mut quoted = false;
    let mut is_escaped = false;
    for (at, character) in line.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match character {
            '\\' if quoted => is_escaped = true,
            '"' if in_data => quoted = !quoted,
            '[' if !quoted && line.starts_with('<') => in_data = true,
            ']' if !quoted => in_data = false,
            '{' if !in_data => return Some(at),
            _ => {}
        }
    }
    None
}

/// A log without what is around its records.
pub(super) struct Unwrapped {
    input: Box<dyn Read + Send>,
    wrapping: Wrapping,
    /// What was read, and how much of it was taken.
    chunk: Vec<u8>,
    taken: usize,
    /// So much of it has no end of a line that was not taken.
    searched: usize,
    /// What is to be given out, and how much of it was.
    ready: Vec<u8>,
    given: usize,
    is_over: bool,
}

/// Longer lines are given out as they are; their reader says that they are too long.
const LONGEST: usize = 1 << 24;

/// So much is read at once.
const CHUNK: usize = 1 << 14;

impl Unwrapped {
    pub(super) fn new(input: Box<dyn Read + Send>, wrapping: Wrapping) -> Unwrapped {
        Unwrapped {
            input,
            wrapping,
            chunk: Vec::new(),
            taken: 0,
            searched: 0,
            ready: Vec::new(),
            given: 0,
            is_over: false,
        }
    }

    fn give_line(&mut self, length: usize) {
        let line = &self.chunk[self.taken..self.taken + length];
        self.taken += length;
        let text = std::str::from_utf8(line).ok();
        match text.and_then(|text| self.wrapping.unwrapped(text.trim_end())) {
            Some(record) => {
                self.ready.extend_from_slice(record.as_bytes());
                self.ready.push(b'\n');
            }
            // It keeps its place, so that lines are counted right.
            None => self.ready.extend_from_slice(line),
        }
    }

    /// Reads more after what is left.
    fn read_on(&mut self) -> io::Result<()> {
        self.chunk.drain(..self.taken);
        self.taken = 0;
        let known = self.chunk.len();
        self.searched = known;
        self.chunk.resize(known + CHUNK, 0);
        let count = self.input.read(&mut self.chunk[known..]);
        self.chunk.truncate(known + *count.as_ref().unwrap_or(&0));
        self.is_over = count? == 0;
        Ok(())
    }
}

impl Read for Unwrapped {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            let length = self.chunk.len() - self.taken;
            let from = self.searched.max(self.taken);
            if let Some(end) = memchr(b'\n', &self.chunk[from..]) {
                self.give_line(from + end + 1 - self.taken);
            } else if length > LONGEST {
                self.ready.extend_from_slice(&self.chunk[self.taken..]);
                self.taken += length;
            } else if !self.is_over {
                self.read_on()?;
            } else if length == 0 {
                return Ok(0);
            } else {
                self.give_line(length);
            }
        }
        let rest = &self.ready[self.given..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}

impl Wrapping {
    /// The record of a line, with what was around it; none if the line has no record.
    fn unwrapped(self, line: &str) -> Option<String> {
        let (around, record) = match self {
            Wrapping::Syslog => {
                let at = record_start(line)?;
                (syslog(&line[..at]), line[at..].to_owned())
            }
            Wrapping::Journal => {
                let tree = Tree::read(line).ok()?;
                let names = [
                    ("unit", "_SYSTEMD_UNIT"),
                    ("app", "SYSLOG_IDENTIFIER"),
                    ("host", "_HOSTNAME"),
                    ("time", "__REALTIME_TIMESTAMP"),
                ];
                (around("journal", &tree, &names), message(&tree)?)
            }
            Wrapping::Container => {
                let tree = Tree::read(line).ok()?;
                let names = [("stream", "stream"), ("time", "time")];
                let record = tree.get("log")?.text()?.to_owned();
                (around("container", &tree, &names), record)
            }
        };
        let inside = record.trim().strip_prefix('{')?.trim_start().to_owned();
        let comma = if inside.starts_with('}') { "" } else { "," };
        Some(format!("{{{around}{comma}{inside}"))
    }
}

/// The message of a record of the journal: a text, or its bytes as numbers.
fn message(tree: &Tree<'_>) -> Option<String> {
    match tree.get("MESSAGE")? {
        Tree::List(bytes) => {
            let byte = |it: &Tree<'_>| u8::try_from(it.number()?.to_i64()?).ok();
            let bytes: Option<Vec<u8>> = bytes.iter().map(byte).collect();
            String::from_utf8(bytes?).ok()
        }
        other => other.text().map(str::to_owned),
    }
}

fn around(label: &str, tree: &Tree<'_>, names: &[(&'static str, &str)]) -> String {
    let words = names.iter().map(|(name, from)| {
        let word = tree.get(from).and_then(Tree::word);
        (*name, word.unwrap_or_default())
    });
    object(label, words)
}

/// Host and program of a prefix.
fn syslog(prefix: &str) -> String {
    let mut words = prefix.split_whitespace();
    if prefix.starts_with('<') && words.next().is_some_and(|it| it.ends_with(">1")) {
        let named = ["time", "host", "app"].into_iter().zip(words);
        return object("syslog", named);
    }
    let words: Vec<&str> = prefix.split_whitespace().collect();
    let Some(tag) = words.iter().position(|word| word.ends_with(':')) else {
        return object::<&str>("syslog", []);
    };
    let app = words[tag].split(['[', ':']).next().unwrap_or_default();
    let host = tag.checked_sub(1).map_or("", |at| words[at]);
    object("syslog", [("app", app), ("host", host)])
}

/// A label and an object, without words that say nothing.
fn object<W: AsRef<str>>(
    label: &str,
    words: impl IntoIterator<Item = (&'static str, W)>,
) -> String {
    let mut text = format!("\"{label}\":{{");
    for (name, word) in words {
        let word = word.as_ref();
        if word.is_empty() || word == "-" {
            continue;
        }
        if !text.ends_with('{') {
            text.push(',');
        }
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        text.push_str(&quote::json(word));
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Unwrapped, Wrapping};

    fn unwrapped(text: &str) -> (Option<Wrapping>, String) {
        let Some(wrapping) = Wrapping::of(text.as_bytes()) else {
            return (None, text.to_owned());
        };
        let input = Box::new(std::io::Cursor::new(text.to_owned()));
        let mut out = String::new();
        let mut reader = Unwrapped::new(input, wrapping);
        reader.read_to_string(&mut out).expect("a text");
        (Some(wrapping), out)
    }

    #[test]
    fn records_come_out_with_what_was_around_them() {
        for (text, expected) in [
            (
                "<34>1 2026-01-01T00:00:00Z box order 7 - [a@1 b=\"]{\"] {\"x\":1}\n",
                "{\"syslog\":{\"time\":\"2026-01-01T00:00:00Z\",\"host\":\"box\",\"app\":\"order\"},\"x\":1}\n",
            ),
            (
                "Jan  1 00:00:00 box order[7]: {\"x\":1}\nJan  1 00:00:01 box order[7]: started\n",
                "{\"syslog\":{\"app\":\"order\",\"host\":\"box\"},\"x\":1}\nJan  1 00:00:01 box order[7]: started\n",
            ),
            ("2026-01-01T00:00:00Z stdout F {}\n", "{\"syslog\":{}}\n"),
            (
                "{\"MESSAGE\":\"{\\\"x\\\":1}\",\"_SYSTEMD_UNIT\":\"order.service\"}\n{\"MESSAGE\":[123,125]}",
                "{\"journal\":{\"unit\":\"order.service\"},\"x\":1}\n{\"journal\":{}}\n",
            ),
            (
                "{\"log\":\"{\\\"x\\\":1}\\n\",\"stream\":\"stdout\"}\n",
                "{\"container\":{\"stream\":\"stdout\"},\"x\":1}\n",
            ),
        ] {
            assert_eq!(unwrapped(text).1, expected);
        }
    }

    #[test]
    fn what_is_not_wrapped_is_left() {
        for text in [
            "{\"x\":1}\n",
            "a,b\n",
            "order {\"x\":1}",
            "<message a='{}'/>\n",
            "{\"log\":{}}",
        ] {
            assert_eq!(unwrapped(text).0, None, "{text}");
        }
    }
}
