//! Does the implementation conform, and for which data?

use choros_base::{Budget, Diagnostic, nearest};
use choros_conform::{
    Conformance as Found, NotCompared, Setup, conformance, conformance_by_parts, equations, smt2,
    unfit, unlike_data,
};
use choros_data::{Terms, Var};
use choros_model::stg::{Sessions, Stg, Told};
use choros_proofs::{
    CacheEntry, assembled, keep, key, of_conformance, pair_for_all, prove_conformance, recall,
};
use choros_realize::{AmongPartners, AnalysisStop, Projection, among_partners, verdict_on_service};
use choros_report::Stats;
use choros_report::answers::{Answered, Conformance, RunNotes, Stop};
use choros_smt::{LazySolver, Solver};
pub use choros_workspace::{ComparisonRules, ConformRequest};
use choros_workspace::{SessionsAs, compared_graphs, compared_sessions};

use super::realize::Judge;
use crate::diagnostics::{no_certificate, no_such_parameter, state_bound};
use crate::{Settings, Workspace};

/// Compares an implementation with a specification.
pub fn conform(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
) -> Answered<Conformance> {
    settings.answered(|run| answer(workspace, request, settings, run))
}

/// The relation, in words.
pub(super) const RELATION: &str =
    "symbolic branching bisimulation for conformance, late, divergence-blind";

/// How often the condition of a pair may change before the iteration from above is given up.
const MAX_CHANGES: usize = 24;

/// A pair of states costs a few steps: it is found, and its equation is evaluated more than once.
const STEPS_PER_STATE: u64 = 16;

