//! What a role did where messages take their time: they are judged by their sendings, and arrive whenever they do.
//!
//! A log alone is searched as all logs are (`search.rs`), where no other role has one: each reception is a message that
//! was sent at some time before it, and messages that were not received are in transit.
//! A role that *waits* sends nothing before it has received what comes first in the run; receptions between two
//! sendings of its own may still change places.
//! A channel may keep the order of its messages, or may let them overtake each other.
//!
//! How much of this a role can rely on its log does not say, so it is judged by the least that it may assume and by the
//! most that it may do: it is judged as long as it could expect what it received, had it waited and had every channel
//! kept its order; and what it sends is wrong only if no run shows it, by the channels that did keep their order.

use choros_data::Term;
use choros_model::stg::{Direction, Role};

use super::MessageMoment;
use super::alphabet::LetterId;
use super::automaton::View;
use super::guilt::Part;
use super::judge::Auditor;
use super::lack::Lack;
use super::plan::{Asked, Plan};
use super::run::{At, Exchange, Run, Sighting, Tied, tie};
use super::search::{Held, ends};
use super::walk::{SetId, Stopped, Walk};

/// One log.
pub(super) struct Alone<'r, 'o> {
    sightings: &'r [Sighting<'o>],
    ends: Vec<(Option<usize>, Option<usize>)>,
    reading: MessageMoment,
    pub(super) lack: Lack,
}

impl<'r, 'o> Alone<'r, 'o> {
    /// The log, taken for all that the role saw until it ends.
    pub(super) fn without_gaps(&self) -> Alone<'r, 'o> {
        Alone {
            sightings: self.sightings,
            ends: self.ends.clone(),
            reading: self.reading,
            lack: Lack {
                beginning: false,
                gaps: false,
                ..self.lack
            },
        }
    }

    fn has_gaps(&self) -> bool {
        self.lack.gaps || self.lack.beginning
    }
}

/// How a log may differ from the order of a run.
pub(super) struct Delays {
    /// The letters whose channels keep their order.
    in_line: Vec<bool>,
    waits: bool,
}

impl Delays {
    /// The fewest: a role waits, and every channel keeps its order.
    pub(super) fn fewest(letters: usize) -> Delays {
        Delays {
            in_line: vec![true; letters],
            waits: true,
        }
    }

    /// Those of a role that may wait or not, where these channels kept their order.
    pub(super) fn with(orders: &[ChannelOrder], waits: bool) -> Delays {
        let in_line = orders.iter().map(|it| *it == ChannelOrder::Kept).collect();
        Delays { in_line, waits }
    }
}

/// Whether the messages of a channel were received in the order in which they were sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChannelOrder {
    Kept,
    Broken,
    /// The logs do not tell.
    Open,
}

impl<'o> Auditor<'_, 'o, '_> {
    /// What the roles did in a session that does not conform.
    ///
    /// Who sends what no run shows is guilty.
    /// If no one does, no message was changed or lost, and the logs are complete, someone did not wait.
    pub(super) fn parts_by_sendings(
        &mut self,
        run: &Run<'o>,
        roles: &[Option<Role>],
        is_complete: bool,
    ) -> Result<Vec<Part>, Stopped> {
        let exchanges = tie(run, &self.ends()).exchanges;
        let orders = self.orders_kept(run);
        let (mut parts, mut hasty) = (Vec::new(), Vec::new());
        for (log, role) in roles.iter().enumerate() {
            let alone = self.alone(run, log, MessageMoment::Sendings);
            let found = match role {
                None => Ok((Part::Did, Part::Did)),
                Some(role) => {
                    let judge = |it: &mut Self| {
                        let (part, waiting) = it.part_by_sendings(&alone, *role, &orders)?;
                        Ok([part, waiting])
                    };
                    let found = judge(self);
                    let found = found.and_then(|it| self.whatever_the_data(run, log, it, judge));
                    found.map(|[part, waiting]| (part, waiting))
                }
            };
            let (part, waiting) = match found {
                Err(Stopped::Spent(_)) => (Part::Unsure, Part::Unsure),
                other => other?,
            };
            parts.push(part);
            hasty.push(waiting);
        }
        let is_clear = |part: &Part| matches!(part, Part::Did | Part::Wronged(_));
        let is_told = |it: &Exchange| it.sent.is_some() || it.lacking.is_none();
        let is_complete = is_complete && exchanges.iter().all(is_told);
        let no_one_is = is_complete && parts.iter().all(is_clear);
        Ok(if no_one_is { hasty } else { parts })
    }

