//! Workers of this process: each thread with some partitions, owned or watched.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use choros_exec::crew::{Stopwatch, nap};
use choros_monitor::WindowVerdict;
use choros_stream::{Fault, Misfit, Order, Pace, Worker};

use super::carry::Carrier;
use super::kept::KeptJudge;
use super::members::Share;
use super::place::Place;

/// Makes a judge of a partition with this number, of the stream with this incarnation.
pub(super) type JudgeMaker<'j, J> = &'j (dyn Fn(u32, &str) -> Result<J, Misfit> + Sync);

/// What the threads of a process share.
pub(super) struct Crew<'c, J> {
    pub(super) place: &'c Place,
    /// Of each partition which stream it is.
    pub(super) incarnations: &'c [String],
    /// A judge that has seen nothing, of a partition.
    pub(super) judge: JudgeMaker<'c, J>,
    /// Values that are wanted; without them all are.
    pub(super) wanted: Option<&'c [String]>,
    pub(super) pace: Pace,
    pub(super) share: &'c Share,
    pub(super) clock: Stopwatch,
    /// Becomes true when everything is to be given back.
    pub(super) stop: &'c AtomicBool,
    /// Becomes true when a worker cannot continue.
    pub(super) has_fault: AtomicBool,
    pub(super) faults: Mutex<BTreeMap<u32, Fault>>,
    pub(super) gauges: Vec<Gauge>,
}

/// What is worth showing of a partition.
#[derive(Debug, Default)]
pub(super) struct Gauge {
    pub(super) is_owned: AtomicBool,
    /// Messages that wait.
    pub(super) lag: AtomicU64,
    /// Observations judged by this process.
    pub(super) observations: AtomicU64,
    pub(super) open_windows: AtomicU64,
    /// How often this process took the partition over.
    pub(super) takeovers: AtomicU64,
    /// How often an order was not answered.
    pub(super) unanswered: AtomicU64,
}

/// Where nothing is to be done, one looks again after so many milliseconds.
const NAP: u64 = 10;
/// A broker that does not answer is not waited for longer at the end: others take the partitions over.
const LEAVING: u64 = 5_000;
/// Open windows are counted so often, in milliseconds.
const COUNT: u64 = 1_000;

struct Post<'c, J: KeptJudge> {
    partition: u32,
    worker: Worker<J>,
    carrier: Carrier<'c>,
    idle_until: u64,
    seen: u64,
    /// When open windows were counted.
    counted: u64,
    is_stopped: bool,
}

impl<J: KeptJudge> Crew<'_, J> {
    /// What one of so many threads does, until it is stopped and has given everything back.
    pub(super) fn work(&self, number: usize, threads: usize, name: &str) {
        let count = self.incarnations.len() as u32;
        let own = (0..count).filter(|it| *it as usize % threads == number);
        let mut posts: Vec<Post<'_, J>> = own.filter_map(|it| self.post(it, name)).collect();
        let mut stopped = None;
        loop {
            let is_stopping = self.stop.load(Ordering::Relaxed);
            let now = self.clock.milliseconds();
            if is_stopping && now > *stopped.get_or_insert(now) + LEAVING {
                return;
            }
            let mut is_busy = false;
            for post in &mut posts {
                if is_stopping {
                    post.worker.release();
                }
                is_busy |= self.step(post, is_stopping);
            }
            let is_over = posts.iter().all(|it| it.is_stopped || !it.worker.owns());
            if is_stopping && is_over {
                return;
            }
            if !is_busy {
                nap(NAP);
            }
        }
    }

    /// The partitions that this process owns.
    pub(super) fn owned(&self) -> Vec<u32> {
        let gauges = self.gauges.iter().zip(0..);
        let owned = gauges.filter(|(it, _)| it.is_owned.load(Ordering::Relaxed));
        owned.map(|(_, partition)| partition).collect()
    }

    fn post(&self, partition: u32, name: &str) -> Option<Post<'_, J>> {
        let place = partition as usize;
        let incarnation = &self.incarnations[place];
        let judge = match (self.judge)(partition, incarnation) {
            Ok(judge) => judge,
            Err(misfit) => {
                self.fail(partition, Fault::Misfit(misfit));
                return None;
            }
        };
        let name = format!("{name}.{partition}");
        Some(Post {
            partition,
            worker: Worker::new(name, incarnation.clone(), self.pace, judge),
            carrier: Carrier::new(self.place, partition, incarnation, self.wanted),
            idle_until: 0,
            seen: 0,
            counted: 0,
            is_stopped: false,
        })
    }

    fn fail(&self, partition: u32, fault: Fault) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.insert(partition, fault);
        self.has_fault.store(true, Ordering::Relaxed);
    }

    /// One order of one worker; whether there was any.
    fn step(&self, post: &mut Post<'_, J>, is_stopping: bool) -> bool {
        let then = self.clock.milliseconds();
        let owned = post.worker.owns();
        if post.is_stopped || then < post.idle_until || is_stopping && !owned {
            return false;
        }
        if owned && self.share.has_too_many(post.partition) {
            post.worker.release();
        }
        let order: Order<J::State, WindowVerdict> = post.worker.next(then);
        let report = match order {
            Order::Wait { until } => {
                post.idle_until = until.min(then + 50);
                return false;
            }
            Order::Stop(fault) => {
                self.stop_post(post, fault);
                return false;
            }
            // A partition is taken over if that is not more than a fair share.
            Order::Save { .. } if !owned && !self.share.take(post.partition) => {
                Ok(choros_stream::Report::Refused)
            }
            order => post.carrier.carry(order, &mut post.worker, then),
        };
        match report {
            Ok(report) => {
                let gauge = &self.gauges[post.partition as usize];
                if matches!(report, choros_stream::Report::Unanswered) {
                    gauge.unanswered.fetch_add(1, Ordering::Relaxed);
                    // Whoever did not answer has enough to do.
                    post.idle_until = self.clock.milliseconds() + 50;
                }
                post.worker.hear(report, then, self.clock.milliseconds());
                self.gauge(post, owned);
            }
            Err(fault) => self.stop_post(post, fault),
        }
        true
    }

    fn stop_post(&self, post: &mut Post<'_, J>, fault: Fault) {
        post.is_stopped = true;
        self.share.lost(post.partition);
        self.fail(post.partition, fault);
    }

    fn gauge(&self, post: &mut Post<'_, J>, owned: bool) {
        let gauge = &self.gauges[post.partition as usize];
        let owns = post.worker.owns();
        if !owns {
            self.share.lost(post.partition);
            gauge.is_owned.store(false, Ordering::Relaxed);
            gauge.lag.store(0, Ordering::Relaxed);
            gauge.open_windows.store(0, Ordering::Relaxed);
            return;
        }
        let observations = post.worker.judge().taken();
        if !owned {
            gauge.takeovers.fetch_add(1, Ordering::Relaxed);
            post.seen = observations;
        }
        // Another version begins to count again.
        let more = observations.checked_sub(post.seen).unwrap_or(observations);
        post.seen = observations;
        gauge.observations.fetch_add(more, Ordering::Relaxed);
        gauge.is_owned.store(true, Ordering::Relaxed);
        gauge.lag.store(post.carrier.lag, Ordering::Relaxed);
        // Counting them takes as long as there are many.
        let now = self.clock.milliseconds();
        if now >= post.counted + COUNT {
            post.counted = now;
            let open = post.worker.judge().open();
            gauge.open_windows.store(open, Ordering::Relaxed);
        }
    }
}
