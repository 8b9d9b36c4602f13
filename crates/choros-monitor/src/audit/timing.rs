//! Whether a role kept its own time, by the stamps of its own log.
//!
//! Time is measured by one role, so only stamps of one log are compared, and those of different logs never.
//! The walk follows one log through the graph: a place is a node and the interval in which its clock ticked last, or in
//! which the timer that runs there was started.
//! With ticks of length `d` and a tolerance `e`, between one observation and the next at the time `t`
//!
//! - a clock that ticked at `b` ticks again only if `b + d <= t + e`: nothing is over too early;
//! - it has done so by `t` if `b + d < t - e`: a timeout is urgent, so nothing is in time that is too late.
//!
//! Every other choice is taken in favour of the role: values and conditions do not count, what others do happens
//! whenever it fits, and where the graph does not say whether an observation restarted a timer, both are possible.
//! So where no place is left, no run of the choreography has these times, whatever the data are.
//! A role that left all of them by a sending acted at a wrong time; by a reception it was told something when its time
//! was over, and is not judged from there on.
//!
//! How an observation by which a node `n` becomes `m` changes a timer shows in the graph, where `n` ticks to `p`:
//!
//! | | |
//! |---|---|
//! | the observation is possible in `p` too, and leads where a tick of `m` leads | the timer goes on |
//! | it is possible in `p` too, and leads to `m`; or it is a reception and not possible in `p` | the timer was stopped, and what runs in `m` starts now |
//! | anything else | either |
//!
//! Ticks of several timers of one role are joint, as everywhere; so where timers overlap, which of them is over first
//! within one tick is what the graph says.

use std::collections::BTreeMap;

use choros_data::Term;
use choros_model::Evidence;
use choros_model::evidence::Departure;
use choros_model::observation::Number;
use choros_model::stg::{Direction, EdgeId, Event, NodeId, Role, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::judge::{Auditor, counted};
use super::run::{Run, Sighting};
use super::tale::{of_role, place, wrong_at_the_end};
use super::tally::SessionResult;

/// More places than this are not kept between two observations.
const MAX_PLACES: usize = 20_000;

/// So many nanoseconds has a millisecond.
const MILLISECOND: i64 = 1_000_000;

/// Times beyond this are not compared.
const MOST: i64 = i64::MAX / 8;

/// Before everything.
const EVER: i64 = i64::MIN / 4;

/// What a step does to the timers of a role that run before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Timer {
    GoesOn,
    Starts,
    Either,
}

#[derive(Debug, Clone, Copy)]
enum Act {
    /// What the role sends or receives.
    Own(LetterId, Direction),
    /// What it does not see.
    Unseen,
    Tick,
}

#[derive(Debug, Clone, Copy)]
struct TimedStep {
    act: Act,
    target: usize,
    timer: Timer,
}

/// The clock of a role in a graph.
#[derive(Debug)]
pub(super) struct RoleClock {
    /// How long a tick is, in nanoseconds.
    tick: i64,
    initial: usize,
    steps: Vec<Vec<TimedStep>>,
    /// Whether a timer runs at a node, and whether it surely does.
    runs: Vec<(bool, bool)>,
}

/// Where a role may stand, and when its clock ticked last, or since when it stands there if no timer runs.
type Standing = (usize, (i64, i64));

/// What is checked of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checks {
    Both,
    /// Only that nothing is over too early.
    NotEarly,
    /// Only that nothing is in time that is too late.
    NotLate,
}

/// What the stamps of a log say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timed {
    /// The role did everything in its time, as far as the order of the log is one of the model.
    InTime,
    /// An observation comes at a wrong time: `None` if it is not clear in which way, else whether it is too early.
    Wrong(usize, Option<bool>),
    /// Too much would have to be remembered.
    TooMuch,
}

