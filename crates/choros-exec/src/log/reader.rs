//! One log, read observation by observation.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read};

use choros_bind::BindingTally;
use choros_model::observation::{Datum, Observation};
use choros_model::stg::Direction;

use super::LogFormat;
use super::bound::{BoundLog, BoundOptions, NextBound, unbound};
use super::csv::{self, Headings};
use super::draft::{Draft, Surroundings};
use super::har::{self, Exchange};
use super::json_lines::{JsonLines, Taken};
use super::mapping::Mapping;
use super::pact;
use super::plan::{Plan, WantedValues};
use super::problem::{RecordFlaw, RecordProblem};
use super::records::{Line, Records};
use super::xml::{self, Found};

/// How a log is read.
#[derive(Debug, Clone)]
pub struct LogOptions {
    pub format: LogFormat,
    /// Whose log it is; none where the records say so themselves.
    pub service: Option<String>,
    /// Addresses and the roles they stand for.
    pub names: Vec<(String, String)>,
    /// Which values are wanted.
    pub wanted: WantedValues,
    /// No record may be longer, in bytes.
    pub longest: usize,
    /// The log may grow: what comes after the last line break is not complete yet.
    pub grows: bool,
    /// A log in the native form that does not grow is read by a thread of its own.
    pub reads_ahead: bool,
    /// Records become observations by this binding; none for observations as they are written.
    pub binding: Option<BoundOptions>,
}

impl LogOptions {
    /// The native form, everything wanted, records up to a megabyte.
    pub fn new(format: LogFormat) -> LogOptions {
        LogOptions {
            format,
            service: None,
            names: Vec::new(),
            wanted: WantedValues::All,
            longest: 1 << 20,
            grows: false,
            reads_ahead: false,
            binding: None,
        }
    }
}

/// What comes next in a log.
#[derive(Debug)]
pub enum NextRecord<'r> {
    /// An observation, and perhaps a remark on it.
    Observation(Observation<'r>, Option<RecordProblem>),
    /// A record that is none.
    Problem(RecordProblem),
    /// Nothing more, now; a log that grows may have more later.
    End,
    /// The world refused.
    Failed(io::Error),
}

/// How far a log was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogPosition {
    /// Bytes taken.
    pub bytes: u64,
    /// Lines taken.
    pub lines: u64,
}

/// A log that is being read.
pub struct LogReader {
    /// The log as a binding reads it.
    bound: Option<BoundLog>,
    records: Records,
    options: LogOptions,
    surroundings: Surroundings,
    plan: Plan,
    json: JsonLines,
    /// The record at hand, in those formats that copy it.
    values: Vec<(String, String)>,
    headings: Option<Headings>,
    /// The service of a PACT log, and the first line of a record whose second is awaited.
    address: Option<String>,
    moment: Option<pact::Moment>,
    message: Option<pact::Message>,
    /// What a CSV record that continues over several lines has so far.
    pending: csv::Pending,
    archive: Option<VecDeque<har::Entry>>,
    exchange: Option<Exchange>,
    id: String,
}

/// Without a binding an archive is read as a whole, and is no longer than this.
const LONGEST_ARCHIVE: usize = 64 << 20;

impl LogReader {
    /// Reads from the beginning.
    pub fn new(input: Box<dyn Read + Send>, options: LogOptions) -> LogReader {
        let mapping = match options.format {
            LogFormat::Xml => &Mapping::MESSAGES,
            _ => &Mapping::NATIVE,
        };
        let longest = match options.format {
            // An archive is one record.
            LogFormat::Har => usize::MAX / 4,
            _ => options.longest,
        };
        let (bound, input): (_, Box<dyn Read + Send>) = match options.binding.clone() {
            Some(binding) => (
                Some(BoundLog::new(input, &options, binding)),
                Box::new(io::empty()),
            ),
            None => (None, input),
        };
        LogReader {
            bound,
            records: Records::new(input, longest),
            surroundings: Surroundings {
                service: options.service.clone(),
                names: options.names.clone(),
            },
            plan: Plan::new(Some(mapping), &options.wanted),
            options,
            json: JsonLines::default(),
            values: Vec::new(),
            headings: None,
            address: None,
            moment: None,
            message: None,
            pending: csv::Pending::default(),
            archive: None,
            exchange: None,
            id: String::new(),
        }
    }

