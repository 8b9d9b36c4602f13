//! Do these logs follow the choreography?

mod events;
mod found;
mod logs;

use choros_base::has_errors;
use choros_model::observation::Correlation;
use choros_model::stg::{Direction, DotMarks, Stg};
use choros_monitor::audit::{
    self as engine, Auditing, Crossing, Empty, Hypothesis, Integers, Network, NotAudited, Order,
    Projection, Reading, Runs, Sessions,
};
use choros_report::GraphDrawing;
use choros_report::answers::{Answered, Audit, Run, Stop};

use self::events::load_events;
use self::found::found_answer;
use self::logs::{Read, read_logs};
use super::conform::load_one;
use crate::diagnostics::role_logged_twice::{self, TwiceLogged};
use crate::diagnostics::unauditable_model;
use crate::languages::language;
use crate::{Component, Mode, Request, Settings, Workspace};

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

impl Default for AuditRequest {
    fn default() -> Self {
        AuditRequest {
            model: Request::default(),
            logs: Vec::new(),
            format: None,
            mapping: None,
            names: Vec::new(),
            correlate: None,
            one_session: false,
            by_time: false,
            mode: None,
            require_complete: false,
            hypotheses: Vec::new(),
            natural: false,
            empty_conforms: false,
            network_repeats: false,
            strict: false,
            most_observations: MOST_OBSERVATIONS,
        }
    }
}

/// Logs that have more are not held in memory unless somebody says so.
const MOST_OBSERVATIONS: usize = 2_000_000;

/// Judges logs by a model.
pub fn audit(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    settings: &Settings,
) -> Answered<Audit> {
    let mut run = settings.run();
    run.semantics.relation =
        Some("prefix of a trace, for each role and for all together".to_owned());
    run.semantics.channels = Some(order_words(request).to_owned());
    let answer = answer(workspace, request, settings, &mut run);
    run.interrupted |= settings.is_cancelled();
    Answered { answer, run }
}

fn answer(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    settings: &Settings,
    run: &mut Run,
) -> Result<Audit, Stop> {
    let component = component(workspace, request, settings, run)?;
    let name = component.name.clone();
    let stg = &component.graph(settings, run)?;
    let Some(roles) = roles(stg, workspace) else {
        run.findings.push(unauditable_model::diagnostic(&name));
        return Err(Stop::Mistakes);
    };
    let Read { logs, torn } = read_logs(workspace, request, &roles, settings, run)?;
    for log in &logs {
        let words = match log.hypothesis {
            Hypothesis::Cut => continue,
            Hypothesis::Late => "may have begun late",
            Hypothesis::Gaps => "may have gaps",
        };
        let (source, role) = (&log.source, &log.role);
        let note = format!("`{source}`, the log of `{role}`, {words}");
        run.semantics.notes.push(note);
    }
    let how = how(request, settings);
    let so_far = run.clone().report("audit");
    settings.progress.keep(&so_far, &workspace.sources);
    settings.progress.show(format!("auditing by `{name}`"));
    let mut solver = settings.solver();
    let budget = settings.until_cancelled();
    let terms = &mut workspace.terms;
    let judged = engine::audit(stg, &logs, &how, terms, &mut solver, &budget);
    settings.name_solver(&solver, &mut run.semantics);
    match judged {
        Err(NotAudited::Cancelled) => {
            run.interrupted = true;
            Err(Stop::Mistakes)
        }
        Err(NotAudited::Solver(error)) => Err(Stop::World(error.to_string())),
        Ok(found) => {
            let twice = found.torn.iter().map(|it| TwiceLogged {
                sources: [&it.sources[0], &it.sources[1]],
                session: &it.session,
                role: &it.role,
            });
            let twice: Vec<TwiceLogged<'_>> = twice.collect();
            run.findings.extend(role_logged_twice::diagnostics(&twice));
            let drawings = GraphDrawing::pictures(&[(stg, DotMarks::default())], &workspace.terms);
            Ok(found_answer(found, &torn, drawings))
        }
    }
}

/// The model: a graph of messages, or the events of a g-choreography.
fn component(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    settings: &Settings,
    run: &mut Run,
) -> Result<Component, Stop> {
    let component = match request.model.is_gchor() {
        true => {
            run.semantics.channels = Some(
                "order of each participant alone, receptions behind their sendings".to_owned(),
            );
            load_events(workspace, &request.model, settings, run)
        }
        false => {
            let (findings, semantics) = (&mut run.findings, &mut run.semantics);
            load_one(workspace, &request.model, settings, findings, semantics)
        }
    };
    let sound = component.filter(|_| !has_errors(&run.findings));
    sound.ok_or(Stop::Mistakes)
}

fn how(request: &AuditRequest, settings: &Settings) -> Auditing {
    Auditing {
        order: match request.by_time {
            true => Order::Time,
            false => Order::Local,
        },
        reading: match request.mode {
            None | Some(Mode::Synchronous | Mode::Disjoint | Mode::Peers) => Reading::Whole,
            Some(Mode::Sender) => Reading::Sendings,
            Some(Mode::Receiver) => Reading::Receptions,
        },
        crossing: match request.mode {
            // Where only roles keep an order, messages may cross.
            None | Some(Mode::Peers) => Crossing::JudgedBySendings,
            Some(_) => Crossing::Fails,
        },
        sessions: match (&request.correlate, request.one_session) {
            (Some(by), _) => Sessions::By(match by.as_str() {
                "session" => Correlation::Session,
                "id" => Correlation::Id,
                path => Correlation::Path(path.replace('/', ".")),
            }),
            (None, true) => Sessions::One,
            (None, false) => Sessions::Found,
        },
        runs: match request.require_complete {
            true => Runs::MustBeFinished,
            false => Runs::MayBeUnfinished,
        },
        // Only the native language declares the sorts of what it passes on.
        projection: match request.natural {
            true => Projection::Natural,
            false => Projection::Remembering,
        },
        empty: match request.empty_conforms {
            true => Empty::Conforms,
            false => Empty::IsUnknown,
        },
        network: match request.network_repeats {
            true => Network::MayRepeat,
            false => Network::Once,
        },
        integers: match request.model.known_kind() {
            Some(kind) if language(kind).declares_integers => Integers::Declared,
            _ => Integers::WhereComputed,
        },
        limit: settings.max_states,
    }
}

fn order_words(request: &AuditRequest) -> &'static str {
    match (request.by_time, request.mode) {
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
