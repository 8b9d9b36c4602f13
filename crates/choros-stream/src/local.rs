//! Workers within one process, each with its partition, and a broker that only they know.
//!
//! They are the same workers that share a stream with others; here every order is carried out at once.

use std::collections::{BTreeMap, VecDeque};

use choros_data::Terms;
use choros_model::observation::Observation;
use choros_monitor::{
    Config, LogPresence, Mark, MissingPart, Monitor, PartPresence, PropertyCounts, Remark, State,
    Watcher, WindowVerdict,
};
use choros_query::property::Properties;

use crate::checkpoint::Checkpoint;
use crate::entry::{Content, Entry};
use crate::judge::{Judge, Misfit};
use crate::partition::{PartitionKey, partition_of, partitioned_by};
use crate::properties::{PropertyJudge, VersionState, Versions};
use crate::verdict::Told;
use crate::worker::{Fault, Order, Pace, Report, Worker};

/// The name of the only stream.
const STREAM: &str = "local";

/// The only version of the properties.
const ONLY: u32 = 1;

/// Nothing is taken over here, and nothing is kept for others.
const PACE: Pace = Pace {
    patience: 0,
    heartbeat: u64::MAX,
    poll: 1,
    every: u64::MAX,
    most: 256,
};

/// Properties, watched by a worker per partition.
pub struct Partitioned {
    key: PartitionKey,
    partitions: Vec<Partition>,
    /// The services, in the order in which they were seen, and the last message of each.
    services: Vec<(String, Mark)>,
    observations: u64,
    sequence: u64,
    verdicts: Vec<WindowVerdict>,
    remarks: Vec<Remark>,
    fault: Option<Fault>,
}

struct Partition {
    worker: Worker<PropertyJudge>,
    store: Store,
    now: u64,
}

/// What a broker would keep of a partition.
#[derive(Default)]
struct Store {
    last: u64,
    entries: VecDeque<Entry>,
    revision: u64,
    checkpoint: Option<Checkpoint<VersionState>>,
    count: u64,
    told: Vec<Told<WindowVerdict>>,
}

impl Partitioned {
    /// Workers that have seen nothing.
    pub fn new(
        properties: &Properties,
        terms: &Terms,
        config: Config,
        partitions: u32,
    ) -> Result<Partitioned, Misfit> {
        let key = partitioned_by(properties, &config);
        let versions = Versions::new(STREAM, (ONLY, properties), terms, config)?;
        let mut all = Vec::new();
        for number in 0..partitions.max(1) {
            let judge = PropertyJudge::new(versions.clone())?;
            let owner = format!("worker {number}");
            all.push(Partition {
                worker: Worker::new(owner, STREAM.to_owned(), PACE, judge),
                store: Store::default(),
                now: 0,
            });
        }
        Ok(Partitioned {
            key,
            partitions: all,
            services: Vec::new(),
            observations: 0,
            sequence: 0,
            verdicts: Vec::new(),
            remarks: Vec::new(),
            fault: None,
        })
    }

    /// What workers elsewhere have judged of these properties, by the states of their partitions; states of other
    /// versions say nothing about them.
    pub fn resume(&mut self, states: &[VersionState], version: u32) -> Result<(), Misfit> {
        let states = states.iter().filter(|it| it.version == version);
        for (partition, state) in self.partitions.iter_mut().zip(states) {
            let state = VersionState {
                version: ONLY,
                state: state.state.clone(),
            };
            partition.worker.judge_mut().restore(Some(&state))?;
            let monitor = partition.worker.judge().monitor();
            self.observations += monitor.observations();
            for log in monitor.logs() {
                if self.services.iter().all(|(known, _)| *known != log.service) {
                    self.services.push((log.service, Mark::default()));
                }
            }
        }
        Ok(())
    }

    /// By what observations are divided.
    pub fn key(&self) -> &PartitionKey {
        &self.key
    }

    fn monitors(&self) -> impl Iterator<Item = &Monitor> {
        self.partitions.iter().map(|it| it.worker.judge().monitor())
    }

    /// Gives verdicts the numbers that a single monitor would give them.
    fn number(&mut self, told: impl IntoIterator<Item = WindowVerdict>) {
        for verdict in told {
            self.sequence += 1;
            self.verdicts.push(WindowVerdict {
                sequence: self.sequence,
                ..verdict
            });
        }
    }
}

impl Partition {
    /// Appends an entry and lets the worker judge it; the verdicts on it.
    fn take(&mut self, content: Content) -> Result<Vec<WindowVerdict>, Fault> {
        self.store.last += 1;
        let sequence = self.store.last;
        self.store.entries.push_back(Entry { sequence, content });
        while !(self.store.entries.is_empty() && self.worker.is_settled()) {
            self.now += 1;
            match self.worker.next(self.now) {
                Order::Wait { until } => self.now = until,
                Order::Stop(fault) => return Err(fault),
                order => {
                    let report = self.store.answer(order);
                    self.worker.hear(report, self.now, self.now);
                }
            }
        }
        let told = self.store.told.drain(..);
        Ok(told.map(|it| it.verdict).collect())
    }
}

impl Store {
    fn answer(&mut self, order: Order<VersionState, WindowVerdict>) -> Report<VersionState> {
        match order {
            Order::ReadCheckpoint => Report::Checkpoint {
                revision: self.revision,
                checkpoint: self.checkpoint.clone(),
            },
            Order::Save { checkpoint, .. } => {
                self.revision += 1;
                self.checkpoint = Some(checkpoint);
                Report::Saved {
                    revision: self.revision,
                }
            }
            Order::ReadVerdicts { .. } => Report::Verdicts {
                names: Vec::new(),
                last: self.count,
            },
            Order::Publish { verdicts, .. } => {
                self.count += verdicts.len() as u64;
                self.told.extend(verdicts);
                Report::Published
            }
            Order::Fetch { most, .. } => Report::Entries {
                incarnation: STREAM.to_owned(),
                entries: self.entries.drain(..most.min(self.entries.len())).collect(),
            },
            Order::Wait { .. } | Order::Stop(_) => Report::Unanswered,
        }
    }
}

