//! The orders of a worker, carried out by the broker.

use choros_exec::crew::own_name;
use choros_exec::nats::{BrokerError, Expected, Outgoing, PublishFault, pack, unpack};
use choros_exec::verdicts::{VerdictForm, VerdictLine};
use choros_monitor::WindowVerdict;
use choros_report::SavedCheckpoint;
use choros_stream::{
    Checkpoint, Content, Entry, Fault, Misfit, Order, Report, Told, VerdictId, Worker,
};

use super::entries;
use super::kept::KeptJudge;
use super::names::Key;
use super::place::Place;

/// The name of a verdict, as a header.
pub(super) const VERDICT: &str = "Choros-Verdict";

/// Carries out the orders of one worker.
pub(super) struct Carrier<'c> {
    place: &'c Place,
    partition: u32,
    incarnation: String,
    wanted: Option<&'c [String]>,
    /// Where the state of the last checkpoint is kept, and which one it is, if it is in parts.
    parts: Option<((u64, u64), Vec<String>)>,
    /// When it was last asked whether the stream is still the same.
    looked: u64,
    /// So many messages come after those that were fetched.
    pub(super) lag: u64,
}

/// What came of an order, if the worker can continue.
pub(super) type Carried<S> = Result<Report<S>, Fault>;

/// A stream that brings nothing is checked after so many milliseconds.
const LOOK: u64 = 2_000;

