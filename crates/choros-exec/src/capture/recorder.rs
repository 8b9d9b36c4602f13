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
use super::exchange::{CapturedMessage, is_fault, kind};
use super::line::Line;
use super::naming::{HttpPlace, Naming, OperationName, parts};
use super::reading::{Reading, form, read_body};
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
    pub(super) naming: Naming,
    /// By a binding, instead.
    pub(super) bound: Option<BoundCapture>,
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
        if heard.response.is_none()
            && self.bound.is_none()
            && let Some((_, query)) = request.target.split_once('?')
        {
            reading.data.extend(form(query));
        }
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
        let message = match &self.bound {
            Some(bound) => {
                let data = std::mem::take(&mut reading.data);
                let pair = (client.as_str(), service.as_str());
                let Some(seen) = bound.message(heard, pair, headers, data, &self.redactor) else {
                    return;
                };
                let data = seen.data.iter();
                reading.data = data
                    .map(|(path, value)| (path.to_string(), value.clone()))
                    .collect();
                Some(seen)
            }
            None => None,
        };
        let operation = match &message {
            Some(seen) => Some(seen.operation.to_string()),
            None => self.operation(heard, &reading, headers),
        };
        let Some(operation) = operation else {
            return;
        };
        let is_fault = match &message {
            Some(seen) => seen.is_fault,
            None => heard.response.is_some_and(|it| is_fault(it.status)),
        };
        let (from, to) = match heard.response {
            None => (client, service),
            Some(_) => (service, client),
        };
        let find = |place: &Option<HttpPlace>| {
            let place = place.as_ref()?;
            // A response seldom repeats where the session stands; then the request's counts.
            self.at(place, heard, &reading, headers)
                .or_else(|| self.at(place, heard, &Reading::default(), &request.headers))
        };
        let bound = message.as_ref();
        let id = bound.and_then(|it| it.id.as_deref()).map(str::to_owned);
        let id = id.or_else(|| find(&self.naming.id));
        let id = id.unwrap_or_else(|| format!("{}-{}", self.run, heard.number));
        let session = bound
            .and_then(|it| it.session.as_deref())
            .map(str::to_owned);
        let session = session.or_else(|| find(&self.naming.session));
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
                Observation::new(operation.as_str(), from.as_str(), to.as_str(), direction);
            seen.at = Some(at.clone());
            seen.is_fault = is_fault;
            seen.id = Some(id.as_str().into());
            seen.session = session.as_deref().map(Into::into);
            for (path, value) in &reading.data {
                seen.data.push((path.as_str().into(), value.clone()));
            }
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

    /// What the message is called; `None` if it is not a message of the services.
    fn operation(
        &self,
        heard: &CapturedMessage<'_>,
        reading: &Reading,
        headers: &HeaderMap,
    ) -> Option<String> {
        let request = heard.request;
        let case = self.naming.case(request.method.as_str(), &request.target);
        let called = case.map(|case| match heard.response {
            None => &case.request,
            Some(response) => case.response.for_status(response.status.as_u16()),
        });
        match called {
            Some(OperationName::Nothing) => return None,
            Some(OperationName::Operation(name)) => return Some(name.clone()),
            Some(OperationName::Default | OperationName::ByStatus(_)) | None => {}
        }
        if let Some(response) = heard.response {
            // An empty answer only says that the request arrived.
            let acknowledges = matches!(
                response.status,
                StatusCode::ACCEPTED | StatusCode::NO_CONTENT
            );
            if heard.body.passed == 0 && (acknowledges || response.status == StatusCode::OK) {
                return None;
            }
        }
        if let Some(place) = &self.naming.operation
            && let Some(name) = self.at(place, heard, reading, headers)
        {
            return Some(name);
        }
        if let Some(name) = &reading.operation {
            return Some(name.clone());
        }
        let last = match case.map(|case| &case.request) {
            Some(OperationName::Operation(name)) => name.as_str(),
            _ => &self.last_part(&request.target),
        };
        Some(match heard.response {
            None => last.to_owned(),
            Some(_) if upgrade(heard).is_some() => format!("{last}Upgrade"),
            Some(response) => format!("{last}{}", kind(response.status)),
        })
    }

    /// The text at a place of a message.
    fn at(
        &self,
        place: &HttpPlace,
        heard: &CapturedMessage<'_>,
        reading: &Reading,
        headers: &HeaderMap,
    ) -> Option<String> {
        match place {
            HttpPlace::Header(name) => {
                let value = text(headers, name)?;
                Some(self.redactor.header(name, value))
            }
            HttpPlace::Body(path) => {
                let (_, value) = reading.data.iter().find(|(known, _)| known == path)?;
                Some(value.key().into_owned())
            }
            HttpPlace::Query(name) => {
                let (_, query) = heard.request.target.split_once('?')?;
                let (path, mut value) = form(query).into_iter().find(|(known, _)| known == name)?;
                self.redactor.datum(&path, &mut value);
                Some(value.key().into_owned())
            }
            HttpPlace::Path(number) => {
                let parts: Vec<&str> = parts(&heard.request.target).collect();
                let before = number.checked_sub(1).and_then(|before| parts.get(before));
                parts
                    .get(*number)
                    .map(|part| self.redactor.segment(before.copied(), part))
            }
        }
    }

    /// The last part of a path, which messages are called by where nothing else names them.
    fn last_part(&self, target: &str) -> String {
        let parts: Vec<&str> = parts(target).collect();
        match parts.split_last() {
            Some((last, before)) => self.redactor.segment(before.last().copied(), last),
            None => "/".to_owned(),
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
