//! Which observations are about the model, and to which session each belongs.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_model::stg::{Direction, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::outside::{Outsider, is_answer, is_between_roles, may_refuse_some};
use super::run::{Run, Sighting};
use super::sessions::Key;
use super::tally::Place;
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
    (alphabet, key): (&Alphabet, Key),
    terms: &Terms,
) -> Sorted<'o> {
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
    // By which messages outside the model find the session of what they answer.
    let mut ids: FxHashMap<&str, String> = FxHashMap::default();
    let mut known: FxHashMap<Option<String>, usize> = FxHashMap::default();
    // A message that changed on its way belongs to the session of its sending, wherever its data would put it.
    let mut sent: FxHashMap<(LetterId, &str), Option<String>> = FxHashMap::default();
    if matches!(sorted.key, Key::Data(_)) {
        for log in logs {
            for observation in &log.observations {
                if let Some(id) = &observation.id
                    && let Some(letter) = alphabet.of_observation(observation, &log.role, terms)
                    && !alphabet.letter(letter).is_refusal
                {
                    let session = sorted.key.of(observation, letter, terms);
                    if let Some(session) = &session {
                        ids.entry(id).or_insert_with(|| session.clone());
                    }
                    if observation.direction == Direction::Send {
                        sent.entry((letter, id)).or_insert(session);
                    }
                }
            }
        }
    }
    let mut outside: Vec<(String, Outsider<'o>)> = Vec::new();
    for (number, log) in logs.iter().enumerate() {
        let role = role_of[number];
        for observation in &log.observations {
            let letter = alphabet.of_observation(observation, &log.role, terms);
            let is_of_model = letter.is_some_and(|it| !alphabet.letter(it).is_refusal);
            // The same name without the mark is another answer.
            let letter = letter.filter(|_| is_of_model || observation.is_fault);
            if !is_of_model {
                let session = || {
                    let keys = sorted.key.of_outsider(observation, &ids, terms);
                    let is_known = |it: &String| known.contains_key(&Some(it.clone()));
                    let place = keys.iter().position(is_known).unwrap_or(0);
                    keys.into_iter().nth(place)
                };
                let is_inside = is_between_roles(observation, &log.role, model, terms);
                let session = is_inside.then(session).flatten();
                let run = session.as_ref().and_then(|it| known.get(&Some(it.clone())));
                let before = run.map_or(&[][..], |&run| &sorted.runs[run].logs[role]);
                let sighting = letter.map(|letter| Sighting {
                    letter,
                    observation,
                    source: &log.source,
                });
                let is_whole = sorted.roles[role].hypothesis == Hypothesis::Cut;
                let answers = is_answer(observation, before, alphabet);
                if let (Some(&run), Some(refusal), true) = (run, sighting, is_whole && answers) {
                    sorted.runs[run].logs[role].push(refusal);
                    continue;
                }
                let outsider = Outsider {
                    log: role,
                    position: before.len(),
                    observation,
                    is_fault: letter.is_some(),
                    source: &log.source,
                };
                let is_kept = answers || !is_whole && may_refuse_some(observation, alphabet, terms);
                outside.extend(session.filter(|_| is_kept).map(|it| (it, outsider)));
            }
            let Some(letter) = letter.filter(|_| is_of_model) else {
                let text = format!(
                    "{}[{},{}]",
                    observation.operation, observation.from, observation.to
                );
                *sorted.filtered.entry(text).or_default() += 1;
                sorted.filtered_by_role[role] += 1;
                continue;
            };
            if let (Network::MayRepeat, Direction::Receive, Some(id)) =
                (how.network, observation.direction, &observation.id)
                && !delivered.insert((role, letter, id))
            {
                sorted.repeated += 1;
                continue;
            }
            let of_sending = match (observation.direction, &observation.id) {
                (Direction::Receive, Some(id)) => sent.get(&(letter, &**id)).cloned(),
                _ => None,
            };
            let session = of_sending.unwrap_or_else(|| sorted.key.of(observation, letter, terms));
            sorted.adrift[role] += u64::from(session.is_none());
            let next = sorted.runs.len();
            let index = *known.entry(session).or_insert_with_key(|session| {
                let name = session.clone().unwrap_or_default();
                sorted.runs.push(Run {
                    place: Place::new(0, next as u64),
                    ..Run::new(name, sorted.roles.len())
                });
                next
            });
            sorted.runs[index].logs[role].push(Sighting {
                letter,
                observation,
                source: &log.source,
            });
        }
    }
    for (session, outsider) in outside {
        if let Some(&run) = known.get(&Some(session)) {
            sorted.runs[run].outside.push(outsider);
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
            sightings.sort_by(|left, right| left.observation.at.cmp(&right.observation.at));
            // Those outside the model may be anywhere among them.
            let outside = run.outside.iter_mut().filter(|it| it.log == role);
            outside.for_each(|it| it.position = 0);
        } else {
            run.torn.push((role, sources))
        }
    }
}
