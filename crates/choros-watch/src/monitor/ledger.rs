//! What happens during a run, written down: verdicts to where they are wanted, problems counted.

use std::collections::BTreeMap;
use std::io;

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_exec::feed::{FileProgress, Flow, Renewal, Sink};
use choros_exec::log::{RecordFlaw, RecordProblem};
use choros_exec::verdicts::{Publisher, VerdictForm, VerdictLine, VerdictOutput};
use choros_exec::{milliseconds_since_1970, state_file};
use choros_model::observation::Observation;
use choros_monitor::{GlobalMonitor, Outcome, Watcher, WindowVerdict};
use choros_report::answers::Stop;
use choros_report::{DecidedWindow, Events, Growth, SavedMonitor, VerdictKind};

use crate::WatchContext;
use crate::live::live_message;

use super::WatchRequest;
use super::changed_verdicts::ChangedVerdicts;
use super::evidence::Sample;
use super::saved_state;
use choros_codes::diagnostics::{further_problems, unreadable_log};

/// Of each kind of problem, this many are shown.
const SHOWN_PROBLEMS: u64 = 5;

/// Keeps the books of a run.
pub(super) struct Ledger<'m> {
    /// The names of the local properties, and the services they are about.
    pub(super) names: Vec<String>,
    pub(super) services: Vec<Option<String>>,
    /// The services in their order, where that is the order of examples; else windows are examples by when they were
    /// decided.
    pub(super) order: Vec<String>,
    /// The logs that were given.
    pub(super) sources: LogNames,
    pub(super) output: Option<VerdictOutput>,
    pub(super) publisher: Option<Publisher>,
    pub(super) form: VerdictForm,
    pub(super) strict: bool,
    /// The window of each outcome of each property that was decided first by its log; which one that is does not depend
    /// on the order in which verdicts are heard.
    pub(super) samples: Vec<BTreeMap<Outcome, Sample>>,
    /// How the windows of each property were decided.
    pub(super) growth: Vec<Growth>,
    pub(super) global: &'m mut GlobalMonitor,
    pub(super) changed: ChangedVerdicts,
    /// The state's file, and the properties printed.
    pub(super) state: Option<(String, String)>,
    pub(super) problems: Problems,
    /// Is told of every window.
    pub(super) events: &'m Events,
}

/// The logs that were given, each with its service where that is said.
pub(super) struct LogNames(pub(super) Vec<(Option<String>, String)>);

impl LogNames {
    /// Whether there is a log of a service; without one, of any.
    fn has(&self, service: Option<&str>) -> bool {
        let mut given = self.0.iter().filter_map(|(given, _)| given.as_deref());
        given.any(|given| service.is_none_or(|service| service == given))
    }

    /// The log of a service, if there is only one that it can be.
    pub(super) fn of(&self, service: &str) -> Option<String> {
        let may_be = |given: &Option<String>| given.as_deref().is_none_or(|it| it == service);
        let mut logs = self.0.iter().filter(|(given, _)| may_be(given));
        let (_, log) = logs.next()?;
        logs.next().is_none().then(|| log.clone())
    }
}

/// Problems, of which the first few of each kind are shown.
#[derive(Default)]
pub(super) struct Problems {
    /// Records that have problems, and the last of them; a record may have several.
    records: u64,
    last: Option<(String, u64)>,
    /// Records that are not observations.
    left_out: u64,
    counts: BTreeMap<&'static str, (u64, Option<&'static CodeInfo>)>,
    shown: Vec<Diagnostic>,
}

impl Problems {
    /// A record that is none, or a strange one.
    pub(in crate::monitor) fn add_problem(&mut self, log: &str, problem: &RecordProblem) {
        // A record in the log of another service is judged all the same.
        let is_kept = matches!(problem.flaw, RecordFlaw::OtherService { .. });
        self.left_out += u64::from(!is_kept);
        let code = problem.flaw.code();
        self.add_record((log, problem.line), code, || problem.diagnostic(log));
    }

    /// A log that cannot be read on.
    pub(super) fn add_failure(&mut self, log: &str, error: &io::Error) {
        let diagnostic = || unreadable_log::diagnostic(log, &error.to_string());
        self.add(&unreadable_log::CODE, diagnostic);
    }

    /// A log that was cut or replaced.
    pub(super) fn add_renewal(&mut self, log: &str, renewal: Renewal) {
        if let (Some(code), Some(found)) = (renewal.code(), renewal.diagnostic(log)) {
            self.add(code, || found);
        }
    }

    /// A problem of a record of a log.
    fn add_record(
        &mut self,
        (log, line): (&str, u64),
        code: &'static CodeInfo,
        diagnostic: impl FnOnce() -> Diagnostic,
    ) {
        match &mut self.last {
            Some((known, last)) if known == log && *last == line => {}
            Some((known, last)) if known == log => {
                *last = line;
                self.records += 1;
            }
            last => {
                *last = Some((log.to_owned(), line));
                self.records += 1;
            }
        }
        self.add(code, diagnostic);
    }

