//! Where the fields of messages are: by their names, and by values that return in a conversation.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Half, Place, ValuePath, Vocabulary};

use super::assign::Assignment;
use super::conversations::Conversations;
use super::kinds::{Call, Kind};
use super::words::{is_short_for, words};
use super::{RecordId, SampledLog};

/// Where a field of a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldMatch {
    /// By the number of the message.
    pub(super) message: usize,
    pub(super) field: String,
    /// None if it was not found.
    pub(super) place: Option<String>,
    /// If it was not found: places in the bodies that no field is at.
    pub(super) others: Vec<String>,
    /// The logs have no bodies in which it might be.
    pub(super) is_unseen: bool,
    /// It need not be said: a binding looks there anyway.
    pub(super) is_usual: bool,
    pub(super) how: &'static str,
    /// In this many of the message's records.
    pub(super) there: u64,
    pub(super) of: u64,
}

/// The records of a message, and which half of them it is.
pub(super) struct MessageRecords {
    pub(super) message: usize,
    pub(super) kind: usize,
    pub(super) half: Half,
    pub(super) records: Vec<RecordId>,
}

/// The values of a record, by the places where they are.
type Values = BTreeMap<String, String>;

/// The value that a field has in other messages of a record's conversation.
type Expected<'f, 'k> = dyn Fn(&RecordId) -> Option<&'k String> + 'f;

/// No more records of a message are examined.
const FEW: usize = 200;

/// The records of all messages that were assigned.
pub(super) fn message_records(
    kinds: &[Kind],
    assignment: &Assignment,
    logs: &[SampledLog],
) -> Vec<MessageRecords> {
    let mut found = Vec::new();
    for (number, kind) in kinds.iter().enumerate() {
        if let Some(message) = assignment.message_of(number) {
            found.push(MessageRecords {
                message,
                kind: number,
                half: Half::Request,
                records: kind.records.clone(),
            });
        }
        for answer in assignment.answers.get(&number).map_or(&[][..], |it| it) {
            let [message] = answer.messages[..] else {
                continue;
            };
            let has_look = |id: &&RecordId| {
                let http = logs[id.log].records[id.record].envelope.http.as_ref();
                let Some((http, response)) = http.and_then(|it| Some((it, it.response.as_ref()?)))
                else {
                    return false;
                };
                let value = answer.look.value.as_ref().is_none_or(|(place, text)| {
                    let found = response.body.iter().find(|(path, _)| path == place);
                    found.is_some_and(|(_, value)| value.text() == Some(text))
                });
                http.status == answer.look.status && value
            };
            found.push(MessageRecords {
                message,
                kind: number,
                half: Half::Response,
                records: kind.records.iter().filter(has_look).copied().collect(),
            });
        }
    }
    found
}

/// Finds the fields of all messages that were assigned.
pub(super) fn find_fields(
    vocabulary: &Vocabulary,
    kinds: &[Kind],
    assignment: &Assignment,
    conversations: &Conversations,
    logs: &[SampledLog],
) -> Vec<FieldMatch> {
    let all = message_records(kinds, assignment, logs);
    let sessions = sessions(conversations);
    let mut found: Vec<FieldMatch> = Vec::new();
    // What conversations are known to be about: the value of a field, by session.
    let mut known: BTreeMap<(String, &str), String> = BTreeMap::new();
    let mut open: Vec<(&MessageRecords, &String)> = all
        .iter()
        .flat_map(|group| {
            let fields = vocabulary.messages[group.message].fields.iter().flatten();
            fields.map(move |field| (group, field))
        })
        .collect();
    for exactly in [true, false] {
        let mut left = Vec::new();
        for (group, field) in open {
            let samples = samples(group, &kinds[group.kind], logs);
            let used = places_of_request(&found, group, assignment);
            let expected = |id: &RecordId| {
                let session = sessions.get(id)?;
                known.get(&(field.clone(), *session))
            };
            let expected = (!exactly).then_some(&expected as &Expected<'_, '_>);
            let Some(place) = by_name(field, &samples, group.half, &used, expected) else {
                left.push((group, field));
                continue;
            };
            for (id, values) in &samples {
                if let (Some(value), Some(session)) = (values.get(&place), sessions.get(id)) {
                    let of_session = known.entry((field.clone(), session));
                    of_session.or_insert_with(|| value.clone());
                }
            }
            let is_usual = is_usual(field, &place, group.half, &kinds[group.kind].call);
            let (place, how) = (Some(place), "by its name");
            found.push(matched(
                group.message,
                field,
                place,
                is_usual,
                how,
                &samples,
            ));
        }
        open = left;
    }
    for (group, field) in open {
        let samples = samples(group, &kinds[group.kind], logs);
        let used = places_of_request(&found, group, assignment);
        let expected = |id: &RecordId| {
            let session = sessions.get(id)?;
            known.get(&(field.clone(), *session))
        };
        let place = by_value(&samples, expected, group.half, &used);
        let (place, how) = match place {
            Some(place) => (Some(place), "by its value"),
            None => (
                short_name(field, &samples),
                "by a name that it is short for",
            ),
        };
        let mut open = matched(group.message, field, place, false, how, &samples);
        open.is_unseen = open.place.is_none() && !has_bodies(group, logs);
        found.push(open);
    }
    for number in 0..found.len() {
        if found[number].place.is_none() {
            found[number].others = unused(&found, number, &all, kinds, logs);
        }
    }
    found
}

