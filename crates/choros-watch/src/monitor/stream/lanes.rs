//! The way of observations into a stream: packed, in order, each once.
//!
//! The observations of one service go to one partition on a subject of their own, a lane.
//! Each message of a lane says up to which line of the log it carries, and is kept if the last message of the lane is
//! the one that was expected; so whoever begins again, after a crash or a lost leader, sees how far the lane came, and
//! what was sent twice is kept once, however long that takes.

use std::collections::BTreeMap;

use choros_exec::crew::{Stopwatch, nap};
use choros_exec::nats::{BrokerError, Expected, Outgoing, PublishFault};
use choros_model::observation::Observation;
use choros_monitor::Mark;
use choros_stream::{PartitionKey, partition_of};

use super::entries;
use super::place::Place;

/// A message is sent when it has so many observations, or so many bytes.
const MOST_OBSERVATIONS: usize = 256;
const MOST_BYTES: usize = 32 << 10;
/// Nothing is sent again before so many milliseconds.
const AGAIN: u64 = 50;

/// All lanes of a log that is fed.
pub(super) struct Lanes<'l> {
    place: &'l Place,
    key: PartitionKey,
    /// Which stream each partition is.
    incarnations: Vec<String>,
    source: String,
    lanes: BTreeMap<(String, u32), Lane>,
    /// The last message of each log.
    pub(super) lasts: Vec<(String, Mark)>,
    /// The broker may be away for so many milliseconds.
    patience: u64,
    clock: Stopwatch,
    pub(super) observations: u64,
    pub(super) known: u64,
    pub(super) messages: u64,
}

struct Lane {
    subject: String,
    /// The last message on the subject.
    last: u64,
    /// Up to which line an earlier run came, the number of that observation, and whether it was met again.
    reached: u64,
    check: u64,
    is_met: bool,
    pending: Vec<(u64, String)>,
    bytes: usize,
}

/// Why nothing more can be fed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotFed {
    /// The log is not the one whose beginning is in the stream: its service.
    OtherLog(String),
    Broker(String),
}

