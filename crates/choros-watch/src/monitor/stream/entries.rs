//! Entries as messages of a broker, and back.

use std::io::Cursor;

use choros_exec::log::{LogFormat, LogOptions, LogReader, NextRecord, WantedValues};
use choros_exec::nats::{BrokerMessage, Header};
use choros_model::observation::{Number, Observation};
use choros_monitor::Mark;
use choros_report::{SavedMark, SavedObservation, last_marks_from_json, last_marks_to_json};
use choros_stream::Content;

use crate::monitor::saved_state::{restored_observation, saved_mark, saved_observation};

/// Which stream it is meant for.
pub(super) const STREAM: &str = "Choros-Stream";
/// What it is; without it observations in the native form.
const KIND: &str = "Choros-Kind";
/// The last line that it carries.
pub(super) const LAST_LINE: &str = "Choros-Last-Line";
/// A number made from the last observation that it carries.
pub(super) const CHECK: &str = "Choros-Check";

/// Observations of a message that name no line get numbers from the message's: so many have room.
const ROOM: u64 = 1 << 16;

/// The headers of a message of some kind.
fn headers(kind: &str, incarnation: &str) -> Vec<Header> {
    vec![
        (KIND.to_owned(), kind.to_owned()),
        (STREAM.to_owned(), incarnation.to_owned()),
    ]
}

/// An observation as one line.
pub(super) fn line(seen: &Observation<'_>) -> String {
    let mut line = saved_observation(seen).to_json();
    line.push('\n');
    line
}

pub(super) fn seen_headers(incarnation: &str, last_line: u64, check: u64) -> Vec<Header> {
    let mut headers = headers("seen", incarnation);
    headers.push((LAST_LINE.to_owned(), last_line.to_string()));
    headers.push((CHECK.to_owned(), format!("{check:016x}")));
    headers
}

pub(super) fn tick(incarnation: &str, now: u64) -> (Vec<Header>, Vec<u8>) {
    (headers("tick", incarnation), now.to_string().into_bytes())
}

/// From here on the properties of this version of a watch are judged.
pub(super) fn change(incarnation: &str, watch: &str, version: u32) -> (Vec<Header>, Vec<u8>) {
    let payload = format!("{watch} {version}").into_bytes();
    (headers("change", incarnation), payload)
}

pub(super) fn end(incarnation: &str, logs: &[(String, Mark)]) -> (Vec<Header>, Vec<u8>) {
    let logs: Vec<(String, SavedMark)> = logs
        .iter()
        .map(|(service, mark)| (service.clone(), saved_mark(mark)))
        .collect();
    let payload = last_marks_to_json(&logs).into_bytes();
    (headers("end", incarnation), payload)
}

/// Whether a message says that nothing more will come.
pub(super) fn is_end(message: &BrokerMessage) -> bool {
    message.header(KIND) == Some("end")
}

/// What a message says to a watch that wants some values, or all; in words why nothing.
pub(super) fn content(
    message: &BrokerMessage,
    watch: &str,
    wanted: Option<&[String]>,
) -> Result<Content, String> {
    let text = || String::from_utf8_lossy(&message.payload);
    match message.header(KIND) {
        None => Ok(Content::Seen(native(message, wanted))),
        Some("seen") => {
            let saved = SavedObservation::from_lines(&text())?;
            let all = saved.iter().map(|it| {
                let mut seen = restored_observation(it);
                // What no property names does not leave the worker.
                if let Some(wanted) = wanted {
                    seen.data
                        .retain(|(path, _)| wanted.iter().any(|it| it == path));
                }
                seen
            });
            Ok(Content::Seen(all.collect()))
        }
        Some("tick") => Number::parse(&text())
            .map(Content::Tick)
            .map_err(|_| format!("`{}` is not a time", text())),
        Some("change") => {
            let text = text();
            let (of, version) = text.split_once(' ').unwrap_or((&text, ""));
            match version.parse() {
                _ if of != watch => Ok(Content::Seen(Vec::new())),
                Ok(version) => Ok(Content::Change(version)),
                Err(_) => Err(format!("`{version}` is not a version")),
            }
        }
        Some("end") => {
            let logs = last_marks_from_json(&text())?;
            let mark = |saved: &SavedMark| Mark {
                line: saved.line,
                at: saved.at.as_ref().and_then(|it| Number::parse(it).ok()),
            };
            let logs = logs.iter().map(|(service, it)| (service.clone(), mark(it)));
            Ok(Content::End(logs.collect()))
        }
        Some(other) => Err(format!("a later version wrote it: it is `{other}`")),
    }
}

/// Observations that someone else published; what is not one is left out.
fn native(message: &BrokerMessage, wanted: Option<&[String]>) -> Vec<Observation<'static>> {
    let options = LogOptions {
        wanted: wanted.map_or(WantedValues::All, |it| WantedValues::Paths(it.to_vec())),
        ..LogOptions::new(LogFormat::JsonLines)
    };
    let mut reader = LogReader::new(Box::new(Cursor::new(message.payload.clone())), options);
    let mut all = Vec::new();
    loop {
        match reader.next() {
            NextRecord::Observation(seen, _) => {
                let mut seen = seen.into_owned();
                seen.line += message.sequence * ROOM;
                all.push(seen);
            }
            NextRecord::Problem(_) => {}
            NextRecord::End | NextRecord::Failed(_) => return all,
        }
    }
}
