//! The parts of JSON documents that are records, one at a time: an archive of gigabytes is one document, and only the
//! record at hand is held in memory.

use std::io;

use memchr::memchr2;

use super::problem::RecordFlaw;
use super::records::Records;

/// Where records are: the labels on the way to them, `*` for the elements of a list.
///
/// The empty path is the document itself; only objects are records.
pub(super) type Pattern = &'static [&'static str];

/// Documents that are read piece by piece: one after the other, on lines of their own or not.
pub(super) struct Pieces {
    records: Records,
    patterns: &'static [Pattern],
    open: Vec<Open>,
    state: State,
    scan: Option<Scan>,
    documents: u64,
    longest: usize,
}

/// What comes next.
pub(super) enum NextPiece<'r> {
    Piece(Piece<'r>),
    Flaw(u64, RecordFlaw),
    /// Nothing more, now.
    End,
    Failed(io::Error),
}

/// A record and where it is.
pub(super) struct Piece<'r> {
    pub(super) text: &'r str,
    /// The line in which it begins, from 1.
    pub(super) line: u64,
    /// Which of the patterns leads to it.
    pub(super) pattern: usize,
    /// Pieces of one document and of one element of its outermost list have the same group.
    pub(super) group: (u64, u64),
}

/// An object or a list that is entered.
enum Open {
    /// With the label that was read last.
    Object(String),
    /// With the number of its element.
    List(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between documents.
    Top,
    Value,
    /// After the bracket that opens.
    First,
    AfterValue,
    /// After something malformed: what is indented belongs to the document that is given up.
    Lost,
}

/// A value that is being passed over, as far as it has been read.
struct Scan {
    /// The pattern it is wanted for; none where it is skipped.
    wanted: Option<usize>,
    offset: usize,
    depth: usize,
    in_string: bool,
    line: u64,
    is_too_long: bool,
}

impl Pieces {
    pub(super) fn new(records: Records, patterns: &'static [Pattern], longest: usize) -> Pieces {
        Pieces {
            records,
            patterns,
            open: Vec::new(),
            state: State::Top,
            scan: None,
            documents: 0,
            longest,
        }
    }

    pub(super) fn records(&self) -> &Records {
        &self.records
    }

    /// The next record; with `grows`, what is not closed yet may be closed later.
    pub(super) fn next(&mut self, grows: bool) -> NextPiece<'_> {
        loop {
            let step = if self.scan.is_some() {
                self.pass()
            } else {
                self.step()
            };
            match step {
                Ok(Step::On) => {}
                Ok(Step::Piece(piece)) => {
                    let Some(text) = std::str::from_utf8(self.records.bytes(piece.range)).ok()
                    else {
                        return NextPiece::Flaw(piece.line, RecordFlaw::Encoding);
                    };
                    return NextPiece::Piece(Piece {
                        text,
                        line: piece.line,
                        pattern: piece.pattern,
                        group: piece.group,
                    });
                }
                Ok(Step::Flaw(line, flaw)) => return NextPiece::Flaw(line, flaw),
                Ok(Step::End) => return self.end(grows),
                Err(error) => return NextPiece::Failed(error),
            }
        }
    }

