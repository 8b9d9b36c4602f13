//! The logs that are audited.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::{Diagnostic, Severity, SourceError, nearest};
use choros_bind::{LogRules, Part, Vocabulary};
use choros_codes::diagnostics::{
    absent_path, backward_time, no_log_format, repeated_identity, too_many_observations,
    unknown_log_role, unreadable,
};
use choros_exec::log::{LogFormat, LogOptions, WholeLog, open_log, read_all};
use choros_model::observation::Observation;
use choros_monitor::audit::{Hypothesis, Log};
use choros_report::answers::{RunNotes, Stop};
use rustc_hash::FxHashSet;

use super::bus::with_receivers;
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
pub(super) fn read_logs(
    request: &LogsRequest,
    (AuditedModel { roles, takes_turns }, vocabulary): (AuditedModel<'_>, Vocabulary),
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<RoleLogs, Stop> {
    let mut torn = Vec::new();
    let binder = binder(world.binding, &request.names, vocabulary);
    let mut logs: Vec<Log> = Vec::new();
    let strange = strange_roles(request, roles, run);
    let mut sound = strange.is_empty();
    for (role, path) in &request.files {
        if role.as_ref().is_some_and(|role| strange.contains(role)) {
            continue;
        }
        world.events.doing(format!("reading `{path}`"));
        let failed = |error: std::io::Error| {
            unreadable::diagnostic(&SourceError {
                path: path.clone(),
                reason: error.to_string(),
            })
        };
        let rules = binder.binding.log_rules(path);
        let named = rules.and_then(|it| LogFormat::named(it.form.as_deref()?));
        // Rules that say where names are go by the records as they are written, whatever they look like.
        let is_ruled = binder.has_rules_for(path);
        let named = named.or_else(|| LogFormat::of_path(path).filter(|_| is_ruled));
        let opened = match open_log(path, request.format.or(named)) {
            Ok(Some(opened)) => opened,
            Ok(None) => {
                run.findings.push(no_log_format::diagnostic(path));
                sound = false;
                continue;
            }
            Err(error) => {
                run.findings.push(failed(error));
                continue;
            }
        };
        let format = opened.form;
        let options = LogOptions {
            service: role.clone(),
            names: request.names.clone(),
            binding: bound(&binder, path, format, world),
            ..LogOptions::new(format)
        };
        let is_bound = options.binding.is_some();
        let read: usize = logs.iter().map(|log: &Log| log.observations.len()).sum();
        let room = request.most_observations.saturating_sub(read);
        let whole = match read_all(opened.input, options, room) {
            Ok(whole) => whole,
            Err(error) => {
                run.findings.push(failed(error));
                continue;
            }
        };
        let inputs = &mut run.semantics.inputs;
        inputs.insert(path.clone(), opened.description);
        if let Some(tally) = &whole.tally {
            tell_tally(path, tally, run);
        }
        // Events on a bus are those that were sent: what a service received is not in them.
        let unattributed = whole.tally.as_ref().map_or(0, |it| it.one_sided());
        let is_one_sided = unattributed > 0;
        let records = whole.tally.as_ref().map_or(0, |it| it.records);
        let is_bus = is_one_sided && unattributed == records && takes_turns;
        let is_lossy = match rules.and_then(|it| it.lossy) {
            Some(lossy) => lossy,
            None => is_bound && format.is_partial() || is_one_sided,
        };
        // A record that may be a message and could not be told is missing: no one is blamed for it.
        let has_gaps = whole.tally.as_ref().is_some_and(|it| it.gaps > 0);
        if whole.is_cut {
            let diagnostic = too_many_observations::diagnostic(path, request.most_observations);
            run.findings.push(diagnostic);
            return Err(Stop::Mistakes);
        }
        sound &= complain(path, &whole, request.strict, run);
        if whole.left_out > 0 {
            torn.push(SplitSession {
                role: role.clone(),
                path: path.clone(),
                left_out: whole.left_out,
            });
        }
        let mut observations = whole.observations;
        if is_bus {
            observations = with_receivers(observations);
        }
        let lacks_data = (whole.tally.as_ref()).is_some_and(|it| !it.missing.is_empty());
        let promises_data = absent_paths(path, rules, &observations, run);
        let found = by_role(role.as_deref(), path, observations, roles, run);
        let found = found.into_iter().map(|log| Log {
            hypothesis: match request.hypothesis(&log.role, is_lossy) {
                // Whatever was said of the log: these records are there, and were not judged.
                _ if has_gaps => Hypothesis::Gaps,
                // Whoever says that nothing is missing cannot mean what was received.
                _ if is_one_sided && !is_bus => Hypothesis::Gaps,
                said => said,
            },
            promises_data,
            lacks_data,
            ..log
        });
        logs.extend(found);
    }
    if sound {
        let by_draft = binder.binding.draft;
        Ok(RoleLogs {
            logs,
            torn,
            by_draft,
        })
    } else {
        Err(Stop::Mistakes)
    }
}

/// The roles that are named for logs or hypotheses and are none of the model; each is reported.
fn strange_roles<'r>(
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

/// Warns of paths that a binding names and no record has; whether it names one for data.
fn absent_paths(
    path: &str,
    rules: Option<&LogRules>,
    observations: &[Observation<'static>],
    run: &mut RunNotes,
) -> bool {
    if observations.is_empty() {
        return false;
    }
    type Has = fn(&Observation<'static>) -> bool;
    let parts: [(&str, Part, Has); 4] = [
        ("time", Part::At, |it| it.at.is_some()),
        ("identity", Part::Id, |it| it.id.is_some()),
        ("session", Part::Session, |it| it.session.is_some()),
        ("data", Part::Body, |it| !it.data.is_empty()),
    ];
    for (words, part, has) in parts {
        if let Some(at) = only_path(rules, part)
            && !observations.iter().any(has)
        {
            let diagnostic = absent_path::diagnostic(path, words, at, observations.len());
            run.findings.push(diagnostic);
        }
    }
    only_path(rules, Part::Body).is_some()
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
            lacks_data: false,
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
                        lacks_data: false,
                        observations,
                    });
                }
            }
            for (role, observations) in by_role {
                run.semantics.notes.push(format!(
                    "{} records of `{path}` are from `{role}`, which is not a role of the model",
                    observations.len()
                ));
            }
        }
    }
    found
}

