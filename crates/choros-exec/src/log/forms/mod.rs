//! Records of every form as envelopes, one at a time.
//!
//! A form knows its own conventions and nothing of models.
//! Forms whose records are exchanges or spans are read to their end before the first envelope is given, because the
//! order of their lines is not the order in which things happened; what is held is an envelope per record.

mod access;
mod cloud_events;
mod conversations;
mod exported_again;
mod fetches;
mod har;
mod hops;
mod http;
mod jaeger;
mod kafka;
mod named;
mod order;
mod otlp;
mod ruled;
mod span;
mod table;
mod traces;
mod zipkin;

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read};

use choros_bind::{Envelope, LogRules, RankedEnvelope};

use self::order::{Interval, ranks};
use self::table::Table;
use self::traces::Traces;
use super::LogFormat;
use super::pieces::{NextPiece, Pattern, Piece, Pieces};
use super::problem::{RecordFlaw, RecordProblem};
use super::reader::LogPosition;
use super::records::Records;
use super::tree::Tree;

/// What comes next in a log.
#[derive(Debug)]
pub enum NextEnvelope {
    Envelope(Box<RankedEnvelope>),
    /// A record that is none.
    Problem(RecordProblem),
    /// Nothing more, now.
    End,
    Failed(io::Error),
}

/// A log that is read as envelopes.
pub struct EnvelopeReader {
    form: LogFormat,
    source: Source,
    grows: bool,
    rules: Option<LogRules>,
    /// Records so far, from 1.
    number: u64,
    traces: Traces,
    /// Exchanges whose places are not known before the log is over.
    held: Vec<Envelope>,
    problems: VecDeque<RecordProblem>,
    ready: VecDeque<RankedEnvelope>,
}

enum Source {
    Pieces(Pieces),
    Table(Table),
}

const RECORDS: &[Pattern] = &[&[], &["*"]];
const EVENTS: &[Pattern] = &[&[], &["*"], &["events", "*"]];

impl EnvelopeReader {
    /// Reads a log of this form; no record may be longer than so many bytes.
    pub fn new(
        input: Box<dyn Read + Send>,
        form: LogFormat,
        longest: usize,
        grows: bool,
    ) -> EnvelopeReader {
        let records = Records::new(input, longest);
        let patterns = match form {
            LogFormat::Otlp => otlp::PATTERNS,
            LogFormat::Jaeger => jaeger::PATTERNS,
            LogFormat::Zipkin => zipkin::PATTERNS,
            LogFormat::Har => har::PATTERNS,
            LogFormat::CloudEvents => EVENTS,
            LogFormat::Access | LogFormat::Kafka | LogFormat::JsonLines => RECORDS,
            LogFormat::Xml | LogFormat::Pact | LogFormat::Csv => &[],
        };
        let source = if patterns.is_empty() {
            Source::Table(Table::new(records, form, longest))
        } else {
            Source::Pieces(Pieces::new(records, patterns, longest))
        };
        EnvelopeReader {
            form,
            source,
            grows,
            rules: None,
            number: 0,
            traces: Traces::default(),
            held: Vec::new(),
            problems: VecDeque::new(),
            ready: VecDeque::new(),
        }
    }

    /// Reads the parts of records where the rules of a binding place them, if they place any.
    #[must_use]
    pub fn with_rules(mut self, rules: Option<LogRules>) -> EnvelopeReader {
        self.rules = rules.filter(|it| !it.parts.is_empty() && !self.form.is_trace());
        self
    }

    /// Whether the places of records are known when the log is over, and not before.
    pub(super) fn is_ordered_at_the_end(&self) -> bool {
        self.form.has_exchanges() && !self.grows
    }

    /// How many records were told again since the last time, and left out.
    pub(super) fn take_repeated(&mut self) -> u64 {
        std::mem::take(&mut self.traces.repeated)
    }

    /// How far the log was read.
    pub fn position(&self) -> LogPosition {
        let records = match &self.source {
            Source::Pieces(pieces) => pieces.records(),
            Source::Table(table) => table.records(),
        };
        LogPosition {
            bytes: records.taken,
            lines: records.lines,
        }
    }

    /// The log does not grow any more.
    pub fn close(&mut self) {
        self.grows = false;
    }

