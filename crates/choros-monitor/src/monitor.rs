//! The monitor: observations in, verdicts out, and nothing else.
//!
//! Section 4.2.2 of Nguyen's thesis: every message that validates the first candidate event opens a window; windows
//! overlap and are judged each on its own; a verdict is given as soon as it is known.

use std::sync::Arc;

use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_query::property::Properties;

use crate::config::{Config, Keep};
use crate::heads::Heads;
use crate::identities::Identities;
use crate::pattern::{Unusable, patterns};
use crate::recent::Recent;
use crate::reorder::Reorder;
use crate::verdict::{Counts, Mark, Outcome, Remark, RemarkKind, WindowVerdict};
use crate::watch::Watch;
use crate::watching::{Decided, Effects, Watching};

/// Watches properties over the logs of services.
#[derive(Debug, Clone)]
pub struct Monitor {
    pub(crate) watches: Vec<Watch>,
    heads: Heads,
    pub(crate) config: Config,
    pub(crate) logs: Vec<Log>,
    pub(crate) counts: Vec<Counts>,
    pub(crate) sequence: u64,
    pub(crate) observations: u64,
    /// Where the last observation was; most logs come in long runs.
    current: usize,
    verdicts: Vec<WindowVerdict>,
    remarks: Vec<Remark>,
    /// Empty between calls; kept for its room.
    effects: Effects,
}

/// What is known of the log of one service.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    pub(crate) service: Arc<str>,
    /// How many messages were judged.
    pub(crate) position: u64,
    /// The largest time seen.
    pub(crate) clock: Option<Number>,
    /// The last message.
    pub(crate) last: Mark,
    /// The properties about it, and their windows.
    pub(crate) watching: Vec<(usize, Watching)>,
    pub(crate) recent: Recent,
    pub(crate) reorder: Reorder,
    identities: Identities,
    needs_time: bool,
}

impl Log {
    /// Whether enough windows of each property have passed, and enough have failed.
    fn has_samples(&self, counts: &[Counts], most: u64) -> bool {
        self.watching.iter().all(|(property, _)| {
            let counts = &counts[*property];
            counts.pass >= most && counts.fail >= most
        })
    }
}

/// More observations than this are not kept for evidence.
const MOST_RECENT: usize = 1024;

impl Monitor {
    /// A monitor that has seen nothing; properties with mistakes cannot be watched.
    pub fn new(
        properties: &Properties,
        terms: &Terms,
        config: Config,
    ) -> Result<Monitor, Unusable> {
        let mut watches = Vec::new();
        let mut heads = Heads::default();
        for property in &properties.local {
            let (context, consequence) = patterns(property, terms)?;
            watches.push(Watch::new(property, context, consequence, &mut heads));
        }
        Ok(Monitor {
            counts: vec![Counts::default(); watches.len()],
            watches,
            heads,
            config,
            logs: Vec::new(),
            sequence: 0,
            observations: 0,
            current: 0,
            verdicts: Vec::new(),
            remarks: Vec::new(),
            effects: Effects::default(),
        })
    }

