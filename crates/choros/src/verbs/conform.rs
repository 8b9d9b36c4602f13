//! Does the implementation conform, and for which data?

use choros_base::{Diagnostic, has_errors, nearest};
use choros_conform::{
    Setup, conformance, divergent_implementation, equations, mixed_views, silent_specification,
    smt2, unlike_data,
};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::{DotMarks, ProductNote, Renaming, Role, Stg, product, rename};
use choros_realize::{Mode, Projection, no_choreography};
use choros_report::{Answer, Block, Outcome, Rejection, Report, Sizes};
use choros_smt::{Solver, SolverError, Trivial};

use super::check::{has_conditions, unknown_because_cut};
use super::draw::model_pictures;
use super::explore::{no_graph, remark, stats};
use super::project::Projecting;
use super::realize::{Judge, stop};
use crate::diagnostics::{
    no_such_parameter, no_such_role, no_such_service, state_bound, unmatched_message,
    which_component,
};
use crate::{Component, Model, Project, Request, Settings, solver};

/// What is compared, and how.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The services that implement it; several are composed.
    pub implementation: Vec<Request>,
    /// What they are to implement.
    pub specification: Request,
    /// `--map service=role`: under which names services appear in the specification.
    pub roles: Vec<(String, String)>,
    /// `--role r`: the specification is projected on this role first.
    pub role: Option<String>,
    /// By which rules, and what is shown.
    pub rules: Rules,
}

/// By which rules two sides are compared, and what is shown.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// `--share x`: parameters that both sides have in common.
    pub shared: Vec<String>,
    /// `--allow-fixed`: the implementation may send what it knows where the specification leaves it open.
    pub allow_fixed: bool,
    /// `--show-equations`.
    pub show_equations: bool,
    /// `--smt2`: the equations as a script for solvers.
    pub smt2: bool,
}

