//! The monitor: observations in, verdicts out, and nothing else.
//!
//! Section 4.2.2 of Nguyen's thesis: every message that validates the first candidate event opens a window; windows
//! overlap and are judged each on its own; a verdict is given as soon as it is known.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_data::Terms;
use choros_model::observation::Observation;
use choros_query::property::Properties;
use rustc_hash::FxHashMap;

use crate::census::{LogPresence, PartPresence};
use crate::config::{Config, KeepObservations};
use crate::group::{End, Group, Places, groups};
use crate::heads::Heads;
use crate::kind::ValueKind;
use crate::log::Log;
use crate::message::Message;
use crate::open::Decided;
use crate::pattern::UnusableProperty;
use crate::recent::{Kept, Recent};
use crate::verdict::{Mark, PropertyCounts, Remark, RemarkKind, WindowVerdict};
use crate::windows::Effects;

/// What a property needs and no record of the message has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingPart {
    /// Parts of messages of its context: no window can be opened.
    pub context: Vec<PartPresence>,
    /// Parts of messages of its consequence: these were never judged.
    pub consequence: Vec<PartPresence>,
    /// Its windows are in time, and no record has one.
    pub time: bool,
}

/// Watches properties over the logs of services.
#[derive(Debug, Clone)]
pub struct Monitor {
    pub(crate) groups: Vec<Group>,
    pub(crate) places: Places,
    heads: Heads,
    pub(crate) config: Config,
    pub(crate) logs: Vec<Log>,
    pub(crate) counts: Vec<PropertyCounts>,
    pub(crate) sequence: u64,
    pub(crate) observations: u64,
    /// Where the last observation was; most logs come in long runs.
    current: usize,
    verdicts: Vec<WindowVerdict>,
    remarks: Vec<Remark>,
    /// Empty between calls; kept for its room.
    pub(crate) effects: Effects,
    /// What verdicts have that carry no observations.
    no_window: Arc<[Observation<'static>]>,
}

impl Monitor {
    /// A monitor that has seen nothing; properties with mistakes cannot be watched.
    pub fn new(
        properties: &Properties,
        terms: &Terms,
        config: Config,
    ) -> Result<Monitor, UnusableProperty> {
        let mut heads = Heads::default();
        let (groups, places) = groups(properties, terms, &mut heads)?;
        Ok(Monitor {
            counts: vec![PropertyCounts::default(); places.len()],
            groups,
            places,
            heads,
            config,
            logs: Vec::new(),
            sequence: 0,
            observations: 0,
            current: 0,
            verdicts: Vec::new(),
            remarks: Vec::new(),
            effects: Effects::default(),
            no_window: Arc::from([]),
        })
    }

    /// Takes one observation; the verdicts that are known now are in [`Monitor::verdicts`].
    pub fn observe(&mut self, seen: &Observation<'_>) {
        self.begin();
        self.observations += 1;
        let log = self.log(&seen.by);
        match self.config.slack {
            None | Some(0) => self.judge(log, seen),
            Some(slack) => {
                let mut ready = Vec::new();
                self.logs[log].reorder.take(seen, slack, &mut ready);
                for observation in &ready {
                    self.judge(log, observation);
                }
            }
        }
    }

    /// What the last call made known is over.
    pub(crate) fn begin(&mut self) {
        self.verdicts.clear();
        self.remarks.clear();
    }

    /// No more observations will come: windows that are open are given up.
    pub fn finish(&mut self) {
        self.begin();
        for log_number in 0..self.logs.len() {
            for observation in self.logs[log_number].reorder.flush() {
                self.judge(log_number, &observation);
            }
            let end = if self.config.strict_end {
                End::Unmet
            } else {
                End::Cut
            };
            let log = &mut self.logs[log_number];
            for (group, windows) in &mut log.windows {
                windows.finish(&self.groups[*group], end, &mut self.effects);
            }
            let last = log.last.clone();
            self.tell(log_number, &last);
        }
    }

    /// The verdicts that the last call made known, in order.
    pub fn verdicts(&self) -> &[WindowVerdict] {
        &self.verdicts
    }

    /// What was strange about the observations that the last call judged.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The windows of each property so far.
    pub fn counts(&self) -> &[PropertyCounts] {
        &self.counts
    }

    /// How many observations were taken.
    pub fn observations(&self) -> u64 {
        self.observations
    }

    /// Whether something was observed by a service; without a name, by any.
    pub fn has_seen(&self, service: Option<&str>) -> bool {
        let mut logs = self.logs.iter();
        logs.any(|log| service.is_none_or(|service| *log.service == *service))
    }

    /// How many observations no property names.
    pub fn filtered(&self) -> u64 {
        let logs = self.logs.iter();
        logs.map(|log| log.census.taken - log.census.named).sum()
    }

