//! Which observations are about the model, and to which session each belongs.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_model::stg::{Direction, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::run::{Run, Sighting};
use super::sessions::Key;
use super::{Auditing, Hypothesis, Log, Network, Order, Sessions};

/// Observations by session.
pub(super) struct Sorted<'o> {
    /// The roles that have logs, in the order of logs.
    pub(super) roles: Vec<Logged<'o>>,
    pub(super) runs: Vec<Run<'o>>,
    pub(super) key: Key,
    pub(super) filtered: BTreeMap<String, u64>,
    pub(super) filtered_by_role: Vec<usize>,
    /// Of each role how many observations do not say to which session they belong, where others do.
    pub(super) adrift: Vec<u64>,
    /// Observations that do not say it, where none does: they are one session.
    pub(super) without_key: u64,
    /// Receptions left out because the network may deliver a message again.
    pub(super) repeated: usize,
}

/// A role that has a log, or several: one of each of its instances.
pub(super) struct Logged<'o> {
    pub(super) role: &'o str,
    /// What its logs may lack.
    pub(super) hypothesis: Hypothesis,
    pub(super) sources: Vec<&'o str>,
}

/// The roles that have logs, and of each log the number of its role.
fn roles(logs: &[Log]) -> (Vec<Logged<'_>>, Vec<usize>) {
    let mut roles: Vec<Logged<'_>> = Vec::new();
    let mut numbers = Vec::new();
    for log in logs {
        let known = roles.iter().position(|it| it.role == log.role);
        let number = known.unwrap_or_else(|| {
            roles.push(Logged {
                role: &log.role,
                hypothesis: log.hypothesis,
                sources: Vec::new(),
            });
            roles.len() - 1
        });
        // Of several hypotheses about one role the one that says least is safe.
        roles[number].hypothesis = roles[number].hypothesis.max(log.hypothesis);
        roles[number].sources.push(&log.source);
        numbers.push(number);
    }
    (roles, numbers)
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
    let (roles, role_of) = roles(logs);
    let mut sorted = Sorted {
        filtered_by_role: vec![0; roles.len()],
        adrift: vec![0; roles.len()],
        roles,
        runs: Vec::new(),
        key,
        filtered: BTreeMap::new(),
        without_key: 0,
        repeated: 0,
    };
    let mut delivered: FxHashSet<(usize, LetterId, &str)> = FxHashSet::default();
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
                sorted.filtered_by_role[role_of[number]] += 1;
                continue;
            };
            if let (Network::MayRepeat, Direction::Receive, Some(id)) =
                (how.network, observation.direction, &observation.id)
                && !delivered.insert((role_of[number], letter, id))
            {
                sorted.repeated += 1;
                continue;
            }
            let of_sending = match (observation.direction, &observation.id) {
                (Direction::Receive, Some(id)) => sent.get(&(letter, &**id)).cloned(),
                _ => None,
            };
            let session = of_sending.unwrap_or_else(|| sorted.key.of(observation, letter, terms));
            sorted.adrift[role_of[number]] += u64::from(session.is_none());
            let next = sorted.runs.len();
            let index = *known.entry(session).or_insert_with_key(|session| {
                let name = session.clone().unwrap_or_default();
                sorted.runs.push(Run::new(name, sorted.roles.len()));
                next
            });
            sorted.runs[index].logs[role_of[number]].push(Sighting {
                letter,
                observation,
                source: &log.source,
            });
        }
    }
    let is_asked = matches!(how.sessions, Sessions::By(_));
    if known.len() < 2 && known.contains_key(&None) && !is_asked {
        // No observation says it, and it is not known that there are several: all are one session.
        sorted.without_key = sorted.adrift.iter().sum();
        sorted.adrift.fill(0);
    }
    if sorted.runs.is_empty() {
        // Nothing was seen: the empty log conforms, and is unfinished unless the model may end at once.
        let nothing = Run::new(String::new(), sorted.roles.len());
        sorted.runs.push(nothing);
    }
    for run in &mut sorted.runs {
        mend(run, how.order);
    }
    sorted
}

/// Puts what several logs of one role tell of a session in order, if the clocks agree; otherwise the session is torn.
fn mend(run: &mut Run<'_>, order: Order) {
    for (role, sightings) in run.logs.iter_mut().enumerate() {
        let Some(first) = sightings.first() else {
            continue;
        };
        let Some(other) = sightings.iter().find(|it| it.source != first.source) else {
            continue;
        };
        let sources = [first.source, other.source];
        let has_times = sightings.iter().all(|it| it.observation.at.is_some());
        if order == Order::Time && has_times {
            sightings.sort_by(|left, right| left.observation.at.cmp(&right.observation.at))
        } else {
            run.torn.push((role, sources))
        }
    }
}
