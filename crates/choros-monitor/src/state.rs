//! What a monitor remembers, to be saved and put back.
//!
//! A monitor that was put back gives the verdicts that the first one would have given, with the same numbers.
//! Only what was seen of identities is not saved: a duplicate across a restart goes unnoticed.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_model::observation::{Datum, Number, Observation};
use choros_query::property::Window;

use crate::config::KeepObservations;
use crate::group::{Group, Member, milliseconds};
use crate::log::Log;
use crate::monitor::Monitor;
use crate::open::{Context, Open};
use crate::recent::Kept;
use crate::verdict::{Mark, PropertyCounts};

/// What a monitor remembers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// How many verdicts were given.
    pub sequence: u64,
    /// How many observations were taken.
    pub observations: u64,
    /// The windows of each property so far, in the order of properties.
    pub counts: Vec<PropertyCounts>,
    pub logs: Vec<LogState>,
}

/// What is remembered of one log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogState {
    /// Whose log it is.
    pub service: String,
    /// How many messages were judged.
    pub position: u64,
    /// The largest time seen.
    pub clock: Option<Number>,
    /// The last message.
    pub last: Mark,
    /// The last observations, and those that opened windows, with their positions.
    pub recent: Vec<(u64, Observation<'static>)>,
    /// Observations that wait to be put in order.
    pub waiting: Vec<Observation<'static>>,
    /// How often what properties name was there.
    pub census: Vec<u64>,
    /// Open windows.
    pub windows: Vec<WindowState>,
}

/// An open window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WindowState {
    /// The position of its property.
    pub property: usize,
    /// The message that opened it.
    pub opened: Mark,
    /// The position of that message in its log.
    pub position: u64,
    /// How many events of the context were seen.
    pub matched: usize,
    /// The values that the context bound.
    pub values: Vec<Datum<'static>>,
    /// Redacted values say whether its context was seen.
    pub redacted_context: bool,
    /// Redacted values say whether an answer was seen.
    pub redacted_answer: bool,
    /// What correlates it.
    pub key: Option<String>,
    pub session: Option<String>,
    /// Messages of its session since the context.
    pub counted: u64,
    /// The position at which it ends.
    pub last_position: u64,
    /// The time at which it ends.
    pub last_time: Option<Number>,
}

/// A state that does not belong to these properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl Monitor {
    /// What is remembered now.
    pub fn save(&self) -> State {
        State {
            sequence: self.sequence,
            observations: self.observations,
            counts: self.counts.clone(),
            logs: self
                .logs
                .iter()
                .map(|log| LogState {
                    service: log.service.to_string(),
                    position: log.position,
                    clock: log.clock.clone(),
                    last: log.last.clone(),
                    recent: kept(log),
                    waiting: log.reorder.waiting().cloned().collect(),
                    census: log.census.numbers(),
                    windows: self.window_states(log),
                })
                .collect(),
        }
    }

    /// Goes on from a state of the same properties.
    pub fn restore(&mut self, state: &State) -> Result<(), Mismatch> {
        if state.counts.len() != self.places.len() {
            return Err(Mismatch);
        }
        for saved in &state.logs {
            for window in &saved.windows {
                let (group, _) = self.places.get(window.property).ok_or(Mismatch)?;
                let group = &self.groups[*group];
                let fits = group.service.as_ref().is_none_or(|it| *it == saved.service);
                if !fits || window.matched == 0 || window.matched > group.context.len() {
                    return Err(Mismatch);
                }
            }
        }
        self.sequence = state.sequence;
        self.observations = state.observations;
        self.counts.clone_from(&state.counts);
        self.logs.clear();
        for saved in &state.logs {
            let log = self.log(&saved.service);
            let log = &mut self.logs[log];
            log.position = saved.position;
            log.census.restore(&saved.census);
            log.clock.clone_from(&saved.clock);
            log.last.clone_from(&saved.last);
            let mut kept = Vec::with_capacity(saved.recent.len());
            for (position, seen) in &saved.recent {
                log.recent.push(*position, seen);
                kept.extend(log.recent.last().cloned());
            }
            if let Some(slack) = self.config.slack {
                // None of them may be judged yet: they waited before, and no time has passed since.
                let mut ready = Vec::new();
                for seen in &saved.waiting {
                    log.reorder.take(seen, slack, &mut ready);
                }
            }
            if let KeepObservations::Samples(most) = self.config.keep {
                log.has_samples = log.has_samples(&self.groups, &self.counts, most);
            }
            for (number, windows) in &mut log.windows {
                let saved = saved.windows.iter().filter_map(|window| {
                    let (group, member) = self.places[window.property];
                    (group == *number).then_some((member, window))
                });
                let group = &self.groups[*number];
                for open in shared(group, saved) {
                    let context = context(&open, group, &kept);
                    windows.restore(group, Open { context, ..open });
                }
                if let Some(last) = windows.next_deadline() {
                    log.next_deadline = log.next_deadline.min(last);
                }
            }
        }
        Ok(())
    }

    /// The open windows of a log, property by property, the oldest first.
    fn window_states(&self, log: &Log) -> Vec<WindowState> {
        let mut states = Vec::new();
        for (group, windows) in &log.windows {
            let members = &self.groups[*group].members;
            for open in windows.open_windows() {
                let undecided = open.undecided.iter();
                states.extend(undecided.map(|it| window_state(members[it], it, open)));
            }
        }
        states.sort_by_key(|state| (state.property, state.position));
        states
    }
}