    /// Messages that no property names, each with how often it was seen in this run, sorted.
    pub fn unnamed(&self) -> Vec<(String, u64)> {
        let mut all: BTreeMap<&String, u64> = BTreeMap::new();
        for (text, count) in self.logs.iter().flat_map(|log| log.census.unnamed()) {
            *all.entry(text).or_default() += count;
        }
        let all = all.into_iter();
        all.map(|(text, count)| (text.clone(), count)).collect()
    }

    /// What the log of each service holds.
    pub fn logs(&self) -> impl Iterator<Item = LogPresence> {
        self.logs.iter().map(|log| LogPresence {
            service: log.service.to_string(),
            taken: log.census.taken,
            timed: log.census.timed,
            identified: log.census.identified,
            in_session: log.census.in_session,
        })
    }

    /// How often the parts were there that properties name, each message once.
    pub fn presence(&self) -> Vec<PartPresence> {
        let mut heads: Vec<usize> = self.groups.iter().flat_map(Group::heads).collect();
        heads.sort_unstable();
        heads.dedup();
        let mut found: Vec<PartPresence> = Vec::new();
        for part in heads.into_iter().flat_map(|head| self.presence_of(head)) {
            let same = |it: &PartPresence| it.message == part.message && it.part == part.part;
            if !found.iter().any(same) {
                found.push(part);
            }
        }
        found
    }

    /// What a property needs and no record has.
    pub fn absent(&self, property: usize) -> MissingPart {
        let (group, member) = self.places[property];
        let group = &self.groups[group];
        let never = |head: usize| {
            let parts = self.presence_of(head).into_iter();
            parts.filter(|it| it.there == 0 && it.records > 0)
        };
        let context = group.context.iter().map(|it| it.head);
        let answers = group.answers.iter();
        let own = answers.filter(|it| it.members.contains(member));
        let taken: u64 = self.logs.iter().map(|log| log.census.taken).sum();
        let timed: u64 = self.logs.iter().map(|log| log.census.timed).sum();
        MissingPart {
            context: context.flat_map(never).collect(),
            consequence: own.map(|it| it.head).flat_map(never).collect(),
            time: group.needs_time() && taken > 0 && timed == 0,
        }
    }

    /// How often the parts of a head were there; an event that names no operation is recognised by its parts, so that
    /// a message without them is another message.
    fn presence_of(&self, head: usize) -> Vec<PartPresence> {
        if self.heads.operation(head).is_none() {
            return Vec::new();
        }
        let mut found: Vec<PartPresence> = self
            .heads
            .parts(head)
            .map(|part| PartPresence {
                message: self.heads.message(head),
                part: part.text(),
                there: 0,
                records: 0,
            })
            .collect();
        for (named, there) in self.logs.iter().filter_map(|it| it.census.presence(head)) {
            for (part, there) in found.iter_mut().zip(there) {
                part.records += named;
                part.there += there;
            }
        }
        found
    }

    /// How many windows of each property wait for their end.
    pub fn open_windows(&self) -> Vec<u64> {
        let mut open = vec![0; self.places.len()];
        for (group, windows) in self.logs.iter().flat_map(|log| &log.windows) {
            let group = &self.groups[*group];
            let is_complete = |matched| matched == group.context.len();
            for window in windows.open_windows().filter(|it| is_complete(it.matched)) {
                for member in window.undecided.iter() {
                    open[group.members[member].property] += 1;
                }
            }
        }
        open
    }

    /// The log of a service, begun if it is new.
    pub(crate) fn log(&mut self, service: &str) -> usize {
        let is_of = |log: &Log| *log.service == *service;
        if self.logs.get(self.current).is_some_and(is_of) {
            return self.current;
        }
        self.current = self.logs.iter().position(is_of).unwrap_or_else(|| {
            let log = Log::new(service, &self.groups, &self.heads, self.config.keep);
            self.logs.push(log);
            self.logs.len() - 1
        });
        self.current
    }