    /// The next record.
    #[allow(clippy::should_implement_trait)] // As its sibling, the reader of observations.
    pub fn next(&mut self) -> NextEnvelope {
        loop {
            if let Some(problem) = self.problems.pop_front() {
                return NextEnvelope::Problem(problem);
            }
            if let Some(found) = self.ready.pop_front() {
                return NextEnvelope::Envelope(Box::new(found));
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) if self.ready.is_empty() && self.problems.is_empty() => {
                    return NextEnvelope::End;
                }
                Ok(false) => {}
                Err(error) => return NextEnvelope::Failed(error),
            }
        }
    }

    /// Reads a record; false if there is none, now.
    fn read(&mut self) -> io::Result<bool> {
        let found = match &mut self.source {
            Source::Table(table) => table.next(self.grows, self.rules.as_ref())?,
            Source::Pieces(pieces) => match pieces.next(self.grows) {
                NextPiece::End => None,
                NextPiece::Failed(error) => return Err(error),
                NextPiece::Flaw(line, flaw) => Some(Err(RecordProblem { line, flaw })),
                NextPiece::Piece(piece) => {
                    let (line, number) = (piece.line, &mut self.number);
                    let read = match &self.rules {
                        Some(rules) => Tree::read(piece.text)
                            .and_then(|tree| ruled::envelope(&tree, rules, line))
                            .map(Some),
                        None => record(self.form, &piece, number, &mut self.traces),
                    };
                    Some(read.map_err(|flaw| RecordProblem { line, flaw }))
                }
            },
        };
        match found {
            None => {
                self.settle();
                return Ok(false);
            }
            Some(Err(problem)) => self.problems.push_back(problem),
            Some(Ok(None)) => {}
            Some(Ok(Some(envelope))) if self.is_ordered_at_the_end() => {
                self.held.push(envelope);
            }
            Some(Ok(Some(envelope))) => self.ready.push_back(RankedEnvelope {
                start: 2 * envelope.line,
                end: 2 * envelope.line + 1,
                envelope,
            }),
        }
        Ok(true)
    }

    /// Puts what is held in its order.
    fn settle(&mut self) {
        self.ready.extend(self.traces.settle());
        let held = std::mem::take(&mut self.held);
        let ranks = ranks(&intervals(&held));
        let mut found: Vec<RankedEnvelope> = held
            .into_iter()
            .zip(ranks)
            .map(|(envelope, (start, end))| RankedEnvelope {
                envelope,
                start,
                end,
            })
            .collect();
        found.sort_by_key(|it| it.start);
        self.ready.extend(found);
    }
}

fn intervals(envelopes: &[Envelope]) -> Vec<Interval> {
    let mut services: HashMap<&str, usize> = HashMap::new();
    let mut sessions: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::with_capacity(envelopes.len());
    for envelope in envelopes {
        let (service, session) = (services.len(), sessions.len());
        let by = envelope.by.as_deref().unwrap_or_default();
        let conversation = envelope.session.as_deref().unwrap_or_default();
        found.push(Interval {
            by: *services.entry(by).or_insert(service),
            session: *sessions.entry(conversation).or_insert(session),
            side: envelope.side,
            start: envelope.at.clone(),
            end: envelope.ended.clone(),
            ..Interval::default()
        });
    }
    found
}

/// The envelope of a record; none of a part that is not about a message.
fn record(
    form: LogFormat,
    piece: &Piece<'_>,
    number: &mut u64,
    traces: &mut Traces,
) -> Result<Option<Envelope>, RecordFlaw> {
    let tree = Tree::read(piece.text)?;
    let mut next = || {
        *number += 1;
        *number
    };
    match form {
        LogFormat::Otlp if piece.pattern < otlp::RESOURCES => {
            if let Some(service) = otlp::service(&tree) {
                traces.name(piece.group, "", service);
            }
            Ok(None)
        }
        LogFormat::Otlp => {
            traces.add(otlp::span(&tree, next())?, piece.group, "");
            Ok(None)
        }
        LogFormat::Jaeger if piece.pattern < jaeger::PROCESSES => {
            for (process, service) in jaeger::processes(&tree) {
                traces.name(piece.group, &process, service);
            }
            Ok(None)
        }
        LogFormat::Jaeger => {
            let (span, process) = jaeger::span(&tree, next())?;
            traces.add(span, piece.group, process.as_deref().unwrap_or_default());
            Ok(None)
        }
        LogFormat::Zipkin => {
            traces.add(zipkin::span(&tree, next())?, piece.group, "");
            Ok(None)
        }
        LogFormat::Har => har::envelope(&tree, next()).map(Some),
        LogFormat::CloudEvents => cloud_events::envelope(&tree, piece.line).map(Some),
        LogFormat::Access => access::envelope(&tree, piece.line).map(Some),
        LogFormat::Kafka => kafka::envelope(&tree, piece.line).map(Some),
        LogFormat::JsonLines | LogFormat::Xml | LogFormat::Pact | LogFormat::Csv => {
            let mut envelope = Envelope {
                line: piece.line,
                ..Envelope::default()
            };
            named::read(&tree, &mut envelope);
            Ok(Some(envelope))
        }
    }
}