impl<'c> Carrier<'c> {
    pub(super) fn new(
        place: &'c Place,
        partition: u32,
        incarnation: &str,
        wanted: Option<&'c [String]>,
    ) -> Carrier<'c> {
        Carrier {
            place,
            partition,
            incarnation: incarnation.to_owned(),
            wanted,
            parts: None,
            looked: 0,
            lag: 0,
        }
    }

    /// Carries out an order; the worker learns versions of properties that it meets.
    pub(super) fn carry<J: KeptJudge>(
        &mut self,
        order: Order<J::State, WindowVerdict>,
        worker: &mut Worker<J>,
        now: u64,
    ) -> Carried<J::State> {
        match order {
            Order::ReadCheckpoint => self.read_checkpoint(worker),
            Order::Save {
                expected,
                checkpoint,
            } => Ok(self.save::<J>(expected, &checkpoint)),
            Order::ReadVerdicts { after, most } => Ok(self.read_verdicts(after, most)),
            Order::Publish {
                expected_last,
                verdicts,
            } => Ok(self.publish::<J>(expected_last, &verdicts)),
            Order::Fetch { after, most } => self.fetch(after, most, worker, now),
            Order::Wait { .. } | Order::Stop(_) => Ok(Report::Unanswered),
        }
    }

    fn read_checkpoint<J: KeptJudge>(&mut self, worker: &mut Worker<J>) -> Carried<J::State> {
        let Ok((revision, value)) = self.place.value(Key::Checkpoint(self.partition)) else {
            return Ok(Report::Unanswered);
        };
        let Some(value) = value else {
            return Ok(Report::Checkpoint {
                revision,
                checkpoint: None,
            });
        };
        match read_checkpoint::<J>(self.place, &value) {
            Ok(Some((checkpoint, parts))) => {
                if let Some(version) = checkpoint.state.as_ref().map(J::version)
                    && !worker.judge_mut().learn(version, self.place)?
                {
                    return Ok(Report::Unanswered);
                }
                let known = (checkpoint.sequence, checkpoint.told);
                self.parts = (!parts.is_empty()).then_some((known, parts));
                Ok(Report::Checkpoint {
                    revision,
                    checkpoint: Some(checkpoint),
                })
            }
            // It was replaced meanwhile, or the broker does not answer.
            Ok(None) => Ok(Report::Unanswered),
            Err(why) => Err(Fault::Misfit(Misfit(format!(
                "the state of partition {} cannot be used: {why}",
                self.partition
            )))),
        }
    }

    fn save<J: KeptJudge>(
        &mut self,
        expected: u64,
        checkpoint: &Checkpoint<J::State>,
    ) -> Report<J::State> {
        let mut head = SavedCheckpoint {
            schema: 0,
            incarnation: checkpoint.incarnation.clone(),
            sequence: checkpoint.sequence,
            told: checkpoint.told,
            owner: checkpoint.owner.clone(),
            version: checkpoint.state.as_ref().map(J::version),
            parts: Vec::new(),
        };
        let known = (checkpoint.sequence, checkpoint.told);
        let mut value = Vec::new();
        let mut new_parts = None;
        match (&checkpoint.state, &self.parts) {
            (Some(_), Some((of, parts))) if *of == known => head.parts.clone_from(parts),
            (Some(state), _) => {
                let packed = pack(&J::text(state));
                if packed.len() <= self.room() {
                    value = packed;
                } else {
                    let Some(parts) = self.write_parts(&packed) else {
                        return Report::Unanswered;
                    };
                    head.parts.clone_from(&parts);
                    new_parts = Some((known, parts));
                }
            }
            (None, _) => {}
        }
        let mut text = head.to_json().into_bytes();
        text.push(b'\n');
        text.extend(value);
        match self
            .place
            .write(Key::Checkpoint(self.partition), expected, text)
        {
            Ok(revision) => {
                let is_same = head.parts.is_empty() == self.parts.is_none() && new_parts.is_none();
                if !is_same {
                    let before = std::mem::replace(&mut self.parts, new_parts);
                    for part in before.into_iter().flat_map(|(_, parts)| parts) {
                        self.place.forget(Key::Part(&part));
                    }
                }
                Report::Saved { revision }
            }
            Err(fault) => {
                for part in new_parts.into_iter().flat_map(|(_, parts)| parts) {
                    // Not if it may still be written: then they are needed.
                    if fault == PublishFault::Refused {
                        self.place.forget(Key::Part(&part));
                    }
                }
                refused_or_not(&fault)
            }
        }
    }

    /// How many bytes of a state have room in one value.
    fn room(&self) -> usize {
        self.place.broker.longest().saturating_sub(8 << 10).max(1)
    }

    /// Writes a state under names that no one else uses; none if that did not succeed.
    fn write_parts(&self, packed: &[u8]) -> Option<Vec<String>> {
        let name = own_name();
        let mut parts = Vec::new();
        for (number, bytes) in packed.chunks(self.room()).enumerate() {
            let part = format!("{}-{name}-{number}", self.partition);
            self.place.write(Key::Part(&part), 0, bytes.to_vec()).ok()?;
            parts.push(part);
        }
        Some(parts)
    }

    fn read_verdicts<S>(&mut self, after: u64, most: usize) -> Report<S> {
        let stream = self.place.names.verdicts(self.partition);
        // How many there are is asked first, and of the server that leads: what is read then may be more.
        let Ok(facts) = self.place.broker.stream(&stream) else {
            return Report::Unanswered;
        };
        let Ok(messages) = self.place.broker.read(&stream, after, most) else {
            return Report::Unanswered;
        };
        let mut names = Vec::new();
        for (message, number) in messages.iter().zip(after + 1..) {
            match message.header(VERDICT).and_then(VerdictId::read) {
                Some(name) if message.sequence == number => names.push(name),
                _ => return Report::Unanswered,
            }
        }
        Report::Verdicts {
            names,
            last: facts.last,
        }
    }

    fn publish<J: KeptJudge>(
        &mut self,
        expected_last: u64,
        verdicts: &[Told<WindowVerdict>],
    ) -> Report<J::State> {
        let subject = self.place.names.verdict_subject(self.partition);
        let messages = verdicts.iter().zip(expected_last..).map(|(told, last)| {
            let verdict = &told.verdict;
            let line = VerdictLine {
                sequence: verdict.sequence,
                property: &told.id.property,
                service: Some(&verdict.service),
                outcome: verdict.outcome,
                is_final: true,
                opened: Some(&verdict.opened),
                decided: Some(&verdict.decided),
                key: verdict.key.as_deref(),
                window: &verdict.window,
                has_lines: J::HAS_LINES,
            };
            let mut text = line.text(VerdictForm::Json, 0);
            if text.len() > self.room() {
                // What the window shows has no room; what was found has.
                let window = &[];
                text = VerdictLine { window, ..line }.text(VerdictForm::Json, 0);
            }
            Outgoing {
                subject: subject.clone(),
                headers: vec![(VERDICT.to_owned(), told.id.to_string())],
                payload: text.trim_end().into(),
                expected: Expected::InStream(last),
            }
        });
        match self.place.broker.publish(messages.collect()) {
            Ok(_) => Report::Published,
            Err(fault) => refused_or_not(&fault),
        }
    }

    fn fetch<J: KeptJudge>(
        &mut self,
        after: u64,
        most: usize,
        worker: &mut Worker<J>,
        now: u64,
    ) -> Carried<J::State> {
        let stream = self.place.names.entries(self.partition);
        let messages = match self.place.broker.read(&stream, after, most) {
            Ok(messages) => messages,
            Err(BrokerError::Absent(_)) => Vec::new(),
            Err(_) => return Ok(Report::Unanswered),
        };
        // Nothing comes from a stream that was deleted, nor from one that was made again and is shorter.
        if messages.is_empty() && now >= self.looked + LOOK {
            self.looked = now;
            match self.place.broker.stream(&stream) {
                Ok(facts) if facts.incarnation != self.incarnation => {
                    return Ok(Report::Entries {
                        incarnation: facts.incarnation,
                        entries: Vec::new(),
                    });
                }
                Err(gone @ BrokerError::Absent(_)) => {
                    return Err(Fault::Misfit(Misfit(gone.to_string())));
                }
                Ok(_) | Err(_) => {}
            }
        }
        self.lag = messages.last().map_or(0, |it| it.pending);
        let mut incarnation = self.incarnation.clone();
        let mut entries = Vec::new();
        for message in &messages {
            if let Some(meant) = message.header(entries::STREAM)
                && meant != self.incarnation
            {
                incarnation = meant.to_owned();
            }
            let content = entries::content(message, &self.place.names.watch, self.wanted);
            let content = content.map_err(|why| {
                let number = message.sequence;
                Fault::Misfit(Misfit(format!(
                    "message {number} of the stream `{stream}` cannot be read: {why}"
                )))
            })?;
            if let Content::Change(version) = content
                && !worker.judge_mut().learn(version, self.place)?
            {
                break;
            }
            entries.push(Entry {
                sequence: message.sequence,
                content,
            });
        }
        Ok(Report::Entries {
            incarnation,
            entries,
        })
    }
}