impl RoleClock {
    /// The clock of a role; `None` if it measures nothing, or if the model does not say how long.
    pub(super) fn of(stg: &Stg, role: Role, alphabet: &Alphabet) -> Option<RoleClock> {
        if !measures(stg, role) {
            return None;
        }
        let runs_at = |id: NodeId| ticks_of(stg, id, role).next().is_some();
        let tick = i64::try_from(stg.tick()?).ok()?.checked_mul(MILLISECOND)?;
        let runs = stg.node_ids().map(|id| {
            let surely = ticks_of(stg, id, role).any(|it| stg.edge(it).guard == Term::TRUE);
            (runs_at(id), surely)
        });
        let mut clock = RoleClock {
            tick,
            initial: stg.initial().index(),
            runs: runs.collect(),
            steps: Vec::with_capacity(stg.nodes().len()),
        };
        for id in stg.node_ids() {
            let mut steps = Vec::new();
            for (edge, it) in stg.outgoing(id) {
                let act = match &it.event {
                    Event::TickOf(own) if *own == role => Act::Tick,
                    Event::Message(message) => {
                        let own = match message.direction {
                            Direction::Send | Direction::Interaction if message.from == role => {
                                Some(Direction::Send)
                            }
                            Direction::Receive | Direction::Interaction if message.to == role => {
                                Some(Direction::Receive)
                            }
                            _ => None,
                        };
                        let ends = (message.operation.0, message.from.0, message.to.0);
                        match (own, alphabet.id(ends.0, ends.1, ends.2)) {
                            (Some(direction), Some(letter)) => Act::Own(letter, direction),
                            (Some(_), None) => continue,
                            (None, _) => Act::Unseen,
                        }
                    }
                    _ => Act::Unseen,
                };
                let target = it.target.index();
                let timer = match (clock.runs[id.index()].0, clock.runs[target].0) {
                    (true, true) => timer(stg, role, edge, act),
                    _ => Timer::Starts,
                };
                steps.push(TimedStep { act, target, timer });
            }
            clock.steps.push(steps);
        }
        Some(clock)
    }

    /// Follows what was seen when, in nanoseconds; `None` instead of a direction is the end.
    fn follow(
        &self,
        seen: &[(LetterId, Direction, i64)],
        tolerance: i64,
        checks: Checks,
    ) -> Result<Option<usize>, TooMuch> {
        let first = seen.first().map_or(0, |it| it.2);
        let mut standings = vec![(self.initial, (EVER, first))];
        for (position, &(letter, direction, at)) in seen.iter().enumerate() {
            let mut after: FxHashSet<Standing> = FxHashSet::default();
            for (node, (low, high)) in self.until(standings, at, tolerance, checks)? {
                let (runs, surely) = self.runs[node];
                let is_late = high.saturating_add(self.tick) < at - tolerance;
                if surely && checks != Checks::NotEarly && is_late {
                    continue;
                }
                let low = if surely && checks != Checks::NotEarly {
                    low.max(at - tolerance - self.tick)
                } else {
                    low
                };
                for step in &self.steps[node] {
                    let fits = matches!(step.act, Act::Own(own, end)
                        if (own, end) == (letter, direction));
                    if fits {
                        let since = match step.timer {
                            _ if !runs || !self.runs[step.target].0 => (at, at),
                            Timer::GoesOn => (low, high),
                            Timer::Starts => (at, at),
                            Timer::Either => (low, high.max(at)),
                        };
                        after.insert((step.target, since));
                    }
                }
            }
            if after.is_empty() {
                return Ok(Some(position));
            }
            standings = after.into_iter().collect();
        }
        Ok(None)
    }

    /// Where the role may stand at a time, after ticks and what others did.
    fn until(
        &self,
        standings: Vec<Standing>,
        at: i64,
        tolerance: i64,
        checks: Checks,
    ) -> Result<Vec<Standing>, TooMuch> {
        let mut reached: FxHashMap<usize, Vec<(i64, i64)>> = FxHashMap::default();
        let mut all = Vec::new();
        let mut work = standings;
        while let Some((node, since)) = work.pop() {
            let known = reached.entry(node).or_default();
            if known.iter().any(|it| it.0 <= since.0 && since.1 <= it.1) {
                continue;
            }
            known.push(since);
            all.push((node, since));
            if all.len() > MAX_PLACES {
                return Err(TooMuch);
            }
            let (low, high) = since;
            for step in &self.steps[node] {
                let runs_after = self.runs[step.target].0;
                let next = match step.act {
                    Act::Own(..) => continue,
                    Act::Tick => {
                        let is_early = low.saturating_add(self.tick) > at + tolerance;
                        if is_early && checks != Checks::NotLate {
                            continue;
                        }
                        // A clock that may be early may have ticked at any time before.
                        let low = match checks {
                            Checks::NotLate => EVER,
                            _ if low == EVER => EVER,
                            _ => low + self.tick,
                        };
                        let last = (high + self.tick).min(at + tolerance);
                        (low, last.max(low))
                    }
                    // It happens at some time before the next observation.
                    Act::Unseen if !runs_after => since,
                    Act::Unseen if !self.runs[node].0 => (low, at.max(low)),
                    Act::Unseen => match step.timer {
                        Timer::GoesOn => since,
                        Timer::Starts | Timer::Either => (low, at.max(high)),
                    },
                };
                work.push((step.target, next));
            }
        }
        Ok(all)
    }

