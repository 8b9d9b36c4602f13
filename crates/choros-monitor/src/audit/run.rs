//! The observations of one session, tied together.

use std::collections::VecDeque;

use choros_model::observation::Observation;
use choros_model::stg::Direction;
use rustc_hash::FxHashMap;

use super::alphabet::LetterId;
use super::likeness::Likeness;
use super::outside::Outsider;
use super::tally::Place;

/// What one role saw of one message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sighting<'o> {
    pub(crate) letter: LetterId,
    pub(crate) observation: &'o Observation<'static>,
    /// The log it stands in.
    pub(crate) source: &'o str,
}

/// One session: what each observed role saw, in the order of its log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run<'o> {
    /// Its name; empty where there is only one.
    pub(crate) name: String,
    /// Where it begins.
    pub(crate) place: Place,
    /// It was cut because nothing was seen of it for so long; empty where it was not.
    pub(crate) cut: String,
    /// One per role that has a log, in the order of logs.
    pub(crate) logs: Vec<Vec<Sighting<'o>>>,
    /// Roles whose observations stand in several logs, and two of them: which came first is not known.
    pub(crate) torn: Vec<(usize, [&'o str; 2])>,
    /// Answers outside the model.
    pub(crate) outside: Vec<Outsider<'o>>,
}

impl<'o> Run<'o> {
    /// A session of which nothing was seen yet.
    pub(crate) fn new(name: String, roles: usize) -> Run<'o> {
        Run {
            name,
            place: Place::default(),
            cut: String::new(),
            logs: vec![Vec::new(); roles],
            torn: Vec::new(),
            outside: Vec::new(),
        }
    }

    /// Whether one record tells of both ends of a message between two logs, as on a bus.
    pub(crate) fn shares_records(&self, tied: &Tied, one: usize, other: usize) -> bool {
        tied.exchanges.iter().any(|it| {
            let (Some(sent), Some(received)) = (it.sent, it.received) else {
                return false;
            };
            let [from, to] = [sent, received].map(|(log, position)| &self.logs[log][position]);
            let ends = [sent.0, received.0];
            (ends == [one, other] || ends == [other, one])
                && from.source == to.source
                && from.observation.line == to.observation.line
        })
    }
}

/// Where a message was seen.
pub(crate) type At = (usize, usize);

/// A message of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub(crate) letter: LetterId,
    /// Where it was sent, by log and position; `None` if no log tells.
    pub(crate) sent: Option<At>,
    /// Where it was received; `None` if no log tells.
    pub(crate) received: Option<At>,
    /// The whole message, or one of its ends where the model speaks of ends.
    pub(crate) direction: Direction,
    /// The log of the end that was observed but does not mention it.
    pub(crate) lacking: Option<usize>,
    /// A message that must have happened before.
    pub(crate) after: Option<usize>,
    /// Where its values are told of, if neither sending nor reception is.
    pub(crate) told: Option<At>,
    /// It was sent when its sender had left its part, and no log tells that it was received: what is wrong with it
    /// the sender's own log tells, and it has no place among the messages of all.
    pub(crate) is_stray: bool,
}

impl Exchange {
    /// A whole message, as far as the logs tell of it.
    fn whole(letter: LetterId, sent: Option<At>, received: Option<At>) -> Exchange {
        Exchange {
            letter,
            sent,
            received,
            direction: Direction::Interaction,
            lacking: None,
            after: None,
            told: None,
            is_stray: false,
        }
    }

    /// Sent, and not in the log of the receiver.
    pub(crate) fn is_on_its_way(&self) -> bool {
        self.direction == Direction::Interaction && self.sent.is_some() && self.lacking.is_some()
    }

    /// Sent, and to be received after everything that is in the log of the receiver.
    pub(crate) fn arrives(&self) -> bool {
        self.is_on_its_way() && !self.is_stray
    }

    /// The places that tell of it.
    pub(crate) fn places(&self) -> impl Iterator<Item = At> + use<> {
        [self.sent, self.received, self.told].into_iter().flatten()
    }

    /// What the logs say of it.
    pub(crate) fn reports<'o>(&self, run: &Run<'o>) -> Vec<&'o Observation<'static>> {
        self.places()
            .map(|(log, position)| run.logs[log][position].observation)
            .collect()
    }
}

