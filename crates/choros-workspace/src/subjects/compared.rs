//! Two sides that are compared.

use choros_base::{Diagnostic, has_errors, nearest};
use choros_codes::diagnostics::{no_such_service, state_bound, unmatched_message};
use choros_model::stg::{ProductNote, Renaming, Role, Sessions, Stg, Told, product, rename};
use choros_report::answers::{RunNotes, Stop};

use crate::{Request, SessionsAs, Settings, Workspace};

/// What is compared, and how.
#[derive(Debug, Clone, Default)]
pub struct ConformRequest {
    /// The services that implement it; several are composed.
    pub implementation: Vec<Request>,
    /// What they are to implement.
    pub specification: Request,
    /// Under which names services appear in the specification.
    pub roles: Vec<(String, String)>,
    /// The service plays this role, among partners that keep the specification.
    pub role: Option<String>,
    /// By which rules, and what is shown.
    pub rules: ComparisonRules,
}

impl ConformRequest {
    /// Whether a service conforms to a specification.
    pub fn new(implementation: impl Into<Request>, specification: impl Into<Request>) -> Self {
        ConformRequest {
            implementation: vec![implementation.into()],
            specification: specification.into(),
            ..ConformRequest::default()
        }
    }
}

/// By which rules two sides are compared, and what is shown.
#[derive(Debug, Clone, Default)]
pub struct ComparisonRules {
    /// Parameters that both sides have in common.
    pub shared: Vec<String>,
    /// The implementation may send what it knows where the specification leaves it open.
    pub allow_fixed: bool,
    /// The equations are part of the answer.
    pub show_equations: bool,
    /// So is a script of them for solvers.
    pub smt2: bool,
    /// So is what others can check.
    pub certificate: bool,
}

/// The implementation, composed, and the specification.
pub fn compared_graphs(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Stg, Stg), Stop> {
    let (left, right, _) = compared_sessions(workspace, request, settings, run)?;
    Ok((left, right))
}

/// The same, and how many sessions of both there are, where both are graphs of one.
pub fn compared_sessions(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Stg, Stg, Option<Sessions>), Stop> {
    let requests = request.implementation.iter();
    let requests: Vec<&Request> = requests.chain([&request.specification]).collect();
    let (mut graphs, sessions) = graphs(workspace, &requests, settings, run)?;
    let specification = graphs.pop().ok_or(Stop::Mistakes)?;
    rename_roles(&mut graphs, &request.roles, workspace, &mut run.findings);
    let implementation = compose(graphs, workspace, settings, run)?;
    if has_errors(&run.findings) {
        Err(Stop::Mistakes)
    } else {
        Ok((implementation, specification, sessions))
    }
}

/// The services that implement it, one by one, and the specification.
pub fn compared_components(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Vec<Stg>, Stg), Stop> {
    let requests = request.implementation.iter();
    let requests: Vec<&Request> = requests.chain([&request.specification]).collect();
    let (mut graphs, _) = graphs(workspace, &requests, settings, run)?;
    let specification = graphs.pop().ok_or(Stop::Mistakes)?;
    rename_roles(&mut graphs, &request.roles, workspace, &mut run.findings);
    if has_errors(&run.findings) {
        Err(Stop::Mistakes)
    } else {
        Ok((graphs, specification))
    }
}

/// What several services do together.
pub(super) fn composed(
    workspace: &mut Workspace<'_>,
    requests: &[&Request],
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Stg, Stop> {
    let (graphs, _) = graphs(workspace, requests, settings, run)?;
    let found = compose(graphs, workspace, settings, run)?;
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    Ok(found)
}

/// How long a tick has to be where models with clocks differ in that: the greatest common divisor.
fn common_tick(components: &[crate::Component]) -> Option<u64> {
    let graphs = components.iter().filter_map(|it| it.stg.as_ref().ok());
    let ticks: Vec<u64> = graphs.filter_map(Stg::tick).collect();
    let differ = ticks.windows(2).any(|pair| pair[0] != pair[1]);
    let common = ticks.into_iter().fold(0, |a, b| {
        let (mut a, mut b) = (a, b);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    differ.then_some(common)
}

/// The graph of each, and how many sessions of them there are; values of parameters are given once for all.
fn graphs(
    workspace: &mut Workspace<'_>,
    requests: &[&Request],
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Vec<Stg>, Option<Sessions>), Stop> {
    let without_values = Settings {
        parameters: Vec::new(),
        ..settings.clone()
    };
    let mut components = Vec::new();
    for &one in requests {
        components.extend(workspace.component(one, &without_values, run));
    }
    if let Some(tick) = common_tick(&components) {
        let with_ticks = Settings {
            tick: Some(tick),
            ..without_values
        };
        components.clear();
        for &one in requests {
            components.extend(workspace.component(one, &with_ticks, run));
        }
    }
    workspace.fix_parameters(&mut components, settings, &mut run.findings);
    if has_errors(&run.findings) || components.len() != requests.len() {
        return Err(Stop::Mistakes);
    }
    let sessions = components.first().and_then(|it| it.sessions.clone());
    if components.iter().any(|it| it.sessions != sessions) {
        let together = settings.with_sessions_as(SessionsAs::Together(Told::ByMessages));
        return graphs(workspace, requests, &together, run);
    }
    let components = components.into_iter();
    let graphs: Result<Vec<Stg>, Stop> = components.map(|it| it.graph(settings, run)).collect();
    Ok((graphs?, sessions))
}

fn rename_roles(
    graphs: &mut [Stg],
    roles: &[(String, String)],
    workspace: &mut Workspace<'_>,
    findings: &mut Vec<Diagnostic>,
) {
    if roles.is_empty() {
        return;
    }
    let terms = &mut workspace.terms;
    let known: Vec<String> = graphs
        .iter()
        .flat_map(Stg::roles)
        .map(|role| terms.names.text(role.0).to_owned())
        .collect();
    let mut renaming = Renaming::default();
    for (service, role) in roles {
        if !known.contains(service) {
            let similar = nearest(service, known.iter().map(String::as_str));
            findings.push(no_such_service::diagnostic(service, similar));
        }
        let (service, role) = (terms.names.intern(service), terms.names.intern(role));
        renaming.roles.insert(Role(service), Role(role));
    }
    for graph in graphs {
        *graph = rename(graph, &renaming, terms);
    }
}

/// The product of several services.
fn compose(
    mut graphs: Vec<Stg>,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Stg, Stop> {
    if graphs.len() == 1 {
        return graphs.pop().ok_or(Stop::Mistakes);
    }
    let names: Vec<&str> = graphs.iter().map(Stg::name).collect();
    let name = names.join("+");
    let graphs: Vec<&Stg> = graphs.iter().collect();
    settings.events.doing(format!("composing `{name}`"));
    let budget = settings.states();
    let product = match product(name.clone(), &graphs, &budget, &mut workspace.terms) {
        Ok(product) => product,
        Err(spent) => {
            run.findings.push(state_bound::diagnostic(&name, spent));
            return Err(settings.cut(name));
        }
    };
    for note in &product.notes {
        match note {
            ProductNote::MixedEndings { .. } => run.semantics.notes.push(note.to_string()),
            _ => run
                .findings
                .push(unmatched_message::diagnostic(&name, note)),
        }
    }
    Ok(product.stg)
}
