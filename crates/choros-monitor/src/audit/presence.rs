//! How often the fields of a model were there in the records that should have them.
//!
//! A field that is in no record, although the records have data, is not a wrong value: the log calls things otherwise
//! than the model does, and nothing is known about the field.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::Name;
use choros_data::Terms;
use choros_model::observation::Observation;
use choros_model::stg::{FieldValue, Stg};
use rustc_hash::FxHashSet;

use super::alphabet::{Alphabet, LetterId};
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

/// The messages that a role saw without the data about which the model says something, by the role.
#[derive(Debug, Clone, Default)]
pub(super) struct Unseen(BTreeMap<String, BTreeSet<String>>);

impl Unseen {
    pub(super) fn add(&mut self, role: &str, operation: &str) {
        if !self.0.contains_key(role) {
            self.0.insert(role.to_owned(), BTreeSet::new());
        }
        if let Some(messages) = self.0.get_mut(role).filter(|it| !it.contains(operation)) {
            messages.insert(operation.to_owned());
        }
    }

    /// Those of a role, or of all.
    pub(super) fn messages(&self, role: Option<&str>) -> BTreeSet<&str> {
        let of_role = |it: &(&String, &BTreeSet<String>)| role.is_none_or(|role| it.0 == role);
        let found = self.0.iter().filter(of_role);
        found.flat_map(|(_, it)| it).map(String::as_str).collect()
    }
}

/// Counts the fields of all messages that are judged.
#[derive(Debug)]
pub(super) struct PresenceCount {
    fields: BTreeMap<LetterId, Vec<Name>>,
    /// Without labels: the names of variables that are ever examined, by which a log may call them, and how many fields
    /// the message has.
    nameless: BTreeMap<LetterId, (Vec<Name>, usize)>,
    found: BTreeMap<String, (Name, Presence)>,
    /// Messages about whose data the model says something.
    judged: FxHashSet<LetterId>,
}

impl PresenceCount {
    /// For the messages of a model.
    pub(super) fn of(model: &Stg, alphabet: &Alphabet, terms: &Terms) -> PresenceCount {
        let used = used(model, terms);
        let mut count = PresenceCount {
            fields: BTreeMap::new(),
            nameless: BTreeMap::new(),
            found: BTreeMap::new(),
            judged: FxHashSet::default(),
        };
        for message in model.messages() {
            let letter = alphabet.id(message.operation.0, message.from.0, message.to.0);
            let Some(letter) = letter else { continue };
            let is_judged = message.fields.iter().any(|field| match field.value {
                FieldValue::Free(_) => true,
                FieldValue::Bind(variable) => used.contains(&variable),
            });
            if is_judged {
                count.judged.insert(letter);
            }
            let plain = plain_variables(message, terms).filter(|it| used.contains(it));
            let names = plain.map(|it| terms.variable_name(it));
            count
                .nameless
                .insert(letter, (names.collect(), message.fields.len()));
            for label in message.fields.iter().filter_map(|field| field.label) {
                let labels = count.fields.entry(letter).or_default();
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
        count
    }

    /// One more record of a message; someone may have said where its data are.
    pub(super) fn add(
        &mut self,
        letter: LetterId,
        observation: &Observation<'_>,
        is_promised: bool,
        terms: &Terms,
    ) {
        let data = &observation.data;
        let (names, count) = match self.nameless.get(&letter) {
            Some((names, count)) => (names.as_slice(), *count),
            None => (&[][..], 0),
        };
        // Which of several data is meant is unknown where none has the name.
        let unclear = names.iter().filter(|&&name| {
            let name = plain_name(terms.names.text(name));
            data.len() > count && observation.datum(name).is_none()
        });
        let labels = self.fields.get(&letter).into_iter().flatten();
        for &label in labels.chain(unclear) {
            let text = plain_name(terms.names.text(label));
            let path = text.replace('/', ".");
            let is_there = data.iter().any(|(known, _)| {
                known
                    .strip_prefix(path.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            });
            if !self.found.contains_key(text) {
                let presence = Presence {
                    field: text.to_owned(),
                    there: 0,
                    records: 0,
                    with_data: 0,
                };
                self.found.insert(text.to_owned(), (label, presence));
            }
            if let Some((_, presence)) = self.found.get_mut(text) {
                presence.records += 1;
                presence.there += usize::from(is_there);
                let has_all = !data.is_empty() && !observation.is_partial;
                presence.with_data += usize::from(has_all || is_promised);
            }
        }
    }

    /// Whether a message was seen without the data about which the model says something.
    ///
    /// What is unknown agrees with everything, so that a *yes* would say more than was seen.
    pub(super) fn is_without_data(&self, letter: LetterId, observation: &Observation<'_>) -> bool {
        let is_unseen = observation.data.is_empty() || observation.is_partial;
        is_unseen && self.judged.contains(&letter)
    }

    /// How often each field was there, and which the logs do not have.
    pub(super) fn settled(self) -> (Vec<Presence>, FxHashSet<Name>) {
        let found = self.found.into_values();
        let mut foreign = FxHashSet::default();
        let mut fields = Vec::new();
        for (label, presence) in found {
            if presence.is_foreign() {
                foreign.insert(label);
            }
            fields.push(presence);
        }
        (fields, foreign)
    }
}