/// The messages of a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tied {
    pub(crate) exchanges: Vec<Exchange>,
    /// Messages without identities were tied by their data and their order.
    pub(crate) by_order: Vec<LetterId>,
    /// Of these, such as may be tied otherwise: their data do not say which was received.
    pub(crate) unsure: Vec<LetterId>,
}

/// Ties sendings to receptions: by identity where both have one, else a reception to the first sending with its data.
///
/// Of sendings with the same data the first to the first, the second to the second: if a run explains another way to
/// tie them, as many of them were sent before each reception, so it explains this one.
/// `ends` has the logs of sender and receiver of each message.
/// Where only one end was observed, what it saw is the message.
/// A message that was received was sent, also if the log of its sender does not tell.
pub(crate) fn tie(run: &Run<'_>, ends: &[(Option<usize>, Option<usize>)]) -> Tied {
    let mut tied = Tied::default();
    // For each message the sendings that wait for a reception.
    let mut by_id: FxHashMap<(LetterId, &str), VecDeque<At>> = FxHashMap::default();
    let mut in_order: FxHashMap<LetterId, VecDeque<At>> = FxHashMap::default();
    // Whether all sendings, or all receptions, of a message lack identities.
    let mut with_id: FxHashMap<(LetterId, Direction), bool> = FxHashMap::default();
    for sighting in run.logs.iter().flatten() {
        let has = sighting.observation.id.is_some();
        *with_id
            .entry((sighting.letter, sighting.observation.direction))
            .or_default() |= has;
    }
    let uses_ids = |letter: LetterId| {
        let has = |direction| with_id.get(&(letter, direction)).copied().unwrap_or(true);
        has(Direction::Send) && has(Direction::Receive)
    };
    for (log, sightings) in run.logs.iter().enumerate() {
        for (position, sighting) in sightings.iter().enumerate() {
            if sighting.observation.direction != Direction::Send {
                continue;
            }
            let at = (log, position);
            if ends[sighting.letter.index()].1.is_none() {
                tied.exchanges
                    .push(Exchange::whole(sighting.letter, Some(at), None));
                continue;
            }
            match sighting.observation.id.as_deref() {
                Some(id) if uses_ids(sighting.letter) => {
                    by_id
                        .entry((sighting.letter, id))
                        .or_default()
                        .push_back(at);
                }
                _ => in_order.entry(sighting.letter).or_default().push_back(at),
            }
        }
    }
    // Receptions that no sending has the identity of.
    let mut left: Vec<At> = Vec::new();
    for (log, sightings) in run.logs.iter().enumerate() {
        for (position, sighting) in sightings.iter().enumerate() {
            if sighting.observation.direction != Direction::Receive {
                continue;
            }
            let at = (log, position);
            let waiting = match sighting.observation.id.as_deref() {
                Some(id) if uses_ids(sighting.letter) => by_id.get_mut(&(sighting.letter, id)),
                _ => None,
            };
            match waiting.and_then(VecDeque::pop_front) {
                Some(sent) => {
                    let whole = Exchange::whole(sighting.letter, Some(sent), Some(at));
                    tied.exchanges.push(whole);
                }
                None => left.push(at),
            }
        }
    }
    // A reception without an identity may be of any sending that is left, and one with an identity of any without.
    let mut named: FxHashMap<LetterId, VecDeque<At>> = FxHashMap::default();
    let unread = by_id
        .into_iter()
        .flat_map(|((letter, _), sent)| sent.into_iter().map(move |at| (letter, at)));
    let mut unread: Vec<(LetterId, At)> = unread.collect();
    unread.sort_unstable();
    for (letter, at) in unread {
        named.entry(letter).or_default().push_back(at);
    }
    for at in left {
        let sighting = &run.logs[at.0][at.1];
        let has_id = sighting.observation.id.is_some() && uses_ids(sighting.letter);
        let pools = [Some(&mut in_order), Some(&mut named).filter(|_| !has_id)];
        let pools = pools.into_iter().flatten();
        let mut waiting = pools.filter_map(|it| it.get_mut(&sighting.letter));
        let sent = waiting.find(|it| !it.is_empty()).and_then(|waiting| {
            let (index, is_sure) = choose(waiting, run, sighting.observation);
            tied.by_order.push(sighting.letter);
            tied.unsure.extend((!is_sure).then_some(sighting.letter));
            waiting.remove(index)
        });
        tied.exchanges.push(Exchange {
            lacking: match sent {
                Some(_) => None,
                None => ends[sighting.letter.index()].0,
            },
            ..Exchange::whole(sighting.letter, sent, Some(at))
        });
    }
    for (letter, sent) in named.into_iter().chain(in_order) {
        for at in sent {
            tied.exchanges.push(Exchange {
                lacking: ends[letter.index()].1,
                ..Exchange::whole(letter, Some(at), None)
            });
        }
    }
    tied.exchanges
        .sort_by_key(|exchange| exchange.sent.or(exchange.received));
    tied
}

