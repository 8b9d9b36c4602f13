//! The observations of one session, tied together.

use std::collections::VecDeque;

use choros_model::observation::Observation;
use choros_model::stg::Direction;
use rustc_hash::FxHashMap;

use super::alphabet::LetterId;

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
    /// One per role that has a log, in the order of logs.
    pub(crate) logs: Vec<Vec<Sighting<'o>>>,
    /// Roles whose observations stand in several logs, and two of them: which came first is not known.
    pub(crate) torn: Vec<(usize, [&'o str; 2])>,
}

impl<'o> Run<'o> {
    /// A session of which nothing was seen yet.
    pub(crate) fn new(name: String, roles: usize) -> Run<'o> {
        Run {
            name,
            logs: vec![Vec::new(); roles],
            torn: Vec::new(),
        }
    }
}

/// Where a message was seen.
pub(crate) type At = (usize, usize);

/// A message of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub(crate) letter: LetterId,
    /// Where it was sent, by log and position; `None` if the sender was not observed.
    pub(crate) sent: Option<At>,
    /// Where it was received; `None` if the receiver was not observed.
    pub(crate) received: Option<At>,
    /// The whole message, or one of its ends where the model speaks of ends.
    pub(crate) direction: Direction,
    /// A place that must have been passed before.
    pub(crate) needs: Option<At>,
}

/// The messages of a session, and what could not be tied.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tied {
    pub(crate) exchanges: Vec<Exchange>,
    /// Sendings without a reception and receptions without a sending although both ends were observed.
    pub(crate) loose: Vec<At>,
}

/// Ties sendings to receptions: by identity where both have one, else the first to the first, the second to the second.
///
/// `ends` has the logs of sender and receiver of each message.
/// Where only one end was observed, what it saw is the message.
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
            if ends[sighting.letter.0 as usize].1.is_none() {
                tied.exchanges.push(Exchange {
                    letter: sighting.letter,
                    sent: Some(at),
                    received: None,
                    direction: Direction::Interaction,
                    needs: None,
                });
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
    for (log, sightings) in run.logs.iter().enumerate() {
        for (position, sighting) in sightings.iter().enumerate() {
            if sighting.observation.direction != Direction::Receive {
                continue;
            }
            let at = (log, position);
            let waiting = match sighting.observation.id.as_deref() {
                Some(id) if uses_ids(sighting.letter) => by_id.get_mut(&(sighting.letter, id)),
                _ => in_order.get_mut(&sighting.letter),
            };
            let sent = waiting.and_then(VecDeque::pop_front);
            if sent.is_none() && ends[sighting.letter.0 as usize].0.is_some() {
                tied.loose.push(at);
                continue;
            }
            tied.exchanges.push(Exchange {
                letter: sighting.letter,
                sent,
                received: Some(at),
                direction: Direction::Interaction,
                needs: None,
            });
        }
    }
    tied.loose.extend(by_id.into_values().flatten());
    tied.loose.extend(in_order.into_values().flatten());
    tied.loose.sort_unstable();
    tied.exchanges
        .sort_by_key(|exchange| exchange.sent.or(exchange.received));
    tied
}

/// Sendings and receptions as happenings of their own, for models that order events and not messages: a reception
/// comes after its sending, and a message that is still on its way has been sent.
pub(crate) fn apart(run: &Run<'_>, tied: &Tied) -> Tied {
    let mut sending_of: FxHashMap<At, At> = FxHashMap::default();
    for exchange in &tied.exchanges {
        if let (Some(sent), Some(received)) = (exchange.sent, exchange.received) {
            sending_of.insert(received, sent);
        }
    }
    let mut events = Tied::default();
    for (log, sightings) in run.logs.iter().enumerate() {
        for (position, sighting) in sightings.iter().enumerate() {
            let at = (log, position);
            let direction = sighting.observation.direction;
            let sends = direction == Direction::Send;
            events.exchanges.push(Exchange {
                letter: sighting.letter,
                sent: sends.then_some(at),
                received: (!sends).then_some(at),
                direction,
                needs: sending_of.get(&at).copied(),
            });
        }
    }
    events
}