    /// Goes on where another reader of the same log stopped; the input must stand there.
    ///
    /// Only logs whose lines stand for themselves can be read from the middle.
    #[must_use]
    pub fn from(mut self, position: LogPosition) -> LogReader {
        self.records.taken = position.bytes;
        self.records.lines = position.lines;
        self
    }

    /// How far it was read.
    pub fn position(&self) -> LogPosition {
        if let Some(bound) = &self.bound {
            return bound.position();
        }
        if let Some(position) = self.json.position() {
            return position;
        }
        LogPosition {
            bytes: self.records.taken,
            lines: self.records.lines,
        }
    }

    /// Whether a whole line is there already, so that the next record comes without waiting.
    pub fn is_ready(&self) -> bool {
        memchr::memchr(b'\n', self.records.window()).is_some()
    }

    /// The log does not grow any more: what comes after the last line break is complete.
    pub fn close(&mut self) {
        self.options.grows = false;
        if let Some(bound) = &mut self.bound {
            bound.close();
        }
    }

    /// What became of the records so far, where a binding reads them.
    pub fn tally(&self) -> Option<&BindingTally> {
        self.bound.as_ref().map(BoundLog::tally)
    }

    /// The next observation.
    #[allow(clippy::should_implement_trait)] // It lends what it gives.
    pub fn next(&mut self) -> NextRecord<'_> {
        if let Some(bound) = &mut self.bound {
            return match bound.next() {
                NextBound::Observation(seen) => NextRecord::Observation(seen, None),
                NextBound::Problem(problem) => NextRecord::Problem(problem),
                NextBound::End => NextRecord::End,
                NextBound::Failed(error) => NextRecord::Failed(error),
            };
        }
        match self.options.format {
            LogFormat::JsonLines => self.next_json(),
            LogFormat::Xml => self.next_xml(),
            LogFormat::Pact => self.next_pact(),
            LogFormat::Csv => self.next_csv(),
            LogFormat::Har => self.next_har(),
            form => self.next_unbound(form),
        }
    }

    fn next_json(&mut self) -> NextRecord<'_> {
        let taken = Taken {
            plan: &self.plan,
            surroundings: &self.surroundings,
            limit: self.options.longest,
        };
        if self.options.reads_ahead && !self.options.grows {
            self.json.next_ahead(&mut self.records, taken)
        } else {
            self.json
                .next(&mut self.records, !self.options.grows, taken)
        }
    }

    fn next_xml(&mut self) -> NextRecord<'_> {
        let range = loop {
            match xml::next_element(self.records.window(), "message") {
                Found::Whole(range) => {
                    self.records.take(range.start);
                    break self.records.take(range.len());
                }
                Found::Nothing(keep) => {
                    self.records.take(keep);
                }
            }
            if self.records.is_full() {
                let line = self.records.lines + 1;
                let whole = self.records.window().len();
                self.records.take(whole);
                let limit = self.options.longest;
                return problem(line, RecordFlaw::TooLong { limit });
            }
            match self.records.more() {
                Err(error) => return NextRecord::Failed(error),
                Ok(true) => {}
                Ok(false) => {
                    let rest = self.records.window().len();
                    if self.options.grows || rest == 0 {
                        return NextRecord::End;
                    }
                    let line = self.records.lines + 1;
                    self.records.take(rest);
                    let what = "an element that is not closed".to_owned();
                    return problem(line, RecordFlaw::Malformed { what, offset: rest });
                }
            }
        };
        let breaks = memchr::memchr_iter(b'\n', self.records.bytes(range.clone())).count() as u64;
        let line = self.records.lines + 1 - breaks;
        let Ok(text) = std::str::from_utf8(self.records.bytes(range)) else {
            return problem(line, RecordFlaw::Encoding);
        };
        match xml::values(text) {
            Ok(values) => self.values = values,
            Err(flaw) => return problem(line, flaw),
        }
        flat(&self.values, &self.plan, &self.surroundings, line)
    }

    fn next_csv(&mut self) -> NextRecord<'_> {
        loop {
            let range = match self.records.line(!self.options.grows) {
                Err(error) => return NextRecord::Failed(error),
                Ok(Line::End) if self.pending.is_empty() || self.options.grows => {
                    return NextRecord::End;
                }
                Ok(Line::End) => {
                    self.pending.clear();
                    let what = "a quote that is not closed".to_owned();
                    return problem(
                        self.records.lines,
                        RecordFlaw::Malformed { what, offset: 0 },
                    );
                }
                Ok(Line::TooLong) => {
                    self.pending.clear();
                    return self.too_long();
                }
                Ok(Line::Here(range)) => range,
            };
            let line = self.records.lines;
            let bytes = self.records.bytes(range);
            let Ok(text) = std::str::from_utf8(bytes) else {
                self.pending.clear();
                return problem(line, RecordFlaw::Encoding);
            };
            let text = text.trim_end_matches('\r');
            if self.pending.is_empty() && text.trim().is_empty() {
                continue;
            }
            if !self.pending.add(text, self.options.longest) {
                continue;
            }
            let record = self.pending.take();
            let Some(headings) = &self.headings else {
                match Headings::read(&record) {
                    Ok(headings) => self.headings = Some(headings),
                    Err(flaw) => return problem(line, flaw),
                }
                continue;
            };
            match headings.values(&record) {
                Ok(values) => self.values = values,
                Err(flaw) => return problem(line, flaw),
            }
            // Columns that are not part of an observation are data, with or without the prefix.
            const PARTS: [&str; 8] = ["at", "by", "dir", "from", "to", "op", "id", "session"];
            for (name, _) in &mut self.values {
                if !PARTS.contains(&name.as_str()) && !name.starts_with("data.") {
                    name.insert_str(0, "data.");
                }
            }
            return flat(&self.values, &self.plan, &self.surroundings, line);
        }
    }

    fn next_pact(&mut self) -> NextRecord<'_> {
        let line = loop {
            let range = match self.records.line(!self.options.grows) {
                Err(error) => return NextRecord::Failed(error),
                Ok(Line::End) => {
                    if self.moment.is_some() && !self.options.grows {
                        self.moment = None;
                        let what = "a record without its second line".to_owned();
                        return problem(
                            self.records.lines,
                            RecordFlaw::Malformed { what, offset: 0 },
                        );
                    }
                    return NextRecord::End;
                }
                Ok(Line::TooLong) => {
                    self.moment = None;
                    return self.too_long();
                }
                Ok(Line::Here(range)) => range,
            };
            let line = self.records.lines;
            let Ok(text) = std::str::from_utf8(self.records.bytes(range)) else {
                self.moment = None;
                return problem(line, RecordFlaw::Encoding);
            };
            let text = text.trim().trim_start_matches('\u{feff}');
            if text.is_empty() {
                continue;
            }
            if self.address.is_none() {
                self.address = Some(text.to_owned());
                continue;
            }
            match self.moment.take() {
                None => match pact::moment(text) {
                    Ok(moment) => self.moment = Some(moment),
                    Err(flaw) => return problem(line, flaw),
                },
                Some(moment) => match pact::message(moment, text) {
                    Ok(message) => {
                        self.message = Some(message);
                        break line;
                    }
                    Err(flaw) => return problem(line, flaw),
                },
            }
        };
        let (Some(message), Some(address)) = (&self.message, &self.address) else {
            return NextRecord::End;
        };
        let name = |address: &str| -> String {
            let known = self
                .options
                .names
                .iter()
                .find(|(known, _)| known == address);
            known.map_or(address, |(_, role)| role).to_owned()
        };
        let own = self
            .options
            .service
            .clone()
            .unwrap_or_else(|| name(address));
        let partner = name(&message.partner);
        let (from, to, direction) = if message.sends {
            (own.clone(), partner, Direction::Send)
        } else {
            (partner, own.clone(), Direction::Receive)
        };
        // The second line is where the message stands.
        let observation = Observation {
            line,
            at: Some(message.at.clone()),
            by: Cow::Owned(own),
            direction,
            from: Cow::Owned(from),
            to: Cow::Owned(to),
            operation: Cow::Borrowed(message.operation.as_str()),
            is_fault: false,
            id: message.id.as_deref().map(Cow::Borrowed),
            session: None,
            data: Vec::new(),
            is_partial: false,
        };
        NextRecord::Observation(observation, None)
    }

    fn next_har(&mut self) -> NextRecord<'_> {
        if self.archive.is_none() {
            loop {
                if self.records.window().len() > LONGEST_ARCHIVE {
                    self.archive = Some(VecDeque::new());
                    let what = format!(
                        "it is longer than {} MB; with a binding, archives of any length are read",
                        LONGEST_ARCHIVE >> 20
                    );
                    return NextRecord::Failed(io::Error::other(what));
                }
                match self.records.more() {
                    Err(error) => return NextRecord::Failed(error),
                    Ok(true) => {}
                    Ok(false) if self.options.grows => return NextRecord::End,
                    Ok(false) => break,
                }
            }
            let whole = self.records.window().len();
            let range = self.records.take(whole);
            self.archive = Some(VecDeque::new());
            let Ok(text) = std::str::from_utf8(self.records.bytes(range)) else {
                return problem(1, RecordFlaw::Encoding);
            };
            match har::exchanges(text) {
                Ok(found) => self.archive = Some(found.into()),
                Err(flaw) => return problem(1, flaw),
            }
        }
        match self.archive.as_mut().and_then(VecDeque::pop_front) {
            None => return NextRecord::End,
            Some(Err((entry, flaw))) => return problem(entry + 1, flaw),
            Some(Ok(exchange)) => self.exchange = Some(exchange),
        }
        let Some(exchange) = &self.exchange else {
            return NextRecord::End;
        };
        self.id = format!(
            "entry{}{}",
            exchange.entry,
            if exchange.sends { "" } else { "r" }
        );
        let name = |address: &str| -> String {
            let known = self
                .options
                .names
                .iter()
                .find(|(known, _)| known == address);
            known.map_or(address, |(_, role)| role).to_owned()
        };
        let own = match &self.options.service {
            Some(service) => service.clone(),
            None => name("client"),
        };
        let server = name(&exchange.server);
        let (from, to, direction) = if exchange.sends {
            (own.clone(), server, Direction::Send)
        } else {
            (server, own.clone(), Direction::Receive)
        };
        let wanted = |path: &str| match &self.options.wanted {
            WantedValues::All => true,
            WantedValues::Paths(paths) => paths.iter().any(|wanted| wanted == path),
        };
        let observation = Observation {
            line: exchange.entry + 1,
            at: exchange.at.clone(),
            by: Cow::Owned(own),
            direction,
            from: Cow::Owned(from),
            to: Cow::Owned(to),
            operation: Cow::Borrowed(exchange.operation.as_str()),
            is_fault: false,
            id: Some(Cow::Borrowed(self.id.as_str())),
            session: None,
            data: exchange
                .data
                .iter()
                .filter(|(path, _)| wanted(path))
                .map(|(path, value)| (Cow::Borrowed(path.as_str()), value.clone()))
                .collect(),
            is_partial: false,
        };
        NextRecord::Observation(observation, None)
    }

    /// Says once that nothing can be read.
    fn next_unbound(&mut self, form: LogFormat) -> NextRecord<'static> {
        if self.archive.replace(VecDeque::new()).is_some() {
            return NextRecord::End;
        }
        problem(1, unbound(form.name()))
    }

    fn too_long(&self) -> NextRecord<'static> {
        let limit = self.options.longest;
        problem(self.records.lines, RecordFlaw::TooLong { limit })
    }
}

pub(super) fn problem(line: u64, flaw: RecordFlaw) -> NextRecord<'static> {
    NextRecord::Problem(RecordProblem { line, flaw })
}

/// The observation of a record that is a list of paths and texts.
fn flat<'r>(
    values: &'r [(String, String)],
    plan: &'r Plan,
    surroundings: &'r Surroundings,
    line: u64,
) -> NextRecord<'r> {
    let mut draft = Draft::default();
    for (path, value) in values {
        let value = Datum::Untyped(Cow::Borrowed(value.as_str()));
        if let Err(flaw) = draft.put_at(plan, path, value) {
            return problem(line, flaw);
        }
    }
    finish(draft, surroundings, line)
}

pub(super) fn finish<'r>(
    draft: Draft<'r>,
    surroundings: &'r Surroundings,
    line: u64,
) -> NextRecord<'r> {
    match draft.finish(surroundings, line) {
        Err(flaw) => problem(line, flaw),
        Ok((observation, remark)) => {
            NextRecord::Observation(observation, remark.map(|flaw| RecordProblem { line, flaw }))
        }
    }
}
