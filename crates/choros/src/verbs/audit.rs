//! Do these logs follow the choreography?

use std::collections::BTreeMap;

use choros_base::{Severity, has_errors, nearest};
use choros_exec::log::{
    LogFormat, LogOptions, Mapping, Source, WholeLog, read_mapping, read_whole,
};
use choros_model::observation::{Correlation, Observation};
use choros_model::stg::{Direction, DotMarks, Stg};
use choros_model::{Evidence, Verdict};
use choros_monitor::audit::{
    Audit, Auditing, Blame, Crossing, Empty, Hypothesis, Integers, Judged, Log, Network,
    NotAudited, Order, Presence, Projection, Reading, Runs, Sessions, audit,
};
use choros_report::{Answer, Outcome, Report, Sizes, Stat, Stats, Word};
use choros_smt::{NoSolver, Solver};
use rustc_hash::FxHashSet;

use super::audit_events::load_events;
use super::check::{has_conditions, unknown_because_cut};
use super::conform::load_one;
use super::draw::model_pictures;
use super::explore::{no_graph, remark};
use crate::diagnostics::{
    absent_path, backward_time, no_log_format, repeated_identity, role_logged_twice,
    strange_mapping, too_many_observations, unauditable_model, unknown_log_role, unreadable,
};
use crate::languages::language;
use crate::{Mode, Project, Request, Settings};

/// Which logs are judged by which model, and how.
#[derive(Debug, Clone)]
pub struct AuditRequest {
    /// The model.
    pub model: Request,
    /// `--log role=FILE`, or `--log FILE` where each observation says whose it is.
    pub logs: Vec<(Option<String>, String)>,
    /// `--log-format`: how logs are read, where extensions do not say.
    pub format: Option<String>,
    /// `--mapping FILE`: which paths of foreign logs are what.
    pub mapping: Option<String>,
    /// `--map address=role`.
    pub names: Vec<(String, String)>,
    /// `--correlate session|id|PATH`: how sessions are told apart.
    pub correlate: Option<String>,
    /// `--one-session`: all observations belong to one.
    pub one_session: bool,
    /// `--order time`: the clocks of all services agree.
    pub by_time: bool,
    /// When a message happens; without it, as a whole, unless messages cross.
    pub mode: Option<Mode>,
    /// `--require-complete`.
    pub require_complete: bool,
    /// `--hypothesis [ROLE=]cut|late|gaps`: what logs may lack; the last one that fits counts.
    pub hypotheses: Vec<(Option<String>, Hypothesis)>,
    /// `--natural`: roles are judged by their natural projections, literally.
    pub natural: bool,
    /// `--empty conforms`: logs without any message of the model conform.
    pub empty_conforms: bool,
    /// `--network repeats`: a message may be delivered again.
    pub network_repeats: bool,
    /// `--strict`: a record that is no observation ends the run.
    pub strict: bool,
    /// `--most-observations`: logs are not held in memory beyond so many.
    pub most_observations: usize,
}

/// Judges logs by a model.
pub fn audit_logs(
    project: &mut Project<'_>,
    question: &AuditRequest,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("audit");
    report.semantics.relation =
        Some("prefix of a trace, for each role and for all together".to_owned());
    report.semantics.channels = Some(order_words(question).to_owned());
    let component = match question.model.is_gchor() {
        true => {
            report.semantics.channels = Some(
                "order of each participant alone, receptions behind their sendings".to_owned(),
            );
            load_events(project, &question.model, settings, &mut report)
        }
        false => load_one(
            project,
            &question.model,
            settings,
            &mut report.diagnostics,
            &mut report.semantics,
        ),
    };
    let Some(component) = component.filter(|_| !has_errors(&report.diagnostics)) else {
        return report;
    };
    remark(&component, &mut report);
    let stg = match &component.stg {
        Ok(stg) => stg,
        Err(reason) => {
            let outcome = no_graph(&component, reason, &mut report);
            report.outcomes.push(unknown_because_cut(outcome, settings));
            return report;
        }
    };
    let Some(roles) = roles(stg, project) else {
        let diagnostic = unauditable_model::diagnostic(&component.name);
        report.diagnostics.push(diagnostic);
        return report;
    };
    let mut torn: Vec<Torn> = Vec::new();
    let read = read_logs(question, &roles, settings, &mut torn, &mut report);
    let Some(logs) = read else {
        return report;
    };
    for log in &logs {
        if log.hypothesis != Hypothesis::Cut {
            let words = match log.hypothesis {
                Hypothesis::Late => "may have begun late",
                _ => "may have gaps",
            };
            let notes = &mut report.semantics.notes;
            notes.push(format!(
                "`{}`, the log of `{}`, {words}",
                log.source, log.role
            ));
        }
    }
    let how = how(question, settings);
    settings
        .progress
        .show(format!("auditing by `{}`", component.name));
    let mut solver: Box<dyn Solver> = match choros_smt::find() {
        Ok(mut solver) if has_data(stg) => {
            solver.set_limits(settings.limits());
            report.semantics.solver = Some(solver.name());
            solver
        }
        // A model without data needs none; should one be needed after all, the run says how to get it.
        _ => Box::new(NoSolver),
    };
    let budget = settings.until_cancelled();
    let judged = audit(stg, &logs, &how, &mut project.terms, &mut *solver, &budget);
    match judged {
        Err(NotAudited::Cancelled) => report.interrupted = true,
        Err(NotAudited::Solver(error)) => report.world_failed = Some(error.to_string()),
        Ok(found) => {
            let pictures = model_pictures(&[(stg, DotMarks::default())], &project.terms);
            tell(found, project, &mut report);
            doubt(&torn, &mut report);
            if let Some(last) = report.outcomes.last_mut() {
                last.models = pictures;
            }
        }
    }
    report.interrupted |= settings.is_cancelled();
    report
}

