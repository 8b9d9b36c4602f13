//! Watching logs.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::AtomicBool;

use choros_base::Diagnostic;
use choros_bind::{Binding, DRAFT, Part, Vocabulary, unusable_binding};
use choros_codes::diagnostics::{absent_path, unusable_mapping, unusable_state};
use choros_data::Terms;
use choros_exec::feed::{FeedRun as Feed, run as turn};
use choros_exec::log::WantedValues;
use choros_exec::state_file;
use choros_exec::verdicts::{EndOfVerdicts, VerdictOutput};
use choros_monitor::{Config, GlobalMonitor, KeepObservations, Monitor, Watcher};
use choros_query::property::{Properties, print};
use choros_report::SavedMonitor;
use choros_report::answers::{FieldPresence, Monitoring, Records, RunNotes, Stop};
use choros_stream::{PartitionKey, Partitioned};

use super::doubt::doubt;
use super::evidence::{Known, global_verdict, local_verdict};
use super::inputs::Inputs;
use super::ledger::{Ledger, LedgerPlan, LogNames};
use super::{WatchRequest, saved_state};
use crate::WatchContext;
use crate::mapping::{binder, only_path, tell_tally};

/// Watches the properties over the logs.
pub(super) fn watch(
    properties: &Properties,
    request: &WatchRequest,
    terms: &Terms,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Monitoring, Stop> {
    let mut monitor = Monitor::new(properties, terms, config(request))
        .map_err(|unusable| Stop::World(unusable.0))?;
    let mut stopped = |diagnostic: Box<Diagnostic>| {
        run.findings.push(*diagnostic);
        Stop::Mistakes
    };
    let hides = world.binding.is_some_and(|it| !it.hide.secret.is_empty());
    if let (true, Some(path), Some(_)) = (hides, &request.mapping, &request.state) {
        // The key of pseudonyms is not stored: after a restart equal values would look different.
        return Err(stopped(Box::new(unusable_mapping::forgetful(path))));
    }
    let is_draft = world.binding.is_some_and(|it| it.draft);
    let lasts = [&request.verdicts, &request.publish, &request.state];
    if let (true, Some(path)) = (is_draft, &request.mapping)
        && lasts.iter().any(|it| it.is_some())
    {
        let why = "verdicts and states that are written would not say that they rest on it";
        return Err(stopped(Box::new(unusable_binding::draft(path, why))));
    }
    let printed = print(properties);
    let saved = load_state(request, &printed, &mut monitor).map_err(&mut stopped)?;
    let inputs = Inputs {
        request,
        binder: binder(world.binding, &request.names, Vocabulary::default()),
        wanted: WantedValues::Paths(wanted(properties)),
        saved: saved.as_ref(),
    };
    let mut global = GlobalMonitor::new(&properties.global);
    global.forget_all();
    for (property, counts) in properties.local.iter().zip(monitor.counts()) {
        global.hear_all(&property.name, counts);
    }
    let mut monitor: Box<dyn Watcher> = match request.partitions {
        None => Box::new(monitor),
        Some(count) => Box::new(partitioned(properties, request, count, terms, run)?),
    };
    let state = request.state.clone().map(|path| (path, printed));
    let mut ledger = Ledger {
        state,
        ..ledger(properties, request, saved.as_ref(), &mut global, world)?
    };
    if saved.is_some() {
        ledger.assume_told(&*monitor);
    }
    let (files, live) = inputs.open(world, run)?;
    if let Some(publisher) = &ledger.publisher {
        let address = publisher.address();
        world.events.listening(format!("publishing on {address}"));
    }
    let mut feed = Feed {
        files,
        live,
        follow: request.follow,
        save_every: request.state_every,
        cancel: world.cancel,
    };
    let result = turn(&mut feed, &mut *monitor, &mut ledger);
    for file in &feed.files {
        if let Some(tally) = file.reader.tally() {
            tell_tally(&file.path, tally, run);
        }
    }
    let open = monitor.open_windows();
    // With a state the logs may continue another time: their windows stay open.
    let result = result.and_then(|()| match request.state {
        Some(_) => Ok(()),
        None => {
            monitor.finish();
            ledger.verdicts(monitor.verdicts(), None)?;
            ledger.global_verdicts(&*monitor)?;
            ledger.output.as_mut().map_or(Ok(()), VerdictOutput::flush)
        }
    });
    let failed = result.err().and_then(|error| failure(&error, request));
    let failed = failed.or_else(|| monitor.stopped());
    let paths = request.logs.iter().map(|(_, path)| path);
    let rules = world.binding.map_or_else(Vec::new, |binding| {
        paths.filter_map(|path| binding.log_rules(path)).collect()
    });
    let is_lossy = request.lossy || rules.iter().any(|it| it.lossy == Some(true));
    if is_lossy {
        run.note("the logs are lossy: records may have been dropped");
    }
    absent_paths(world.binding, &*monitor, &ledger.sources, run);
    let end = End {
        open: match request.state {
            Some(_) => open,
            None => vec![0; properties.local.len()],
        },
        is_lossy,
        is_draft,
        cancel: world.cancel,
    };
    let answer = conclude(properties, &*monitor, ledger, &end, run);
    match failed {
        None => Ok(answer),
        Some(reason) => Err(Stop::World(reason)),
    }
}

/// The books of a run that continues from a state, if there is one.
pub(super) fn ledger<'m>(
    properties: &Properties,
    request: &WatchRequest,
    saved: Option<&SavedMonitor>,
    global: &'m mut GlobalMonitor,
    world: WatchContext<'m>,
) -> Result<Ledger<'m>, Stop> {
    let local = properties.local.iter();
    let plan = LedgerPlan {
        names: local.clone().map(|it| it.name.clone()).collect(),
        services: local.map(|it| it.service.clone()).collect(),
        order: Vec::new(),
    };
    plan.ledger(request, saved, global, world)
}

