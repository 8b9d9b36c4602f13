//! Which response is which message: by counting the conversations whose order the model allows.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Half, KnownMessage, Vocabulary};

use super::assign::{Answer, AnswerLook, Assignment};
use super::control::{Control, Exchanges};
use super::conversations::{Conversations, Seen};
use super::kinds::{Kind, is_identity};
use super::words::{agrees, is_usual, likeness, words};
use super::{RecordId, SampledLog};

/// Everything that the settlement looks at.
pub(super) struct Case<'c> {
    pub(super) vocabulary: &'c Vocabulary,
    pub(super) control: &'c Control,
    pub(super) exchanges: &'c Exchanges,
    pub(super) kinds: &'c [Kind],
    pub(super) conversations: &'c Conversations,
    pub(super) logs: &'c [SampledLog],
}

/// Something that may be one of several messages.
struct Slot {
    kind: usize,
    /// Which of the kind's responses; none for the request, or the message itself.
    answer: Option<(usize, AnswerLook)>,
    options: Vec<usize>,
}

/// A part of a sequence: a message, or one that is still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Known(usize),
    Open(usize),
}

/// A role, what it saw, and how often it saw that.
type Sequence = (String, Vec<Symbol>, u64);

/// More combinations than this are not tried one by one.
const MOST_TRIALS: usize = 200_000;
/// More different conversations than this say nothing new.
const MOST_SEQUENCES: usize = 200;

