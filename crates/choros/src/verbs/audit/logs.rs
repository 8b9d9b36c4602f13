//! The logs that are audited.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::{Severity, nearest};
use choros_exec::log::{
    LogFormat, LogOptions, Mapping, Source, WholeLog, read_mapping, read_whole,
};
use choros_model::observation::Observation;
use choros_monitor::audit::{Hypothesis, Log};
use choros_report::Report;
use rustc_hash::FxHashSet;

use super::AuditRequest;
use crate::diagnostics::{
    absent_path, backward_time, no_log_format, repeated_identity, too_many_observations,
    unknown_log_role, unreadable, unusable_mapping,
};
use crate::{Settings, Workspace};

/// Reads the logs; `None` if the question makes no sense, or `--strict` ends it.
///
/// A log that cannot be read is reported, and the others are judged.
pub(super) fn read_logs(
    workspace: &Workspace<'_>,
    question: &AuditRequest,
    roles: &[String],
    settings: &Settings,
    torn: &mut Vec<Torn>,
    report: &mut Report,
) -> Option<Vec<Log>> {
    let mapping = match &question.mapping {
        None => None,
        Some(path) => {
            let read = workspace
                .read(path)
                .map_err(|error| error.reason)
                .and_then(|text| read_mapping(&text).map_err(|error| error.0));
            match read {
                Ok(mapping) => Some(mapping),
                Err(reason) => {
                    let diagnostic = unusable_mapping::diagnostic(path, &reason);
                    report.diagnostics.push(diagnostic);
                    return None;
                }
            }
        }
    };
    let mut logs: Vec<Log> = Vec::new();
    let named = question.logs.iter().filter_map(|(role, _)| role.as_ref());
    let assumed = question.hypotheses.iter().filter_map(|(of, _)| of.as_ref());
    let strange: BTreeSet<&String> = named
        .chain(assumed)
        .filter(|role| !roles.contains(role))
        .collect();
    for role in &strange {
        let similar = nearest(role, roles.iter().map(String::as_str));
        let diagnostic = unknown_log_role::diagnostic(role, roles, similar);
        report.diagnostics.push(diagnostic);
    }
    let mut sound = strange.is_empty();
    for (role, path) in &question.logs {
        if role.as_ref().is_some_and(|role| strange.contains(role)) {
            continue;
        }
        let format = question
            .format
            .as_deref()
            .map_or_else(|| LogFormat::of_path(path), LogFormat::named);
        let Some(format) = format else {
            report.diagnostics.push(no_log_format::diagnostic(path));
            sound = false;
            continue;
        };
        let options = LogOptions {
            service: role.clone(),
            names: question.names.clone(),
            mapping: mapping.clone(),
            ..LogOptions::new(format)
        };
        settings.progress.show(format!("reading `{path}`"));
        let read: usize = logs.iter().map(|log: &Log| log.observations.len()).sum();
        let room = question.most_observations.saturating_sub(read);
        let whole = match read_whole(path, options, room) {
            Ok(whole) => whole,
            Err(error) => {
                let error = choros_base::SourceError {
                    path: path.clone(),
                    reason: error.to_string(),
                };
                report.diagnostics.push(unreadable::diagnostic(&error));
                continue;
            }
        };
        report
            .semantics
            .inputs
            .insert(path.clone(), format.name().to_owned());
        if whole.is_cut {
            let diagnostic = too_many_observations::diagnostic(path, question.most_observations);
            report.diagnostics.push(diagnostic);
            return None;
        }
        complain(path, &whole, question.strict, report);
        for mut strange in backward(path, &whole)
            .into_iter()
            .chain(repeated(path, &whole))
        {
            if question.strict {
                strange.severity = Severity::Error;
                sound = false;
            }
            report.diagnostics.push(strange);
        }
        sound &= !(question.strict && whole.flawed > 0);
        if whole.left_out > 0 {
            torn.push(Torn {
                role: role.clone(),
                path: path.clone(),
                left_out: whole.left_out,
            });
        }
        let observations = whole.observations;
        let promises_data = absent_paths(path, mapping.as_ref(), &observations, report);
        let found = by_role(role.as_deref(), path, observations, roles, report);
        let found = found.into_iter().map(|log| Log {
            hypothesis: question.hypothesis(&log.role),
            promises_data,
            ..log
        });
        logs.extend(found);
    }
    sound.then_some(logs)
}

/// A log with records that could not be read.
pub(super) struct Torn {
    /// Whose log it is; without one, that of anybody.
    pub(super) role: Option<String>,
    pub(super) path: String,
    pub(super) left_out: u64,
}

impl AuditRequest {
    /// What the log of a role may lack.
    fn hypothesis(&self, role: &str) -> Hypothesis {
        let fits = self.hypotheses.iter().rev().find(|(of, _)| {
            let of = of.as_deref();
            of.is_none_or(|of| of == role)
        });
        fits.map_or(Hypothesis::Cut, |(_, hypothesis)| *hypothesis)
    }
}

/// Warns of paths that a mapping names and no record has; whether it names one for data.
fn absent_paths(
    path: &str,
    mapping: Option<&Mapping>,
    observations: &[Observation<'static>],
    report: &mut Report,
) -> bool {
    let Some(mapping) = mapping.filter(|_| !observations.is_empty()) else {
        return false;
    };
    let named = |source: &Option<Source>| match source {
        Some(Source::Path(path)) => Some(path.clone()),
        _ => None,
    };
    type Has = fn(&Observation<'static>) -> bool;
    let data = Some(mapping.data.clone()).filter(|path| !path.is_empty());
    let parts: [(&str, Option<String>, Has); 4] = [
        ("time", named(&mapping.at), |it| it.at.is_some()),
        ("identity", named(&mapping.id), |it| it.id.is_some()),
        ("session", named(&mapping.session), |it| {
            it.session.is_some()
        }),
        ("data", data.clone(), |it| !it.data.is_empty()),
    ];
    for (part, at, has) in parts {
        if let Some(at) = at
            && !observations.iter().any(has)
        {
            let diagnostic = absent_path::diagnostic(path, part, &at, observations.len());
            report.diagnostics.push(diagnostic);
        }
    }
    data.is_some()
}

/// The observations of a file as logs of their roles.
fn by_role(
    role: Option<&str>,
    path: &str,
    observations: Vec<Observation<'static>>,
    roles: &[String],
    report: &mut Report,
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
                report.semantics.notes.push(format!(
                    "{} observations of `{path}` were made by `{role}`, which is no role of the model",
                    observations.len()
                ));
            }
        }
    }
    found
}

/// Reports records that are no observations.
fn complain(path: &str, whole: &WholeLog, strict: bool, report: &mut Report) {
    let shown = match strict {
        true => 1,
        false => whole.problems.len(),
    };
    for problem in &whole.problems[..shown.min(whole.problems.len())] {
        let mut diagnostic = problem.diagnostic(path);
        if strict {
            diagnostic.severity = Severity::Error;
        }
        report.diagnostics.push(diagnostic);
    }
    if whole.flawed > 0 {
        report.semantics.notes.push(format!(
            "{} of the records of `{path}` have something wrong with them",
            whole.flawed
        ));
    }
}

/// Reports the first observation that is older than the one before it.
fn backward(path: &str, whole: &WholeLog) -> Option<choros_base::Diagnostic> {
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
fn repeated(path: &str, whole: &WholeLog) -> Option<choros_base::Diagnostic> {
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
