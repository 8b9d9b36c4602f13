//! Logs, put into a stream.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use choros_bind::{Vocabulary, unusable_binding};
use choros_codes::diagnostics::unusable_stream;
use choros_exec::crew::Stopwatch;
use choros_exec::feed::{FeedRun, FileProgress, Flow, Renewal, Sink, run as turn};
use choros_exec::log::{RecordProblem, WantedValues};
use choros_exec::milliseconds_since_1970;
use choros_exec::nats::{Keep, StreamPlan};
use choros_model::observation::Observation;
use choros_monitor::{
    LogPresence, MissingPart, PartPresence, PropertyCounts, Remark, State, Watcher, WindowVerdict,
};
use choros_query::property::Properties;
use choros_report::Events;
use choros_report::answers::{FeedAnswer, RunNotes, Stop};
use choros_stream::PartitionKey;

use super::entries;
use super::lanes::{Lanes, NotFed};
use super::place::{DIVIDED_BY, Division, PARTITIONS, Place, SERVICE, SESSION, world};
use super::request::FeedRequest;
use super::versions::add_version;
use crate::WatchContext;
use crate::live::live_message;
use crate::mapping::{binder, tell_tally};
use crate::monitor::inputs::Inputs;
use crate::monitor::ledger::Problems;

/// Puts logs, ticks, changes and the end into a stream, each once.
pub fn feed(
    request: &FeedRequest,
    properties: Option<&Properties>,
    context: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<FeedAnswer, Stop> {
    if let (true, Some(path)) = (
        context.binding.is_some_and(|it| it.draft),
        &request.reading.mapping,
    ) {
        let why = "what is published would not say that it rests on it";
        run.findings.push(unusable_binding::draft(path, why));
        return Err(Stop::Mistakes);
    }
    let watch = request.change.as_deref().unwrap_or_default();
    let place = Place::open(&request.broker, watch, context.cancel, run)?;
    let division = made(&place, request, run)?;
    let key = if division.by_service {
        PartitionKey::Service {
            because: String::new(),
        }
    } else {
        PartitionKey::Session
    };
    let mut incarnations = Vec::new();
    for partition in 0..division.partitions {
        incarnations.push(place.incarnation(partition).map_err(world)?);
    }
    let patience = u64::try_from(request.patience.as_millis()).unwrap_or(u64::MAX);
    let lanes = Lanes::new(&place, key, incarnations, &request.source, patience);
    let shared = Rc::new(RefCell::new(Feeding {
        lanes,
        fault: None,
        problems: Problems::default(),
    }));
    let mut others = Vec::new();
    if let (Some(properties), Some(watch)) = (properties, &request.change) {
        let bucket = place.names.bucket();
        let known = place.eventually(|| place.broker.stream(&bucket));
        known.map_err(world)?;
        let (version, _) = add_version(&place, properties).map_err(world)?;
        let change = |incarnation: &str| entries::change(incarnation, watch, version);
        let put = shared
            .borrow()
            .lanes
            .put_each(&format!("change.{watch}"), change, true);
        put.map_err(|fault| stop(&fault, request, run))?;
        others.push(format!(
            "version {version} of the properties of `{watch}` is judged from here on"
        ));
    }
    let result = read(request, &shared, context, run);
    let mut feeding = shared.borrow_mut();
    let problems = std::mem::take(&mut feeding.problems);
    let left_out = problems.left_out();
    run.findings.extend(problems.diagnostics());
    if let Some(fault) = feeding.fault.take() {
        return Err(stop(&fault, request, run));
    }
    result.map_err(|error| Stop::World(error.to_string()))?;
    let is_cut = context.cancel.load(Ordering::Relaxed);
    if let Some(service) = feeding.lanes.unmet().filter(|_| !is_cut) {
        let fault = NotFed::OtherLog(service.to_owned());
        return Err(stop(&fault, request, run));
    }
    if request.end && !is_cut {
        let lasts = feeding.lanes.lasts.clone();
        let put = feeding
            .lanes
            .put_each("end", |it| entries::end(it, &lasts), true);
        put.map_err(|fault| stop(&fault, request, run))?;
        others.push("the stream has come to its end".to_owned());
    }
    Ok(FeedAnswer {
        observations: feeding.lanes.observations,
        known: feeding.lanes.known,
        messages: feeding.lanes.messages,
        left_out,
        partitions: division.partitions,
        divided_by: if division.by_service {
            SERVICE
        } else {
            SESSION
        }
        .to_owned(),
        others,
    })
}

/// The stream, made if it is not there.
fn made(place: &Place, request: &FeedRequest, run: &mut RunNotes) -> Result<Division, Stop> {
    let wanted = Division {
        partitions: request.partitions,
        by_service: request.by_service,
        replicas: request.replicas,
    };
    // The first partition says how all are divided, so it is made last.
    if place.division().map_err(world)?.is_none() {
        for partition in (0..wanted.partitions).rev() {
            let by = if wanted.by_service { SERVICE } else { SESSION };
            let plan = StreamPlan {
                name: place.names.entries(partition),
                subject: place.names.entry_subjects(partition),
                replicas: wanted.replicas,
                keep: Keep::Messages(request.keep),
                facts: vec![
                    (PARTITIONS.to_owned(), wanted.partitions.to_string()),
                    (DIVIDED_BY.to_owned(), by.to_owned()),
                ],
            };
            place.made(&plan).map_err(world)?;
        }
    }
    let found = place.division().map_err(world)?;
    let found = found.ok_or_else(|| Stop::World("the stream was made and is gone".to_owned()))?;
    if found != wanted {
        run.note(format!(
            "the stream was there already: {} partitions by {}, {} replicas",
            found.partitions,
            if found.by_service { SERVICE } else { SESSION },
            found.replicas
        ));
    }
    Ok(found)
}

fn stop(fault: &NotFed, request: &FeedRequest, run: &mut RunNotes) -> Stop {
    match fault {
        NotFed::OtherLog(service) => {
            let source = &request.source;
            run.findings
                .push(unusable_stream::other_log(service, source));
            Stop::Mistakes
        }
        NotFed::Broker(why) => Stop::World(format!(
            "the broker did not take what was published for {} s: {why}; begin again, and nothing is lost or doubled",
            request.patience.as_secs()
        )),
    }
}

/// Reads logs into the lanes.
fn read<'f>(
    request: &FeedRequest,
    shared: &Rc<RefCell<Feeding<'f>>>,
    context: WatchContext<'f>,
    run: &mut RunNotes,
) -> io::Result<()> {
    let inputs = Inputs {
        request: &request.reading,
        binder: binder(
            context.binding,
            &request.reading.names,
            Vocabulary::default(),
        ),
        wanted: WantedValues::All,
        saved: None,
    };
    let (files, live) = match inputs.open(context, run) {
        Ok(opened) => opened,
        Err(_) => return Ok(()),
    };
    let mut feed = FeedRun {
        files,
        live,
        follow: request.reading.follow,
        save_every: request.reading.state_every,
        cancel: context.cancel,
    };
    let mut watcher = Taking {
        shared: shared.clone(),
    };
    let mut sink = Books {
        shared: shared.clone(),
        strict: request.reading.strict,
        events: context.events,
        tick: request.tick.map(|it| it.as_millis() as u64),
        ticked: 0,
        clock: Stopwatch::start(),
    };
    let result = turn(&mut feed, &mut watcher, &mut sink);
    for file in &feed.files {
        if let Some(tally) = file.reader.tally() {
            tell_tally(&file.path, tally, run);
        }
    }
    result
}