    /// What the stamps of a log say, with what may be wrong with a clock and with stamps.
    fn judge(&self, seen: &[(LetterId, Direction, i64)], tolerance: i64) -> Timed {
        let stuck = match self.follow(seen, tolerance, Checks::Both) {
            Ok(None) => return Timed::InTime,
            Ok(Some(stuck)) => stuck,
            Err(TooMuch) => return Timed::TooMuch,
        };
        // Where the order is not one of the model, its times say nothing.
        let now: Vec<_> = seen.iter().map(|it| (it.0, it.1, 0)).collect();
        let unhurried = RoleClock {
            tick: 0,
            steps: self.steps.clone(),
            runs: self.runs.clone(),
            ..*self
        };
        match unhurried.follow(&now, 0, Checks::Both) {
            Ok(Some(order)) if order <= stuck => return Timed::InTime,
            Err(TooMuch) => return Timed::TooMuch,
            Ok(_) => {}
        }
        let until = &seen[..=stuck];
        let passes = |checks| matches!(self.follow(until, tolerance, checks), Ok(None));
        let is_early = match (passes(Checks::NotLate), passes(Checks::NotEarly)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        Timed::Wrong(stuck, is_early)
    }
}

struct TooMuch;

fn ticks_of(stg: &Stg, node: NodeId, role: Role) -> impl Iterator<Item = EdgeId> {
    let outgoing = stg.outgoing(node);
    outgoing.filter_map(move |(id, edge)| match edge.event {
        Event::TickOf(own) if own == role => Some(id),
        _ => None,
    })
}

/// What a step between two nodes with timers does to them.
fn timer(stg: &Stg, role: Role, step: EdgeId, act: Act) -> Timer {
    let edge = stg.edge(step);
    let ticked = |node: NodeId| -> Vec<NodeId> {
        ticks_of(stg, node, role)
            .map(|it| stg.edge(it).target)
            .collect()
    };
    let (before, after) = (ticked(edge.source), ticked(edge.target));
    if let Act::Tick = act {
        return Timer::GoesOn;
    }
    let mut targets = Vec::new();
    for &node in &before {
        let same = stg.outgoing(node).filter(|(_, it)| it.event == edge.event);
        targets.extend(same.map(|(_, it)| it.target));
    }
    if targets.iter().any(|it| after.contains(it)) {
        return Timer::GoesOn;
    }
    let is_received = matches!(act, Act::Own(_, Direction::Receive));
    if targets.contains(&edge.target) || (targets.is_empty() && is_received) {
        Timer::Starts
    } else {
        Timer::Either
    }
}

/// Whether a role measures time in a graph.
pub(super) fn measures(stg: &Stg, role: Role) -> bool {
    let mut edges = stg.edges().iter();
    edges.any(|it| matches!(it.event, Event::TickOf(own) if own == role))
}

/// How much of the time of a role was judged, by sessions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TimeCounts {
    judged: usize,
    /// A stamp is missing.
    unstamped: usize,
    /// A stamp is earlier than the one before it.
    backwards: usize,
    /// Something is missing from the log.
    gaps: usize,
    /// Too much would have to be remembered.
    too_much: usize,
}

/// What is worth knowing about the times of roles.
#[derive(Debug, Clone, Default)]
pub(super) struct TimeRemarks(BTreeMap<String, TimeCounts>);

impl TimeRemarks {
    /// Adds those of other sessions.
    pub(super) fn add(&mut self, other: TimeRemarks) {
        for (role, more) in other.0 {
            let counts = self.0.entry(role).or_default();
            counts.judged += more.judged;
            counts.unstamped += more.unstamped;
            counts.backwards += more.backwards;
            counts.gaps += more.gaps;
            counts.too_much += more.too_much;
        }
    }

    /// Times of a role that are not judged, because the model does not say how long a tick is.
    pub(super) fn without_unit(&mut self, role: &str) {
        self.0.entry(role.to_owned()).or_default();
    }

    /// The remarks in words.
    pub(super) fn words(&self, tolerance: u64, has_unit: bool) -> Vec<String> {
        let mut words = Vec::new();
        for (role, counts) in &self.0 {
            if !has_unit {
                words.push(format!(
                    "the time of `{role}` is not judged: durations in the model have no unit"
                ));
                continue;
            }
            if counts.judged > 0 {
                words.push(format!(
                    "the time of `{role}` is judged by the time stamps of its own log, to within {tolerance} ms"
                ));
            }
            let reasons = [
                (
                    counts.unstamped,
                    "its log has observations without time stamps",
                ),
                (counts.backwards, "the time stamps of its log go backwards"),
                (counts.gaps, "its log may lack observations"),
                (counts.too_much, "too many timers may run"),
            ];
            for (count, reason) in reasons.into_iter().filter(|it| it.0 > 0) {
                words.push(match counts.judged {
                    0 => format!("the time of `{role}` is not judged: {reason}"),
                    _ => format!(
                        "the time of `{role}` is not judged in {}: {reason}",
                        counted(count, "session", "sessions")
                    ),
                });
            }
        }
        words
    }
}

