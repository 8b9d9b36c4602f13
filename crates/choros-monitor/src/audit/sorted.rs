//! Which observations are about the model, and to which session each belongs.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_model::stg::{Direction, Stg};
use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, LetterId};
use super::run::{Run, Sighting};
use super::sessions::Key;
use super::{Auditing, Log};

/// Observations by session.
pub(super) struct Sorted<'o> {
    pub(super) runs: Vec<Run<'o>>,
    pub(super) key: Key,
    pub(super) filtered: BTreeMap<String, u64>,
    pub(super) filtered_by_log: Vec<usize>,
    pub(super) without_key: u64,
}

/// Drops what the model does not speak of and sorts the rest by session, sessions in order of first occurrence.
pub(super) fn sort<'o>(
    model: &Stg,
    logs: &'o [Log],
    how: &Auditing,
    alphabet: &Alphabet,
    terms: &Terms,
) -> Sorted<'o> {
    let any_session = logs
        .iter()
        .flat_map(|log| &log.observations)
        .any(|observation| observation.session.is_some());
    let key = Key::find(&how.sessions, any_session, model, alphabet, terms);
    let mut sorted = Sorted {
        runs: Vec::new(),
        key,
        filtered: BTreeMap::new(),
        filtered_by_log: vec![0; logs.len()],
        without_key: 0,
    };
    let mut known: FxHashMap<Option<String>, usize> = FxHashMap::default();
    // A message that changed on its way belongs to the session of its sending, wherever its data would put it.
    let mut sent: FxHashMap<(LetterId, &str), Option<String>> = FxHashMap::default();
    if matches!(sorted.key, Key::Data(_)) {
        for log in logs {
            for observation in &log.observations {
                if let (Direction::Send, Some(id)) = (observation.direction, &observation.id)
                    && let Some(letter) = alphabet.of_observation(observation, &log.role, terms)
                {
                    let session = sorted.key.of(observation, letter, terms);
                    sent.entry((letter, id)).or_insert(session);
                }
            }
        }
    }
    for (number, log) in logs.iter().enumerate() {
        for observation in &log.observations {
            let Some(letter) = alphabet.of_observation(observation, &log.role, terms) else {
                let text = format!(
                    "{}[{},{}]",
                    observation.operation, observation.from, observation.to
                );
                *sorted.filtered.entry(text).or_default() += 1;
                sorted.filtered_by_log[number] += 1;
                continue;
            };
            let of_sending = match (observation.direction, &observation.id) {
                (Direction::Receive, Some(id)) => sent.get(&(letter, &**id)).cloned(),
                _ => None,
            };
            let session = of_sending.unwrap_or_else(|| sorted.key.of(observation, letter, terms));
            sorted.without_key += u64::from(session.is_none());
            let next = sorted.runs.len();
            let index = *known.entry(session).or_insert_with_key(|session| {
                sorted.runs.push(Run {
                    name: session.clone().unwrap_or_default(),
                    logs: vec![Vec::new(); logs.len()],
                });
                next
            });
            sorted.runs[index].logs[number].push(Sighting {
                letter,
                observation,
            });
        }
    }
    if sorted.runs.is_empty() {
        // Nothing was seen: the empty log conforms, and is unfinished unless the model may end at once.
        sorted.runs.push(Run {
            name: String::new(),
            logs: vec![Vec::new(); logs.len()],
        });
    }
    sorted
}
