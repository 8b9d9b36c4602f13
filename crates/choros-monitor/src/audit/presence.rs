//! How often the fields of a model were there in the records that should have them.
//!
//! A field that is in no record, although the records have data, is not a wrong value: the log calls things otherwise
//! than the model does, and nothing is known about the field.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::Name;
use choros_data::Terms;
use choros_model::stg::{FieldValue, Stg};
use rustc_hash::FxHashSet;

use super::alphabet::{Alphabet, LetterId};
use super::run::Run;
use super::unclear::{plain_variables, used};
use super::values::plain_name;

/// How often a field was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    /// The label of the field.
    pub field: String,
    /// In this many records of messages that carry it.
    pub there: usize,
    /// Of so many.
    pub records: usize,
    /// Of so many that have any data, or should have, because someone said where they stand.
    pub with_data: usize,
}

impl Presence {
    /// Whether the records have data, and never this field.
    pub fn is_foreign(&self) -> bool {
        self.there == 0 && self.with_data > 0
    }
}

/// Counts the fields of all messages that were judged.
pub(super) fn presence(
    model: &Stg,
    runs: &[Run<'_>],
    alphabet: &Alphabet,
    promises: impl Fn(&str) -> bool,
    terms: &Terms,
) -> (Vec<Presence>, FxHashSet<Name>) {
    let used = used(model, terms);
    let mut fields: BTreeMap<LetterId, Vec<Name>> = BTreeMap::new();
    // Without labels: the names of variables that are ever examined, by which a log may call them, and how many fields
    // the message has.
    let mut nameless: BTreeMap<LetterId, (Vec<Name>, usize)> = BTreeMap::new();
    for message in model.messages() {
        let letter = alphabet.id(message.operation.0, message.from.0, message.to.0);
        let Some(letter) = letter else { continue };
        let plain = plain_variables(message, terms).filter(|it| used.contains(it));
        let names = plain.map(|it| terms.variable_name(it));
        nameless.insert(letter, (names.collect(), message.fields.len()));
        for label in message.fields.iter().filter_map(|field| field.label) {
            let labels = fields.entry(letter).or_default();
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    let mut found: BTreeMap<&str, (Name, Presence)> = BTreeMap::new();
    for sighting in runs.iter().flat_map(|run| run.logs.iter().flatten()) {
        let data = &sighting.observation.data;
        let (names, count) = match nameless.get(&sighting.letter) {
            Some((names, count)) => (names.as_slice(), *count),
            None => (&[][..], 0),
        };
        // Which of several data is meant is unknown where none has the name.
        let unclear = names.iter().filter(|&&name| {
            let name = plain_name(terms.names.text(name));
            data.len() > count && sighting.observation.datum(name).is_none()
        });
        let labels = fields.get(&sighting.letter).into_iter().flatten();
        for &label in labels.chain(unclear) {
            let text = plain_name(terms.names.text(label));
            let path = text.replace('/', ".");
            let is_there = data.iter().any(|(known, _)| {
                known
                    .strip_prefix(path.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            });
            let (_, presence) = found.entry(text).or_insert_with(|| {
                let field = text.to_owned();
                let presence = Presence {
                    field,
                    there: 0,
                    records: 0,
                    with_data: 0,
                };
                (label, presence)
            });
            presence.records += 1;
            presence.there += usize::from(is_there);
            presence.with_data += usize::from(!data.is_empty() || promises(sighting.source));
        }
    }
    let foreign = found
        .values()
        .filter(|(_, presence)| presence.is_foreign())
        .map(|(label, _)| *label)
        .collect();
    (found.into_values().map(|(_, it)| it).collect(), foreign)
}

/// The messages that were seen without the data about which the model says something, in logs that do not have them.
///
/// What is unknown agrees with everything, so that a *yes* would say more than was seen.
pub(super) fn unseen_data(
    model: &Stg,
    runs: &[Run<'_>],
    alphabet: &Alphabet,
    lacks: impl Fn(&str) -> bool,
    terms: &Terms,
) -> BTreeSet<String> {
    let used = used(model, terms);
    let mut judged: FxHashSet<LetterId> = FxHashSet::default();
    for message in model.messages() {
        let is_judged = message.fields.iter().any(|field| match field.value {
            FieldValue::Free(_) => true,
            FieldValue::Bind(variable) => used.contains(&variable),
        });
        let letter = alphabet.id(message.operation.0, message.from.0, message.to.0);
        judged.extend(letter.filter(|_| is_judged));
    }
    let sightings = runs.iter().flat_map(|run| run.logs.iter().flatten());
    let unseen = sightings.filter(|it| {
        it.observation.data.is_empty() && judged.contains(&it.letter) && lacks(it.source)
    });
    unseen
        .map(|it| it.observation.operation.to_string())
        .collect()
}