/// What those who take observations and those who keep the books share.
struct Feeding<'f> {
    lanes: Lanes<'f>,
    fault: Option<NotFed>,
    problems: Problems,
}

impl<'f> Feeding<'f> {
    /// Does something unless something failed before.
    fn unless_failed(&mut self, attempt: impl FnOnce(&mut Lanes<'f>) -> Result<(), NotFed>) {
        if self.fault.is_none() {
            self.fault = attempt(&mut self.lanes).err();
        }
    }
}

/// Takes observations where a monitor would.
struct Taking<'f> {
    shared: Rc<RefCell<Feeding<'f>>>,
}

impl Watcher for Taking<'_> {
    fn observe(&mut self, seen: &Observation<'_>) {
        self.shared
            .borrow_mut()
            .unless_failed(|lanes| lanes.take(seen));
    }

    fn finish(&mut self) {}

    fn verdicts(&self) -> &[WindowVerdict] {
        &[]
    }

    fn remarks(&self) -> &[Remark] {
        &[]
    }

    fn counts(&self) -> Vec<PropertyCounts> {
        Vec::new()
    }

    fn observations(&self) -> u64 {
        self.shared.borrow().lanes.observations
    }

    fn has_seen(&self, _: Option<&str>) -> bool {
        true
    }

    fn filtered(&self) -> u64 {
        0
    }

    fn unnamed(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    fn logs(&self) -> Vec<LogPresence> {
        Vec::new()
    }

    fn presence(&self) -> Vec<PartPresence> {
        Vec::new()
    }

    fn absent(&self, _: usize) -> MissingPart {
        MissingPart::default()
    }

    fn open_windows(&self) -> Vec<u64> {
        Vec::new()
    }

    fn state(&self) -> Option<State> {
        None
    }
}