/// So many sendings without identities are compared with a reception.
const MAX_COMPARED: usize = 256;

/// The sending that a reception belongs to, and whether no other would do.
fn choose(waiting: &VecDeque<At>, run: &Run<'_>, received: &Observation<'_>) -> (usize, bool) {
    let (mut open, mut count) = (None, 0);
    for (index, &(log, position)) in waiting.iter().enumerate().take(MAX_COMPARED) {
        match Likeness::of(run.logs[log][position].observation, received) {
            Likeness::Same => return (index, open.is_none()),
            Likeness::Open => {
                open = open.or(Some(index));
                count += 1;
            }
            Likeness::Other => {}
        }
    }
    match open {
        Some(index) => (index, count == 1 && waiting.len() <= MAX_COMPARED),
        // It was changed, or sent when the log of its sender had ended.
        None => (0, false),
    }
}

impl Tied {
    /// The same messages, where each that was tied by order with other data at its ends is two: one that is on its
    /// way, and one that the log of its sender does not tell of.
    pub(crate) fn split(&self, run: &Run<'_>, ends: &[(Option<usize>, Option<usize>)]) -> Tied {
        let mut split = self.clone();
        split.exchanges.clear();
        for exchange in &self.exchanges {
            let (Some(sent), Some(received)) = (exchange.sent, exchange.received) else {
                split.exchanges.push(*exchange);
                continue;
            };
            let at = |(log, position): At| run.logs[log][position].observation;
            let is_other = Likeness::of(at(sent), at(received)) == Likeness::Other;
            if !is_other || !self.unsure.contains(&exchange.letter) {
                split.exchanges.push(*exchange);
                continue;
            }
            let (sender, receiver) = ends[exchange.letter.index()];
            split.exchanges.push(Exchange {
                received: None,
                lacking: receiver,
                ..*exchange
            });
            split.exchanges.push(Exchange {
                sent: None,
                lacking: sender,
                ..*exchange
            });
        }
        split
    }
}

/// Sendings and receptions as happenings of their own, for models that order events and not messages: a reception
/// comes after its sending, and a message that is still on its way has been sent.
pub(crate) fn apart(run: &Run<'_>, tied: &Tied) -> Tied {
    let mut events = Tied {
        by_order: tied.by_order.clone(),
        unsure: tied.unsure.clone(),
        ..Tied::default()
    };
    let mut number_of: FxHashMap<At, usize> = FxHashMap::default();
    let event = |letter, at: At, direction| {
        let sends = direction == Direction::Send;
        Exchange {
            direction,
            ..Exchange::whole(letter, sends.then_some(at), (!sends).then_some(at))
        }
    };
    for (log, sightings) in run.logs.iter().enumerate() {
        for (position, sighting) in sightings.iter().enumerate() {
            let (at, direction) = ((log, position), sighting.observation.direction);
            number_of.insert(at, events.exchanges.len());
            events.exchanges.push(event(sighting.letter, at, direction));
        }
    }
    for exchange in &tied.exchanges {
        let Some(reception) = exchange.received.map(|at| number_of[&at]) else {
            continue;
        };
        events.exchanges[reception].after = match (exchange.sent, exchange.lacking) {
            (Some(sent), _) => Some(number_of[&sent]),
            // It was sent, although the log of its sender does not tell.
            (None, Some(lacking)) => {
                events.exchanges.push(Exchange {
                    direction: Direction::Send,
                    lacking: Some(lacking),
                    told: exchange.received,
                    ..Exchange::whole(exchange.letter, None, None)
                });
                Some(events.exchanges.len() - 1)
            }
            (None, None) => None,
        };
    }
    events
}
