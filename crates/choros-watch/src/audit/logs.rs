//! The logs that are audited.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use choros_base::{Diagnostic, Severity, SourceError, nearest};
use choros_bind::{Binder, LogRules, Part, Vocabulary};
use choros_codes::diagnostics::{
    absent_path, no_log_format, too_many_observations, unknown_log_role, unreadable,
};
use choros_exec::log::{LogFormat, LogOptions, WholeLog, open_log, read_all};
use choros_model::observation::Observation;
use choros_monitor::audit::{Hypothesis, Log};
use choros_report::answers::{RunNotes, Stop};

use super::bus::with_receivers;
use super::doubts::Doubts;
use super::{LogsRequest, RoleLogs};
use crate::WatchContext;
use crate::mapping::{binder, bound, only_path, tell_tally};

/// What is known of the model when its logs are read.
pub(super) struct AuditedModel<'m> {
    pub(super) roles: &'m [String],
    /// Never two roles can send.
    pub(super) takes_turns: bool,
}

/// Reads the logs, unless the request makes no sense, or its strictness ends it.
///
/// A log that cannot be read is reported, and the others are judged.
/// None if the logs hold more than `most` observations together.
pub(super) fn read_logs(
    request: &LogsRequest,
    (AuditedModel { roles, takes_turns }, vocabulary): (AuditedModel<'_>, Vocabulary),
    most: usize,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Option<RoleLogs>, Stop> {
    let mut torn = Vec::new();
    let binder = binder(world.binding, &request.names, vocabulary);
    let mut logs: Vec<Log> = Vec::new();
    let strange = strange_roles(request, roles, run);
    let mut sound = strange.is_empty();
    for (role, path) in request.different_files() {
        if role.as_ref().is_some_and(|role| strange.contains(role)) {
            continue;
        }
        world.events.doing(format!("reading `{path}`"));
        let told = (&mut *run, &mut sound);
        let Some(opened) = open_or_tell(request, (role, path), &binder, world, told) else {
            continue;
        };
        let kind = opened.kind(&binder);
        let read: usize = logs.iter().map(|log: &Log| log.observations.len()).sum();
        let room = most.saturating_sub(read);
        let whole = match read_all(opened.input, opened.options, room) {
            Ok(whole) => whole,
            Err(error) => {
                run.findings.push(failed(path, &error));
                continue;
            }
        };
        let inputs = &mut run.semantics.inputs;
        inputs.insert(path.clone(), opened.description);
        if whole.is_cut {
            if most == request.most_observations {
                let diagnostic = too_many_observations::diagnostic(path, most);
                run.findings.push(diagnostic);
                return Err(Stop::Mistakes);
            }
            return Ok(None);
        }
        if let Some(tally) = &whole.tally {
            tell_tally(path, tally, run);
        }
        let nature = Nature::of(&whole, kind, takes_turns);
        sound &= complain(path, &whole, request.strict, run);
        if whole.left_out > 0 {
            torn.push(SplitSession {
                role: role.clone(),
                path: path.clone(),
                left_out: whole.left_out,
            });
        }
        let mut observations = whole.observations;
        if nature.is_bus {
            observations = with_receivers(observations);
        }
        let mut presence = PartPresence::default();
        observations.iter().for_each(|it| presence.see(it));
        let promises_data = presence.absent_paths(path, binder.binding.log_rules(path), run);
        let found = by_role(role.as_deref(), path, observations, roles, run);
        let found = found.into_iter().map(|log| Log {
            hypothesis: nature.hypothesis(request, &log.role),
            promises_data,
            ..log
        });
        logs.extend(found);
    }
    if sound {
        Ok(Some(RoleLogs {
            logs,
            torn,
            by_draft: binder.binding.draft,
            is_long: false,
        }))
    } else {
        Err(Stop::Mistakes)
    }
}

/// A log that can be read.
pub(super) struct OpenRoleLog {
    pub(super) input: Box<dyn Read + Send>,
    pub(super) options: LogOptions,
    pub(super) description: String,
    path: String,
}

/// What is known of a log before it is read: whether its form drops records by design, and what the binding says of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogKind {
    is_partial: bool,
    is_lossy: Option<bool>,
}

/// Why a log cannot be read.
pub(super) enum Unopened {
    /// What form it has is not known, which ends the run.
    NoFormat(Box<Diagnostic>),
    Unreadable(Box<Diagnostic>),
}

/// What to say of a log that cannot be read.
pub(super) fn failed(path: &str, error: &std::io::Error) -> Diagnostic {
    unreadable::diagnostic(&SourceError {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// Opens a log in the form that the request, the binding or its name say.
pub(super) fn open_role_log(
    request: &LogsRequest,
    (role, path): (&Option<String>, &str),
    binder: &Arc<Binder>,
    world: WatchContext<'_>,
) -> Result<OpenRoleLog, Unopened> {
    let rules = binder.binding.log_rules(path);
    let named = rules.and_then(|it| LogFormat::named(it.form.as_deref()?));
    // Rules that say where names are go by the records as they are written, whatever they look like.
    let is_ruled = binder.has_rules_for(path);
    let named = named.or_else(|| LogFormat::of_path(path).filter(|_| is_ruled));
    match open_log(path, request.format.or(named)) {
        Ok(Some(opened)) => Ok(OpenRoleLog {
            options: LogOptions {
                service: role.clone(),
                names: request.names.clone(),
                reads_ahead: opened.is_long,
                binding: bound(binder, path, opened.form, world),
                ..LogOptions::new(opened.form)
            },
            input: opened.input,
            description: opened.description,
            path: path.to_owned(),
        }),
        Ok(None) => Err(Unopened::NoFormat(Box::new(no_log_format::diagnostic(
            path,
        )))),
        Err(error) => Err(Unopened::Unreadable(Box::new(failed(path, &error)))),
    }
}

/// Opens a log; one that cannot be read is a finding, and the run is not sound if its form is not known.
pub(super) fn open_or_tell(
    request: &LogsRequest,
    file: (&Option<String>, &str),
    binder: &Arc<Binder>,
    world: WatchContext<'_>,
    (run, sound): (&mut RunNotes, &mut bool),
) -> Option<OpenRoleLog> {
    match open_role_log(request, file, binder, world) {
        Ok(opened) => Some(opened),
        Err(Unopened::NoFormat(finding)) => {
            run.findings.push(*finding);
            *sound = false;
            None
        }
        Err(Unopened::Unreadable(finding)) => {
            run.findings.push(*finding);
            None
        }
    }
}

impl OpenRoleLog {
    pub(super) fn kind(&self, binder: &Binder) -> LogKind {
        LogKind {
            is_partial: self.options.binding.is_some() && self.options.format.is_partial(),
            is_lossy: binder.binding.log_rules(&self.path).and_then(|it| it.lossy),
        }
    }
}

/// What a log turned out to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nature {
    /// Each message is there once, by the one that sent it, and shows where it was received.
    is_bus: bool,
    /// Messages are there once, by one of their ends.
    pub(super) is_one_sided: bool,
    is_lossy: bool,
    has_gaps: bool,
}

impl Nature {
    pub(super) fn of(whole: &WholeLog, kind: LogKind, takes_turns: bool) -> Nature {
        // Events on a bus are those that were sent: what a service received is not in them.
        let tally = whole.tally.as_ref();
        let one_sided = tally.map_or(0, |it| it.one_sided());
        let is_one_sided = one_sided > 0;
        Nature {
            is_bus: is_one_sided && takes_turns && tally.is_some_and(|it| one_sided == it.records),
            is_one_sided,
            is_lossy: match kind.is_lossy {
                Some(lossy) => lossy,
                None => kind.is_partial || is_one_sided,
            },
            // A record that may be a message and could not be told is missing: no one is blamed for it.
            has_gaps: tally.is_some_and(|it| it.gaps > 0),
        }
    }

    /// What the log of a role may lack.
    pub(super) fn hypothesis(self, request: &LogsRequest, role: &str) -> Hypothesis {
        match request.hypothesis(role, self.is_lossy) {
            // Whatever was said of the log: these records are there, and were not judged.
            _ if self.has_gaps => Hypothesis::Gaps,
            // A user who says that nothing is missing cannot mean what was received.
            _ if self.is_one_sided && !self.is_bus => Hypothesis::Gaps,
            said => said,
        }
    }
}

/// The roles that are named for logs or hypotheses and are none of the model; each is reported.
pub(super) fn strange_roles<'r>(
    request: &'r LogsRequest,
    roles: &[String],
    run: &mut RunNotes,
) -> BTreeSet<&'r String> {
    let named = request.files.iter().filter_map(|(role, _)| role.as_ref());
    let assumed = request.hypotheses.iter().filter_map(|(of, _)| of.as_ref());
    let strange: BTreeSet<&String> = named
        .chain(assumed)
        .filter(|role| !roles.contains(role))
        .collect();
    for role in &strange {
        let similar = nearest(role, roles.iter().map(String::as_str));
        let diagnostic = unknown_log_role::diagnostic(role, roles, similar);
        run.findings.push(diagnostic);
    }
    strange
}

/// A log with records that could not be read.
pub(super) struct SplitSession {
    /// Whose log it is; without one, that of anyone.
    pub(super) role: Option<String>,
    pub(super) path: String,
    pub(super) left_out: u64,
}

impl LogsRequest {
    /// The logs to read: one that was given again, for the same role, is no other log, and no one did anything twice.
    pub(super) fn different_files(&self) -> impl Iterator<Item = &(Option<String>, String)> {
        let files = self.files.iter().enumerate();
        let first = files.filter(|(at, file)| !self.files[..*at].contains(file));
        first.map(|(_, file)| file)
    }

    /// The logs that were given before.
    pub(super) fn given_again(&self) -> impl Iterator<Item = &(Option<String>, String)> {
        let files = self.files.iter().enumerate();
        let again = files.filter(|(at, file)| self.files[..*at].contains(file));
        again.map(|(_, file)| file)
    }

    /// What the log of a role may lack: what the request says, or else the mapping.
    fn hypothesis(&self, role: &str, is_lossy: bool) -> Hypothesis {
        let fits = self.hypotheses.iter().rev().find(|(of, _)| {
            let of = of.as_deref();
            of.is_none_or(|of| of == role)
        });
        match (fits, is_lossy) {
            (Some((_, hypothesis)), _) => *hypothesis,
            (None, true) => Hypothesis::Gaps,
            (None, false) => Hypothesis::Cut,
        }
    }
}

/// Which parts the observations of a log have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PartPresence {
    count: usize,
    has: [bool; 4],
}

