//! Records whose values are texts at paths: lines of CSV, elements of XML, and PACT's pairs of lines.

use std::io;

use choros_bind::{Envelope, LogRules};
use choros_model::observation::Datum;

use super::{named, ruled};
use crate::log::LogFormat;
use crate::log::csv::{self, Headings};
use crate::log::pact;
use crate::log::problem::{RecordFlaw, RecordProblem};
use crate::log::records::{Line, Records};
use crate::log::tree::Tree;
use crate::log::xml::{self, Found};

pub(super) struct Table {
    records: Records,
    form: LogFormat,
    longest: usize,
    headings: Option<Headings>,
    /// A record of CSV that continues over several lines.
    pending: csv::Pending,
    /// The service of a PACT log, and the first line of a record.
    address: Option<String>,
    moment: Option<pact::Moment>,
}

/// A record, or what is wrong with it; nothing at the end.
type NextRow = Option<Result<Option<Envelope>, RecordProblem>>;

impl Table {
    pub(super) fn new(records: Records, form: LogFormat, longest: usize) -> Table {
        Table {
            records,
            form,
            longest,
            headings: None,
            pending: csv::Pending::default(),
            address: None,
            moment: None,
        }
    }

    pub(super) fn records(&self) -> &Records {
        &self.records
    }

    pub(super) fn next(&mut self, grows: bool, rules: Option<&LogRules>) -> io::Result<NextRow> {
        if self.form == LogFormat::Xml {
            return self.element(grows, rules);
        }
        let range = match self.records.line(!grows)? {
            Line::End => {
                let is_open = !self.pending.is_empty() || self.moment.is_some();
                self.pending.clear();
                self.moment = None;
                return Ok(if is_open && !grows {
                    Some(Err(self.flaw(malformed("the last record is not whole"))))
                } else {
                    None
                });
            }
            Line::TooLong => {
                let limit = self.longest;
                return Ok(Some(Err(self.flaw(RecordFlaw::TooLong { limit }))));
            }
            Line::Here(range) => range,
        };
        let Ok(text) = std::str::from_utf8(self.records.bytes(range)) else {
            return Ok(Some(Err(self.flaw(RecordFlaw::Encoding))));
        };
        let text = text.trim_end_matches('\r').to_owned();
        if text.trim().is_empty() && self.pending.is_empty() {
            return Ok(Some(Ok(None)));
        }
        let row = match self.form {
            LogFormat::Pact => self.pact(&text),
            _ => self.cells(&text, rules),
        };
        Ok(Some(row.map_err(|flaw| self.flaw(flaw))))
    }

    fn flaw(&self, flaw: RecordFlaw) -> RecordProblem {
        RecordProblem {
            line: self.records.lines,
            flaw,
        }
    }

    fn cells(
        &mut self,
        text: &str,
        rules: Option<&LogRules>,
    ) -> Result<Option<Envelope>, RecordFlaw> {
        if !self.pending.add(text, self.longest) {
            return Ok(None);
        }
        let record = self.pending.take();
        let Some(headings) = &self.headings else {
            self.headings = Some(Headings::read(&record)?);
            return Ok(None);
        };
        let values = headings.values(&record)?;
        envelope(&values, rules, self.records.lines).map(Some)
    }

    fn pact(&mut self, text: &str) -> Result<Option<Envelope>, RecordFlaw> {
        let text = text.trim().trim_start_matches('\u{feff}');
        let Some(own) = &self.address else {
            self.address = Some(text.to_owned());
            return Ok(None);
        };
        let Some(moment) = self.moment.take() else {
            self.moment = Some(pact::moment(text)?);
            return Ok(None);
        };
        let message = pact::message(moment, text)?;
        let (from, to) = if message.sends {
            (own.clone(), message.partner)
        } else {
            (message.partner, own.clone())
        };
        Ok(Some(Envelope {
            line: self.records.lines,
            by: Some(own.clone()),
            from: Some(from),
            to: Some(to),
            names: vec![message.operation],
            at: Some(message.at),
            id: message.id,
            ..Envelope::default()
        }))
    }

    fn element(&mut self, grows: bool, rules: Option<&LogRules>) -> io::Result<NextRow> {
        loop {
            let name = rules.and_then(|it| it.element.as_deref());
            match xml::next_element(self.records.window(), name.unwrap_or("message")) {
                Found::Whole(range) => {
                    self.records.take(range.start);
                    let line = self.records.lines + 1;
                    let range = self.records.take(range.len());
                    let Ok(text) = std::str::from_utf8(self.records.bytes(range)) else {
                        return Ok(Some(Err(self.flaw(RecordFlaw::Encoding))));
                    };
                    let read = xml::values(text)
                        .and_then(|values| envelope(&values, rules, line).map(Some));
                    return Ok(Some(read.map_err(|flaw| RecordProblem { line, flaw })));
                }
                Found::Nothing(keep) => {
                    self.records.take(keep);
                }
            }
            let rest = self.records.window().len();
            if self.records.is_full() {
                self.records.take(rest);
                let limit = self.longest;
                return Ok(Some(Err(self.flaw(RecordFlaw::TooLong { limit }))));
            }
            if !self.records.more()? {
                if grows || rest == 0 {
                    return Ok(None);
                }
                self.records.take(rest);
                let flaw = malformed("an element that is not closed");
                return Ok(Some(Err(self.flaw(flaw))));
            }
        }
    }
}

fn malformed(what: &str) -> RecordFlaw {
    RecordFlaw::Malformed {
        what: what.to_owned(),
        offset: 0,
    }
}

/// A record of texts at paths, by the usual names of its columns or attributes.
fn envelope(
    values: &[(String, String)],
    rules: Option<&LogRules>,
    line: u64,
) -> Result<Envelope, RecordFlaw> {
    if let Some(rules) = rules {
        let scalar = |text: &String| Tree::Scalar(Datum::Untyped(text.clone().into()));
        let fields = values.iter();
        let fields = fields.map(|(path, text)| (path.clone().into(), scalar(text)));
        return ruled::envelope(&Tree::Object(fields.collect()), rules, line);
    }
    let mut fields = Vec::new();
    let mut data = Vec::new();
    for (path, text) in values {
        let value = Tree::Scalar(Datum::Untyped(text.as_str().into()));
        match path.strip_prefix("data.") {
            Some(below) => data.push((below.into(), value)),
            None => fields.push((path.trim_start_matches('@').into(), value)),
        }
    }
    if !data.is_empty() {
        fields.push(("data".into(), Tree::Object(data)));
    }
    let mut envelope = Envelope {
        line,
        ..Envelope::default()
    };
    named::read(&Tree::Object(fields), &mut envelope);
    Ok(envelope)
}
