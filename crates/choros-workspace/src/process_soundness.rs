//! What is wrong with a process of WS-BPEL that can be read.

use choros_base::Diagnostic;
use choros_bpel::calculus::{Process, UnfoldedProcess};
use choros_bpel::process::Orchestration;
use choros_codes::diagnostics::{dead_activity, stuck_process, unmatched_correlation};
use choros_data::Terms;
use choros_model::evidence::GraphMark;
use choros_model::stg::{EdgeId, Stg};
use choros_model::{Evidence, Unknown, Verdict};
use choros_realize::{
    Liveness, Reachability, StuckState, dead_transition, reachability, stuck_states,
};
use choros_report::answers::{RunNotes, Soundness, SoundnessKind};
use choros_report::{GraphDrawing, Stat, Stats, StuckPlace};
use choros_smt::{LazySolver, SolverError};

use crate::Settings;

/// What can never happen in a process, and whether it can get stuck.
pub fn judge_process(
    terms: &mut Terms,
    read: &Orchestration,
    unfolding: &UnfoldedProcess,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Soundness, SolverError> {
    let stg = &unfolding.graph;
    let found = reachability(stg, terms, solver, &settings.until_cancelled())?;
    let findings = dead_code(&read.process, unfolding, &found);
    run.findings.extend(findings);
    let findings = correlations(unfolding, &found, terms);
    run.findings.extend(findings);
    let mut mark = GraphMark {
        model: stg.name().to_owned(),
        ..GraphMark::default()
    };
    let mut undecided = 0;
    let unbroken = unfolding.unbroken(|edge| liveness(&found, edge).is_dead());
    for ((edge, liveness), unbroken) in stg.edges().iter().zip(&found.edges).zip(unbroken) {
        undecided += usize::from(matches!(liveness, Liveness::Undecided(_)));
        if liveness.is_dead() && !unbroken {
            mark.edges.push(found.marked(edge, liveness, stg, terms));
        }
    }
    let mut stats = Stats::of_graph(stg)
        .with(Stat::Parameters, stg.parameters(terms).len())
        .with(Stat::Dead, mark.edges.len());
    if undecided > 0 {
        stats = stats.with(Stat::Undecided, undecided);
    }
    let budget = settings.until_cancelled();
    let stuck = stuck_states(stg, &found, terms, solver, &budget)?.stuck;
    run.findings
        .extend(stuck.first().and_then(|it| stuck_finding(stg, it, terms)));
    let verdict = match &stuck[..] {
        [] => followed(found.verdict(mark, undecided), &read.unfollowed),
        stuck => {
            let nodes = stuck.iter().map(|it| stg.node(it.node).label.clone());
            Verdict::Fails(Evidence::GraphMark(GraphMark {
                model: stg.name().to_owned(),
                nodes: nodes.collect(),
                ..GraphMark::default()
            }))
        }
    };
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

/// Nothing holds of a process that is not followed as it is written.
fn followed(verdict: Verdict, unfollowed: &[String]) -> Verdict {
    match (verdict, unfollowed) {
        (Verdict::Holds(_), [first, rest @ ..]) => {
            let reason = choros_model::interface::not_followed(first, rest.len());
            Verdict::Unknown(Unknown::whatever_the_bound(reason))
        }
        (verdict, _) => verdict,
    }
}

/// Where a process can get stuck.
fn stuck_finding(stg: &Stg, stuck: &StuckState, terms: &Terms) -> Option<Diagnostic> {
    let place = stg.outgoing(stuck.node).find_map(|(_, edge)| edge.origin)?;
    let about = StuckPlace::of(stuck, stg, terms).to_string();
    Some(stuck_process::diagnostic(stg.name(), &about, place))
}