impl<'o> Auditor<'_, 'o, '_> {
    /// What becomes of the result of a role in a session when its times are examined, and where it acted at a wrong
    /// time.
    pub(super) fn by_its_clock(
        &mut self,
        clock: &RoleClock,
        (run, log): (&Run<'o>, usize),
        known: SessionResult,
    ) -> (SessionResult, Option<usize>) {
        let role = self.roles[log].role;
        let conforms = matches!(known, SessionResult::Conforms { .. });
        let sightings = &run.logs[log];
        if !conforms || sightings.is_empty() {
            return (known, None);
        }
        let counts = self.times.0.entry(role.to_owned()).or_default();
        let first = sightings[0].observation.at.as_ref();
        let stamp = |it: &Sighting<'_>| nanoseconds(it.observation.at.as_ref()?.minus(first?));
        let stamps: Option<Vec<i64>> = sightings.iter().map(stamp).collect();
        let Some(stamps) = stamps else {
            counts.unstamped += 1;
            return (known, None);
        };
        if stamps.windows(2).any(|it| it[1] < it[0]) {
            counts.backwards += 1;
            return (known, None);
        }
        if self.lacks[log].gaps || self.lacks[log].beginning {
            counts.gaps += 1;
            return (known, None);
        }
        let seen = sightings.iter().zip(&stamps);
        let seen: Vec<_> = seen
            .map(|(it, &at)| (it.letter, it.observation.direction, at))
            .collect();
        let tolerance = i64::try_from(self.how.tolerance).unwrap_or(i64::MAX);
        let tolerance = tolerance.saturating_mul(MILLISECOND).min(MOST);
        let (position, is_early) = match clock.judge(&seen, tolerance) {
            Timed::InTime => {
                counts.judged += 1;
                return (known, None);
            }
            Timed::TooMuch => {
                counts.too_much += 1;
                return (known, None);
            }
            Timed::Wrong(position, is_early) => (position, is_early),
        };
        counts.judged += 1;
        let sighting = &sightings[position];
        let is_sent = sighting.observation.direction == Direction::Send;
        let after = match position {
            0 => String::new(),
            _ => {
                let before = sightings[position - 1].observation.shown(self.ground.terms);
                let passed = seconds(stamps[position] - stamps[position - 1]);
                format!(", {passed} after {before}")
            }
        };
        let judgement = match (is_sent, is_early) {
            (true, Some(true)) => format!("was sent too early{after}"),
            (true, Some(false)) => format!("was sent too late{after}"),
            (true, None) => format!("was sent at the wrong time{after}"),
            (false, _) => format!(
                "was received{after}, {}, and the choreography does not say what happens then; the time of `{role}` is \
                 not judged from here on",
                match is_early {
                    Some(false) => "when its time was over",
                    Some(true) => "when its time had not come",
                    None => "at a time that no run has",
                }
            ),
        };
        let conclusion = format!(
            "{}: {} {judgement}",
            place(sighting.source, sighting.observation, &run.name),
            sighting.observation.shown(self.ground.terms)
        );
        let trace = of_role(run, log, position + 1, conclusion.clone());
        if is_sent {
            let wrong = wrong_at_the_end(trace, Departure::default());
            (SessionResult::Wrong(Evidence::Trace(wrong)), Some(position))
        } else {
            let unknown = SessionResult::Either(conclusion, Evidence::Trace(trace));
            (unknown, None)
        }
    }
}

/// Milliseconds as whole nanoseconds.
fn nanoseconds(milliseconds: Number) -> Option<i64> {
    let exact = milliseconds.times(&Number::from(MILLISECOND));
    let whole = match exact.to_i64() {
        Some(whole) => whole,
        None => i64::try_from(exact.rational().floor().to_integer()).ok()?,
    };
    Some(whole).filter(|it| it.abs() < MOST)
}

/// A time in seconds, as a person writes it.
fn seconds(nanoseconds: i64) -> String {
    let milliseconds = nanoseconds / MILLISECOND;
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    if rest == 0 {
        return format!("{whole} s");
    }
    let digits = format!("{rest:03}");
    format!("{whole}.{} s", digits.trim_end_matches('0'))
}