/// Reports what is wrong with the records of a log; whether it can be judged all the same.
fn complain(path: &str, whole: &WholeLog, strict: bool, run: &mut RunNotes) -> bool {
    let shown = if strict { 1 } else { whole.problems.len() };
    let problems = whole.problems.iter().take(shown);
    let malformed = problems.map(|problem| problem.diagnostic(path));
    let mut found: Vec<Diagnostic> = malformed.collect();
    if whole.flawed > 0 {
        let records = match whole.flawed {
            1 => format!("1 record of `{path}` has"),
            count => format!("{count} records of `{path}` have"),
        };
        let mapping = if whole.observations.is_empty() {
            "; if its fields have other names, a mapping says which is which"
        } else {
            ""
        };
        run.semantics
            .notes
            .push(format!("{records} problems{mapping}"));
    }
    found.extend(backward(path, whole));
    found.extend(repeated(path, whole));
    if strict {
        let found = found.iter_mut();
        found.for_each(|it| it.severity = Severity::Error);
    }
    let is_sound = !strict || (found.is_empty() && whole.flawed == 0);
    run.findings.extend(found);
    is_sound
}

/// Reports the first observation that is older than the one before it.
fn backward(path: &str, whole: &WholeLog) -> Option<Diagnostic> {
    let mut count = 0;
    let mut first = None;
    for pair in whole.observations.windows(2) {
        if let (Some(earlier), Some(later)) = (&pair[0].at, &pair[1].at)
            && later < earlier
            && pair[0].by == pair[1].by
        {
            count += 1;
            first.get_or_insert(pair[1].line);
        }
    }
    Some(backward_time::diagnostic(path, first?, count))
}

/// Reports the first message whose identity another message has that its service sent, or received, too.
fn repeated(path: &str, whole: &WholeLog) -> Option<Diagnostic> {
    let mut seen = FxHashSet::default();
    let mut count = 0;
    let mut first = None;
    for observation in &whole.observations {
        if let Some(id) = &observation.id
            && !seen.insert((&observation.by, observation.direction, id))
        {
            count += 1;
            first.get_or_insert((observation.line, id));
        }
    }
    let (line, id) = first?;
    Some(repeated_identity::diagnostic(path, line, id, count))
}
