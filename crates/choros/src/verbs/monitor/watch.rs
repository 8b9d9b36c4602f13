//! Watching logs.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::AtomicBool;

use choros_base::Diagnostic;
use choros_exec::feed::{FileSource, Live, Reached, Run, SourceSpec, listen, run, standard_input};
use choros_exec::log::{LogFormat, LogOptions, Mapping, Wanted, read_mapping};
use choros_exec::state_file;
use choros_exec::verdicts::{Publisher, VerdictOutput};
use choros_monitor::{Config, GlobalMonitor, Keep, Monitor};
use choros_query::property::{Properties, print};
use choros_report::{Report, SavedMonitor};

use super::MonitorRequest;
use super::changed_verdicts::ChangedVerdicts;
use super::evidence::{global_outcome, local_outcome};
use super::ledger::{Ledger, Problems};
use crate::diagnostics::{unreadable, unreadable_log, unusable_mapping, unusable_state};
use crate::{Settings, Workspace, monitor_state};

/// Watches the properties over the logs.
pub(super) fn watch(
    workspace: &Workspace<'_>,
    properties: &Properties,
    what: &MonitorRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
    report: &mut Report,
) {
    let config = Config {
        related_only: what.related_only,
        strict_end: what.strict_end,
        slack: what.slack,
        most_windows: what.most_windows,
        keep: match what.verdicts.is_some() || what.publish.is_some() {
            true => Keep::All,
            false => Keep::Samples(1),
        },
    };
    let mut monitor = match Monitor::new(properties, &workspace.terms, config) {
        Ok(monitor) => monitor,
        Err(unusable) => {
            report.world_failed = Some(unusable.0);
            return;
        }
    };
    let mapping = match mapping(workspace, what) {
        Ok(mapping) => mapping,
        Err(diagnostic) => {
            report.diagnostics.push(*diagnostic);
            return;
        }
    };
    let printed = print(properties);
    let saved = match load_state(what, &printed, &mut monitor) {
        Ok(saved) => saved,
        Err(diagnostic) => {
            report.diagnostics.push(*diagnostic);
            return;
        }
    };
    let mut wanted: Vec<String> = Vec::new();
    for path in properties
        .local
        .iter()
        .flat_map(|property| property.paths())
    {
        if !wanted.contains(&path) {
            wanted.push(path);
        }
    }
    let options = |service: &Option<String>, format: LogFormat| LogOptions {
        format: what.format.unwrap_or(format),
        service: service.clone(),
        names: what.names.clone(),
        mapping: mapping.clone(),
        wanted: Wanted::Paths(wanted.clone()),
        longest: what.longest,
        grows: what.follow,
    };
    let output = match open_output(what, saved.as_ref()) {
        Ok(output) => output,
        Err(reason) => {
            report.world_failed = Some(reason);
            return;
        }
    };
    let publisher = match what.publish.as_deref().map(Publisher::bind).transpose() {
        Ok(publisher) => publisher,
        Err(error) => {
            report.world_failed = Some(format!("cannot publish verdicts: {error}"));
            return;
        }
    };
    let mut global = GlobalMonitor::new(&properties.global);
    global.forget_all();
    for (property, counts) in properties.local.iter().zip(monitor.counts()) {
        global.hear_all(&property.name, counts);
    }
    let mut ledger = Ledger {
        names: properties.local.iter().map(|it| it.name.clone()).collect(),
        services: properties
            .local
            .iter()
            .map(|it| it.service.clone())
            .collect(),
        given: what
            .logs
            .iter()
            .filter_map(|(service, _)| service.clone())
            .collect(),
        output,
        publisher,
        form: what.form,
        strict: what.strict,
        samples: vec![BTreeMap::new(); properties.local.len()],
        changed: ChangedVerdicts::new(&global),
        global: &mut global,
        state: what.state.clone().map(|path| (path, printed)),
        problems: Problems::default(),
    };
    if saved.is_some() {
        ledger.assume_told(&monitor);
    }
    let mut files = Vec::new();
    let mut live: Option<Live> = None;
    for (service, path) in &what.logs {
        if path == "-" {
            live = Some(standard_input(options(service, LogFormat::JsonLines)));
            continue;
        }
        let format = LogFormat::of_path(path).unwrap_or(LogFormat::JsonLines);
        let spec = SourceSpec {
            path: path.clone(),
            options: options(service, format),
            from: reached(saved.as_ref(), path),
        };
        report
            .semantics
            .inputs
            .insert(path.clone(), spec.options.format.name().to_owned());
        match FileSource::open(spec) {
            Ok((file, renewal)) => {
                let is_missed = renewal.and_then(|renewal| renewal.diagnostic(path));
                report.diagnostics.extend(is_missed);
                files.push(file);
            }
            Err(error) => {
                let reason = error.to_string();
                report
                    .diagnostics
                    .push(unreadable_log::diagnostic(path, &reason));
                if what.strict {
                    return;
                }
            }
        }
    }
    if let Some(address) = &what.listen {
        match listen(
            address,
            options(&None, LogFormat::JsonLines),
            what.connections,
        ) {
            Ok(listener) => {
                if let Some(address) = &listener.address {
                    announce(&format!("listening on {address}"));
                }
                live = Some(listener);
            }
            Err(error) => {
                report.world_failed = Some(format!("cannot listen on `{address}`: {error}"));
                return;
            }
        }
    }
    if let Some(publisher) = &ledger.publisher {
        announce(&format!("publishing on {}", publisher.address()));
    }
    let mut feed = Run {
        files,
        live,
        follow: what.follow,
        save_every: what.state_every,
        cancel: &settings.cancel,
    };
    let result = run(&mut feed, &mut monitor, &mut ledger);
    let open = monitor.open_windows();
    // With a state the logs may go on another time: their windows stay open.
    let result = result.and_then(|()| match what.state {
        Some(_) => Ok(()),
        None => {
            monitor.finish();
            ledger.verdicts(monitor.verdicts())?;
            ledger.global_verdicts(&monitor)?;
            ledger.output.as_mut().map_or(Ok(()), VerdictOutput::flush)
        }
    });
    if let Some(reason) = result.err().and_then(|error| failure(&error, what)) {
        report.world_failed = Some(reason);
    }
    conclude(
        properties,
        what,
        &monitor,
        ledger,
        &open,
        &settings.cancel,
        report,
    );
}