fn answer(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Conformance, Stop> {
    run.semantics.relation = Some(RELATION.to_owned());
    let alone = settings.with_sessions_as(SessionsAs::One);
    let opened = compared_sessions(workspace, request, &alone, run)?;
    let (mut implementation, mut specification, sessions) = opened;
    if let Some(sessions) = &sessions {
        let both = (&implementation, &specification);
        match of_sessions(both, sessions, request, workspace, settings, run)? {
            Some(answer) => return Ok(answer),
            None => {
                let all = SessionsAs::Together(Told::ByMessages);
                let (all, mut aside) = (settings.with_sessions_as(all), settings.run());
                (implementation, specification) =
                    compared_graphs(workspace, request, &all, &mut aside)?;
            }
        }
    }
    let part = match &request.role {
        None => None,
        Some(role) => Some(Judge::new(workspace, settings, run).part(&specification, role)?),
    };
    let mut solver = settings.solver();
    let mut rules = request.rules.clone();
    let sizes = Stats::of_graph(&implementation);
    let (implementation, specification, told) = match part {
        None => (implementation, specification, Vec::new()),
        Some(part) => {
            let sides = (&implementation, &part, &specification);
            among(sides, &mut rules, workspace, &mut solver, settings, run)?
        }
    };
    let both = (&implementation, &specification);
    let terms = &mut workspace.terms;
    let mut answer = compare(both, &rules, terms, &mut solver, settings, run)?;
    answer.stats = sizes;
    answer.verdict = verdict_on_service(answer.verdict, &told, terms, &mut solver)
        .map_err(|error| Stop::World(error.to_string()))?;
    if request.rules.certificate {
        let proof = match (&request.role, answer.proof.take()) {
            (Some(_), _) => Err("a projection is compared, which is not certified".to_owned()),
            (None, Some(_)) if sessions.is_some() => Err(NO_PROOF.to_owned()),
            (None, Some(proof)) => proof,
            (None, None) => Err("nothing was shown".to_owned()),
        };
        match proof {
            Ok(proof) => {
                let certificate = of_conformance(workspace, request, settings, proof);
                answer.certificate = Some(certificate);
            }
            Err(reason) => {
                let found = no_certificate::diagnostic(&answer.name(), &reason);
                run.findings.push(found);
            }
        }
    }
    Ok(answer)
}

/// Why no one can check an answer about sessions.
const NO_PROOF: &str = "sessions side by side are not certified";

/// What one of many sessions says of all, where it does.
fn of_sessions(
    both: (&Stg, &Stg),
    sessions: &Sessions,
    request: &ConformRequest,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Option<Conformance>, Stop> {
    let (rules, terms) = (&request.rules, &mut workspace.terms);
    let name = sessions.name(both.0.name());
    fit(both, rules, terms, run)?;
    let (mut solver, setup) = (settings.solver(), setup(rules));
    let budget = settings.steps(STEPS_PER_STATE);
    let (role, solver_used) = (request.role.as_deref(), &mut solver);
    let tools = (&mut *terms, solver_used as &mut dyn Solver, &budget);
    let Some(found) = pair_for_all(both, sessions, role, &setup, tools, run)? else {
        return Ok(None);
    };
    settings.name_solver(&solver, &mut run.semantics);
    if rules.certificate {
        (run.findings).push(no_certificate::diagnostic(&name, NO_PROOF));
    }
    let found = Conformance {
        implementation: name,
        specification: sessions.name(both.1.name()),
        ..assembled(both, found, terms, run)
    };
    Ok(Some(found))
}

/// The service among partners that keep the choreography, the part, and what stands for values that partners may send.
fn among(
    (service, part, choreography): (&Stg, &Projection, &Stg),
    rules: &mut ComparisonRules,
    workspace: &mut Workspace<'_>,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Stg, Stg, Vec<Var>), Stop> {
    let terms = &mut workspace.terms;
    if let Some(found) = not_shared(service, &part.stg, &rules.shared, terms) {
        run.findings.push(found);
        return Err(Stop::Mistakes);
    }
    let budget = settings.states();
    let name = service.name().to_owned();
    let known = (&rules.shared[..], choreography);
    match among_partners(service, part, known, terms, solver, &budget) {
        Ok(AmongPartners::Composed {
            stg,
            part,
            shared,
            told,
        }) => {
            rules.shared = shared;
            Ok((stg, *part, told))
        }
        Ok(AmongPartners::Unclear(reason)) => {
            let name = format!("{name} against {}", part.stg.name());
            Err(Stop::Unsettled { name, reason })
        }
        Err(AnalysisStop::Solver(error)) => Err(Stop::World(error.to_string())),
        Err(AnalysisStop::Unfit(found)) => {
            run.findings.push(*found);
            Err(Stop::Mistakes)
        }
        Err(AnalysisStop::Spent(spent)) => {
            run.findings.push(state_bound::diagnostic(&name, spent));
            Err(settings.cut(name))
        }
    }
}

/// Compares two graphs.
pub(super) fn compare(
    (implementation, specification): (&Stg, &Stg),
    rules: &ComparisonRules,
    terms: &mut Terms,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Conformance, Stop> {
    let both = (implementation, specification);
    fit(both, rules, terms, run)?;
    let setup = setup(rules);
    let (name, other) = (implementation.name(), specification.name());
    let states = implementation.nodes().len();
    let what = format!("comparing `{name}` ({states} states) with `{other}`");
    settings.events.doing(what);
    let budget = settings.steps(STEPS_PER_STATE);
    let equations = if rules.show_equations {
        equations(implementation, specification, &setup, terms, &budget).ok()
    } else {
        None
    };
    let script = rules
        .smt2
        .then(|| smt2(implementation, specification, &setup, terms, &budget));
    settings
        .events
        .doing(format!("comparing `{name}` with `{other}`"));
    let found = if rules.certificate || settings.cache.is_some() {
        // What is kept or checked by others is the relation of the whole.
        found(both, &setup, settings, (terms, solver, &budget), run)
    } else {
        conformance_by_parts(
            implementation,
            specification,
            &setup,
            terms,
            solver,
            &budget,
        )
    };
    settings.name_solver(solver, &mut run.semantics);
    let found = found.map_err(|error| Stop::World(error.to_string()))?;
    let proof = rules
        .certificate
        .then(|| prove_conformance(&found, both, &setup, terms, solver, &budget));
    Ok(Conformance {
        equations: equations.unwrap_or_default(),
        script,
        proof,
        ..assembled(both, found, terms, run)
    })
}

fn setup(rules: &ComparisonRules) -> Setup {
    Setup {
        shared: rules.shared.clone(),
        allow_fixed: rules.allow_fixed,
        most_changes: MAX_CHANGES,
    }
}

/// Stops where two graphs cannot be compared, and warns where they are hardly alike.
fn fit(
    (implementation, specification): (&Stg, &Stg),
    rules: &ComparisonRules,
    terms: &Terms,
    run: &mut RunNotes,
) -> Result<(), Stop> {
    let unfit = unfit(implementation, specification)
        .or_else(|| not_shared(implementation, specification, &rules.shared, terms));
    if let Some(found) = unfit {
        run.findings.push(found);
        return Err(Stop::Mistakes);
    }
    run.findings.extend(unlike_data::diagnostics(
        implementation,
        specification,
        rules.allow_fixed,
        terms,
    ));
    if implementation.ending().is_step() != specification.ending().is_step() {
        let note = "one side ends where no transition leaves, the other by `√`; both count as termination here";
        run.semantics.notes.push(note.to_owned());
    }
    Ok(())
}

/// The answer of the engine, or the one that it gave before.
fn found<'a>(
    graphs: (&'a Stg, &'a Stg),
    setup: &Setup,
    settings: &Settings,
    (terms, solver, budget): (&mut Terms, &mut LazySolver, &Budget),
    run: &mut RunNotes,
) -> Result<Found<'a>, NotCompared> {
    let search = |terms: &mut Terms, solver: &mut LazySolver| {
        conformance(graphs.0, graphs.1, setup, terms, solver, budget)
    };
    if settings.cache.is_none() {
        return search(terms, solver);
    }
    let key = key(graphs, setup, settings, terms);
    match recall(&key, graphs, setup, settings, terms, solver, budget) {
        CacheEntry::Proved(found) => {
            run.note("the answer was taken from the cache, and what it rests on was checked");
            return Ok(*found);
        }
        CacheEntry::Wrong(reason) => {
            let note = format!("the cached proof is not valid and was computed again: {reason}");
            run.note(note);
        }
        CacheEntry::Nothing => {}
    }
    let found = search(terms, solver)?;
    let world = (terms, solver as &mut dyn Solver, budget);
    if let Err(reason) = keep(&key, &found, graphs, setup, settings, world) {
        run.note(format!("the answer was not kept: {reason}"));
    }
    Ok(found)
}

/// A shared name that does not occur on both sides.
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