impl Case<'_> {
    /// Settles what is open, as far as anything tells.
    pub(super) fn settle(&self, assignment: &mut Assignment) {
        self.list_answers(assignment);
        let slots = slots(assignment);
        if slots.is_empty() {
            return;
        }
        let (best, settled) = self.best(&slots, assignment);
        for (number, slot) in slots.iter().enumerate() {
            let mut left = options_left(&best, number);
            match &slot.answer {
                None => {
                    assignment.calls.insert(slot.kind, left);
                }
                Some((answer, _)) => {
                    let answers = assignment.answers.get_mut(&slot.kind);
                    if let Some(answer) = answers.and_then(|it| it.get_mut(*answer)) {
                        let status = answer.look.status.unwrap_or_default();
                        let name = |it: usize| &self.vocabulary.messages[it].name;
                        left.sort_by_key(|it| !is_usual(name(*it), status));
                        answer.messages = left;
                        answer.how = settled[number].unwrap_or_default();
                    }
                }
            }
        }
    }

    /// The responses of each kind of requests, with all messages that may answer.
    fn list_answers(&self, assignment: &mut Assignment) {
        for (kind, calls) in &assignment.calls {
            let answers = self.exchanges.answers.iter();
            let answers = answers.filter(|(request, _)| calls.contains(request));
            let options: BTreeSet<usize> = answers.map(|it| it.1).collect();
            if options.is_empty() || self.kinds[*kind].statuses.is_empty() {
                continue;
            }
            let place = self.telling_place(&self.kinds[*kind], &options);
            let mut looks: BTreeMap<AnswerLook, Vec<RecordId>> = BTreeMap::new();
            for id in &self.kinds[*kind].records {
                if let Some(look) = self.look(*id, place.as_deref()) {
                    looks.entry(look).or_default().push(*id);
                }
            }
            let answers = looks.into_iter().map(|(look, records)| Answer {
                count: records.len() as u64,
                messages: self.by_value(&look, &options),
                look,
                how: "",
            });
            assignment.answers.insert(*kind, answers.collect());
        }
    }

    fn look(&self, id: RecordId, place: Option<&str>) -> Option<AnswerLook> {
        let http = self.logs[id.log].records[id.record]
            .envelope
            .http
            .as_ref()?;
        let response = http.response.as_ref()?;
        let value = place.and_then(|place| {
            let found = response.body.iter().find(|(path, _)| path == place)?;
            Some((place.to_owned(), found.1.text()?.to_owned()))
        });
        Some(AnswerLook {
            status: http.status,
            value,
        })
    }

    /// A text in the responses that is called like the answers, where the status alone does not tell them apart.
    fn telling_place(&self, kind: &Kind, options: &BTreeSet<usize>) -> Option<String> {
        const FEW: usize = 12;
        let mut values: BTreeMap<&str, BTreeMap<&str, BTreeSet<u16>>> = BTreeMap::new();
        for id in &kind.records {
            let http = self.logs[id.log].records[id.record]
                .envelope
                .http
                .as_ref()?;
            let Some(response) = &http.response else {
                continue;
            };
            for (path, value) in &response.body {
                if let Some(text) = value.text().filter(|text| !is_identity(text)) {
                    let seen = values.entry(path).or_default().entry(text).or_default();
                    seen.extend(http.status);
                }
            }
        }
        let is_telling = |seen: &BTreeMap<&str, BTreeSet<u16>>| {
            let mut by_status: BTreeMap<u16, BTreeSet<usize>> = BTreeMap::new();
            for (text, statuses) in seen {
                let named = options
                    .iter()
                    .copied()
                    .find(|it| likeness(&self.vocabulary.messages[*it].name, text) >= 60);
                for (status, named) in statuses.iter().zip(std::iter::repeat(named)) {
                    by_status.entry(*status).or_default().extend(named);
                }
            }
            seen.len() <= FEW && by_status.values().any(|it| it.len() > 1)
        };
        let mut found = values.iter().filter(|(_, seen)| is_telling(seen));
        found.next().map(|(path, _)| (*path).to_owned())
    }

    /// The answers that the text in a response names; all of them where it names none.
    fn by_value(&self, look: &AnswerLook, options: &BTreeSet<usize>) -> Vec<usize> {
        let named = |it: &&usize| {
            let name = &self.vocabulary.messages[**it].name;
            look.value
                .as_ref()
                .is_some_and(|(_, text)| likeness(name, text) >= 60)
        };
        let found: Vec<usize> = options.iter().filter(named).copied().collect();
        if found.is_empty() {
            options.iter().copied().collect()
        } else {
            found
        }
    }

    /// What roles saw, with how often they saw it.
    fn sequences(&self, assignment: &Assignment, slots: &[Slot]) -> Vec<Sequence> {
        let mut found: BTreeMap<(String, Vec<Symbol>), u64> = BTreeMap::new();
        for conversation in self.conversations.all.values() {
            for (role, seen) in conversation {
                let symbols = seen
                    .iter()
                    .filter_map(|it| self.symbol(it, assignment, slots));
                let key = (role.clone(), symbols.collect());
                *found.entry(key).or_default() += 1;
            }
        }
        most_frequent(found)
    }

    /// What all roles saw together, by time; a message that both its ends logged counts once.
    fn joint_sequences(&self, assignment: &Assignment, slots: &[Slot]) -> Vec<Sequence> {
        let mut found: BTreeMap<(String, Vec<Symbol>), u64> = BTreeMap::new();
        for conversation in self.conversations.all.values() {
            let mut moments = Vec::new();
            for (place, seen) in conversation.values().flatten().enumerate() {
                let envelope = &self.logs[seen.id.log].records[seen.id.record].envelope;
                let time = match seen.half {
                    Half::Request => &envelope.at,
                    Half::Response => &envelope.ended,
                };
                if let (Some(time), Some(symbol)) = (time, self.symbol(seen, assignment, slots)) {
                    moments.push((time, place, symbol, &envelope.id));
                }
            }
            moments.sort();
            let mut known = BTreeSet::new();
            moments.retain(|(_, _, symbol, id)| id.is_none() || known.insert((*symbol, *id)));
            let symbols = moments.into_iter().map(|it| it.2).collect();
            *found.entry((String::new(), symbols)).or_default() += 1;
        }
        most_frequent(found)
    }

    fn symbol(&self, seen: &Seen, assignment: &Assignment, slots: &[Slot]) -> Option<Symbol> {
        let (answer, messages) = match seen.half {
            Half::Request => (None, assignment.calls.get(&seen.kind)?),
            Half::Response => {
                let answers = assignment.answers.get(&seen.kind)?;
                let place = answers.iter().find_map(|it| it.look.value.as_ref());
                let look = self.look(seen.id, place.map(|(place, _)| place.as_str()))?;
                let at = answers.iter().position(|it| it.look == look)?;
                (Some(at), &answers[at].messages)
            }
        };
        let slot = slots
            .iter()
            .position(|it| it.kind == seen.kind && it.answer.as_ref().map(|(at, _)| *at) == answer);
        match slot {
            Some(slot) => Some(Symbol::Open(slot)),
            None => messages.first().map(|it| Symbol::Known(*it)),
        }
    }

    /// The readings that are best and equally good, and what settled each slot.
    fn best(
        &self,
        slots: &[Slot],
        assignment: &Assignment,
    ) -> (Vec<Vec<usize>>, Vec<Option<&'static str>>) {
        let own = self.sequences(assignment, slots);
        let joint = self.joint_sequences(assignment, slots);
        let (own_seen, joint_seen) = (self.seen_by(slots, &own), self.seen_by(slots, &joint));
        let combinations = slots
            .iter()
            .try_fold(1usize, |all, slot| all.checked_mul(slot.options.len()));
        let work = combinations.and_then(|it| it.checked_mul(own.len().max(1)));
        let mut left = if work.is_some_and(|work| work <= MOST_TRIALS) {
            all_readings(slots)
        } else {
            self.climbed(slots, |it| self.allowed(it, &own, &own_seen))
        };
        let mut settled = vec![None; slots.len()];
        let order = "by the order of conversations";
        type Points<'p> = (&'static str, &'p dyn Fn(&[usize]) -> (u64, u64));
        let stages: [Points<'_>; 4] = [
            (order, &|it| self.allowed(it, &own, &own_seen)),
            (order, &|it| self.allowed(it, &joint, &joint_seen)),
            ("by its fields", &|it| self.fields_there(it, slots)),
            ("as success or failure, by its name", &|it| {
                self.agreeing(it, slots)
            }),
        ];
        for (how, points) in stages {
            if left.len() > 1 {
                left = most(left, points);
            }
            for (number, settled) in settled.iter_mut().enumerate() {
                if settled.is_none() && options_left(&left, number).len() == 1 {
                    *settled = Some(how);
                }
            }
        }
        (left, settled)
    }

    /// How many sequences the model allows, and how many of them to their end.
    fn allowed(
        &self,
        reading: &[usize],
        sequences: &[Sequence],
        seen_by: &BTreeSet<(&str, usize)>,
    ) -> (u64, u64) {
        let mut sum = (0, 0);
        for (role, symbols, count) in sequences {
            let messages: Vec<usize> = symbols
                .iter()
                .map(|it| match it {
                    Symbol::Known(message) => *message,
                    Symbol::Open(slot) => reading[*slot],
                })
                .collect();
            let is_seen = |message: usize| seen_by.contains(&(role.as_str(), message));
            let (follows, ends) = self.control.follows(&messages, &is_seen);
            sum.0 += u64::from(follows) * count;
            sum.1 += u64::from(ends) * count;
        }
        sum
    }

    /// The messages that roles could have logged: a log of servers has no requests that they made.
    fn seen_by<'q>(&self, slots: &[Slot], sequences: &'q [Sequence]) -> BTreeSet<(&'q str, usize)> {
        let ends = |message: usize| {
            let message = &self.vocabulary.messages[message];
            (&message.from, &message.to)
        };
        let mut pairs = BTreeSet::new();
        for (role, symbols, _) in sequences {
            for symbol in symbols {
                let messages = match symbol {
                    Symbol::Known(message) => std::slice::from_ref(message),
                    Symbol::Open(slot) => &slots[*slot].options,
                };
                pairs.extend(messages.iter().map(|it| (role.as_str(), ends(*it))));
            }
        }
        let mut found = BTreeSet::new();
        for message in 0..self.vocabulary.messages.len() {
            let with = pairs.iter().filter(|(_, pair)| *pair == ends(message));
            found.extend(with.map(|(role, _)| (*role, message)));
        }
        found
    }

    /// How many of the fields of answers are in the responses, in hundredths.
    fn fields_there(&self, reading: &[usize], slots: &[Slot]) -> (u64, u64) {
        let mut sum = 0;
        for (slot, message) in slots.iter().zip(reading) {
            let Some((_, look)) = &slot.answer else {
                continue;
            };
            let message = &self.vocabulary.messages[*message];
            sum += self.response_fields(slot.kind, look, message);
        }
        (sum, 0)
    }

    fn response_fields(&self, kind: usize, look: &AnswerLook, message: &KnownMessage) -> u64 {
        let place = look.value.as_ref().map(|(place, _)| place.as_str());
        let fields: Vec<String> = message
            .fields
            .iter()
            .flatten()
            .map(|it| words(it).concat())
            .collect();
        let records = self.kinds[kind].records.iter();
        let few = records.filter_map(|id| {
            let http = self.logs[id.log].records[id.record]
                .envelope
                .http
                .as_ref()?;
            let response = http.response.as_ref()?;
            (self.look(*id, place).as_ref() == Some(look)).then_some(&response.body)
        });
        let mut points = 0;
        for body in few.take(20) {
            let labels: BTreeSet<String> = body
                .iter()
                .map(|(path, _)| words(path.rsplit('.').next().unwrap_or(path)).concat())
                .collect();
            let there = fields.iter().filter(|it| labels.contains(*it)).count();
            let extra = labels.len().saturating_sub(there);
            // All fields, and nothing else, is best.
            points += (there * 100) as u64 / (fields.len() + extra).max(1) as u64;
        }
        points
    }

    fn agreeing(&self, reading: &[usize], slots: &[Slot]) -> (u64, u64) {
        let mut sum = 0;
        for (slot, message) in slots.iter().zip(reading) {
            if let Some((_, look)) = &slot.answer
                && let Some(status) = look.status
            {
                let name = &self.vocabulary.messages[*message].name;
                sum += u64::from(agrees(name, status));
            }
        }
        (sum, 0)
    }

    /// Good readings where there are too many to try: each slot in turn takes what is best with the others as they are.
    fn climbed(&self, slots: &[Slot], allowed: impl Fn(&[usize]) -> (u64, u64)) -> Vec<Vec<usize>> {
        const ROUNDS: usize = 3;
        let mut reading: Vec<usize> = slots.iter().map(|it| it.options[0]).collect();
        for _ in 0..ROUNDS {
            for (number, slot) in slots.iter().enumerate() {
                let trials = slot.options.iter().map(|option| {
                    let mut trial = reading.clone();
                    trial[number] = *option;
                    trial
                });
                if let Some(best) = most(trials.collect(), &allowed).first() {
                    reading.clone_from(best);
                }
            }
        }
        // What is as good in one place is a reading too.
        let mut readings = vec![reading.clone()];
        for (number, slot) in slots.iter().enumerate() {
            for option in slot.options.iter().filter(|it| **it != reading[number]) {
                let mut other = reading.clone();
                other[number] = *option;
                readings.push(other);
            }
        }
        readings
    }
}