    /// One log of a session, which ends somewhere.
    pub(super) fn alone<'r>(
        &self,
        run: &'r Run<'o>,
        log: usize,
        reading: MessageMoment,
    ) -> Alone<'r, 'o> {
        let own = |end: Option<usize>| (end == Some(log)).then_some(0);
        let ends = self.ends().into_iter();
        Alone {
            sightings: &run.logs[log],
            ends: ends.map(|it| (own(it.0), own(it.1))).collect(),
            reading,
            lack: Lack {
                end: true,
                ..self.lacks[log]
            },
        }
    }

    /// For each letter what the logs tell of its channel.
    pub(super) fn orders_kept(&self, run: &Run<'o>) -> Vec<ChannelOrder> {
        let tied = tie(run, &self.ends());
        let letters = 0..self.alphabet.len() as u32;
        letters
            .map(|it| self.order_kept(run, &tied, LetterId(it)))
            .collect()
    }

    /// Without identities, messages with the same data may change places unseen, and it does not matter: who receives
    /// them sees the same.
    /// Where the data do not say which was received, the order is open.
    fn order_kept(&self, run: &Run<'o>, tied: &Tied, letter: LetterId) -> ChannelOrder {
        let channel = |letter| {
            let letter = self.alphabet.letter(letter);
            (letter.from, letter.to)
        };
        let (mut last, mut is_in_transit, mut order) = (None, false, ChannelOrder::Kept);
        let is_bare = |(log, position): At| run.logs[log][position].observation.data.is_empty();
        // Exchanges are sorted by where they were sent.
        for exchange in &tied.exchanges {
            if channel(exchange.letter) != channel(letter) {
                continue;
            }
            let (sent, received) = (exchange.sent, exchange.received);
            let may_lack = sent.into_iter().chain(received).any(|(log, _)| {
                let lack = self.lacks[log];
                lack.gaps || lack.beginning
            });
            match (sent, received) {
                (Some(_), Some(it)) if last.is_some_and(|last| it < last) => {
                    return ChannelOrder::Broken;
                }
                (Some(_), Some(_)) => {
                    let is_blind = tied.unsure.contains(&exchange.letter)
                        || last.is_some()
                            && tied.by_order.contains(&exchange.letter)
                            && self.alphabet.letter(exchange.letter).carries
                            && exchange.places().any(is_bare);
                    last = received;
                    if is_in_transit || may_lack || is_blind {
                        order = ChannelOrder::Open;
                    }
                }
                (Some(_), None) => is_in_transit = true,
                (None, _) => order = ChannelOrder::Open,
            }
        }
        order
    }

    /// What a role did, and what it did if it should have waited.
    fn part_by_sendings(
        &mut self,
        alone: &Alone<'_, 'o>,
        role: Role,
        orders: &[ChannelOrder],
    ) -> Result<(Part, Part), Stopped> {
        let mut walk = self.walk(View::Observed(&[role]));
        let count = alone.sightings.len();
        let expecting = Delays::fewest(orders.len());
        if self.shown(&mut walk, alone, count, &expecting)?.is_some() {
            return Ok((Part::Did, Part::Did));
        }
        let (inside, condition) = self.leaves(&mut walk, alone, &expecting)?;
        if alone.sightings[inside].observation.direction == Direction::Receive {
            // Messages that overtake each other are no one's fault, nor that of the choreography.
            let receives = |letter: usize| alone.ends[letter].1.is_some();
            let mut orders = orders.iter().enumerate();
            let is_broken =
                orders.any(|(it, order)| *order == ChannelOrder::Broken && receives(it));
            let wronged = Part::Wronged(inside);
            return Ok((wronged, if is_broken { Part::Unsure } else { wronged }));
        }
        let redacted = self.ground.redacted.texts(condition, self.ground.terms);
        let is_open = !redacted.is_empty();
        let mut is_doubtful = false;
        if alone.has_gaps() {
            // Taken as it is, the log may show that the role was wronged before.
            let plain = alone.without_gaps();
            let (first, _) = self.leaves(&mut walk, &plain, &expecting)?;
            let direction = alone.sightings[first].observation.direction;
            is_doubtful = first < inside && direction == Direction::Receive;
        }
        let mut part = |waits: bool| {
            let delays = Delays::with(orders, waits);
            Ok::<Part, Stopped>(match self.shown(&mut walk, alone, inside + 1, &delays)? {
                // It is right for all that its log shows, or not judged any more.
                Some(_) => Part::Wronged(inside),
                // With other values it may have been wronged before.
                None if is_open => Part::Unsure,
                None if is_doubtful => Part::Doubtful(inside),
                None => Part::Guilty(inside),
            })
        };
        Ok((part(false)?, part(true)?))
    }

    /// The observation with which a log that no run shows leaves all of them, and the condition under which some run
    /// shows what is before it.
    pub(super) fn leaves(
        &mut self,
        walk: &mut Walk<'o>,
        alone: &Alone<'_, 'o>,
        delays: &Delays,
    ) -> Result<(usize, Term), Stopped> {
        // Beginnings of what a run shows are shown by it too.
        let (mut inside, mut outside) = (0, alone.sightings.len());
        let mut condition = Term::TRUE;
        while inside + 1 < outside {
            let middle = inside + (outside - inside) / 2;
            match self.shown(walk, alone, middle, delays)? {
                Some(found) => (inside, condition) = (middle, found),
                None => outside = middle,
            }
        }
        Ok((inside, condition))
    }

    /// A condition under which the first observations of a log are what some run shows of itself; the weakest where
    /// values were redacted.
    pub(super) fn shown(
        &mut self,
        walk: &mut Walk<'o>,
        alone: &Alone<'_, 'o>,
        count: usize,
        delays: &Delays,
    ) -> Result<Option<Term>, Stopped> {
        let is_enough = self.ground.redacted.is_empty();
        let found = self.showing(walk, alone, count, delays, is_enough)?;
        self.any_of(walk, &found)
    }

    /// The weakest condition under which the model stands in one of these sets, if there is any.
    pub(super) fn any_of(
        &mut self,
        walk: &mut Walk<'o>,
        sets: &[SetId],
    ) -> Result<Option<Term>, Stopped> {
        let mut conditions = Vec::with_capacity(sets.len());
        for set in sets {
            conditions.push(walk.condition(*set, &mut self.ground)?);
        }
        let condition = self.ground.terms.or(conditions);
        let condition = self.ground.terms.simplify(condition);
        Ok((!sets.is_empty()).then_some(condition))
    }

    /// Where runs end that show the first observations of a log; only one of them if that is enough.
    pub(super) fn showing(
        &mut self,
        walk: &mut Walk<'o>,
        alone: &Alone<'_, 'o>,
        count: usize,
        delays: &Delays,
        is_enough: bool,
    ) -> Result<Vec<SetId>, Stopped> {
        let run = Run {
            logs: vec![alone.sightings[..count].to_vec()],
            ..Run::default()
        };
        let mut exchanges = tie(&run, &alone.ends).exchanges;
        let held = match alone.reading {
            MessageMoment::Sendings => self.put_in_line(alone, delays, &mut exchanges),
            // Receptions are where they are, and what was sent arrives at any time after it.
            MessageMoment::Receptions | MessageMoment::Whole => Held::default(),
        };
        let asked = Asked {
            reading: alone.reading,
            completing: true,
            lacks: &[alone.lack],
            ends: &alone.ends,
        };
        let plan = Plan::new(walk, &run, &exchanges, asked, self.alphabet);
        let ground = &mut self.ground;
        ends(walk, &plan, &held, is_enough, self.alphabet, ground)
    }

    /// Lets messages come after those before them, and says which must have happened before others are in transit.
    fn put_in_line(
        &self,
        alone: &Alone<'_, 'o>,
        delays: &Delays,
        exchanges: &mut [Exchange],
    ) -> Held {
        let place = |index: usize, exchanges: &[Exchange]| exchanges[index].places().next();
        let mut in_order: Vec<usize> = (0..exchanges.len()).collect();
        in_order.sort_by_key(|&it| place(it, exchanges));
        let mut last_sent = None;
        let mut last_received: Vec<Option<usize>> = vec![None; self.alphabet.len()];
        let letters = || (0..self.alphabet.len() as u32).map(LetterId);
        for index in in_order {
            let letter = exchanges[index].letter;
            if exchanges[index].sent.is_some() {
                last_sent = Some(index);
                continue;
            }
            let before = last_received[letter.index()].into_iter();
            // What was received before the last sending was sent before it too.
            let before = before.chain(last_sent.filter(|_| delays.waits));
            exchanges[index].after = before.max_by_key(|&it| place(it, exchanges));
            if delays.in_line[letter.index()] {
                let from = self.alphabet.letter(letter).from;
                for other in letters().filter(|it| self.alphabet.letter(*it).from == from) {
                    last_received[other.index()] = Some(index);
                }
            }
        }
        let mut held = Held::default();
        if alone.has_gaps() {
            // What is in transit may have been received without being in the log.
            return held;
        }
        for letter in letters() {
            let is_received = alone.ends[letter.index()].1.is_some();
            held.extend(last_received[letter.index()].map(|it| (letter, it)));
            let sent = last_sent.filter(|_| delays.waits && is_received);
            held.extend(sent.map(|it| (letter, it)));
        }
        held
    }
}