/// What the bodies of a message have that no field of it is.
fn unused(
    found: &[FieldMatch],
    number: usize,
    all: &[MessageRecords],
    kinds: &[Kind],
    logs: &[SampledLog],
) -> Vec<String> {
    let message = found[number].message;
    let used = |place: &String| {
        let mut own = found.iter().filter(|it| it.message == message);
        own.any(|it| it.place.as_ref() == Some(place))
    };
    let groups = all.iter().filter(|it| it.message == message);
    let places = groups.flat_map(|it| places(&samples(it, &kinds[it.kind], logs)));
    let free = places.filter(|it| kind_and_path(it).0 == "body" && !used(it));
    let mut free: Vec<String> = free.collect();
    free.sort_unstable();
    free.dedup();
    free
}

fn matched(
    message: usize,
    field: &str,
    place: Option<String>,
    is_usual: bool,
    how: &'static str,
    samples: &[(RecordId, Values)],
) -> FieldMatch {
    let with = |place: &String| {
        samples
            .iter()
            .filter(|(_, it)| it.contains_key(place))
            .count()
    };
    FieldMatch {
        message,
        field: field.to_owned(),
        others: Vec::new(),
        is_unseen: false,
        is_usual,
        how,
        there: place.as_ref().map_or(0, with) as u64,
        of: samples.len() as u64,
        place,
    }
}

/// Whether the messages of some record were written down with what they carry.
fn has_bodies(group: &MessageRecords, logs: &[SampledLog]) -> bool {
    group.records.iter().any(|id| {
        let envelope = &logs[id.log].records[id.record].envelope;
        let content = match group.half {
            Half::Request => Some(&envelope.content),
            Half::Response => envelope.http.as_ref().and_then(|it| it.response.as_ref()),
        };
        content.is_some_and(|it| !it.body.is_empty() || it.closed.is_some())
    })
}

fn sessions(conversations: &Conversations) -> BTreeMap<RecordId, &str> {
    let mut found = BTreeMap::new();
    for (session, roles) in &conversations.all {
        for seen in roles.values().flatten() {
            found.insert(seen.id, session.as_str());
        }
    }
    found
}

/// What attributes of an exchange are about its request is not evidence of its response.
fn places_of_request(
    found: &[FieldMatch],
    group: &MessageRecords,
    assignment: &Assignment,
) -> BTreeSet<String> {
    if group.half == Half::Request {
        return BTreeSet::new();
    }
    let request = assignment.message_of(group.kind);
    let of_request = found.iter().filter(|it| Some(it.message) == request);
    of_request.filter_map(|it| it.place.clone()).collect()
}

fn samples(group: &MessageRecords, kind: &Kind, logs: &[SampledLog]) -> Vec<(RecordId, Values)> {
    let few = group.records.iter().take(FEW);
    few.map(|id| (*id, values(*id, group.half, kind, logs)))
        .collect()
}

/// All values of one half of a record.
fn values(id: RecordId, half: Half, kind: &Kind, logs: &[SampledLog]) -> Values {
    let envelope = &logs[id.log].records[id.record].envelope;
    let http = envelope.http.as_ref();
    let content = match half {
        Half::Request => Some(&envelope.content),
        Half::Response => http.and_then(|it| it.response.as_ref()),
    };
    let mut values = Values::new();
    let text = |value: &choros_model::observation::Datum<'_>| value.key().into_owned();
    for (path, value) in content.map_or(&[][..], |it| &it.body) {
        let place = Place::Body(ValuePath::dotted(path)).to_string();
        values.insert(place, text(value));
    }
    let data = envelope.attributes.iter();
    for (path, value) in data.filter(|it| envelope.is_data(&it.0)) {
        let place = Place::Attribute(ValuePath::dotted(path)).to_string();
        values.insert(place, text(value));
    }
    if let (Half::Request, Some(http)) = (half, http) {
        for (name, value) in &http.query {
            values.insert(Place::Query(name.clone()).to_string(), value.clone());
        }
        if let Call::Request { path, .. } = &kind.call {
            for (open, part) in path.split('/').zip(http.path.split('/')) {
                if let Some(name) = parameter(open) {
                    values.insert(format!("path.{name}"), part.to_owned());
                }
            }
        }
    }
    for (name, value) in content.map_or(&[][..], |it| &it.headers) {
        values.insert(Place::Header(name.clone()).to_string(), value.clone());
    }
    values
}

pub(super) fn parameter(part: &str) -> Option<&str> {
    part.strip_prefix('{')?.strip_suffix('}')
}

/// `body` and `["order id"]`.
fn kind_and_path(place: &str) -> (&str, &str) {
    let end = place.find(['.', '[']).unwrap_or(place.len());
    let (kind, path) = place.split_at(end);
    (kind, path.strip_prefix('.').unwrap_or(path))
}

