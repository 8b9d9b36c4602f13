//! Do these logs follow the choreography?

use choros_base::has_errors;
use choros_lang::NoGraph;
use choros_monitor::audit::{Auditing, Integers};
use choros_realize::gchor::event_graph;
use choros_report::answers::{Answered, Audit, RunNotes, Stop};
use choros_watch::audit::{LogsRequest, RoleLogs, Solvers, order_words};
use choros_watch::monitor::{self as watch, SessionModel, SessionsRequest};
use choros_workspace::language;

use super::monitor::world;
use crate::{Component, Request, Settings, Workspace};

/// Which logs are judged by which model, and how.
#[derive(Debug, Clone, Default)]
pub struct AuditRequest {
    pub model: Request,
    /// Where the records come from, and how they are read.
    pub logs: LogsRequest,
    /// How they are judged; what integers are and how far is looked, the model and the settings say.
    pub auditing: Auditing,
}

/// Judges logs by a model.
pub fn audit(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    settings: &Settings,
) -> Answered<Audit> {
    let mut run = settings.run();
    run.semantics.relation =
        Some("prefix of a trace, for each role and for all together".to_owned());
    run.semantics.channels = Some(order_words(&request.auditing).to_owned());
    let answer = answer(workspace, request, settings, &mut run);
    run.interrupted |= settings.is_cancelled();
    Answered::new(answer, run)
}

fn answer(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Audit, Stop> {
    let component = component(workspace, request, settings, run)?;
    let name = component.name.clone();
    let stg = &component.graph(settings, run)?;
    let binding = workspace.log_binding(request.logs.mapping.as_deref(), run)?;
    let world = world(workspace, binding.as_ref(), settings);
    let logs = RoleLogs::read((&name, stg), &workspace.terms, &request.logs, world, run)?;
    let how = how(request, settings);
    let so_far = run.clone().report("audit");
    settings.events.report(&so_far, &workspace.sources);
    settings.events.doing(format!("auditing by `{name}`"));
    let new_solver = || settings.solver();
    let mut solvers = Solvers::new(&new_solver);
    let budget = settings.until_cancelled();
    let mut terms = workspace.terms.clone();
    let world = super::monitor::world(workspace, binding.as_ref(), settings);
    let what = (&request.logs, stg, &how);
    let judged = logs.judge(what, world, &mut terms, &mut solvers, &budget, run);
    workspace.terms = terms;
    if let Some(solver) = solvers.used() {
        settings.name_solver(solver, &mut run.semantics);
    }
    judged
}

/// Judges sessions by a model as they end, from logs that may grow or from a stream.
pub fn audit_sessions(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    sessions: &SessionsRequest,
    settings: &Settings,
) -> Answered<Audit> {
    let mut run = settings.run();
    run.semantics.relation = Some("prefix of a trace, session by session".to_owned());
    run.semantics.channels = Some(order_words(&request.auditing).to_owned());
    let answer = sessions_answer(workspace, request, sessions, settings, &mut run);
    run.interrupted |= settings.is_cancelled();
    Answered::new(answer, run)
}

fn sessions_answer(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    sessions: &SessionsRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Audit, Stop> {
    let component = component(workspace, request, settings, run)?;
    let name = component.name.clone();
    let stg = &component.graph(settings, run)?;
    let binding = workspace.log_binding(sessions.watch.mapping.as_deref(), run)?;
    let world = world(workspace, binding.as_ref(), settings);
    let solvers = || settings.solver();
    let model = SessionModel {
        name: &name,
        stg,
        how: &how(request, settings).suited_to(stg),
        terms: &workspace.terms,
        solvers: &solvers,
    };
    watch::audit(&model, sessions, world, run)
}

fn how(request: &AuditRequest, settings: &Settings) -> Auditing {
    let declares = |kind| language(kind).declares_integers;
    let mut how = request.auditing.clone();
    how.limit = settings.max_states;
    how.integers = Integers::WhereComputed;
    // Only the native language declares the sorts of what it passes on.
    if request.model.known_kind().is_some_and(declares) {
        how.integers = Integers::Declared;
    }
    how
}

/// The model: a graph of messages, or the events of a g-choreography.
fn component(
    workspace: &mut Workspace<'_>,
    request: &AuditRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Component, Stop> {
    let component = if request.model.is_gchor() {
        run.semantics.channels =
            Some("each participant's own order, receives after their sends".to_owned());
        events(workspace, &request.model, settings, run)
    } else {
        workspace.component(&request.model, settings, run)
    };
    let sound = component.filter(|_| !has_errors(&run.findings));
    sound.ok_or(Stop::Mistakes)
}

/// The words of a g-choreography as a component.
fn events(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Option<Component> {
    let (_, model) = workspace.model(request, settings, run)?;
    let (name, budget) = (request.path.clone(), settings.states());
    let graph = event_graph(&name, model.gchor()?, &mut workspace.terms, &budget);
    let mut component = Component::of_graph(name, graph.map_err(NoGraph::Spent));
    component.notation = workspace.terms.notation;
    Some(component)
}
