//! Verdicts told to those who do not read the stream: a webhook, a command, a collector of logs.
//!
//! Each is told at least once: how far they were told is written after they were, and the owner of the partition tells.

use std::collections::BTreeMap;

use choros_exec::milliseconds_since_1970;
use choros_exec::nats::BrokerMessage;
use choros_exec::tell::post;
use choros_exec::verdicts::read_told;
use choros_monitor::Outcome;
use choros_syntax::quote::json as json_string;

use super::names::Key;
use super::place::Place;
use super::request::{Hook, StreamRequest};

/// Who is told, and how far.
pub(super) struct Deliveries<'d> {
    place: &'d Place,
    webhook: Option<&'d str>,
    command: Option<&'d Hook>,
    collector: Option<String>,
    /// Of each partition that is told here: revision and number of the last verdict.
    told: BTreeMap<u32, (u64, u64)>,
    /// How often someone could not be told, and why the last time.
    pub(super) failed: u64,
    pub(super) reason: Option<String>,
}

/// So many verdicts are told at once.
const MOST_AT_ONCE: usize = 200;

impl<'d> Deliveries<'d> {
    /// Nothing if no one is to be told.
    pub(super) fn new(place: &'d Place, request: &'d StreamRequest) -> Option<Deliveries<'d>> {
        let is_wanted =
            request.webhook.is_some() || request.on_fail.is_some() || request.otlp.is_some();
        is_wanted.then(|| Deliveries {
            place,
            webhook: request.webhook.as_deref(),
            command: request.on_fail.as_ref(),
            collector: request.otlp.as_ref().map(|it| {
                let base = it.trim_end_matches('/');
                format!("{base}/v1/logs")
            }),
            told: BTreeMap::new(),
            failed: 0,
            reason: None,
        })
    }

    /// Tells what is new in the partitions that are owned here; whether all of it was told.
    pub(super) fn deliver(&mut self, owned: &[u32]) -> bool {
        self.told.retain(|partition, _| owned.contains(partition));
        let mut is_all = true;
        for &partition in owned {
            match self.partition(partition) {
                Ok(is_last) => is_all &= is_last,
                Err(reason) => {
                    self.failed += 1;
                    self.reason = Some(reason);
                    is_all = false;
                }
            }
        }
        is_all
    }

    fn partition(&mut self, partition: u32) -> Result<bool, String> {
        let key = Key::Told(partition);
        let (revision, told) = match self.told.get(&partition) {
            Some(known) => *known,
            None => {
                let (revision, value) = self.place.value(key).map_err(|it| it.to_string())?;
                let text =
                    String::from_utf8_lossy(value.as_deref().unwrap_or_default()).into_owned();
                (revision, text.parse().unwrap_or(0))
            }
        };
        let stream = self.place.names.verdicts(partition);
        let messages = self.place.broker.read(&stream, told, MOST_AT_ONCE);
        let messages = messages.map_err(|it| it.to_string())?;
        let Some(last) = messages.last().map(|it| it.sequence) else {
            self.told.insert(partition, (revision, told));
            return Ok(true);
        };
        self.tell(&messages)?;
        self.told.remove(&partition);
        let written = self
            .place
            .write(key, revision, last.to_string().into_bytes());
        if let Ok(revision) = written {
            self.told.insert(partition, (revision, last));
        }
        Ok(messages.len() < MOST_AT_ONCE)
    }

    fn tell(&self, messages: &[BrokerMessage]) -> Result<(), String> {
        let mut records = Vec::new();
        for message in messages {
            let line = String::from_utf8_lossy(&message.payload).into_owned();
            let Ok(told) = read_told(&line) else { continue };
            if told.outcome == Outcome::Fail {
                if let Some(url) = self.webhook {
                    post(url, &line)?;
                }
                if let Some(Hook(command)) = self.command {
                    command(&line)?;
                }
            }
            if self.collector.is_some() {
                records.push(record(&line, &told.property, told.outcome, &told.service));
            }
        }
        match &self.collector {
            Some(url) if !records.is_empty() => post(url, &export(&records)),
            _ => Ok(()),
        }
    }
}

/// A verdict as a record of OpenTelemetry's logs.
fn record(line: &str, property: &str, outcome: Outcome, service: &str) -> String {
    let (number, word) = match outcome {
        Outcome::Fail => (17, "ERROR"),
        Outcome::Pass | Outcome::Inconclusive => (9, "INFO"),
    };
    let attribute = |key: &str, value: &str| {
        format!(
            "{{\"key\":\"{key}\",\"value\":{{\"stringValue\":{}}}}}",
            json_string(value)
        )
    };
    let nanoseconds = u128::from(milliseconds_since_1970()) * 1_000_000;
    format!(
        "{{\"timeUnixNano\":\"{nanoseconds}\",\"severityNumber\":{number},\"severityText\":\"{word}\",\
         \"body\":{{\"stringValue\":{}}},\"attributes\":[{},{},{}]}}",
        json_string(line),
        attribute("choros.property", property),
        attribute("choros.verdict", outcome.word()),
        attribute("choros.service", service),
    )
}

fn export(records: &[String]) -> String {
    format!(
        "{{\"resourceLogs\":[{{\"resource\":{{\"attributes\":[{{\"key\":\"service.name\",\
         \"value\":{{\"stringValue\":\"choros\"}}}}]}},\"scopeLogs\":[{{\"scope\":{{\"name\":\"choros.watch\"}},\
         \"logRecords\":[{}]}}]}}]}}",
        records.join(",")
    )
}
