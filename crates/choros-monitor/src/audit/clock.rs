//! One global log by time (section 4.1.5 and Algorithm 6 of Nguyen's thesis), for services whose clocks agree.
//!
//! Local logs are merged by time; of observations at the same time, a sending goes before its reception, and otherwise
//! any may go first, so that there may be several global logs.
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
//! could stand before its sending, and a run could fail for how its services are numbered; all are fixed here.

use choros_model::observation::Number;
use rustc_hash::FxHashMap;

use super::MessageMoment;
use super::lack::Lack;
use super::run::{At, Exchange, Run, Sighting};

/// A global log.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Merged {
    /// Messages in order.
    pub(crate) order: Vec<usize>,
    /// Messages of which sending and reception do not stand side by side.
    pub(crate) parted: Vec<usize>,
    /// Messages that arrived no one knows when.
    pub(crate) unplaced: Vec<usize>,
}

/// What the clock makes of the local logs of a session.
#[derive(Debug)]
pub(crate) enum ByClock {
    /// An observation has no time, which makes a merge impossible.
    Timeless(At),
    /// A message was received before it was sent, so the clocks do not agree.
    Backwards(usize),
    /// All global logs, or some if there are more than anyone wants to see.
    Merged { logs: Vec<Merged>, are_all: bool },
}

/// So many global logs are examined.
const MAX_LOGS: usize = 64;

/// Merges the local logs of a session.
pub(crate) fn merge(
    run: &Run<'_>,
    exchanges: &[Exchange],
    reading: MessageMoment,
    lacks: &[Lack],
) -> ByClock {
    for (log, sightings) in run.logs.iter().enumerate() {
        let timeless = |it: &Sighting<'_>| it.observation.at.is_none();
        if let Some(position) = sightings.iter().position(timeless) {
            return ByClock::Timeless((log, position));
        }
    }
    let time = |(log, position): At| run.logs[log][position].observation.at.as_ref();
    let is_backwards = |it: &Exchange| match (it.sent, it.received) {
        (Some(sent), Some(received)) => time(received) < time(sent),
        _ => false,
    };
    if let Some(index) = exchanges.iter().position(is_backwards) {
        return ByClock::Backwards(index);
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
    let (lines, are_all) = Lines {
        run,
        exchanges,
        reading,
        sent: &sent,
        received: &received,
    }
    .all();
    let placed = |line: &Vec<At>| place(line, exchanges, reading, lacks, &sent, &received);
    let mut logs: Vec<Merged> = Vec::new();
    for log in lines.iter().map(placed) {
        if !logs.contains(&log) {
            logs.push(log);
        }
    }
    // Where messages can stand whole, they do.
    let fewest = logs.iter().map(|it| it.parted.len()).min();
    logs.retain(|it| Some(it.parted.len()) == fewest);
    ByClock::Merged { logs, are_all }
}

/// Gives each message its place in a line of observations.
fn place(
    line: &[At],
    exchanges: &[Exchange],
    reading: MessageMoment,
    lacks: &[Lack],
    sent: &FxHashMap<At, usize>,
    received: &FxHashMap<At, usize>,
) -> Merged {
    let mut merged = Merged::default();
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
                    None if !may_be_missing(exchanges[*index].lacking, line, position, lacks) => {
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

/// The observations of a session, to be put in one line.
struct Lines<'l, 'o> {
    run: &'l Run<'o>,
    exchanges: &'l [Exchange],
    reading: MessageMoment,
    sent: &'l FxHashMap<At, usize>,
    received: &'l FxHashMap<At, usize>,
}

impl Lines<'_, '_> {
    /// All lines that agree with the times, as far as they differ in the order of messages; and whether these are all.
    fn all(&self) -> (Vec<Vec<At>>, bool) {
        let mut lines = Vec::new();
        let mut pending: Vec<(Vec<usize>, Vec<At>)> =
            vec![(vec![0; self.run.logs.len()], Vec::new())];
        while let Some((mut heads, mut line)) = pending.pop() {
            loop {
                let choices = self.choices(&heads);
                let Some((first, others)) = choices.split_first() else {
                    lines.push(line);
                    break;
                };
                for other in others.iter().rev() {
                    let (mut heads, mut line) = (heads.clone(), line.clone());
                    take(other, &mut heads, &mut line);
                    pending.push((heads, line));
                }
                take(first, &mut heads, &mut line);
            }
            if lines.len() == MAX_LOGS {
                return (lines, pending.is_empty());
            }
        }
        (lines, true)
    }

    /// What may be next: one observation, or both ends of a message.
    fn choices(&self, heads: &[usize]) -> Vec<Vec<At>> {
        let next = heads.iter().copied().enumerate();
        let next: Vec<At> = next
            .filter(|&(log, position)| position < self.run.logs[log].len())
            .collect();
        let Some(earliest) = next.iter().filter_map(|&at| self.time(at)).min() else {
            return Vec::new();
        };
        // A reception waits for its sending.
        let is_early = |at: At| {
            let index = self.received.get(&at);
            index.is_some_and(|&index| {
                let sent = self.exchanges[index].sent;
                sent.is_some_and(|(log, position)| heads[log] <= position)
            })
        };
        let now = next.into_iter();
        let now: Vec<At> = now
            .filter(|&at| self.time(at) == Some(earliest) && !is_early(at))
            .collect();
        // What has no place by itself comes as soon as it can.
        let is_passive = |at: &At| {
            match self.reading {
                MessageMoment::Sendings => self.received.get(at),
                MessageMoment::Receptions => self.sent.get(at),
                MessageMoment::Whole => None,
            }
            .is_some_and(|&index| {
                let exchange = &self.exchanges[index];
                exchange.sent.is_some() && exchange.received.is_some()
            })
        };
        if let Some(&passive) = now.iter().find(|at| is_passive(at)) {
            return vec![vec![passive]];
        }
        let together: Vec<Vec<At>> = now.iter().map(|&at| self.with_end(at, heads)).collect();
        let is_parted = |it: &Vec<At>| self.reading == MessageMoment::Whole && self.is_parted(it);
        if together.iter().all(is_parted) {
            return together;
        }
        let whole = together.into_iter();
        whole.filter(|it| !is_parted(it)).collect()
    }

    /// A sending with its reception, if messages are whole and the reception can be next.
    fn with_end(&self, at: At, heads: &[usize]) -> Vec<At> {
        let reception = self
            .sent
            .get(&at)
            .and_then(|&it| self.exchanges[it].received);
        match reception {
            Some((log, position))
                if self.reading == MessageMoment::Whole
                    && heads[log] == position
                    && self.time((log, position)) == self.time(at) =>
            {
                vec![at, (log, position)]
            }
            _ => vec![at],
        }
    }

    /// Whether a sending has its reception at the same time, after something else.
    fn is_parted(&self, taken: &[At]) -> bool {
        let [at] = *taken else {
            return false;
        };
        let reception = self
            .sent
            .get(&at)
            .and_then(|&it| self.exchanges[it].received);
        reception.is_some_and(|it| self.time(it) == self.time(at))
    }

    fn time(&self, (log, position): At) -> Option<&Number> {
        self.run.logs[log][position].observation.at.as_ref()
    }
}

fn take(observations: &[At], heads: &mut [usize], line: &mut Vec<At>) {
    for &(log, position) in observations {
        heads[log] = position + 1;
        line.push((log, position));
    }
}