fn refused_or_not<S>(fault: &PublishFault) -> Report<S> {
    match fault {
        PublishFault::Refused => Report::Refused,
        PublishFault::Unanswered(_) => Report::Unanswered,
    }
}

/// A checkpoint, and where the parts of its state are.
type WithParts<S> = (Checkpoint<S>, Vec<String>);

/// A checkpoint, and the parts of its state; none if a part is gone, because there is a later one.
pub(super) fn read_checkpoint<J: KeptJudge>(
    place: &Place,
    value: &[u8],
) -> Result<Option<WithParts<J::State>>, String> {
    let end = value.iter().position(|it| *it == b'\n');
    let (head, rest) = value.split_at(end.unwrap_or(value.len()));
    let head = SavedCheckpoint::from_json(&String::from_utf8_lossy(head))?;
    let mut packed = rest.get(1..).unwrap_or_default().to_vec();
    for part in &head.parts {
        match place.value(Key::Part(part)) {
            Ok((_, Some(bytes))) if !bytes.is_empty() => packed.extend(bytes),
            _ => return Ok(None),
        }
    }
    let state = match head.version {
        None => None,
        Some(version) => {
            let text = unpack(&packed).map_err(|error| error.to_string())?;
            Some(J::state(version, &text)?)
        }
    };
    let checkpoint = Checkpoint {
        incarnation: head.incarnation,
        sequence: head.sequence,
        told: head.told,
        state,
        owner: head.owner,
    };
    Ok(Some((checkpoint, head.parts)))
}
