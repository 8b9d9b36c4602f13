//! Records as conversations: which belong together, and in which order each role saw them.

use std::collections::BTreeMap;

use crate::{Envelope, Half, Side, Vocabulary};

use super::kinds::{Kind, ends};
use super::roles::Roles;
use super::words::words;
use super::{RecordId, SampledLog};

/// All conversations of some logs.
#[derive(Debug, Clone, Default)]
pub(super) struct Conversations {
    /// By its key; each role with what it saw, in order.
    pub(super) all: BTreeMap<String, BTreeMap<String, Vec<Seen>>>,
    pub(super) key: SessionKey,
}

/// What ties the records of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum SessionKey {
    /// What the form of the log says: the trace, the key, the subject.
    #[default]
    Form,
    /// A field of every message.
    Field(String),
    /// Nothing: all records are one conversation.
    Nothing,
}

/// One half of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) id: RecordId,
    pub(super) kind: usize,
    pub(super) half: Half,
    rank: u64,
}

impl Conversations {
    pub(super) fn find(
        vocabulary: &Vocabulary,
        logs: &[SampledLog],
        kinds: &[Kind],
        roles: &Roles,
    ) -> Conversations {
        let key = session_key(vocabulary, logs);
        let mut found = Conversations {
            key: key.clone(),
            ..Conversations::default()
        };
        for (number, kind) in kinds.iter().enumerate() {
            for id in &kind.records {
                let log = &logs[id.log];
                let ranked = &log.records[id.record];
                let envelope = &ranked.envelope;
                let session = match &key {
                    SessionKey::Form => envelope.session.clone(),
                    SessionKey::Field(field) => value_of(envelope, field),
                    SessionKey::Nothing => None,
                };
                let (from, to) = ends(envelope, log.own.as_deref(), roles);
                let by = match (&log.own, envelope.side) {
                    (Some(own), _) => Some(own.clone()),
                    (None, Some(Side::Receiver)) => to.or_else(|| only(&kind.to)),
                    (None, Some(Side::Sender) | None) => from.or_else(|| only(&kind.from)),
                };
                let conversation = found.all.entry(session.unwrap_or_default()).or_default();
                let list = conversation.entry(by.unwrap_or_default()).or_default();
                list.push(Seen {
                    id: *id,
                    kind: number,
                    half: Half::Request,
                    rank: ranked.start,
                });
                let has_answer = envelope
                    .http
                    .as_ref()
                    .is_some_and(|it| it.response.is_some());
                if has_answer {
                    list.push(Seen {
                        id: *id,
                        kind: number,
                        half: Half::Response,
                        rank: ranked.end,
                    });
                }
            }
        }
        for conversation in found.all.values_mut() {
            for list in conversation.values_mut() {
                list.sort_by_key(|it| (it.id.log, it.rank));
            }
        }
        found
    }
}

fn only(roles: &std::collections::BTreeSet<String>) -> Option<String> {
    let mut roles = roles.iter();
    roles.next().filter(|_| roles.next().is_none()).cloned()
}

/// What the form says, if it says it of every record; otherwise a field that every message has.
fn session_key(vocabulary: &Vocabulary, logs: &[SampledLog]) -> SessionKey {
    let records = || logs.iter().flat_map(|log| &log.records);
    if records().all(|it| it.envelope.session.is_some()) {
        return SessionKey::Form;
    }
    let mut common: Option<Vec<String>> = None;
    for message in &vocabulary.messages {
        let fields: Vec<String> = message.fields.iter().flatten().cloned().collect();
        common = Some(match common {
            None => fields,
            Some(known) => known.into_iter().filter(|it| fields.contains(it)).collect(),
        });
    }
    let is_there = |field: &String| {
        let all = records().count();
        let with = records()
            .filter(|it| value_of(&it.envelope, field).is_some())
            .count();
        with * 10 >= all * 9
    };
    match common.unwrap_or_default().into_iter().find(is_there) {
        Some(field) => SessionKey::Field(field),
        None if records().any(|it| it.envelope.session.is_some()) => SessionKey::Form,
        None => SessionKey::Nothing,
    }
}

/// The value of a field, wherever a request or a message has one of that name.
pub(super) fn value_of(envelope: &Envelope, field: &str) -> Option<String> {
    let wanted = words(field).concat();
    let response = envelope.http.as_ref().and_then(|it| it.response.as_ref());
    let bodies = envelope.content.body.iter();
    let bodies = bodies.chain(response.map_or(&[][..], |it| &it.body));
    let attributes = envelope.attributes.iter();
    let values = bodies.chain(attributes.filter(|it| envelope.is_data(&it.0)));
    let is_it = |path: &str| {
        let last = path.rsplit('.').next().unwrap_or(path);
        words(last).concat() == wanted || words(path).concat() == wanted
    };
    let mut found = values.filter(|(path, _)| is_it(path));
    let value = found.next().map(|(_, value)| value.key().into_owned());
    let query = || {
        let http = envelope.http.as_ref()?;
        let found = http.query.iter().find(|(name, _)| is_it(name));
        found.map(|(_, value)| value.clone())
    };
    value.or_else(query).filter(|it| !it.is_empty())
}