impl Watcher for Partitioned {
    fn observe(&mut self, seen: &Observation<'_>) {
        self.verdicts.clear();
        self.remarks.clear();
        self.observations += 1;
        let last = Mark {
            line: seen.line,
            at: seen.at.clone(),
        };
        match self.services.iter_mut().find(|(it, _)| *it == *seen.by) {
            Some((_, known)) => *known = last,
            None => self.services.push((seen.by.to_string(), last)),
        }
        let count = self.partitions.len() as u32;
        let number = partition_of(self.key.of(seen), count) as usize;
        let content = Content::Seen(vec![seen.clone().into_owned()]);
        match self.partitions[number].take(content) {
            Ok(told) => {
                self.number(told);
                let monitor = self.partitions[number].worker.judge().monitor();
                self.remarks.extend(monitor.remarks().iter().cloned());
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Windows that are open are told of in the order of services, properties, and the places that opened them.
    fn finish(&mut self) {
        self.verdicts.clear();
        self.remarks.clear();
        let mut all = Vec::new();
        for partition in &mut self.partitions {
            match partition.take(Content::End(self.services.clone())) {
                Ok(told) => all.extend(told),
                Err(fault) => self.fault = Some(fault),
            }
        }
        let of_service = |it: &WindowVerdict| {
            let mut services = self.services.iter();
            services.position(|(service, _)| **service == *it.service)
        };
        all.sort_by_key(|it| (of_service(it), it.property, it.opened.line));
        self.number(all);
    }

    fn verdicts(&self) -> &[WindowVerdict] {
        &self.verdicts
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn counts(&self) -> Vec<PropertyCounts> {
        let mut sum: Vec<PropertyCounts> = Vec::new();
        for monitor in self.monitors() {
            sum.resize(monitor.counts().len(), PropertyCounts::default());
            for (sum, counts) in sum.iter_mut().zip(monitor.counts()) {
                sum.pass.add(counts.pass);
                sum.fail += counts.fail;
                sum.inconclusive += counts.inconclusive;
                sum.redacted += counts.redacted;
            }
        }
        sum
    }

    fn observations(&self) -> u64 {
        self.observations
    }

    fn has_seen(&self, service: Option<&str>) -> bool {
        let mut services = self.services.iter();
        services.any(|(it, _)| service.is_none_or(|service| it == service))
    }

    fn filtered(&self) -> u64 {
        self.monitors().map(Monitor::filtered).sum()
    }

    fn unnamed(&self) -> Vec<(String, u64)> {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for (text, count) in self.monitors().flat_map(Monitor::unnamed) {
            *all.entry(text).or_default() += count;
        }
        all.into_iter().collect()
    }

    fn logs(&self) -> Vec<LogPresence> {
        let of = |(service, _): &(String, Mark)| {
            let mut sum = LogPresence {
                service: service.clone(),
                taken: 0,
                timed: 0,
                identified: 0,
                in_session: 0,
            };
            for log in self.monitors().flat_map(Monitor::logs) {
                if log.service == *service {
                    sum.taken += log.taken;
                    sum.timed += log.timed;
                    sum.identified += log.identified;
                    sum.in_session += log.in_session;
                }
            }
            sum
        };
        self.services.iter().map(of).collect()
    }

    fn presence(&self) -> Vec<PartPresence> {
        let mut sum: Vec<PartPresence> = Vec::new();
        for part in self.monitors().flat_map(Monitor::presence) {
            let is_same =
                |it: &&mut PartPresence| it.message == part.message && it.part == part.part;
            match sum.iter_mut().find(is_same) {
                Some(known) => {
                    known.there += part.there;
                    known.records += part.records;
                }
                None => sum.push(part),
            }
        }
        sum
    }

    fn absent(&self, property: usize) -> MissingPart {
        let presence = self.presence();
        let never = |parts: Vec<PartPresence>| {
            let mut found: Vec<PartPresence> = Vec::new();
            for part in parts {
                let is_same =
                    |it: &&PartPresence| it.message == part.message && it.part == part.part;
                let sum = presence.iter().find(is_same);
                if let Some(sum) = sum.filter(|it| it.there == 0)
                    && !found.iter().any(|it| is_same(&it))
                {
                    found.push(sum.clone());
                }
            }
            found
        };
        let all: Vec<MissingPart> = self.monitors().map(|it| it.absent(property)).collect();
        let context = all.iter().flat_map(|it| it.context.clone()).collect();
        let consequence = all.iter().flat_map(|it| it.consequence.clone()).collect();
        let is_timed = self.logs().iter().any(|it| it.timed > 0);
        MissingPart {
            context: never(context),
            consequence: never(consequence),
            time: !is_timed && all.iter().any(|it| it.time),
        }
    }

    fn open_windows(&self) -> Vec<u64> {
        let mut sum: Vec<u64> = Vec::new();
        for open in self.monitors().map(Monitor::open_windows) {
            sum.resize(open.len(), 0);
            for (sum, open) in sum.iter_mut().zip(open) {
                *sum += open;
            }
        }
        sum
    }

    fn state(&self) -> Option<State> {
        None
    }

    fn stopped(&self) -> Option<String> {
        self.fault.as_ref().map(ToString::to_string)
    }
}