    fn add(&mut self, code: &'static CodeInfo, diagnostic: impl FnOnce() -> Diagnostic) {
        let entry = self.counts.entry(code.code).or_insert((0, Some(code)));
        entry.0 += 1;
        if entry.0 <= SHOWN_PROBLEMS {
            self.shown.push(diagnostic());
        }
    }

    /// How many records have some.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// How many records are not observations.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The findings of the run.
    pub(super) fn diagnostics(self) -> Vec<Diagnostic> {
        let mut found = self.shown;
        for (count, code) in self.counts.into_values() {
            if let Some(code) = code
                && count > SHOWN_PROBLEMS
            {
                found.push(further_problems::diagnostic(code, count - SHOWN_PROBLEMS));
            }
        }
        found
    }

    /// The last problem ends the run.
    pub(super) fn make_fatal(&mut self) {
        if let Some(last) = self.shown.last_mut() {
            last.severity = Severity::Error;
        }
    }
}

impl Ledger<'_> {
    /// Takes the verdicts of the monitor, and the log of the record that decided them.
    pub(super) fn verdicts(
        &mut self,
        verdicts: &[WindowVerdict],
        log: Option<&str>,
    ) -> io::Result<()> {
        for verdict in verdicts {
            let name = &self.names[verdict.property];
            let word = match verdict.outcome {
                Outcome::Pass => VerdictKind::Holds,
                Outcome::Fail => VerdictKind::Fails,
                Outcome::Inconclusive => VerdictKind::Unknown,
            };
            self.growth[verdict.property].add(word);
            self.events.decided(|| DecidedWindow {
                property: name.clone(),
                service: verdict.service.to_string(),
                word,
                opened: verdict.opened.line,
                decided: verdict.decided.line,
            });
            let line = VerdictLine {
                sequence: verdict.sequence,
                property: name,
                service: Some(&verdict.service),
                outcome: verdict.outcome,
                is_final: true,
                opened: Some(&verdict.opened),
                decided: Some(&verdict.decided),
                key: verdict.key.as_deref(),
                window: &verdict.window,
                // Windows of several logs.
                has_lines: !self.order.is_empty(),
            };
            if self.output.is_some() || self.publisher.is_some() {
                let text = line.text(self.form, milliseconds_since_1970());
                if let Some(output) = &mut self.output {
                    output.write(&text)?;
                }
                if let Some(publisher) = &self.publisher {
                    publisher.publish(&text);
                }
            }
            let samples = &mut self.samples[verdict.property];
            let known = samples.get(&verdict.outcome);
            let order = |it| order(it, &self.order);
            let is_earlier = known.is_none_or(|it| order(verdict) < order(&it.window));
            if !verdict.window.is_empty() && is_earlier {
                let sample = Sample {
                    window: verdict.clone(),
                    log: log
                        .map(str::to_owned)
                        .or_else(|| self.sources.of(&verdict.service)),
                };
                samples.insert(verdict.outcome, sample);
            }
            if !self.changed.is_empty() {
                self.global
                    .hear(&self.names[verdict.property], verdict.outcome);
            }
        }
        Ok(())
    }

    /// Writes the verdicts of global properties that are new.
    pub(super) fn global_verdicts(&mut self, monitor: &dyn Watcher) -> io::Result<()> {
        self.note_watched(monitor);
        let lines = self.changed.lines(self.global, self.form);
        match &mut self.output {
            Some(output) => output.write(&lines),
            None => Ok(()),
        }
    }

    /// What is known now was written by an earlier run.
    pub(super) fn assume_told(&mut self, monitor: &dyn Watcher) {
        self.note_watched(monitor);
        self.changed.lines(self.global, self.form);
    }

    fn note_watched(&mut self, monitor: &dyn Watcher) {
        if self.changed.is_empty() {
            return;
        }
        for (number, name) in self.names.iter().enumerate() {
            if self.is_watched(number, monitor) {
                self.global.watch(name);
            }
        }
    }

    /// Whether some log that a property is about was given, or has been seen.
    pub(super) fn is_watched(&self, property: usize, monitor: &dyn Watcher) -> bool {
        let service = self.services[property].as_deref();
        let is_given = self.sources.has(service);
        is_given || monitor.has_seen(service)
    }

    fn save(
        &mut self,
        monitor: &dyn Watcher,
        reached: &[(String, FileProgress)],
    ) -> io::Result<()> {
        let Some((path, properties)) = &self.state else {
            return Ok(());
        };
        let Some(state) = monitor.state() else {
            return Ok(());
        };
        let bytes = match &mut self.output {
            Some(output) => output.sync()?,
            None => 0,
        };
        let saved = saved_state::saved(&state, properties, reached, bytes);
        state_file::save(path, &saved.to_json())
    }

    fn flow(&mut self) -> Flow {
        if self.strict {
            self.problems.make_fatal();
            Flow::Stop
        } else {
            Flow::On
        }
    }
}

