//! Do these logs follow the choreography?

mod events;
mod logs;
mod tell;

use choros_base::has_errors;
use choros_model::observation::Correlation;
use choros_model::stg::{Direction, DotMarks, Stg};
use choros_monitor::audit::{
    Auditing, Crossing, Empty, Hypothesis, Integers, Network, NotAudited, Order, Projection,
    Reading, Runs, Sessions, audit,
};
use choros_report::{GraphDrawing, Report};

use self::events::load_events;
use self::logs::{Torn, read_logs};
use self::tell::{doubt, tell};
use super::conform::load_one;
use super::no_graph::{no_graph, remark, unknown_because_cut};
use crate::diagnostics::unauditable_model;
use crate::languages::language;
use crate::{Mode, Request, Settings, Workspace};

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
    workspace: &mut Workspace<'_>,
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
            load_events(workspace, &question.model, settings, &mut report)
        }
        false => load_one(
            workspace,
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
    let Some(roles) = roles(stg, workspace) else {
        let diagnostic = unauditable_model::diagnostic(&component.name);
        report.diagnostics.push(diagnostic);
        return report;
    };
    let mut torn: Vec<Torn> = Vec::new();
    let read = read_logs(
        workspace,
        question,
        &roles,
        settings,
        &mut torn,
        &mut report,
    );
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
    settings.progress.keep(&report, &workspace.sources);
    settings
        .progress
        .show(format!("auditing by `{}`", component.name));
    let mut solver = settings.solver();
    let budget = settings.until_cancelled();
    let judged = audit(stg, &logs, &how, &mut workspace.terms, &mut solver, &budget);
    settings.name_solver(&solver, &mut report.semantics);
    match judged {
        Err(NotAudited::Cancelled) => report.interrupted = true,
        Err(NotAudited::Solver(error)) => report.world_failed = Some(error.to_string()),
        Ok(found) => {
            let pictures = GraphDrawing::pictures(&[(stg, DotMarks::default())], &workspace.terms);
            tell(found, workspace, &mut report);
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
fn roles(stg: &Stg, workspace: &Workspace<'_>) -> Option<Vec<String>> {
    let text = |name| workspace.terms.names.text(name).to_owned();
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