fn how(question: &AuditRequest, settings: &Settings) -> Auditing {
    Auditing {
        order: match question.by_time {
            true => Order::Time,
            false => Order::Local,
        },
        reading: match question.mode {
            None | Some(Mode::Synchronous | Mode::Disjoint | Mode::Peers) => Reading::Whole,
            Some(Mode::Sender) => Reading::Sendings,
            Some(Mode::Receiver) => Reading::Receptions,
        },
        crossing: match question.mode {
            // Where only roles keep an order, messages may cross.
            None | Some(Mode::Peers) => Crossing::JudgedBySendings,
            Some(_) => Crossing::Fails,
        },
        sessions: match (&question.correlate, question.one_session) {
            (Some(by), _) => Sessions::By(match by.as_str() {
                "session" => Correlation::Session,
                "id" => Correlation::Id,
                path => Correlation::Path(path.replace('/', ".")),
            }),
            (None, true) => Sessions::One,
            (None, false) => Sessions::Found,
        },
        runs: match question.require_complete {
            true => Runs::MustBeFinished,
            false => Runs::MayBeUnfinished,
        },
        // Only the native language declares the sorts of what it passes on.
        projection: match question.natural {
            true => Projection::Natural,
            false => Projection::Remembering,
        },
        empty: match question.empty_conforms {
            true => Empty::Conforms,
            false => Empty::IsUnknown,
        },
        network: match question.network_repeats {
            true => Network::MayRepeat,
            false => Network::Once,
        },
        integers: match question.model.known_kind() {
            Some(kind) if language(kind).declares_integers => Integers::Declared,
            _ => Integers::WhereComputed,
        },
        limit: settings.max_states,
    }
}

fn order_words(question: &AuditRequest) -> &'static str {
    match (question.by_time, question.mode) {
        (false, None | Some(Mode::Synchronous | Mode::Disjoint | Mode::Peers)) => {
            "all orders of whole messages that agree with the local logs"
        }
        (false, Some(Mode::Sender)) => "all orders of sendings that agree with the local logs",
        (false, Some(Mode::Receiver)) => "all orders of receptions that agree with the local logs",
        (true, None | Some(Mode::Synchronous | Mode::Disjoint | Mode::Peers)) => {
            "by time, each message received before the next is sent"
        }
        (true, Some(Mode::Sender)) => "by time of sending",
        (true, Some(Mode::Receiver)) => "by time of reception",
    }
}