impl<'l> Lanes<'l> {
    pub(super) fn new(
        place: &'l Place,
        key: PartitionKey,
        incarnations: Vec<String>,
        source: &str,
        patience: u64,
    ) -> Lanes<'l> {
        Lanes {
            place,
            key,
            incarnations,
            source: source.to_owned(),
            lanes: BTreeMap::new(),
            lasts: Vec::new(),
            patience,
            clock: Stopwatch::start(),
            observations: 0,
            known: 0,
            messages: 0,
        }
    }

    /// Takes an observation, unless it is in the stream already.
    pub(super) fn take(&mut self, seen: &Observation<'_>) -> Result<(), NotFed> {
        let mark = Mark {
            line: seen.line,
            at: seen.at.clone(),
        };
        match self.lasts.iter_mut().find(|(it, _)| *it == *seen.by) {
            Some((_, known)) if known.line >= mark.line => {
                // Numbers of lines that begin again are another log.
                return Err(NotFed::OtherLog(seen.by.to_string()));
            }
            Some((_, known)) => *known = mark,
            None => self.lasts.push((seen.by.to_string(), mark)),
        }
        let count = self.incarnations.len() as u32;
        let partition = partition_of(self.key.of(seen), count);
        let place = (seen.by.to_string(), partition);
        if !self.lanes.contains_key(&place) {
            let lane = self.open(&seen.by, partition)?;
            self.lanes.insert(place.clone(), lane);
        }
        let Some(lane) = self.lanes.get_mut(&place) else {
            return Ok(());
        };
        let line = entries::line(seen);
        if seen.line <= lane.reached {
            self.known += 1;
            if seen.line == lane.reached {
                lane.is_met = true;
                if check(&line) != lane.check {
                    return Err(NotFed::OtherLog(seen.by.to_string()));
                }
            }
            return Ok(());
        }
        if !lane.is_met {
            return Err(NotFed::OtherLog(seen.by.to_string()));
        }
        self.observations += 1;
        lane.bytes += line.len();
        lane.pending.push((seen.line, line));
        if lane.pending.len() >= MOST_OBSERVATIONS || lane.bytes >= MOST_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn open(&self, service: &str, partition: u32) -> Result<Lane, NotFed> {
        let number = check(&format!("{}\n{service}", self.source));
        let lane = format!("log.{number:016x}");
        let subject = self.place.names.entry_subject(partition, &lane);
        let mut lane = Lane {
            subject,
            last: 0,
            reached: 0,
            check: 0,
            is_met: true,
            pending: Vec::new(),
            bytes: 0,
        };
        self.look(partition, &mut lane)?;
        lane.is_met = lane.reached == 0;
        Ok(lane)
    }

    /// Looks how far a lane came; waits for a broker that does not answer.
    fn look(&self, partition: u32, lane: &mut Lane) -> Result<(), NotFed> {
        let stream = self.place.names.entries(partition);
        let found = self.again(|| match self.place.broker.last_on(&stream, &lane.subject) {
            Ok(found) => Ok(found),
            Err(error) => Err(error.to_string()),
        })?;
        let Some(message) = found else {
            lane.last = 0;
            return Ok(());
        };
        let number = |name: &str, radix: u32| {
            let text = message.header(name)?;
            u64::from_str_radix(text, radix).ok()
        };
        lane.last = message.sequence;
        lane.reached = number(entries::LAST_LINE, 10).unwrap_or(0);
        lane.check = number(entries::CHECK, 16).unwrap_or(0);
        Ok(())
    }

    /// Whether nothing is tried again any more.
    fn is_too_late(&self, begun: u64) -> bool {
        let waited = self.clock.milliseconds() - begun;
        waited > self.patience
            || self.place.is_cancelled()
            || self.place.broker.forbidden().is_some()
    }

    /// Tries until it succeeds, or for as long as the broker may be away.
    fn again<T>(&self, mut attempt: impl FnMut() -> Result<T, String>) -> Result<T, NotFed> {
        let begun = self.clock.milliseconds();
        loop {
            match attempt() {
                Ok(done) => return Ok(done),
                Err(why) if self.is_too_late(begun) => {
                    return Err(NotFed::Broker(why));
                }
                Err(_) => nap(AGAIN),
            }
        }
    }

    /// Publishes what waits: one message of each lane at once, until nothing waits.
    pub(super) fn flush(&mut self) -> Result<(), NotFed> {
        let begun = self.clock.milliseconds();
        loop {
            let waiting: Vec<(String, u32)> = self
                .lanes
                .iter()
                .filter(|(_, lane)| !lane.pending.is_empty())
                .map(|(place, _)| place.clone())
                .collect();
            if waiting.is_empty() {
                return Ok(());
            }
            let mut fault = None;
            let messages = waiting
                .iter()
                .map(|place| self.lanes[place].message(&self.incarnations[place.1 as usize]));
            let results = self.place.broker.publish_each(messages.collect());
            for (place, result) in waiting.iter().zip(results) {
                let Some(mut lane) = self.lanes.remove(place) else {
                    continue;
                };
                let mut looked = Ok(());
                match result {
                    Ok(sequence) => {
                        self.messages += 1;
                        lane.sent();
                        lane.last = sequence;
                    }
                    // It was kept and the answer was lost; or someone else feeds the same log.
                    Err(PublishFault::Refused) => {
                        looked = self.look(place.1, &mut lane);
                        lane.forget_known();
                    }
                    Err(PublishFault::Unanswered(why)) => fault = Some(why),
                }
                self.lanes.insert(place.clone(), lane);
                looked?;
            }
            if let Some(why) = fault {
                if self.is_too_late(begun) {
                    return Err(NotFed::Broker(why));
                }
                nap(AGAIN);
            }
        }
    }

    /// Whether every log reached the line up to which it is in the stream; the service of one that did not.
    pub(super) fn unmet(&self) -> Option<&str> {
        let mut lanes = self.lanes.iter();
        let ((service, _), _) = lanes.find(|(_, lane)| !lane.is_met)?;
        Some(service)
    }

    /// Puts one message into every partition, unless the last one on its subject is the same already; how many.
    pub(super) fn put_each(
        &self,
        lane: &str,
        message: impl Fn(&str) -> (Vec<(String, String)>, Vec<u8>),
        is_once: bool,
    ) -> Result<u32, NotFed> {
        let mut count = 0;
        for (incarnation, partition) in self.incarnations.iter().zip(0..) {
            let subject = self.place.names.entry_subject(partition, lane);
            let stream = self.place.names.entries(partition);
            let (headers, payload) = message(incarnation);
            let is_put = self.again(|| {
                let failed = |error: BrokerError| error.to_string();
                let last = self
                    .place
                    .broker
                    .last_on(&stream, &subject)
                    .map_err(failed)?;
                let is_there = last.as_ref().is_some_and(|it| it.payload == payload);
                if is_once && is_there {
                    return Ok(false);
                }
                let put = self.place.broker.publish(vec![Outgoing {
                    subject: subject.clone(),
                    headers: headers.clone(),
                    payload: payload.clone(),
                    expected: Expected::OnSubject(last.map_or(0, |it| it.sequence)),
                }]);
                put.map(|_| true).map_err(|fault| match fault {
                    PublishFault::Refused => "someone else publishes the same".to_owned(),
                    PublishFault::Unanswered(why) => why,
                })
            })?;
            count += u32::from(is_put);
        }
        Ok(count)
    }
}

impl Lane {
    /// The message that carries what waits, as far as it has room.
    fn message(&self, incarnation: &str) -> Outgoing {
        let some = &self.pending[..self.pending.len().min(MOST_OBSERVATIONS)];
        let payload: String = some.iter().map(|(_, line)| line.as_str()).collect();
        let (last_line, last) = some.last().map_or((0, ""), |(line, it)| (*line, it));
        Outgoing {
            subject: self.subject.clone(),
            headers: entries::seen_headers(incarnation, last_line, check(last)),
            payload: payload.into_bytes(),
            expected: Expected::OnSubject(self.last),
        }
    }

    fn sent(&mut self) {
        let count = self.pending.len().min(MOST_OBSERVATIONS);
        if let Some((line, text)) = self.pending.get(count.saturating_sub(1)) {
            (self.reached, self.check) = (*line, check(text));
        }
        self.pending.drain(..count);
        self.bytes = self.pending.iter().map(|(_, line)| line.len()).sum();
    }

    fn forget_known(&mut self) {
        self.pending.retain(|(line, _)| *line > self.reached);
        self.bytes = self.pending.iter().map(|(_, line)| line.len()).sum();
    }
}

/// A number made from a text, which never changes (FNV-1a).
fn check(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