/// In how many records a place is, how long its name is, and which kind of place it is.
type NameRank = (usize, std::cmp::Reverse<usize>, u8);

/// What instruments write about themselves, the machine and the transport: their identities are not those of messages.
const CONVENTIONS: [&str; 19] = [
    "http.",
    "url.",
    "network.",
    "net.",
    "server.",
    "client.",
    "messaging.",
    "rpc.",
    "db.",
    "thread.",
    "process.",
    "host.",
    "os.",
    "container.",
    "k8s.",
    "cloud.",
    "telemetry.",
    "otel.",
    "service.",
];

/// The best place whose name is the field's; or ends with it, if what other messages of the conversation have there is
/// known and does not contradict it: many names end with `id`.
fn by_name<'k>(
    field: &str,
    samples: &[(RecordId, Values)],
    half: Half,
    used: &BTreeSet<String>,
    expected: Option<&Expected<'_, 'k>>,
) -> Option<String> {
    let wanted = words(field);
    let mut best: Option<(NameRank, String)> = None;
    for place in places(samples) {
        let (kind, path) = kind_and_path(&place);
        if is_of_request(&place, half, used) {
            continue;
        }
        let said = words(path);
        let is_it = match expected {
            None => said.concat() == wanted.concat(),
            Some(expected) => {
                let is_transport =
                    kind == "attribute" && CONVENTIONS.iter().any(|it| path.starts_with(it));
                let (same, other) = compared(samples, &place, expected);
                said.ends_with(&wanted) && !is_transport && same >= 9 * other
            }
        };
        if !is_it {
            continue;
        }
        let there = samples.iter().filter(|(_, it)| it.contains_key(&place));
        let order = match kind {
            "body" => 4,
            "path" => 3,
            "query" => 2,
            "attribute" => 1,
            _ => 0,
        };
        // What most records have; then the shortest name; then the body before attributes.
        let rank = (there.count(), std::cmp::Reverse(said.len()), order);
        if best.as_ref().is_none_or(|(known, _)| rank > *known) {
            best = Some((rank, place));
        }
    }
    best.map(|(_, place)| place)
}

/// In how many records a place has the value that is expected there, and in how many another one.
fn compared<'k>(
    samples: &[(RecordId, Values)],
    place: &str,
    expected: impl Fn(&RecordId) -> Option<&'k String>,
) -> (usize, usize) {
    let pairs = samples
        .iter()
        .filter_map(|(id, values)| values.get(place).zip(expected(id)));
    let (same, other): (Vec<_>, Vec<_>) = pairs.partition(|(value, expected)| value == expected);
    (same.len(), other.len())
}

fn places(samples: &[(RecordId, Values)]) -> BTreeSet<String> {
    samples
        .iter()
        .flat_map(|(_, it)| it.keys().cloned())
        .collect()
}

fn is_of_request(place: &str, half: Half, used: &BTreeSet<String>) -> bool {
    half == Half::Response && place.starts_with("attribute") && used.contains(place)
}

/// A place that has, in every conversation, the value that the field has in other messages.
fn by_value<'k>(
    samples: &[(RecordId, Values)],
    expected: impl Fn(&RecordId) -> Option<&'k String>,
    half: Half,
    used: &BTreeSet<String>,
) -> Option<String> {
    let mut found = Vec::new();
    for place in places(samples) {
        if is_of_request(&place, half, used) {
            continue;
        }
        let (mut same, mut other) = (0, 0);
        let mut distinct = BTreeSet::new();
        for (id, values) in samples {
            if let (Some(value), Some(expected)) = (values.get(&place), expected(id)) {
                if value == expected {
                    same += 1;
                    distinct.insert(value);
                } else {
                    other += 1;
                }
            }
        }
        // One value may be the same by chance.
        if distinct.len() > 1 && same >= 9 * other {
            found.push((same, place));
        }
    }
    let most = found.iter().map(|it| it.0).max()?;
    let mut best = found.into_iter().filter(|it| it.0 == most);
    best.next().map(|it| it.1)
}

/// The only place that the field's name is short for.
fn short_name(field: &str, samples: &[(RecordId, Values)]) -> Option<String> {
    let field = words(field).concat();
    let is_long = |place: &String| {
        let (kind, path) = kind_and_path(place);
        let last = path.rsplit('.').next().unwrap_or(path);
        kind == "body" && is_short_for(&field, &words(last).concat())
    };
    let mut found = places(samples).into_iter().filter(is_long);
    found.next().filter(|_| found.next().is_none())
}

/// Whether a binding looks there without being told.
fn is_usual(field: &str, place: &str, half: Half, call: &Call) -> bool {
    let is_request = half == Half::Request && matches!(call, Call::Request { .. });
    let is_message = matches!(call, Call::Named(_));
    place == format!("body.{field}")
        || is_request
            && (place == format!("query.{field}") || place == format!("attribute.{field}"))
        || is_message && place == format!("attribute.{field}")
}