impl PartPresence {
    pub(super) fn see(&mut self, seen: &Observation<'_>) {
        self.count += 1;
        let has = [
            seen.at.is_some(),
            seen.id.is_some(),
            seen.session.is_some(),
            !seen.data.is_empty(),
        ];
        for (known, has) in self.has.iter_mut().zip(has) {
            *known |= has;
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Warns of paths that a binding names and no record has; whether it names one for data.
    pub(super) fn absent_paths(
        self,
        path: &str,
        rules: Option<&LogRules>,
        run: &mut RunNotes,
    ) -> bool {
        if self.count == 0 {
            return false;
        }
        let parts = [
            ("time", Part::At),
            ("identity", Part::Id),
            ("session", Part::Session),
            ("data", Part::Body),
        ];
        for ((words, part), has) in parts.into_iter().zip(self.has) {
            if let Some(at) = only_path(rules, part)
                && !has
            {
                let diagnostic = absent_path::diagnostic(path, words, at, self.count);
                run.findings.push(diagnostic);
            }
        }
        only_path(rules, Part::Body).is_some()
    }
}

/// The observations of a file as logs of their roles.
fn by_role(
    role: Option<&str>,
    path: &str,
    observations: Vec<Observation<'static>>,
    roles: &[String],
    run: &mut RunNotes,
) -> Vec<Log> {
    let mut found: Vec<Log> = Vec::new();
    match role {
        Some(role) => found.push(Log {
            role: role.to_owned(),
            source: path.to_owned(),
            hypothesis: Hypothesis::Cut,
            promises_data: false,
            observations,
        }),
        None => {
            // One file of several services: each observation goes to the log of the one that made it.
            let mut by_role: BTreeMap<String, Vec<Observation<'static>>> = BTreeMap::new();
            for observation in observations {
                let seen_by = observation.by.to_string();
                by_role.entry(seen_by).or_default().push(observation);
            }
            for role in roles {
                if let Some(observations) = by_role.remove(role) {
                    found.push(Log {
                        role: role.clone(),
                        source: path.to_owned(),
                        hypothesis: Hypothesis::Cut,
                        promises_data: false,
                        observations,
                    });
                }
            }
            for (role, observations) in by_role {
                run.semantics
                    .notes
                    .push(stranger_words(observations.len(), path, &role));
            }
        }
    }
    found
}

/// What is said of records of a service that the model does not know.
pub(super) fn stranger_words(count: usize, path: &str, role: &str) -> String {
    format!("{count} records of `{path}` are from `{role}`, which is not a role of the model")
}

/// Reports what is wrong with the records of a log; whether it can be judged all the same.
fn complain(path: &str, whole: &WholeLog, strict: bool, run: &mut RunNotes) -> bool {
    let mut doubts = Doubts::default();
    whole.observations.iter().for_each(|it| doubts.see(it));
    let is_empty = whole.observations.is_empty();
    complaints(path, (whole, is_empty), doubts, strict, run)
}

/// The same of a log that was read observation by observation.
pub(super) fn complaints(
    path: &str,
    (whole, is_empty): (&WholeLog, bool),
    doubts: Doubts,
    strict: bool,
    run: &mut RunNotes,
) -> bool {
    let shown = if strict { 1 } else { whole.problems.len() };
    let problems = whole.problems.iter().take(shown);
    let malformed = problems.map(|problem| problem.diagnostic(path));
    let mut found: Vec<Diagnostic> = malformed.collect();
    if whole.flawed > 0 {
        let records = match whole.flawed {
            1 => format!("1 record of `{path}` has"),
            count => format!("{count} records of `{path}` have"),
        };
        let mapping = if is_empty {
            "; if its fields have other names, a binding says which is which"
        } else {
            ""
        };
        run.semantics
            .notes
            .push(format!("{records} problems{mapping}"));
    }
    found.extend(doubts.diagnostics(path));
    if strict {
        let found = found.iter_mut();
        found.for_each(|it| it.severity = Severity::Error);
    }
    let is_sound = !strict || (found.is_empty() && whole.flawed == 0);
    run.findings.extend(found);
    is_sound
}
