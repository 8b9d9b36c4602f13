//! From messages that passed to lines that are written.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use choros_model::observation::{Number, Observation};
use choros_model::stg::Direction;
use hyper::{HeaderMap, StatusCode, header};

use super::Told;
use super::bound::BoundCapture;
use super::coding::{EncodedBody, plain};
use super::exchange::CapturedMessage;
use super::line::Line;
use super::reading::{Reading, read_body};
use super::redactor::Redactor;
use crate::log::LogFormat;
use crate::milliseconds_since_1970;

/// Where lines go.
pub(crate) trait LineSink: Send {
    /// Takes the lines of one message, in JSON Lines and in the form of the file.
    fn take(&mut self, line: &dyn Fn(LogFormat) -> String) -> io::Result<()>;
}

/// Where the lines of one service go, or those of every service behind the proxy.
pub(super) type OwnedSink = (Option<String>, Box<dyn LineSink>);

/// Writes down what is heard.
pub(super) struct Recorder {
    /// Client and service of each pair.
    pub(super) pairs: Vec<(String, String)>,
    pub(super) bound: BoundCapture,
    pub(super) redactor: Redactor,
    /// No body is unpacked beyond this many bytes.
    pub(super) limit: usize,
    /// Begins the identities of exchanges, so that two runs never give the same one.
    pub(super) run: String,
    /// Where lines go, and whose.
    pub(super) sinks: Mutex<Vec<OwnedSink>>,
    pub(super) told: Option<Told>,
    pub(super) tally: Tally,
}

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Lines.
    pub(super) observations: AtomicU64,
    /// Messages whose body was not kept whole.
    pub(super) truncated: AtomicU64,
    /// Messages whose body could not be read.
    pub(super) unread: AtomicU64,
    /// Connections that went over to another protocol.
    pub(super) upgrades: AtomicU64,
    /// Lines that a sink did not take.
    pub(super) lost: Arc<AtomicU64>,
}

impl Recorder {
    /// Writes down one message.
    pub(super) fn hear(&self, heard: &CapturedMessage<'_>) {
        let request = heard.request;
        let headers = heard
            .response
            .map_or(&request.headers, |response| &response.headers);
        let content_type = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
        let encoding = text(headers, header::CONTENT_ENCODING.as_str()).unwrap_or_default();
        let mut truncated = heard.body.is_partial();
        let mut reading = if truncated {
            Reading::default()
        } else {
            match plain(&encoding, &heard.body.bytes, self.limit) {
                Ok(body) => read_body(&content_type, &body),
                Err(EncodedBody::Unreadable(reason)) => Reading::unread(reason),
                Err(EncodedBody::TooLong) => {
                    truncated = true;
                    Reading::default()
                }
            }
        };
        // Nothing that must not be written continues from here, not even as an identity.
        for (path, value) in &mut reading.data {
            self.redactor.datum(path, value);
            self.redactor.path(path);
        }
        if let Some(protocol) = upgrade(heard) {
            self.tally.upgrades.fetch_add(1, Ordering::Relaxed);
            reading.unread = Some(format!(
                "upgraded to {}: what follows is not seen",
                self.redactor.header("upgrade", protocol)
            ));
        }
        let (client, service) = &self.pairs[heard.route];
        let pair = (client.as_str(), service.as_str());
        let message = self
            .bound
            .message(heard, pair, headers, &mut reading, &self.redactor);
        let Some(message) = message else { return };
        let (from, to) = match heard.response {
            None => (client, service),
            Some(_) => (service, client),
        };
        let id = message.id.map(|it| it.into_owned());
        let id = id.unwrap_or_else(|| format!("{}-{}", self.run, heard.number));
        if truncated {
            self.tally.truncated.fetch_add(1, Ordering::Relaxed);
        }
        if reading.unread.is_some() {
            self.tally.unread.fetch_add(1, Ordering::Relaxed);
        }
        let mut sinks = self.sinks.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken under the lock, so that times never go backwards in a log.
        let at = now();
        for (direction, by) in [(Direction::Send, from), (Direction::Receive, to)] {
            let mut seen =
                Observation::new(&*message.operation, from.as_str(), to.as_str(), direction);
            seen.at = Some(at.clone());
            seen.is_fault = message.is_fault;
            seen.id = Some(id.as_str().into());
            seen.session = message.session.as_deref().map(Into::into);
            seen.data.clone_from(&message.data);
            seen.is_partial = truncated || reading.unread.is_some();
            if let (Some(told), Direction::Send) = (&self.told, direction) {
                told(&seen);
            }
            let line = Line {
                observation: &seen,
                truncated,
                unread: reading.unread.as_deref(),
            };
            for (owner, sink) in sinks.iter_mut() {
                let is_theirs = match owner {
                    Some(owner) => owner == by,
                    // A service that calls others through the proxy would look as if it had not.
                    None => self.pairs.iter().any(|(_, service)| service == by),
                };
                if !is_theirs {
                    continue;
                }
                self.tally.observations.fetch_add(1, Ordering::Relaxed);
                if sink.take(&|format| line.text(format)).is_err() {
                    self.tally.lost.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
}

/// The protocol that a response goes over to.
fn upgrade(heard: &CapturedMessage<'_>) -> Option<String> {
    let response = heard.response?;
    (response.status == StatusCode::SWITCHING_PROTOCOLS).then(|| {
        text(&response.headers, header::UPGRADE.as_str()).unwrap_or("another protocol".to_owned())
    })
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (!value.is_empty()).then(|| value.to_owned())
}

fn now() -> Number {
    Number::from(i64::try_from(milliseconds_since_1970()).unwrap_or(i64::MAX))
}
