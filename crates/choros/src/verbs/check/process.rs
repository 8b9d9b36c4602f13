//! Is a process of WS-BPEL sound?

use choros_base::{Diagnostic, has_errors};
use choros_bpel::calculus::{Process, Sense, UnfoldedProcess, unfold};
use choros_data::Terms;
use choros_model::evidence::GraphMark;
use choros_model::stg::EdgeId;
use choros_realize::{Liveness, Reachability, dead_transition, reachability};
use choros_report::answers::{RunNotes, Soundness, SoundnessKind, Stop};
use choros_report::{GraphDrawing, Stat, Stats};
use choros_smt::{LazySolver, SolverError};

use crate::diagnostics::{dead_activity, state_bound, unmatched_correlation};
use crate::{Request, Settings, Workspace};

/// Reads a process, and finds activities, handlers and correlations that can never happen; none where it has mistakes.
///
/// That a correlation cannot be broken is no finding, although the transition for it is dead.
pub(super) fn check(
    workspace: &mut Workspace<'_>,
    request: &Request,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Option<Result<Soundness, Stop>> {
    let input = (request.path.clone(), "bpel".to_owned());
    run.semantics.inputs.extend([input]);
    let mut found = Vec::new();
    let read = workspace.process(&request.path, settings, &mut found);
    let wrong = has_errors(&found);
    run.findings.append(&mut found);
    let read = read.filter(|_| !wrong)?;
    if let Some(unit) = read.unit {
        let note = format!("`{}`: a tick is {unit}", read.name);
        run.semantics.notes.push(note);
    }
    let budget = settings.states();
    let unfolding = match unfold(&mut workspace.terms, &read.process, &read.name, &budget) {
        Ok(unfolding) => unfolding,
        Err(spent) => {
            let finding = state_bound::diagnostic(&read.name, spent);
            run.findings.push(finding);
            return Some(Err(settings.cut(read.name.clone())));
        }
    };
    let has_messages = unfolding.graph.counts().messages > 0;
    run.silence.opened([read.name.clone()], has_messages);
    let terms = &mut workspace.terms;
    let judged = judge(terms, &read.process, &unfolding, solver, settings, run);
    Some(judged.map_err(|error| Stop::World(error.to_string())))
}

fn judge(
    terms: &mut Terms,
    process: &Process,
    unfolding: &UnfoldedProcess,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Soundness, SolverError> {
    let stg = &unfolding.graph;
    let found = reachability(stg, terms, solver, &settings.until_cancelled())?;
    let findings = dead_code(process, unfolding, &found);
    run.findings.extend(findings);
    let findings = correlations(unfolding, &found, terms);
    run.findings.extend(findings);
    let mut mark = GraphMark {
        model: stg.name().to_owned(),
        ..GraphMark::default()
    };
    let mut undecided = 0;
    for ((edge, liveness), sense) in stg.edges().iter().zip(&found.edges).zip(&unfolding.senses) {
        undecided += usize::from(matches!(liveness, Liveness::Undecided(_)));
        if liveness.is_dead() && *sense != Sense::Broken {
            mark.edges.push(found.marked(edge, liveness, stg, terms));
        }
    }
    let mut stats = Stats::of_graph(stg)
        .with(Stat::Parameters, stg.parameters(terms).len())
        .with(Stat::Dead, mark.edges.len());
    if undecided > 0 {
        stats = stats.with(Stat::Undecided, undecided);
    }
    let verdict = found.verdict(mark, undecided);
    Ok(Soundness {
        stats,
        complete: found.cut.is_none(),
        parameters: Soundness::parameters_of(stg, terms),
        drawings: GraphDrawing::pictures(&[(stg, found.dead_marks(stg))], terms),
        ..Soundness::new(stg.name(), SoundnessKind::Judged(verdict))
    })
}

/// The outermost activities and handlers without a single transition that can fire.
fn dead_code(
    process: &Process,
    unfolding: &UnfoldedProcess,
    found: &Reachability,
) -> Vec<Diagnostic> {
    let name = unfolding.graph.name();
    let dead = unfolding.dead_places(process, |edge| liveness(found, edge).is_dead());
    let findings = dead.into_iter().map(|it| {
        let what = if it.is_handler {
            "this handler"
        } else {
            "this activity"
        };
        dead_activity::diagnostic(what, name, it.place)
    });
    findings.collect()
}

/// The places whose correlation is never kept although it is checked.
fn correlations(
    unfolding: &UnfoldedProcess,
    found: &Reachability,
    terms: &Terms,
) -> Vec<Diagnostic> {
    let stg = &unfolding.graph;
    let unkept = unfolding.unkept_correlations(
        |edge| liveness(found, edge).is_dead(),
        |edge| matches!(liveness(found, edge), Liveness::Dead(_)),
    );
    let findings = unkept.into_iter().map(|(place, edge)| {
        let why = liveness(found, edge);
        let finding = dead_transition::diagnostic(stg, terms, "", Some(place), why);
        let notes = finding.map(|it| it.notes).unwrap_or_default();
        let what = match stg.edge(edge).event.message() {
            Some(message) => format!("`{}`", message.heading(terms)),
            None => "what is received".to_owned(),
        };
        unmatched_correlation::diagnostic(&what, place, notes)
    });
    findings.collect()
}

fn liveness(found: &Reachability, edge: EdgeId) -> &Liveness {
    &found.edges[edge.index()]
}