/// Several workers that share the observations, and what is worth knowing of how.
fn partitioned(
    properties: &Properties,
    request: &WatchRequest,
    count: u32,
    terms: &Terms,
    run: &mut RunNotes,
) -> Result<Partitioned, Stop> {
    let made = Partitioned::new(properties, terms, config(request), count);
    let partitioned = made.map_err(|misfit| Stop::World(misfit.0))?;
    run.note(&match partitioned.key() {
        PartitionKey::Session => "observations are divided by session".to_owned(),
        PartitionKey::Service { because } => {
            format!("observations are divided by service: {because}")
        }
    });
    Ok(partitioned)
}

/// How the monitor watches.
pub(super) fn config(request: &WatchRequest) -> Config {
    Config {
        related_only: request.related_only,
        strict_end: request.strict_end,
        slack: request.slack,
        most_windows: request.most_windows,
        keep: if request.verdicts.is_some() || request.publish.is_some() {
            KeepObservations::All
        } else {
            KeepObservations::Samples(1)
        },
    }
}

/// The paths that properties name, each once.
pub(super) fn wanted(properties: &Properties) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    for path in properties.local.iter().flat_map(|it| it.paths()) {
        if !wanted.contains(&path) {
            wanted.push(path);
        }
    }
    wanted
}

/// Warns of paths that a binding names and no record has.
fn absent_paths(
    binding: Option<&Binding>,
    monitor: &dyn Watcher,
    sources: &LogNames,
    run: &mut RunNotes,
) {
    let Some(binding) = binding else { return };
    for log in monitor.logs() {
        let name = sources.of(&log.service);
        let name = name.unwrap_or_else(|| log.service.clone());
        let rules = binding.log_rules(&name);
        let parts = [
            ("time", Part::At, log.timed),
            ("identity", Part::Id, log.identified),
            ("session", Part::Session, log.in_session),
        ];
        for (words, part, there) in parts {
            if let Some(path) = only_path(rules, part)
                && there == 0
                && log.taken > 0
            {
                let found = absent_path::diagnostic(&name, words, path, log.taken as usize);
                run.findings.push(found);
            }
        }
    }
}