/// Compares an implementation with a specification.
pub fn conform(project: &mut Project<'_>, comparison: &Comparison, settings: &Settings) -> Report {
    let mut report = settings.report("conform");
    report.semantics.relation = Some(RELATION.to_owned());
    let open = Settings {
        parameters: Vec::new(),
        ..settings.clone()
    };
    let mut components = Vec::new();
    let requests = comparison.implementation.iter();
    for request in requests.chain([&comparison.specification]) {
        components.extend(load_one(project, request, &open, &mut report));
    }
    let mut found = Vec::new();
    project.fix_parameters(&mut components, settings, &mut found);
    report.diagnostics.append(&mut found);
    if has_errors(&report.diagnostics) || components.len() != comparison.implementation.len() + 1 {
        return report;
    }
    let mut graphs = Vec::new();
    for component in components {
        remark(&component, &mut report);
        if let Err(reason) = &component.stg {
            let outcome = no_graph(&component, reason, &mut report);
            report.outcomes.push(unknown_because_cut(outcome, settings));
            report.interrupted = settings.is_cancelled();
            return report;
        }
        graphs.extend(component.stg);
    }
    let mut solver: Option<Box<dyn Solver>> = None;
    let Some(specification) = graphs.pop() else {
        return report;
    };
    let specification = match &comparison.role {
        None => specification,
        Some(role) => {
            let local = local(
                &specification,
                role,
                project,
                &mut solver,
                settings,
                &mut report,
            );
            match local {
                Some(local) => local,
                None => return report,
            }
        }
    };
    rename_roles(&mut graphs, &comparison.roles, project, &mut report);
    let Some(implementation) = compose(graphs, project, settings, &mut report) else {
        report.interrupted = settings.is_cancelled();
        return report;
    };
    if has_errors(&report.diagnostics) {
        return report;
    }
    let compared = compare(
        &implementation,
        &specification,
        &comparison.rules,
        project,
        &mut solver,
        settings,
        &mut report,
    );
    match compared {
        Compared::Answered(outcome) => report.outcomes.push(*outcome),
        Compared::Rejected(found) => report.diagnostics.push(*found),
        Compared::WorldFailed => {}
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// The relation, in words.
pub(super) const RELATION: &str =
    "symbolic branching bisimulation for conformance, late, divergence-blind";

/// How often the condition of a pair may change before the iteration from above is given up.
const MOST_CHANGES: usize = 24;

/// A pair of states costs a few steps: it is found, and its equation is evaluated more than once.
const STEPS_PER_STATE: u64 = 16;

/// What came of a comparison.
pub(super) enum Compared {
    /// An answer.
    Answered(Box<Outcome>),
    /// The two cannot be compared.
    Rejected(Box<Diagnostic>),
    /// There is no solver, or it broke; the report says so.
    WorldFailed,
}

/// Whether graphs speak of data, about which only a solver can tell.
pub(super) fn needs_solver(graphs: &[&Stg], terms: &Terms) -> bool {
    graphs
        .iter()
        .any(|stg| has_conditions(stg) || !stg.variables(terms).is_empty())
}

/// Compares two graphs.
pub(super) fn compare(
    implementation: &Stg,
    specification: &Stg,
    rules: &Rules,
    project: &mut Project<'_>,
    solver: &mut Option<Box<dyn Solver>>,
    settings: &Settings,
    report: &mut Report,
) -> Compared {
    let unfit = silent_specification::diagnostic(specification)
        .or_else(|| mixed_views::diagnostic(implementation, specification))
        .or_else(|| not_shared(implementation, specification, &rules.shared, &project.terms));
    if let Some(found) = unfit {
        return Compared::Rejected(Box::new(found));
    }
    report.diagnostics.extend(unlike_data::diagnostics(
        implementation,
        specification,
        rules.allow_fixed,
        &project.terms,
    ));
    if implementation.ending().is_step() != specification.ending().is_step() {
        let note = "one side ends where no transition leaves, the other by `√`; both count as termination here";
        report.semantics.notes.push(note.to_owned());
    }
    let mut nothing_to_solve = Trivial::default();
    if solver.is_none() && needs_solver(&[implementation, specification], &project.terms) {
        *solver = solver::find(settings, report);
        if solver.is_none() {
            return Compared::WorldFailed;
        }
    }
    let solver: &mut dyn Solver = match solver {
        Some(solver) => solver.as_mut(),
        None => &mut nothing_to_solve,
    };
    let setup = Setup {
        shared: rules.shared.clone(),
        allow_fixed: rules.allow_fixed,
        most_changes: MOST_CHANGES,
    };
    match answer(
        implementation,
        specification,
        &setup,
        rules,
        project,
        solver,
        settings,
        report,
    ) {
        Ok(outcome) => Compared::Answered(Box::new(outcome)),
        Err(error) => {
            report.world_failed = Some(error.to_string());
            Compared::WorldFailed
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "all of them are one question")]
fn answer(
    implementation: &Stg,
    specification: &Stg,
    setup: &Setup,
    rules: &Rules,
    project: &mut Project<'_>,
    solver: &mut dyn Solver,
    settings: &Settings,
    report: &mut Report,
) -> Result<Outcome, SolverError> {
    settings.progress.show(format!(
        "comparing `{}` ({} states) with `{}`",
        implementation.name(),
        implementation.nodes().len(),
        specification.name()
    ));
    let budget = settings.steps(STEPS_PER_STATE);
    let terms = &mut project.terms;
    let mut blocks = Vec::new();
    if rules.show_equations
        && let Ok(lines) = equations(implementation, specification, setup, terms, &budget)
    {
        blocks.extend(lines.into_iter().map(Block::Line));
    }
    if rules.smt2 {
        blocks.push(
            match smt2(implementation, specification, setup, terms, &budget) {
                Ok(text) => Block::Picture {
                    format: "smt2",
                    text,
                },
                Err(reason) => Block::Line(format!("no script for solvers: {reason}")),
            },
        );
    }
    settings.progress.show(format!(
        "comparing `{}` with `{}`",
        implementation.name(),
        specification.name()
    ));
    let found = conformance(implementation, specification, setup, terms, solver, &budget)?;
    report
        .diagnostics
        .extend(divergent_implementation::diagnostic(&found));
    let cut = matches!(found.verdict, Verdict::Unknown(_));
    let name = format!("{} against {}", implementation.name(), specification.name());
    if let Verdict::HoldsIf(condition, _) = found.verdict
        && terms.is_quantified(condition)
    {
        report.semantics.notes.push(format!(
            "the condition of `{name}` keeps its quantifiers: no equivalent formula without them was found and proved"
        ));
    }
    Ok(Outcome {
        name,
        answer: Some(Answer::of(&found.verdict, terms)),
        sizes: Sizes {
            stats: stats(implementation),
            complete: !cut,
        },
        models: model_pictures(
            &[
                (implementation, DotMarks::default()),
                (specification, DotMarks::default()),
            ],
            terms,
        ),
        blocks,
        ..Outcome::default()
    })
}

/// The one component that a request names.
pub(super) fn load_one(
    project: &mut Project<'_>,
    request: &Request,
    settings: &Settings,
    report: &mut Report,
) -> Option<Component> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let loaded = project.load(request, settings, &mut found);
    for diagnostic in found {
        // A file that is read for both sides is reported once.
        let known = report
            .diagnostics
            .iter()
            .any(|it| it.code.code == diagnostic.code.code && it.message == diagnostic.message);
        if !known {
            report.diagnostics.push(diagnostic);
        }
    }
    let (kind, model) = loaded?;
    report
        .semantics
        .inputs
        .insert(request.path.clone(), kind.name().to_owned());
    let mut components = match model {
        Model::Graphs(components, _) => components,
        Model::System(_) | Model::Machines(_) | Model::Gchor(_) | Model::Service(_) => {
            let finding = which_component::no_graphs(&request.path, kind);
            let mut known = report.diagnostics.iter();
            if !known.any(|it| it.message == finding.message) {
                report.diagnostics.push(finding);
            }
            return None;
        }
    };
    if components.len() != 1 {
        // A name that is not there has been reported.
        if request.component.is_none() || !components.is_empty() {
            let names: Vec<String> = components.iter().map(|it| it.name.clone()).collect();
            report
                .diagnostics
                .push(which_component::diagnostic(&request.path, &names));
        }
        return None;
    }
    components.pop()
}

/// The projection of a choreography on a role: what one service is compared with.
pub(super) fn local(
    choreography: &Stg,
    role: &str,
    project: &mut Project<'_>,
    solver: &mut Option<Box<dyn Solver>>,
    settings: &Settings,
    report: &mut Report,
) -> Option<Stg> {
    if let Some(found) = no_choreography::diagnostic(choreography, &project.terms) {
        report.diagnostics.push(found);
        return None;
    }
    let asked = Projecting {
        role: Some(role.to_owned()),
        mode: Mode::Synchronous,
        repair: false,
    };
    let mut judge = Judge {
        project: &mut *project,
        settings,
        solver,
    };
    let projections = match judge.projections(choreography, &asked, report) {
        Ok(projections) => projections?,
        Err(stopped) => {
            stop(stopped, choreography.name(), report);
            return None;
        }
    };
    let name = |projection: &Projection| project.terms.names.text(projection.role.0).to_owned();
    if let Some(found) = projections.iter().find(|it| name(it) == role) {
        return Some(found.stg.clone());
    }
    let names: Vec<String> = projections.iter().map(name).collect();
    let similar = nearest(role, names.iter().map(String::as_str));
    report.outcomes.push(Outcome {
        name: role.to_owned(),
        rejected: Some(Rejection {
            code: no_such_role::CODE.code,
            message: no_such_role::message(choreography.name(), role, similar, &names),
        }),
        ..Outcome::default()
    });
    None
}

fn rename_roles(
    graphs: &mut [Stg],
    roles: &[(String, String)],
    project: &mut Project<'_>,
    report: &mut Report,
) {
    if roles.is_empty() {
        return;
    }
    let terms = &mut project.terms;
    let known: Vec<String> = graphs
        .iter()
        .flat_map(Stg::roles)
        .map(|role| terms.names.text(role.0).to_owned())
        .collect();
    let mut renaming = Renaming::default();
    for (service, role) in roles {
        if !known.contains(service) {
            let similar = nearest(service, known.iter().map(String::as_str));
            report
                .diagnostics
                .push(no_such_service::diagnostic(service, similar));
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
    project: &mut Project<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Option<Stg> {
    if graphs.len() == 1 {
        return graphs.pop();
    }
    let names: Vec<&str> = graphs.iter().map(Stg::name).collect();
    let name = names.join("+");
    let graphs: Vec<&Stg> = graphs.iter().collect();
    settings.progress.show(format!("composing `{name}`"));
    match product(
        name.clone(),
        &graphs,
        &settings.states(),
        &mut project.terms,
    ) {
        Ok(product) => {
            for note in &product.notes {
                match note {
                    ProductNote::MixedEndings { .. } => {
                        report.semantics.notes.push(note.to_string())
                    }
                    _ => report
                        .diagnostics
                        .push(unmatched_message::diagnostic(&name, note)),
                }
            }
            Some(product.stg)
        }
        Err(spent) => {
            report
                .diagnostics
                .push(state_bound::diagnostic(&name, spent));
            let mut outcome = Outcome {
                name,
                ..Outcome::default()
            };
            outcome.sizes.complete = false;
            report.outcomes.push(unknown_because_cut(outcome, settings));
            None
        }
    }
}

/// A name in `--share` that does not occur on both sides.
fn not_shared(
    implementation: &Stg,
    specification: &Stg,
    shared: &[String],
    terms: &Terms,
) -> Option<Diagnostic> {
    let names = |stg: &Stg| -> Vec<String> {
        let variables = stg.variables(terms).into_iter();
        variables
            .map(|it| terms.variable_text(it).to_owned())
            .collect()
    };
    let (own, others) = (names(implementation), names(specification));
    let missing = shared
        .iter()
        .find(|&name| !own.contains(name) || !others.contains(name))?;
    let both = own
        .iter()
        .filter(|it| others.contains(it))
        .map(String::as_str);
    Some(no_such_parameter::diagnostic(
        missing,
        nearest(missing, both),
    ))
}
