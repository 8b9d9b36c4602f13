//! What a process does at a stream, from the beginning to the end: its workers, who hears the verdicts, who shows them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use choros_codes::diagnostics::unusable_stream;
use choros_exec::crew::{Stopwatch, cores, nap, own_name, with_crew};
use choros_exec::tell::Page;
use choros_exec::verdicts::VerdictOutput;
use choros_monitor::Watcher;
use choros_report::answers::{RunNotes, Stop};
use choros_stream::{Fault, Pace};

use super::crew::{Crew, Gauge, JudgeMaker};
use super::deliver::Deliveries;
use super::follow::{Follower, NotReached};
use super::kept::KeptJudge;
use super::members::{Members, Share};
use super::place::{Division, Place};
use super::request::{Screen, StreamRequest};
use super::show::Show;
use crate::WatchContext;
use crate::monitor::ledger::Ledger;

/// A checkpoint of a silent owner is renewed so often within its patience.
const BEATS: u64 = 4;
/// Verdicts are looked for so often, in milliseconds.
const POLL: u64 = 50;
/// Whoever does nothing for so many milliseconds does not live.
const LIVING: u64 = 30_000;
/// Members meet so often, in milliseconds.
const MEET: u64 = 500;

/// A stream, and what it is judged by.
pub(super) struct Watched<'w, J> {
    pub(super) place: &'w Place,
    pub(super) division: &'w Division,
    /// Of each partition which stream it is.
    pub(super) incarnations: &'w [String],
    pub(super) judge: JudgeMaker<'w, J>,
    /// Values that are wanted; without them all are.
    pub(super) wanted: Option<&'w [String]>,
    pub(super) stream: &'w StreamRequest,
    pub(super) context: WatchContext<'w>,
}

impl<J: KeptJudge> Watched<'_, J> {
    /// Works until the stream ends or someone stops it; the last state of each partition that has one.
    pub(super) fn run(
        &self,
        ledger: &mut Ledger<'_>,
        monitor: &dyn Watcher,
        run: &mut RunNotes,
    ) -> Result<Vec<J::State>, Stop> {
        let (place, division, context) = (self.place, self.division, self.context);
        let (stream, incarnations) = (self.stream, self.incarnations);
        let share = Share::new(division.partitions);
        let stop = AtomicBool::new(false);
        let pace = pace(stream);
        let crew = Crew {
            place,
            incarnations,
            judge: self.judge,
            wanted: self.wanted,
            pace,
            share: &share,
            clock: Stopwatch::start(),
            stop: &stop,
            has_fault: AtomicBool::new(false),
            faults: Mutex::new(BTreeMap::new()),
            gauges: incarnations.iter().map(|_| Gauge::default()).collect(),
        };
        let threads = stream.workers.unwrap_or_else(cores);
        let threads = threads.min(division.partitions as usize);
        let name = own_name();
        let mut follower = Follower::new(place, incarnations);
        for partition in 0..division.partitions {
            let reached = follower.reached::<J>(partition);
            if let Err(NotReached::Unusable(fault)) = reached {
                return Err(stopped(partition, &fault, place, run));
            }
        }
        context.events.listening(format!(
            "watching `{}` on {}: {} partitions by {}, {threads} workers here",
            place.names.stream,
            place.address,
            division.partitions,
            if division.by_service {
                "service"
            } else {
                "session"
            },
        ));
        let page = Arc::new(Mutex::new((String::new(), 0)));
        let shown = stream
            .metrics
            .as_deref()
            .map(|it| open_page(it, &page, crew.clock));
        let shown = shown.transpose().map_err(Stop::World)?;
        if let Some(shown) = &shown {
            let address = shown.address();
            let text = format!("metrics on http://{address}/metrics");
            context.events.listening(text);
        }
        let mut show = Show::new(&ledger.names);
        let mut deliveries = Deliveries::new(place, stream);
        let work = |number: usize| crew.work(number, threads, &name);
        let ended = with_crew(threads, &work, || {
            let mut members = Members::new(&name, pace.patience.max(3 * MEET));
            let ended = meanwhile(&crew, threads, &mut members, &mut |met| {
                let is_new = follower.hear(ledger, monitor, &mut show);
                let is_new = is_new.map_err(|error| error.to_string())?;
                let is_told = deliveries
                    .as_mut()
                    .is_none_or(|it| it.deliver(&crew.owned()));
                if let Some(met) = met {
                    show.met(met);
                    show.look(&crew);
                    let failed = deliveries.as_ref().map_or(0, |it| it.failed);
                    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
                    *page = (show.metrics(&crew, failed), crew.clock.milliseconds());
                    if let Some(Screen(screen)) = &stream.screen {
                        screen(&show.top(&crew));
                    }
                }
                if context.cancel.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                let may_end = stream.until_end && !is_new && is_told;
                Ok(!(may_end && is_over::<J>(&follower, division.partitions)?))
            });
            stop.store(true, Ordering::Relaxed);
            if threads > 0 {
                members.leave(place);
            }
            ended
        });
        ended.map_err(Stop::World)?;
        let mut faults = crew.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((partition, fault)) = faults.pop_first() {
            return Err(stopped(partition, &fault, place, run));
        }
        let mut states = Vec::new();
        for partition in 0..division.partitions {
            match follower.reached::<J>(partition) {
                Ok(reached) => states.extend(reached.state),
                Err(NotReached::Unusable(fault)) => {
                    return Err(stopped(partition, &fault, place, run));
                }
                Err(NotReached::Unanswered(why)) => return Err(Stop::World(why)),
            }
        }
        let flushed = ledger.output.as_mut().map_or(Ok(()), VerdictOutput::flush);
        flushed.map_err(|error| Stop::World(format!("cannot write verdicts: {error}")))?;
        if follower.others > 0 {
            run.note(format!(
                "{} verdicts are about properties of other versions",
                follower.others
            ));
        }
        Ok(states)
    }
}