/// What to say of an error; a reader of standard output that went away (`| head`) is none.
fn failure(error: &io::Error, what: &MonitorRequest) -> Option<String> {
    let gone = error.kind() == io::ErrorKind::BrokenPipe && what.verdicts.as_deref() == Some("-");
    (!gone).then(|| error.to_string())
}

#[allow(clippy::too_many_arguments)] // They are what a run leaves behind.
fn conclude(
    properties: &Properties,
    what: &MonitorRequest,
    monitor: &Monitor,
    ledger: Ledger<'_>,
    open: &[u64],
    cancel: &AtomicBool,
    report: &mut Report,
) {
    let is_watched: Vec<bool> = (0..properties.local.len())
        .map(|number| ledger.is_watched(number, monitor))
        .collect();
    let Ledger {
        names,
        samples,
        global,
        publisher,
        problems,
        ..
    } = ledger;
    if let Some(publisher) = publisher {
        let watched: Vec<String> = names
            .into_iter()
            .zip(&is_watched)
            .filter(|(_, is_watched)| **is_watched)
            .map(|(name, _)| name)
            .collect();
        publisher.close(&watched, cancel);
    }
    let skipped = problems.records();
    report.diagnostics.extend(problems.diagnostics());
    if skipped > 0 {
        let plural = if skipped == 1 {
            "record has"
        } else {
            "records have"
        };
        let note = format!("{skipped} {plural} problems; the answers are about what could be read");
        report.semantics.notes.push(note);
    }
    for (number, property) in properties.local.iter().enumerate() {
        let mut counts = monitor.counts()[number].clone();
        if what.state.is_some() {
            counts.inconclusive += open[number];
        }
        report.outcomes.push(local_outcome(
            property,
            &counts,
            &samples[number],
            monitor.observations(),
            is_watched[number],
        ));
    }
    for number in 0..properties.global.len() {
        report.outcomes.push(global_outcome(global, number));
    }
}

fn mapping(
    workspace: &Workspace<'_>,
    what: &MonitorRequest,
) -> Result<Option<Mapping>, Box<Diagnostic>> {
    let Some(path) = &what.mapping else {
        return Ok(None);
    };
    let text = workspace
        .read(path)
        .map_err(|error| Box::new(unreadable::diagnostic(&error)))?;
    read_mapping(&text)
        .map(Some)
        .map_err(|error| Box::new(unusable_mapping::diagnostic(path, &error.to_string())))
}

/// The state of an earlier run, which the monitor goes on from.
fn load_state(
    what: &MonitorRequest,
    printed: &str,
    monitor: &mut Monitor,
) -> Result<Option<SavedMonitor>, Box<Diagnostic>> {
    let Some(path) = &what.state else {
        return Ok(None);
    };
    let unusable = |reason: &str| Box::new(unusable_state::diagnostic(path, reason));
    let text = state_file::load(path).map_err(|error| unusable(&error.to_string()))?;
    let Some(text) = text else { return Ok(None) };
    let saved = SavedMonitor::from_json(&text).map_err(|reason| unusable(&reason))?;
    if saved.properties != printed {
        return Err(unusable("it was saved by a run over other properties"));
    }
    match monitor.restore(&monitor_state::restored(&saved)) {
        Ok(()) => Ok(Some(saved)),
        Err(_) => Err(unusable("it does not fit the properties")),
    }
}

fn reached(saved: Option<&SavedMonitor>, path: &str) -> Reached {
    let inputs = saved.map_or(&[][..], |saved| &saved.inputs);
    inputs
        .iter()
        .find(|input| input.path == path)
        .map_or(Reached::default(), monitor_state::reached)
}

pub(super) fn open_output(
    what: &MonitorRequest,
    saved: Option<&SavedMonitor>,
) -> Result<Option<VerdictOutput>, String> {
    let Some(path) = &what.verdicts else {
        return Ok(None);
    };
    let output = match (path.as_str(), saved) {
        ("-", _) => Ok(VerdictOutput::stream(Box::new(std::io::stdout()))),
        (path, Some(saved)) => VerdictOutput::resume(path, saved.verdict_bytes),
        (path, None) => VerdictOutput::create(path),
    };
    match output {
        Ok(output) => Ok(Some(output)),
        Err(error) => Err(format!("cannot write verdicts to `{path}`: {error}")),
    }
}