    fn end(&mut self, grows: bool) -> NextPiece<'_> {
        let is_open = self.scan.is_some() || !matches!(self.state, State::Top | State::Lost);
        if grows || !is_open {
            return NextPiece::End;
        }
        let offset = self.records.window().len();
        self.records.take(offset);
        self.scan = None;
        self.open.clear();
        self.state = State::Top;
        let what = "a bracket or a string is not closed: the text ends".to_owned();
        NextPiece::Flaw(
            self.records.lines + 1,
            RecordFlaw::Malformed { what, offset },
        )
    }

    /// The next byte that is not blank, which is left where it is.
    fn byte(&mut self) -> io::Result<Option<u8>> {
        loop {
            let window = self.records.window();
            match window.iter().position(|byte| !byte.is_ascii_whitespace()) {
                Some(blanks) => {
                    let byte = window[blanks];
                    self.records.take(blanks);
                    return Ok(Some(byte));
                }
                None => {
                    self.records.take(self.records.window().len());
                    if !self.records.more()? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    fn step(&mut self) -> io::Result<Step> {
        if self.state == State::Lost {
            return self.find_again();
        }
        let Some(byte) = self.byte()? else {
            return Ok(Step::End);
        };
        match (self.state, byte) {
            (State::Top, b'{' | b'[') => {
                self.documents += 1;
                self.state = State::Value;
                Ok(Step::On)
            }
            (State::Top, 0xef) if self.records.window().starts_with(b"\xef\xbb\xbf") => {
                self.records.take(3);
                Ok(Step::On)
            }
            (State::Top, _) => self.lose("an object begins with `{`, which is missing"),
            (State::Value, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                Ok(self.value(byte))
            }
            (State::Value, _) => self.lose("this is not a value"),
            (State::First, b'}' | b']') | (State::AfterValue, b'}' | b']') => self.close(byte),
            (State::First, _) => match self.open.last() {
                Some(Open::Object(_)) => self.label(byte),
                _ => {
                    self.state = State::Value;
                    Ok(Step::On)
                }
            },
            (State::AfterValue, b',') => {
                self.records.take(1);
                match self.open.last_mut() {
                    Some(Open::List(index)) => {
                        *index += 1;
                        self.state = State::Value;
                        Ok(Step::On)
                    }
                    _ => match self.byte()? {
                        Some(byte) => self.label(byte),
                        None => self.lose("a label in quotes is missing"),
                    },
                }
            }
            (State::AfterValue, _) => self.lose("`,` or a closing bracket is missing"),
            (State::Lost, _) => Ok(Step::On),
        }
    }

    /// Enters what leads to a record, or begins to pass over a value.
    fn value(&mut self, byte: u8) -> Step {
        let wanted = if byte == b'{' {
            self.patterns.iter().position(|it| self.is_at(it))
        } else {
            None
        };
        let is_container = matches!(byte, b'{' | b'[');
        let leads = |it: &Pattern| it.len() > self.open.len() && self.is_at(&it[..self.open.len()]);
        if wanted.is_none() && is_container && self.patterns.iter().any(leads) {
            self.records.take(1);
            self.open.push(if byte == b'{' {
                Open::Object(String::new())
            } else {
                Open::List(0)
            });
            self.state = State::First;
            return Step::On;
        }
        self.scan = Some(Scan {
            wanted,
            offset: 0,
            depth: 0,
            in_string: false,
            line: self.records.lines + 1,
            is_too_long: false,
        });
        Step::On
    }

    fn is_at(&self, path: &[&str]) -> bool {
        path.len() == self.open.len()
            && path.iter().zip(&self.open).all(|(label, open)| match open {
                Open::Object(known) => known == label,
                Open::List(_) => *label == "*",
            })
    }

    fn close(&mut self, byte: u8) -> io::Result<Step> {
        let fits = match self.open.last() {
            Some(Open::Object(_)) => byte == b'}',
            Some(Open::List(_)) => byte == b']',
            None => false,
        };
        if !fits {
            return self.lose("a bracket closes what it did not open");
        }
        self.records.take(1);
        self.open.pop();
        self.after();
        Ok(Step::On)
    }

    fn after(&mut self) {
        self.state = if self.open.is_empty() {
            State::Top
        } else {
            State::AfterValue
        };
    }

    /// A label and its colon; labels longer than any pattern's lead nowhere.
    fn label(&mut self, byte: u8) -> io::Result<Step> {
        const LONGEST_LABEL: usize = 1 << 16;
        if byte != b'"' {
            return self.lose("a label in quotes is missing");
        }
        let mut from = 1;
        let end = loop {
            let window = self.records.window();
            match memchr2(b'"', b'\\', &window[from.min(window.len())..]) {
                Some(offset) if window[from + offset] == b'"' => break from + offset,
                Some(offset) => from += offset + 2,
                None => {
                    from = from.max(window.len());
                    if from > LONGEST_LABEL || !self.records.more()? {
                        return self.lose("a label is not closed");
                    }
                }
            }
        };
        let range = self.records.take(end + 1);
        let label = self.records.bytes(range.start + 1..range.end - 1);
        let label = std::str::from_utf8(label).unwrap_or_default().to_owned();
        if let Some(Open::Object(last)) = self.open.last_mut() {
            *last = label;
        }
        if self.byte()? != Some(b':') {
            return self.lose("`:` is missing");
        }
        self.records.take(1);
        self.state = State::Value;
        Ok(Step::On)
    }

    /// Passes over a value, as far as there is text.
    fn pass(&mut self) -> io::Result<Step> {
        loop {
            let Some(scan) = &mut self.scan else {
                return Ok(Step::On);
            };
            let window = self.records.window();
            if scan_on(scan, window) {
                return Ok(self.passed());
            }
            let is_kept = scan.wanted.is_some() && !scan.is_too_long;
            if is_kept && window.len() > self.longest {
                scan.is_too_long = true;
            }
            if !is_kept || scan.is_too_long {
                // An escape may reach beyond what is there.
                let known = scan.offset.min(window.len());
                scan.offset -= known;
                self.records.take(known);
            }
            if !self.records.more()? {
                return Ok(Step::End);
            }
        }
    }

    fn passed(&mut self) -> Step {
        let Some(scan) = self.scan.take() else {
            return Step::On;
        };
        let range = self.records.take(scan.offset);
        let is_long = range.len() > self.longest || scan.is_too_long;
        let index = self.open.iter().find_map(|open| match open {
            Open::List(index) => Some(*index),
            Open::Object(_) => None,
        });
        let group = (self.documents, index.unwrap_or(0));
        self.after();
        match scan.wanted {
            None => Step::On,
            Some(_) if is_long => {
                let limit = self.longest;
                Step::Flaw(scan.line, RecordFlaw::TooLong { limit })
            }
            Some(pattern) => Step::Piece(Found {
                range,
                line: scan.line,
                pattern,
                group,
            }),
        }
    }

    /// Gives the document up.
    fn lose(&mut self, what: &str) -> io::Result<Step> {
        let line = self.records.lines + 1;
        self.open.clear();
        self.skip_line()?;
        self.state = State::Lost;
        let what = what.to_owned();
        Ok(Step::Flaw(line, RecordFlaw::Malformed { what, offset: 0 }))
    }

    /// Looks for a line that begins a document, or is another malformed one.
    fn find_again(&mut self) -> io::Result<Step> {
        let Some(&first) = self.records.window().first() else {
            return Ok(if self.records.more()? {
                Step::On
            } else {
                Step::End
            });
        };
        if first.is_ascii_whitespace() || matches!(first, b'}' | b']') {
            self.skip_line()?;
        } else {
            self.state = State::Top;
        }
        Ok(Step::On)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let window = self.records.window();
            if let Some(end) = memchr::memchr(b'\n', window) {
                self.records.take(end + 1);
                return Ok(());
            }
            self.records.take(window.len());
            if !self.records.more()? {
                return Ok(());
            }
        }
    }
}

enum Step {
    On,
    Piece(Found),
    Flaw(u64, RecordFlaw),
    End,
}

struct Found {
    range: std::ops::Range<usize>,
    line: u64,
    pattern: usize,
    group: (u64, u64),
}

/// Goes on over a value; whether it is over.
fn scan_on(scan: &mut Scan, window: &[u8]) -> bool {
    while scan.offset < window.len() {
        if scan.in_string {
            match memchr2(b'"', b'\\', &window[scan.offset..]) {
                None => scan.offset = window.len(),
                Some(at) if window[scan.offset + at] == b'\\' => scan.offset += at + 2,
                Some(at) => {
                    scan.offset += at + 1;
                    scan.in_string = false;
                    if scan.depth == 0 {
                        return true;
                    }
                }
            }
            continue;
        }
        match window[scan.offset] {
            b'"' => scan.in_string = true,
            b'{' | b'[' => scan.depth += 1,
            b'}' | b']' if scan.depth == 0 => return true,
            b'}' | b']' => {
                scan.depth -= 1;
                if scan.depth == 0 {
                    scan.offset += 1;
                    return true;
                }
            }
            // A number or a word.
            b',' | b' ' | b'\t' | b'\r' | b'\n' if scan.depth == 0 => return true,
            _ => {}
        }
        scan.offset += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{NextPiece, Pattern, Pieces};
    use crate::log::records::Records;

    const SPANS: &[Pattern] = &[&["r", "*", "s", "*"], &["r", "*", "about"]];
    const LINES: &[Pattern] = &[&[], &["*"]];

    /// Reads a text a few bytes at a time.
    struct Slowly(Vec<u8>, usize, usize);

    impl std::io::Read for Slowly {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = self.2.min(into.len()).min(self.0.len() - self.1);
            into[..count].copy_from_slice(&self.0[self.1..self.1 + count]);
            self.1 += count;
            Ok(count)
        }
    }

    fn pieces(
        text: &str,
        patterns: &'static [Pattern],
        longest: usize,
        step: usize,
    ) -> Vec<String> {
        let input = Slowly(text.as_bytes().to_vec(), 0, step);
        let mut pieces = Pieces::new(Records::new(Box::new(input), longest), patterns, longest);
        let mut found = Vec::new();
        loop {
            match pieces.next(false) {
                NextPiece::End => return found,
                NextPiece::Failed(error) => panic!("{error}"),
                NextPiece::Flaw(line, flaw) => found.push(format!("line {line}: {flaw}")),
                NextPiece::Piece(it) => {
                    found.push(format!("{} {:?} {}", it.pattern, it.group, it.text));
                }
            }
        }
    }

    #[test]
    fn records_of_one_document() {
        let text = r#"{"x":[1,{"s":2}],"r":[{"about":{"n":1},"s":[{"a":"]}\\\""},{"b":[]}]},
            {"s":[],"t":"","about":{}} ],"y":-1.5e3}"#;
        for step in [1, 2, 3, 7, 1000] {
            assert_eq!(
                pieces(text, SPANS, 1000, step),
                [
                    r#"1 (1, 0) {"n":1}"#,
                    r#"0 (1, 0) {"a":"]}\\\""}"#,
                    r#"0 (1, 0) {"b":[]}"#,
                    "1 (1, 1) {}",
                ],
                "{step}"
            );
        }
    }

    #[test]
    fn lines_and_lists() {
        let text = "{\"a\":1}\n\n[{\"b\":2}, 3, {\"c\":4}]\n{\"d\":5}{\"e\":6}";
        for step in [1, 5, 1000] {
            assert_eq!(
                pieces(text, LINES, 1000, step),
                [
                    "0 (1, 0) {\"a\":1}",
                    "1 (2, 0) {\"b\":2}",
                    "1 (2, 2) {\"c\":4}",
                    "0 (3, 0) {\"d\":5}",
                    "0 (4, 0) {\"e\":6}",
                ]
            );
        }
    }

    #[test]
    fn what_is_malformed_is_given_up_and_the_rest_is_read() {
        let malformed = "`{`, which is missing at byte 0";
        let found = pieces("oops\n{\"a\":1}\n{\"b\":[\n", LINES, 1000, 4);
        assert_eq!(
            found[0],
            format!("line 1: an object begins with {malformed}")
        );
        assert_eq!(found[1], "0 (1, 0) {\"a\":1}");
        assert!(found[2].contains("not closed"), "{}", found[2]);
        let found = pieces(
            "{\"r\":[}\n  {\"s\":1},\n]}\n{\"r\":[{\"about\":{}}]}",
            SPANS,
            1000,
            3,
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1], "1 (2, 0) {}");
    }

    #[test]
    fn a_long_record_is_skipped_without_being_held() {
        let long = format!("{{\"a\":\"{}\"}}\n{{\"b\":1}}\n", "x".repeat(1 << 20));
        let found = pieces(&long, LINES, 100, 1 << 12);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("longer than 100 bytes"), "{}", found[0]);
        assert_eq!(found[1], "0 (2, 0) {\"b\":1}");
        let deep = format!("{}{}\n{{}}", "[".repeat(1 << 18), "]".repeat(1 << 18));
        assert_eq!(pieces(&deep, LINES, 100, 1 << 12), ["0 (2, 0) {}"]);
    }
}