fn pace(stream: &StreamRequest) -> Pace {
    let patience = u64::try_from(stream.patience.as_millis()).unwrap_or(u64::MAX);
    Pace {
        patience,
        heartbeat: (patience / BEATS).max(1),
        every: stream.checkpoint_every,
        ..Pace::default()
    }
}

/// Keeps the members together, and does something again and again until it says that it is over; it hears how many
/// members there are whenever they were counted.
fn meanwhile<J: KeptJudge>(
    crew: &Crew<'_, J>,
    threads: usize,
    members: &mut Members,
    again: &mut dyn FnMut(Option<usize>) -> Result<bool, String>,
) -> Result<(), String> {
    let mut met = None;
    loop {
        let now = crew.clock.milliseconds();
        let mut count = None;
        if met.is_none_or(|it| now >= it + MEET) {
            met = Some(now);
            count = members.meet(crew.place, now, threads > 0);
            if let Some(count) = count {
                crew.share.among(count);
            }
        }
        if !again(count)? || crew.has_fault.load(Ordering::Relaxed) {
            return Ok(());
        }
        nap(POLL);
    }
}

/// A page with metrics, and one that says whether this process lives.
fn open_page(
    address: &str,
    page: &Arc<Mutex<(String, u64)>>,
    clock: Stopwatch,
) -> Result<Page, String> {
    let page = page.clone();
    let answer = move |path: &str| {
        let (text, at) = page.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let silent = clock.milliseconds() - at;
        match path {
            "/metrics" => (200, text),
            "/healthz" if silent > LIVING => (503, format!("silent for {silent} ms\n")),
            "/healthz" => (200, "ok\n".to_owned()),
            _ => (404, "/metrics and /healthz\n".to_owned()),
        }
    };
    Page::open(address, answer).map_err(|error| format!("cannot listen on `{address}`: {error}"))
}

/// Whether all partitions were judged to their end, and all that was told of them was heard.
fn is_over<J: KeptJudge>(follower: &Follower<'_>, partitions: u32) -> Result<bool, String> {
    for partition in 0..partitions {
        let Ok(reached) = follower.reached::<J>(partition) else {
            return Ok(false);
        };
        if !reached.is_over || !follower.has_heard(partition as usize, reached.told) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Why a worker could not continue, with what helps.
fn stopped(partition: u32, fault: &Fault, place: &Place, run: &mut RunNotes) -> Stop {
    let stream = place.names.entries(partition);
    run.findings.push(unusable_stream::stopped(
        &stream,
        &fault.to_string(),
        &place.names.watch,
    ));
    Stop::Mistakes
}
