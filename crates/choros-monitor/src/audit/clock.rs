//! One global log by time (section 4.1.5 and Algorithm 6 of Nguyen's thesis), for services whose clocks agree.
//!
//! Local logs are merged by time; of observations at the same time, a sending goes before its reception, and otherwise
//! the log given first goes first.
//! Then each message takes its place, by [`MessageMoment`]:
//!
//! | reading | "c1 before c2" means | here |
//! |---|---|---|
//! | whole | `c1? → c2!` (case a) | a sending and its reception stand side by side; pairs that do not are left out and reported |
//! | sendings | `c1! → c2!` (case c) | messages in the order of sendings |
//! | receptions | `c1? → c2?` | messages in the order of receptions |
//!
//! A message that is not in the log of its receiver arrived when that log may lack it.
//! Read as a whole it has the place of its sending, if the log may lack something there.
//! By receptions it has a place only if nothing came after its sending: the last.
//!
//! Algorithm 6 reads after the last element and breaks ties by the number of the service alone, so that a reception
//! could stand before its sending; both are fixed here.

use choros_model::observation::Number;
use rustc_hash::FxHashMap;

use super::MessageMoment;
use super::lack::Lack;
use super::run::{At, Exchange, Run};

/// A global log.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// Messages in order.
    pub(crate) order: Vec<usize>,
    /// Messages of which sending and reception do not stand side by side.
    pub(crate) parted: Vec<usize>,
    /// Messages that arrived no one knows when.
    pub(crate) unplaced: Vec<usize>,
    /// Observations without a time, which makes a merge impossible.
    pub(crate) timeless: Vec<At>,
}

/// Merges the local logs of a session.
pub(crate) fn merge(
    run: &Run<'_>,
    exchanges: &[Exchange],
    reading: MessageMoment,
    lacks: &[Lack],
) -> Merged {
    let mut merged = Merged::default();
    for (log, sightings) in run.logs.iter().enumerate() {
        for (position, sighting) in sightings.iter().enumerate() {
            if sighting.observation.at.is_none() {
                merged.timeless.push((log, position));
            }
        }
    }
    if !merged.timeless.is_empty() {
        return merged;
    }
    let (mut sent, mut received): (FxHashMap<At, usize>, FxHashMap<At, usize>) =
        (FxHashMap::default(), FxHashMap::default());
    for (index, exchange) in exchanges.iter().enumerate() {
        if exchange.is_stray && reading != MessageMoment::Sendings {
            continue;
        }
        sent.extend(exchange.sent.map(|at| (at, index)));
        received.extend(exchange.received.map(|at| (at, index)));
    }
    let line = line_up(run, exchanges, &received);
    let mut on_their_way = Vec::new();
    for (position, at) in line.iter().enumerate() {
        let pending = sent.get(at).filter(|&&it| exchanges[it].arrives());
        if let (Some(&index), MessageMoment::Receptions) = (pending, reading) {
            on_their_way.push((index, merged.order.len()));
            continue;
        }
        let placed = match reading {
            MessageMoment::Sendings => sent.get(at).or_else(|| {
                let alone = received.get(at);
                alone.filter(|&&index| exchanges[index].sent.is_none())
            }),
            MessageMoment::Receptions => received.get(at).or_else(|| {
                let alone = sent.get(at);
                alone.filter(|&&index| exchanges[index].received.is_none())
            }),
            MessageMoment::Whole => match (sent.get(at), received.get(at)) {
                (Some(index), _) => match exchanges[*index].received {
                    None if !may_be_missing(exchanges[*index].lacking, &line, position, lacks) => {
                        merged.parted.push(*index);
                        None
                    }
                    None => Some(index),
                    reception if line.get(position + 1).copied() == reception => Some(index),
                    _ => {
                        merged.parted.push(*index);
                        None
                    }
                },
                (None, received) => received.filter(|&&index| exchanges[index].sent.is_none()),
            },
        };
        merged.order.extend(placed);
    }
    let placed = merged.order.len();
    match on_their_way[..] {
        [(last, before)] if before == placed => merged.order.push(last),
        _ => merged.unplaced = on_their_way.into_iter().map(|it| it.0).collect(),
    }
    merged
}

/// Whether a log may lack what happened at a position.
fn may_be_missing(log: Option<usize>, line: &[At], position: usize, lacks: &[Lack]) -> bool {
    let Some(log) = log else {
        return true;
    };
    let is_told = |line: &[At]| line.iter().any(|it| it.0 == log);
    let lack = lacks[log];
    lack.gaps || !is_told(&line[position..]) || (lack.beginning && !is_told(&line[..position]))
}

/// All observations in one line.
fn line_up(run: &Run<'_>, exchanges: &[Exchange], received: &FxHashMap<At, usize>) -> Vec<At> {
    let mut heads = vec![0usize; run.logs.len()];
    let mut line = Vec::new();
    loop {
        let mut best: Option<(&Number, bool, usize)> = None;
        for (log, sightings) in run.logs.iter().enumerate() {
            let Some(sighting) = sightings.get(heads[log]) else {
                continue;
            };
            let Some(at) = &sighting.observation.at else {
                continue;
            };
            let early = received.get(&(log, heads[log])).is_some_and(|&index| {
                exchanges[index]
                    .sent
                    .is_some_and(|(log, position)| heads[log] <= position)
            });
            let better = match best {
                None => true,
                Some((known, known_early, _)) => (at, early) < (known, known_early),
            };
            if better {
                best = Some((at, early, log));
            }
        }
        let Some((_, _, log)) = best else {
            return line;
        };
        line.push((log, heads[log]));
        heads[log] += 1;
    }
}