    /// Judges one observation of a log.
    pub(crate) fn judge(&mut self, log_number: usize, seen: &Observation<'_>) {
        let log = &mut self.logs[log_number];
        log.census.count(seen, &self.heads);
        if self.config.related_only {
            let mut told = log.dispatch.told(&seen.operation).iter();
            if !told.any(|&number| {
                let (group, _) = &log.windows[number];
                self.groups[*group].names(seen, &self.heads)
            }) {
                return;
            }
        }
        self.heads.begin();
        log.position += 1;
        let position = log.position;
        let service = &log.service;
        let remarks = &mut self.remarks;
        let mut remark = |kind: RemarkKind| {
            remarks.push(Remark {
                service: service.to_string(),
                line: seen.line,
                kind,
            });
        };
        match (&seen.at, &log.clock) {
            (Some(at), Some(clock)) if *at < *clock => {
                let by = clock.minus(at);
                remark(RemarkKind::Late { by });
            }
            (Some(at), _) => log.clock = Some(at.clone()),
            (None, _) if log.needs_time => remark(RemarkKind::NoTime),
            (None, _) => {}
        }
        if let Some(id) = &seen.id {
            let sends = seen.direction == choros_model::stg::Direction::Send;
            if log.identities.seen(id, sends) {
                remark(RemarkKind::DuplicateId(id.clone().into_owned()));
            }
        }
        log.last.line = seen.line;
        log.last.at.clone_from(&seen.at);
        if log.has_samples {
            // Once every property has its samples, no one will ask for more.
            log.recent.clear()
        } else {
            log.recent.push(position, seen)
        }
        let now = seen.at.as_ref().or(log.clock.as_ref());
        let message = Message::new(seen, position, now, log.recent.last());
        let effects = &mut self.effects;
        let mut stumbled: Vec<(String, ValueKind)> = Vec::new();
        for &number in log.dispatch.told(&seen.operation) {
            let (group, windows) = &mut log.windows[number];
            let group = &self.groups[*group];
            if let Some(now) = now.filter(|_| group.needs_time()) {
                windows.expire_by_time(group, now, effects);
            }
            let most = self.config.most_windows;
            windows.observe(group, &mut self.heads, message, most, effects);
            if let Some(last) = windows.next_deadline() {
                log.next_deadline = log.next_deadline.min(last);
            }
            let property = group.members[0].property;
            for (part, kind) in effects.wrong_kinds.drain(..) {
                // Many properties may stumble over one value.
                if !stumbled.contains(&(part.clone(), kind)) {
                    stumbled.push((part.clone(), kind));
                    remark(RemarkKind::WrongKind {
                        property,
                        part,
                        kind,
                    });
                }
            }
            if std::mem::take(&mut effects.uncorrelated) {
                remark(RemarkKind::Uncorrelated { property });
            }
        }
        if position >= log.next_deadline {
            log.next_deadline = u64::MAX;
            for (group, windows) in &mut log.windows {
                windows.expire_by_position(&self.groups[*group], position, effects);
                if let Some(last) = windows.next_deadline() {
                    log.next_deadline = log.next_deadline.min(last);
                }
            }
        }
        if !effects.decided.is_empty() {
            let mark = Mark {
                line: seen.line,
                at: seen.at.clone(),
            };
            self.tell(log_number, &mark);
        }
    }

    /// Makes verdicts of what was decided: property by property, the oldest window first.
    pub(crate) fn tell(&mut self, log_number: usize, mark: &Mark) {
        let log = &mut self.logs[log_number];
        let decided = &mut self.effects.decided;
        let order = |decided: &Decided| (decided.property, decided.position);
        if !decided.is_sorted_by_key(order) {
            decided.sort_by_key(order);
        }
        let mut shared: FxHashMap<_, Arc<[_]>> = FxHashMap::default();
        for decided in decided.drain(..) {
            self.sequence += 1;
            let counts = &mut self.counts[decided.property];
            counts.redacted += u64::from(decided.is_redacted);
            let number = counts.add(&decided, decided.outcome);
            let is_kept = match self.config.keep {
                KeepObservations::Nothing => false,
                KeepObservations::Samples(most) => number <= most,
                KeepObservations::All => true,
            };
            let window = if is_kept {
                shared
                    .entry((decided.position, decided.session.clone()))
                    .or_insert_with(|| window(&decided, &log.service, &log.recent))
                    .clone()
            } else {
                self.no_window.clone()
            };
            if let KeepObservations::Samples(most) = self.config.keep
                && number == most
            {
                log.has_samples = log.has_samples(&self.groups, &self.counts, most);
            }
            self.verdicts.push(WindowVerdict {
                sequence: self.sequence,
                property: decided.property,
                service: log.service.clone(),
                outcome: decided.outcome,
                opened: decided.opened,
                decided: mark.clone(),
                key: decided.key,
                window,
            });
        }
    }
}

/// The observations of a window: its context, and of those after it the ones that are still there.
fn window(decided: &Decided, service: &Arc<str>, recent: &Recent) -> Arc<[Observation<'static>]> {
    let context: Vec<&Arc<Kept>> = decided.context.iter().collect();
    let last = context
        .last()
        .map_or(decided.position, |it| it.position() + 1);
    let is_of_session = |kept: &&Arc<Kept>| match &decided.session {
        Some(session) => kept.session() == session.as_deref(),
        None => true,
    };
    let after = recent.since(last).filter(is_of_session);
    let all = context.into_iter().chain(after);
    all.map(|kept| kept.observation(service)).collect()
}