/// What to say of an error; a reader of standard output that went away (`| head`) is none.
fn failure(error: &io::Error, request: &WatchRequest) -> Option<String> {
    let gone =
        error.kind() == io::ErrorKind::BrokenPipe && request.verdicts.as_deref() == Some("-");
    (!gone).then(|| error.to_string())
}

/// How a run came to its end.
pub(super) struct End<'e> {
    /// Windows of each property that may still be decided another time.
    pub(super) open: Vec<u64>,
    pub(super) is_lossy: bool,
    /// The binding is not finished: nothing is said about any property.
    pub(super) is_draft: bool,
    pub(super) cancel: &'e AtomicBool,
}

pub(super) fn conclude(
    properties: &Properties,
    monitor: &dyn Watcher,
    ledger: Ledger<'_>,
    end: &End<'_>,
    run: &mut RunNotes,
) -> Monitoring {
    let is_watched: Vec<bool> = (0..properties.local.len())
        .map(|number| ledger.is_watched(number, monitor))
        .collect();
    let Ledger {
        names,
        samples,
        mut growth,
        global,
        publisher,
        problems,
        ..
    } = ledger;
    let presence = monitor.presence();
    for part in presence.iter().filter(|it| it.there == 0 && it.records > 0) {
        let found = absent_path::of_message(&part.message, &part.part, part.records);
        run.findings.push(found);
    }
    let parts = presence.into_iter().map(|it| FieldPresence {
        field: it.part,
        message: Some(it.message),
        is_expected: it.there > 0,
        there: it.there,
        records: it.records,
    });
    let records = Records {
        judged: monitor.observations(),
        left_out: problems.left_out(),
        flawed: problems.records(),
        filtered: monitor.filtered(),
        unnamed: monitor.unnamed(),
        parts: parts.collect(),
    };
    run.findings.extend(problems.diagnostics());
    let mut verdicts = Vec::new();
    let mut doubts: BTreeMap<String, String> = BTreeMap::new();
    let all_counts = monitor.counts();
    for (number, property) in properties.local.iter().enumerate() {
        let mut counts = all_counts[number].clone();
        counts.inconclusive += end.open[number];
        let absent = monitor.absent(number);
        let doubt = if end.is_draft {
            Some(DRAFT.to_owned())
        } else {
            doubt(property, &counts, &absent, end.is_lossy)
        };
        if let Some(reason) = &doubt {
            doubts.insert(property.name.clone(), reason.clone());
        }
        verdicts.push(local_verdict(Known {
            property,
            counts: &counts,
            samples: &samples[number],
            doubt,
            is_watched: is_watched[number],
            growth: std::mem::take(&mut growth[number]),
        }));
    }
    let numbers = 0..properties.global.len();
    verdicts.extend(numbers.map(|number| global_verdict(global, number, &doubts)));
    if let Some(publisher) = publisher {
        let watched = names.into_iter().zip(&is_watched);
        let watched = watched.filter(|(_, is_watched)| **is_watched);
        let last = EndOfVerdicts {
            watched: Some(watched.map(|(name, _)| name).collect()),
            open: Some(doubts),
        };
        publisher.close(&last, end.cancel);
    }
    Monitoring {
        properties: verdicts,
        forms: Vec::new(),
        records,
    }
}

/// The state of an earlier run, which the monitor continues from.
fn load_state(
    request: &WatchRequest,
    printed: &str,
    monitor: &mut Monitor,
) -> Result<Option<SavedMonitor>, Box<Diagnostic>> {
    let Some(path) = &request.state else {
        return Ok(None);
    };
    let unusable = |reason: &str| Box::new(unusable_state::diagnostic(path, reason));
    let text = state_file::load(path).map_err(|error| unusable(&error.to_string()))?;
    let Some(text) = text else { return Ok(None) };
    let saved = SavedMonitor::from_json(&text).map_err(|reason| unusable(&reason))?;
    if saved.properties != printed {
        return Err(unusable("it was saved by a run over other properties"));
    }
    match monitor.restore(&saved_state::restored(&saved)) {
        Ok(()) => Ok(Some(saved)),
        Err(_) => Err(unusable("it does not fit the properties")),
    }
}
