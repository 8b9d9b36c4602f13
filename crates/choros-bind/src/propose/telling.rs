//! A place in the records that says which message each of them is, where their form does not know it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Place, ValuePath, Vocabulary};

use super::SampledLog;
use super::words::likeness;

/// Names that are at least so much alike are the same, in hundredths.
const SAME: u32 = 60;
/// A place with more different texts than this is not one of names.
const MOST_TEXTS: usize = 200;

/// The place whose texts are called like more messages than what the form takes for names, and like half of all.
pub(super) fn telling_place(vocabulary: &Vocabulary, logs: &[SampledLog]) -> Option<Place> {
    let names: BTreeSet<&str> = vocabulary.messages.iter().map(|it| &*it.name).collect();
    let records = || {
        let records = logs.iter().flat_map(|log| &log.records);
        records
            .map(|it| &it.envelope)
            .filter(|it| it.http.is_none())
    };
    let called = |texts: &BTreeSet<&str>| {
        let is_there = |name: &&&str| texts.iter().any(|text| likeness(name, text) >= SAME);
        names.iter().filter(is_there).count()
    };
    let known = records().flat_map(|it| it.names.iter().map(String::as_str));
    let known = called(&known.collect());
    let mut texts: BTreeMap<(u8, &str), BTreeSet<&str>> = BTreeMap::new();
    for envelope in records() {
        let body = envelope.content.body.iter().map(|it| (0, it));
        let attributes = envelope.attributes.iter().map(|it| (1, it));
        for (kind, (path, value)) in body.chain(attributes) {
            let Some(text) = value.text() else { continue };
            let found = texts.entry((kind, path)).or_default();
            if found.len() <= MOST_TEXTS {
                found.insert(text);
            }
        }
        for (name, text) in &envelope.content.headers {
            texts.entry((2, name)).or_default().insert(text);
        }
    }
    let counts = texts.iter().filter(|(_, it)| it.len() <= MOST_TEXTS);
    let counts: Vec<(usize, (u8, &str))> = counts.map(|(at, it)| (called(it), *at)).collect();
    let most = counts.iter().map(|(count, _)| *count).max()?;
    if most <= known || most * 2 < names.len() {
        return None;
    }
    let mut best = counts.iter().filter(|(count, _)| *count == most);
    let ((_, (kind, path)), None) = (best.next()?, best.next()) else {
        return None;
    };
    Some(match kind {
        0 => Place::Body(ValuePath::dotted(path)),
        1 => Place::Attribute(ValuePath::dotted(path)),
        _ => Place::Header((*path).to_owned()),
    })
}

/// The logs, their records called what they say at the place.
pub(super) fn renamed(logs: &[SampledLog], place: &Place) -> Vec<SampledLog> {
    let mut logs = logs.to_vec();
    for record in logs.iter_mut().flat_map(|log| &mut log.records) {
        let view = crate::View::new(&record.envelope, crate::Half::Request, &[]);
        let name = view.get(place).map(|it| it.key().into_owned());
        if let Some(name) = name {
            record.envelope.names.insert(0, name);
        }
    }
    logs
}