/// What happens on the way, written down.
struct Books<'f> {
    shared: Rc<RefCell<Feeding<'f>>>,
    strict: bool,
    events: &'f Events,
    tick: Option<u64>,
    ticked: u64,
    clock: Stopwatch,
}

impl Books<'_> {
    fn flow(&self) -> Flow {
        let mut shared = self.shared.borrow_mut();
        if self.strict {
            shared.problems.make_fatal();
        }
        if self.strict || shared.fault.is_some() {
            Flow::Stop
        } else {
            Flow::On
        }
    }
}

impl Sink for Books<'_> {
    fn saw(&mut self, seen: &Observation<'_>) {
        self.events.message(|| live_message(seen));
    }

    fn judged(&mut self, _: &dyn Watcher, _: &str) -> io::Result<Flow> {
        Ok(Flow::On)
    }

    fn problem(&mut self, log: &str, problem: &RecordProblem) -> Flow {
        self.shared.borrow_mut().problems.add_problem(log, problem);
        self.flow()
    }

    fn failed(&mut self, log: &str, error: &io::Error) -> Flow {
        self.shared.borrow_mut().problems.add_failure(log, error);
        self.flow()
    }

    /// Numbers of lines begin again, so it would not be known what is in the stream.
    fn renewed(&mut self, log: &str, renewal: Renewal) -> Flow {
        let mut shared = self.shared.borrow_mut();
        shared.fault = Some(NotFed::OtherLog(log.to_owned()));
        shared.problems.add_renewal(log, renewal);
        Flow::Stop
    }

    fn pause(&mut self, _: &dyn Watcher, _: &[(String, FileProgress)], _: bool) -> io::Result<()> {
        let mut shared = self.shared.borrow_mut();
        shared.unless_failed(Lanes::flush);
        let now = self.clock.milliseconds();
        if let Some(tick) = self.tick
            && now >= self.ticked + tick
        {
            self.ticked = now;
            let time = milliseconds_since_1970();
            shared.unless_failed(|lanes| {
                lanes.put_each("tick", |it| entries::tick(it, time), false)?;
                Ok(())
            });
        }
        match &shared.fault {
            None => Ok(()),
            // The run ends; what it was is said by whoever asks.
            Some(_) => Err(io::ErrorKind::Interrupted.into()),
        }
    }
}