    /// Takes one observation; the verdicts that are known now are in [`Monitor::verdicts`].
    pub fn observe(&mut self, seen: &Observation<'_>) {
        self.verdicts.clear();
        self.remarks.clear();
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

    /// No more observations will come: windows that are open are given up.
    pub fn finish(&mut self) {
        self.verdicts.clear();
        self.remarks.clear();
        for log in 0..self.logs.len() {
            for observation in self.logs[log].reorder.flush() {
                self.judge(log, &observation);
            }
            let log = &mut self.logs[log];
            for (property, windows) in &mut log.watching {
                let watch = &self.watches[*property];
                let outcome = match self.config.strict_end {
                    true => watch.unmet(),
                    false => Outcome::Inconclusive,
                };
                let effects = &mut self.effects;
                windows.finish(watch, outcome, effects);
                for decided in effects.decided.drain(..) {
                    self.sequence += 1;
                    let number = self.counts[*property].add(decided.outcome);
                    self.verdicts.push(WindowVerdict {
                        sequence: self.sequence,
                        ..verdict(
                            *property,
                            decided,
                            &log.service,
                            &log.recent,
                            log.last.clone(),
                            (self.config.keep, number),
                        )
                    });
                }
            }
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
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// How many observations were taken.
    pub fn observations(&self) -> u64 {
        self.observations
    }

    /// How many windows of each property wait for their end.
    pub fn open_windows(&self) -> Vec<u64> {
        let mut open = vec![0; self.watches.len()];
        for (property, windows) in self.logs.iter().flat_map(|log| &log.watching) {
            let context = self.watches[*property].context.len();
            let complete = windows.open_windows();
            open[*property] += complete.iter().filter(|it| it.matched == context).count() as u64;
        }
        open
    }

    /// The log of a service, begun if it is new.
    pub(crate) fn log(&mut self, service: &str) -> usize {
        if self
            .logs
            .get(self.current)
            .is_some_and(|log| *log.service == *service)
        {
            return self.current;
        }
        self.current = match self.logs.iter().position(|log| *log.service == *service) {
            Some(known) => known,
            None => {
                let about = |watch: &Watch| watch.service.as_deref().is_none_or(|it| it == service);
                let watching: Vec<(usize, Watching)> = (0..self.watches.len())
                    .filter(|&property| about(&self.watches[property]))
                    .map(|property| (property, Watching::default()))
                    .collect();
                let sizes = watching
                    .iter()
                    .map(|(property, _)| self.watches[*property].size().unwrap_or(MOST_RECENT));
                let recent = match self.config.keep {
                    Keep::Nothing => 0,
                    _ => sizes.max().unwrap_or(0).min(MOST_RECENT),
                };
                self.logs.push(Log {
                    service: service.into(),
                    position: 0,
                    clock: None,
                    last: Mark::default(),
                    needs_time: watching
                        .iter()
                        .any(|(property, _)| self.watches[*property].needs_time()),
                    watching,
                    recent: Recent::new(recent),
                    reorder: Reorder::default(),
                    identities: Identities::default(),
                });
                self.logs.len() - 1
            }
        };
        self.current
    }

    /// Judges one observation of a log.
    fn judge(&mut self, log: usize, seen: &Observation<'_>) {
        let log = &mut self.logs[log];
        if self.config.related_only {
            let names = |(property, _): &(usize, Watching)| {
                self.watches[*property].names(seen, &self.heads)
            };
            if !log.watching.iter().any(names) {
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
        match self.config.keep {
            // Once every property has its samples, nobody will ask for more.
            Keep::Samples(most) if log.has_samples(&self.counts, most) => log.recent.clear(),
            _ => log.recent.push(position, seen),
        }
        let now = seen.at.as_ref().or(log.clock.as_ref());
        for (property, windows) in &mut log.watching {
            let watch = &self.watches[*property];
            let effects = &mut self.effects;
            if let Some(now) = now.filter(|_| watch.needs_time()) {
                windows.expire_by_time(watch, now, effects);
            }
            windows.observe(
                watch,
                &mut self.heads,
                seen,
                position,
                now,
                self.config.most_windows,
                effects,
            );
            if let Some(part) = effects.wrong_kind.take() {
                remark(RemarkKind::WrongKind {
                    property: *property,
                    part,
                });
            }
            if std::mem::take(&mut effects.uncorrelated) {
                remark(RemarkKind::Uncorrelated {
                    property: *property,
                });
            }
            if effects.decided.len() > 1 {
                effects.decided.sort_by_key(|decided| decided.position);
            }
            for decided in effects.decided.drain(..) {
                let mark = Mark {
                    line: seen.line,
                    at: seen.at.clone(),
                };
                self.sequence += 1;
                let number = self.counts[*property].add(decided.outcome);
                let verdict = verdict(
                    *property,
                    decided,
                    service,
                    &log.recent,
                    mark,
                    (self.config.keep, number),
                );
                self.verdicts.push(WindowVerdict {
                    sequence: self.sequence,
                    ..verdict
                });
            }
        }
    }
}

fn verdict(
    property: usize,
    decided: Decided,
    service: &Arc<str>,
    recent: &Recent,
    mark: Mark,
    (keep, number): (Keep, u64),
) -> WindowVerdict {
    let is_kept = match keep {
        Keep::Nothing => false,
        Keep::Samples(most) => number <= most,
        Keep::All => true,
    };
    let window = match is_kept {
        true => recent
            .since(decided.position, service)
            .into_iter()
            .map(|(_, seen)| seen)
            .filter(|seen| match &decided.session {
                Some(session) => seen.session.as_deref() == session.as_deref(),
                None => true,
            })
            .collect(),
        false => Vec::new(),
    };
    WindowVerdict {
        sequence: 0,
        property,
        service: service.clone(),
        outcome: decided.outcome,
        opened: decided.opened,
        decided: mark,
        key: decided.key,
        window,
    }
}