/// The order of windows, by what their verdicts say and not by when they are heard.
fn order<'v>(
    verdict: &'v WindowVerdict,
    services: &[String],
) -> (usize, u64, u64, &'v str, Option<&'v str>) {
    let service: &str = &verdict.service;
    let rank = services.iter().position(|it| it == service);
    let (opened, decided) = (verdict.opened.line, verdict.decided.line);
    let [first, then] = match rank {
        Some(_) => [opened, decided],
        None => [decided, opened],
    };
    let key = verdict.key.as_deref();
    (rank.unwrap_or(services.len()), first, then, service, key)
}

/// The books of an audit with these parts and roles.
pub(super) fn part_ledger<'m>(
    parts: &[String],
    roles: Vec<String>,
    request: &WatchRequest,
    global: &'m mut GlobalMonitor,
    world: WatchContext<'m>,
) -> Result<Ledger<'m>, Stop> {
    let plan = LedgerPlan {
        names: parts.to_vec(),
        services: vec![None; parts.len()],
        order: roles,
    };
    plan.ledger(request, None, global, world)
}

/// What books are to be kept of.
pub(super) struct LedgerPlan {
    pub(super) names: Vec<String>,
    pub(super) services: Vec<Option<String>>,
    pub(super) order: Vec<String>,
}

impl LedgerPlan {
    pub(super) fn ledger<'m>(
        self,
        request: &WatchRequest,
        saved: Option<&SavedMonitor>,
        global: &'m mut GlobalMonitor,
        world: WatchContext<'m>,
    ) -> Result<Ledger<'m>, Stop> {
        let output = open_output(request, saved).map_err(Stop::World)?;
        let publisher = request.publish.as_deref().map(Publisher::bind).transpose();
        let publisher =
            publisher.map_err(|error| Stop::World(format!("cannot publish verdicts: {error}")))?;
        Ok(Ledger {
            samples: vec![BTreeMap::new(); self.names.len()],
            growth: vec![Growth::default(); self.names.len()],
            names: self.names,
            services: self.services,
            order: self.order,
            sources: LogNames(request.logs.clone()),
            output,
            publisher,
            form: request.form,
            strict: request.strict,
            changed: ChangedVerdicts::new(global),
            global,
            state: None,
            problems: Problems::default(),
            events: world.events,
        })
    }
}

/// Where verdicts are written, if they are.
pub(super) fn open_output(
    request: &WatchRequest,
    saved: Option<&SavedMonitor>,
) -> Result<Option<VerdictOutput>, String> {
    let Some(path) = &request.verdicts else {
        return Ok(None);
    };
    let output = match (path.as_str(), saved) {
        ("-", _) => Ok(VerdictOutput::stream(Box::new(io::stdout()))),
        (path, Some(saved)) => VerdictOutput::resume(path, saved.verdict_bytes),
        (path, None) => VerdictOutput::create(path),
    };
    match output {
        Ok(output) => Ok(Some(output)),
        Err(error) => Err(format!("cannot write verdicts to `{path}`: {error}")),
    }
}

impl Sink for Ledger<'_> {
    fn saw(&mut self, seen: &Observation<'_>) {
        self.events.message(|| live_message(seen));
    }

    fn judged(&mut self, monitor: &dyn Watcher, log: &str) -> io::Result<Flow> {
        self.verdicts(monitor.verdicts(), Some(log))?;
        let mut flow = Flow::On;
        for remark in monitor.remarks() {
            let code = remark.kind.code();
            self.problems.add_record((log, remark.line), code, || {
                let message = format!("`{log}` line {}: {}", remark.line, remark.kind);
                Diagnostic::without_place(code, message)
            });
            if self.flow() == Flow::Stop {
                flow = Flow::Stop;
                break;
            }
        }
        Ok(flow)
    }

    fn problem(&mut self, log: &str, problem: &RecordProblem) -> Flow {
        self.problems.add_problem(log, problem);
        self.flow()
    }

    fn failed(&mut self, log: &str, error: &io::Error) -> Flow {
        self.problems.add_failure(log, error);
        self.flow()
    }

    fn renewed(&mut self, log: &str, renewal: Renewal) -> Flow {
        self.problems.add_renewal(log, renewal);
        match renewal.code() {
            Some(_) => self.flow(),
            None => Flow::On,
        }
    }

    fn pause(
        &mut self,
        monitor: &dyn Watcher,
        reached: &[(String, FileProgress)],
        is_due: bool,
    ) -> io::Result<()> {
        self.global_verdicts(monitor)?;
        if is_due {
            self.save(monitor, reached)?;
        }
        match &mut self.output {
            Some(output) => output.flush(),
            None => Ok(()),
        }
    }
}