/// The last observations, and before them those that open windows hold.
fn kept(log: &Log) -> Vec<(u64, Observation<'static>)> {
    let windows = log.windows.iter().flat_map(|(_, it)| it.open_windows());
    let held = windows.flat_map(|window| window.context.iter());
    let all: BTreeMap<u64, &Arc<Kept>> = held
        .chain(log.recent.since(0))
        .map(|kept| (kept.position(), kept))
        .collect();
    let seen = |(position, kept): (u64, &Arc<Kept>)| (position, kept.observation(&log.service));
    all.into_iter().map(seen).collect()
}

/// The context of a window among what was kept: nothing else that counts for it lies between its messages.
fn context(open: &Open, group: &Group, kept: &[Arc<Kept>]) -> Context {
    let first = kept.partition_point(|it| it.position() < open.position);
    let counts = |it: &&Arc<Kept>| !group.per_session || it.session() == open.session.as_deref();
    let mut context = Context::default();
    if kept
        .get(first)
        .is_some_and(|it| it.position() == open.position)
    {
        let mut messages = kept[first..].iter().filter(counts).take(open.matched);
        context.begin(messages.next());
        messages.for_each(|it| context.push(Some(it)));
    }
    context
}

/// The windows of one group, the oldest first; what several members remember of one message is one window.
fn shared<'s>(group: &Group, states: impl Iterator<Item = (usize, &'s WindowState)>) -> Vec<Open> {
    let mut by_position: BTreeMap<u64, Open> = BTreeMap::new();
    for (member, state) in states {
        let open = by_position
            .entry(state.position)
            .or_insert_with(|| open(group.members[member], state));
        open.undecided.insert(member);
        if state.redacted_context {
            open.redacted_context.insert(member);
        }
        if state.redacted_answer {
            open.redacted_answer.insert(member);
        }
    }
    by_position.into_values().collect()
}

fn window_state(of: Member, member: usize, open: &Open) -> WindowState {
    WindowState {
        property: of.property,
        redacted_context: open.redacted_context.contains(member),
        redacted_answer: open.redacted_answer.contains(member),
        opened: open.opened.clone(),
        position: open.position,
        matched: open.matched,
        values: open.values.clone(),
        key: open.key.as_deref().map(str::to_owned),
        session: open.session.as_deref().map(str::to_owned),
        counted: open.counted,
        last_position: match of.window {
            Window::Messages(count) if open.ripened > 0 => open.ripened.saturating_add(count),
            _ => 0,
        },
        last_time: match of.window {
            Window::Milliseconds(length) => {
                let begun = open.begun.as_ref();
                begun.map(|begun| begun.plus(&milliseconds(length)))
            }
            Window::Messages(_) => None,
        },
    }
}

fn open(of: Member, state: &WindowState) -> Open {
    let last = state.last_time.as_ref();
    Open {
        opened: state.opened.clone(),
        position: state.position,
        matched: state.matched,
        values: state.values.clone(),
        key: state.key.as_deref().map(Arc::from),
        session: state.session.as_deref().map(Arc::from),
        counted: state.counted,
        ripened: match of.window {
            Window::Messages(count) => state.last_position.saturating_sub(count),
            Window::Milliseconds(_) => 0,
        },
        begun: match of.window {
            Window::Milliseconds(length) => last.map(|last| last.minus(&milliseconds(length))),
            Window::Messages(_) => None,
        },
        ..Open::default()
    }
}
