//! Two graphs compared: what is wrong with the question, the answer of the engine or of the cache, and its proof.

use choros_base::{Budget, Diagnostic, nearest};
use choros_codes::diagnostics::{no_certificate, no_such_parameter};
use choros_conform::{
    Conformance as Found, NotCompared, Setup, conformance, conformance_by_parts,
    divergent_implementation, equations, smt2, unfit, unlike_data,
};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::{DotMarks, Sessions, Stg};
use choros_report::answers::{Conformance, RunNotes, Stop};
use choros_report::{GraphDrawing, Stats};
use choros_smt::{LazySolver, Solver};
use choros_workspace::{ComparisonRules, ConformRequest, Settings, Workspace};

use crate::{CacheEntry, STEPS_PER_STATE, keep, key, pair_for_all, prove_conformance, recall};

/// How often the condition of a pair may change before the iteration from above is given up.
const MAX_CHANGES: usize = 24;

/// Compares two graphs.
pub fn compare(
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
    let budget = comparing(settings);
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

/// What a comparison may cost: a pair of states takes a few steps, for it is found, and its equation is evaluated more
/// than once.
fn comparing(settings: &Settings) -> Budget {
    settings.steps(STEPS_PER_STATE)
}

/// Why no one can check an answer about sessions.
pub const NO_PROOF: &str = "sessions side by side are not certified";

/// What one of many sessions says of all, where it does.
pub fn compare_sessions(
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
    let budget = comparing(settings);
    let role = request.role.as_deref();
    let tools = (&mut *terms, &mut solver as &mut dyn Solver, &budget);
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

fn setup(rules: &ComparisonRules) -> Setup {
    Setup {
        shared: rules.shared.clone(),
        allow_fixed: rules.allow_fixed,
        most_changes: MAX_CHANGES,
    }
}

/// The answer about two graphs, with what is to be said of it.
fn assembled(
    (implementation, specification): (&Stg, &Stg),
    found: Found<'_>,
    terms: &Terms,
    run: &mut RunNotes,
) -> Conformance {
    let divergent = divergent_implementation::diagnostic(&found.implementation, &found.divergent);
    run.findings.extend(divergent);
    let both = [
        (implementation, DotMarks::default()),
        (specification, DotMarks::default()),
    ];
    let answer = Conformance {
        implementation: implementation.name().to_owned(),
        specification: specification.name().to_owned(),
        verdict: found.verdict,
        stats: Stats::of_graph(implementation),
        equations: Vec::new(),
        script: None,
        proof: None,
        certificate: None,
        proviso: None,
        drawings: GraphDrawing::pictures(&both, terms),
    };
    if let Verdict::HoldsIf(condition, _) = answer.verdict
        && terms.is_quantified(condition)
    {
        run.semantics.notes.push(format!(
            "the condition of `{}` keeps its quantifiers: no equivalent formula without them was found and proved",
            answer.name()
        ));
    }
    answer
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
pub fn not_shared(
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