fn slots(assignment: &Assignment) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (kind, calls) in &assignment.calls {
        if calls.len() > 1 {
            slots.push(Slot {
                kind: *kind,
                answer: None,
                options: calls.clone(),
            });
        }
        let answers = assignment.answers.get(kind).map_or(&[][..], |it| it);
        for (number, answer) in answers.iter().enumerate() {
            if answer.messages.len() > 1 {
                slots.push(Slot {
                    kind: *kind,
                    answer: Some((number, answer.look.clone())),
                    options: answer.messages.clone(),
                });
            }
        }
    }
    slots
}

fn all_readings(slots: &[Slot]) -> Vec<Vec<usize>> {
    let mut readings = vec![Vec::new()];
    for slot in slots {
        let mut longer = Vec::new();
        for reading in &readings {
            for option in &slot.options {
                let mut reading: Vec<usize> = reading.clone();
                reading.push(*option);
                longer.push(reading);
            }
        }
        readings = longer;
    }
    readings
}

fn most_frequent(found: BTreeMap<(String, Vec<Symbol>), u64>) -> Vec<Sequence> {
    let mut found: Vec<Sequence> = found
        .into_iter()
        .map(|((role, symbols), count)| (role, symbols, count))
        .collect();
    found.sort_by_key(|it| std::cmp::Reverse(it.2));
    found.truncate(MOST_SEQUENCES);
    found
}

/// What a slot may be in the readings that are left.
fn options_left(readings: &[Vec<usize>], slot: usize) -> Vec<usize> {
    let options: BTreeSet<usize> = readings.iter().map(|it| it[slot]).collect();
    options.into_iter().collect()
}

/// Those with the most points.
fn most(readings: Vec<Vec<usize>>, points: impl Fn(&[usize]) -> (u64, u64)) -> Vec<Vec<usize>> {
    let with_points: Vec<((u64, u64), Vec<usize>)> =
        readings.into_iter().map(|it| (points(&it), it)).collect();
    let best = with_points.iter().map(|it| it.0).max();
    let best = with_points.into_iter().filter(|it| Some(it.0) == best);
    best.map(|it| it.1).collect()
}