/// The roles whose logs the model can judge: all of a choreography, or the one of a role's own model.
///
/// `None` if the model speaks of whole messages here and of their ends there.
fn roles(stg: &Stg, project: &Project<'_>) -> Option<Vec<String>> {
    let text = |name| project.terms.names.text(name).to_owned();
    let whole = stg
        .messages()
        .any(|it| it.direction == Direction::Interaction);
    let ends = stg
        .messages()
        .any(|it| it.direction != Direction::Interaction);
    if whole && ends {
        return None;
    }
    let mut roles: Vec<String> = Vec::new();
    for message in stg.messages() {
        let acting = match message.direction {
            Direction::Interaction => vec![message.from, message.to],
            Direction::Send => vec![message.from],
            Direction::Receive => vec![message.to],
        };
        for role in acting {
            let role = text(role.0);
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
    }
    Some(roles)
}

/// Reads the logs; `None` if the question makes no sense, or `--strict` ends it.
///
/// A log that cannot be read is reported, and the others are judged.
fn read_logs(
    question: &AuditRequest,
    roles: &[String],
    settings: &Settings,
    torn: &mut Vec<Torn>,
    report: &mut Report,
) -> Option<Vec<Log>> {
    let mapping = match &question.mapping {
        None => None,
        Some(path) => {
            let read = std::fs::read_to_string(path)
                .map_err(|error| error.to_string())
                .and_then(|text| read_mapping(&text).map_err(|error| error.0));
            match read {
                Ok(mapping) => Some(mapping),
                Err(reason) => {
                    let diagnostic = strange_mapping::diagnostic(path, &reason);
                    report.diagnostics.push(diagnostic);
                    return None;
                }
            }
        }
    };
    let mut logs: Vec<Log> = Vec::new();
    let mut sound = true;
    for (role, path) in &question.logs {
        if let Some(role) = role
            && !roles.contains(role)
        {
            let similar = nearest(role, roles.iter().map(String::as_str));
            let diagnostic = unknown_log_role::diagnostic(role, roles, similar);
            report.diagnostics.push(diagnostic);
            sound = false;
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

/// A log with records that could not be read.
struct Torn {
    /// Whose log it is; without one, that of anybody.
    role: Option<String>,
    path: String,
    left_out: u64,
}

/// A record that could not be read may have been the one that was not allowed: nobody knows that such a log conforms.
fn doubt(torn: &[Torn], report: &mut Report) {
    for outcome in &mut report.outcomes {
        let concerns = |log: &&Torn| {
            outcome.name == "global" || log.role.as_ref().is_none_or(|role| *role == outcome.name)
        };
        let (Some(log), Some(answer)) = (torn.iter().find(concerns), &mut outcome.answer) else {
            continue;
        };
        if !matches!(answer.word, Word::Holds | Word::Conditional) {
            continue;
        }
        let records = match log.left_out {
            1 => "1 record".to_owned(),
            many => format!("{many} records"),
        };
        answer.word = Word::Unknown;
        answer.condition = None;
        answer.evidence = None;
        answer.reason = Some(format!(
            "what could be read conforms, but {records} of `{}` could not",
            log.path
        ));
    }
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

/// Puts what was found into the report.
fn tell(found: Audit, project: &Project<'_>, report: &mut Report) {
    report
        .diagnostics
        .extend(role_logged_twice::diagnostics(&found.torn));
    let notes = &mut report.semantics.notes;
    notes.push(found.told_apart);
    notes.extend(found.notes);
    notes.extend(blame_words(&found.blame));
    if found.repeated > 0 {
        notes.push(format!(
            "left out {} of messages that had been delivered before",
            counted(found.repeated, "reception", "receptions")
        ));
    }
    let partly = |field: &&Presence| field.there < field.records && field.with_data > 0;
    for field in found.fields.iter().filter(partly) {
        notes.push(format!(
            "`{}` was in {} of {} that should have it",
            field.field,
            field.there,
            counted(field.records, "record", "records")
        ));
    }
    if !found.filtered.is_empty() {
        const MOST: usize = 10;
        let total: u64 = found.filtered.iter().map(|(_, count)| count).sum();
        let mut words: Vec<String> = found
            .filtered
            .iter()
            .take(MOST)
            .map(|(message, count)| format!("{message} ({count})"))
            .collect();
        if found.filtered.len() > MOST {
            words.push(format!("{} others", found.filtered.len() - MOST));
        }
        notes.push(format!(
            "left out {total} {} of messages that the model does not speak of: {}",
            if total == 1 {
                "observation"
            } else {
                "observations"
            },
            words.join(", ")
        ));
    }
    for result in found.results {
        if let (Verdict::Holds(Evidence::Trace(trace)), false) = (&result.verdict, result.finished)
        {
            notes.push(format!("`{}` {}", result.name, trace.conclusion));
        }
        report
            .outcomes
            .push(outcome(result, found.sessions, project));
    }
}

/// Who is guilty, in words.
fn blame_words(blame: &Blame) -> Vec<String> {
    let mut words = Vec::new();
    for guilty in &blame.guilty {
        let alone = if blame.alone { " alone" } else { "" };
        words.push(format!(
            "guilty: `{}`{alone} ({}: {})",
            guilty.role, guilty.place, guilty.message
        ));
    }
    match &blame.may_be[..] {
        [] => {}
        [only] => words.push(format!("`{only}` may be guilty: its log does not tell")),
        several => {
            let roles = several.join("`, `");
            words.push(format!("one of `{roles}` may be guilty: no log tells"));
        }
    }
    if blame.races > 0 {
        words.push(format!(
            "no role is guilty in {}: the choreography itself allows it",
            counted(blame.races, "session", "sessions")
        ));
    }
    words
}

/// `1 record`, `2 records`.
fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

/// Whether anything depends on data.
fn has_data(stg: &Stg) -> bool {
    has_conditions(stg) || stg.messages().any(|message| !message.fields.is_empty())
}

fn outcome(result: Judged, sessions: usize, project: &Project<'_>) -> Outcome {
    let mut stats = Stats::default()
        .with(Stat::Observations, result.observations)
        .with(Stat::Filtered, result.filtered);
    if sessions > 1 {
        stats = stats
            .with(Stat::Pass, result.pass)
            .with(Stat::Fail, result.fail)
            .with(Stat::Inconclusive, result.inconclusive);
    }
    Outcome {
        answer: Some(Answer::of(&result.verdict, &project.terms)),
        name: result.name,
        sizes: Sizes {
            stats,
            complete: result.finished,
        },
        ..Outcome::default()
    }
}
