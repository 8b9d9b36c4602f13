//! The verdicts of all partitions, heard as they are told.

use std::io;
use std::sync::Arc;

use choros_exec::nats::BrokerError;
use choros_exec::verdicts::read_told;
use choros_monitor::{Watcher, WindowVerdict};

use super::carry::read_checkpoint;
use super::entries::is_end;
use super::kept::KeptJudge;
use super::names::Key;
use super::place::Place;
use super::show::Show;
use crate::monitor::ledger::Ledger;
use choros_stream::{Fault, Misfit};

/// How far the verdicts of each partition were heard.
pub(super) struct Follower<'f> {
    place: &'f Place,
    incarnations: &'f [String],
    heard: Vec<u64>,
    /// Verdicts of properties of other versions.
    pub(super) others: u64,
}

/// So many verdicts are heard at once.
const MOST_AT_ONCE: usize = 1_000;

/// How far a partition is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached<S> {
    pub(super) state: Option<S>,
    pub(super) told: u64,
    /// Everything up to the end was judged.
    pub(super) is_over: bool,
}

/// Why it is not known how far a partition is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotReached {
    /// What is there is of another stream, or of another version of this program.
    Unusable(Fault),
    Unanswered(String),
}

impl<'f> Follower<'f> {
    pub(super) fn new(place: &'f Place, incarnations: &'f [String]) -> Follower<'f> {
        Follower {
            place,
            incarnations,
            heard: vec![0; incarnations.len()],
            others: 0,
        }
    }

    /// Hears what is new; whether there was anything.
    pub(super) fn hear(
        &mut self,
        ledger: &mut Ledger<'_>,
        monitor: &dyn Watcher,
        show: &mut Show,
    ) -> io::Result<bool> {
        let mut is_new = false;
        for (partition, heard) in self.heard.iter_mut().enumerate() {
            if self.place.is_cancelled() {
                break;
            }
            let stream = self.place.names.verdicts(partition as u32);
            let Ok(messages) = self.place.broker.read(&stream, *heard, MOST_AT_ONCE) else {
                continue;
            };
            for message in messages {
                *heard = message.sequence;
                is_new = true;
                let text = String::from_utf8_lossy(&message.payload).into_owned();
                let told = read_told(&text).map_err(io::Error::other)?;
                let Some(property) = ledger.names.iter().position(|it| *it == told.property) else {
                    self.others += 1;
                    continue;
                };
                ledger.global.watch(&told.property);
                let verdict = WindowVerdict {
                    sequence: told.sequence,
                    property,
                    service: Arc::from(told.service),
                    outcome: told.outcome,
                    opened: told.opened,
                    decided: told.decided,
                    key: told.key.map(Arc::from),
                    window: told.window.into(),
                };
                show.heard(&verdict);
                ledger.verdicts(&[verdict], None)?;
            }
        }
        if is_new {
            ledger.global_verdicts(monitor)?;
            if let Some(output) = &mut ledger.output {
                output.flush()?;
            }
        }
        Ok(is_new)
    }

    /// How far a partition is.
    pub(super) fn reached<J: KeptJudge>(
        &self,
        partition: u32,
    ) -> Result<Reached<J::State>, NotReached> {
        let words = |error: BrokerError| NotReached::Unanswered(error.to_string());
        let place = self.place;
        let value = place.eventually(|| place.value(Key::Checkpoint(partition)));
        let (_, value) = value.map_err(words)?;
        let Some(value) = value else {
            return Ok(Reached {
                state: None,
                told: 0,
                is_over: false,
            });
        };
        let read = read_checkpoint::<J>(place, &value)
            .map_err(|why| NotReached::Unusable(Fault::Misfit(Misfit(why))))?;
        let Some((checkpoint, _)) = read else {
            let why = "the state was replaced while it was read";
            return Err(NotReached::Unanswered(why.to_owned()));
        };
        let incarnation = &self.incarnations[partition as usize];
        if checkpoint.incarnation != *incarnation {
            return Err(NotReached::Unusable(Fault::OtherStream {
                expected: checkpoint.incarnation,
                found: incarnation.clone(),
            }));
        }
        let stream = place.names.entries(partition);
        let subjects = place.names.entry_subjects(partition);
        let last = place.eventually(|| place.broker.last_on(&stream, &subjects));
        let last = last.map_err(words)?;
        Ok(Reached {
            is_over: last.is_some_and(|it| is_end(&it) && it.sequence == checkpoint.sequence),
            told: checkpoint.told,
            state: checkpoint.state,
        })
    }

    /// Whether all verdicts of a partition were heard.
    pub(super) fn has_heard(&self, partition: usize, told: u64) -> bool {
        self.heard[partition] >= told
    }
}
