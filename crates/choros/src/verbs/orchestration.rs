//! Is a process of WS-BPEL sound?

use choros_base::{Diagnostic, Span, has_errors};
use choros_bpel::calculus::{Activity, ActivityId, Process, Sense, UnfoldedProcess, unfold};
use choros_data::Terms;
use choros_lang::NoGraph;
use choros_model::Evidence;
use choros_model::evidence::{GraphMark, MarkedEdge};
use choros_model::stg::{Edge, Stg};
use choros_realize::{Liveness, Reachability, dead_transition, reachability};
use choros_report::{Answer, Outcome, Report, Sizes, Stat, Word};
use choros_smt::SolverError;
use rustc_hash::{FxHashMap, FxHashSet};

use super::check::{dead_marks, edge_text, label, parameters, reasons};
use super::draw::model_pictures;
use super::explore::{no_graph, stats};
use crate::diagnostics::{dead_activity, unmatched_correlation};
use crate::{Component, Request, Settings, Workspace};

/// Reads a process, and finds activities, handlers and correlations that can never happen.
///
/// That a correlation cannot be broken is no finding, although the transition for it is dead.
pub(super) fn check(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    report: &mut Report,
) {
    report
        .semantics
        .inputs
        .insert(request.path.clone(), "bpel".to_owned());
    let mut found = Vec::new();
    let read = workspace.process(&request.path, settings, &mut found);
    let wrong = has_errors(&found);
    report.diagnostics.append(&mut found);
    let Some(read) = read.filter(|_| !wrong) else {
        return;
    };
    if let Some(unit) = read.unit {
        report
            .semantics
            .notes
            .push(format!("`{}`: a tick is {unit}", read.name));
    }
    let budget = settings.states();
    let unfolding = match unfold(&mut workspace.terms, &read.process, &read.name, &budget) {
        Ok(unfolding) => unfolding,
        Err(spent) => {
            let component = Component {
                name: read.name,
                stg: Err(NoGraph::Spent(spent)),
                interface: None,
                services: Vec::new(),
                remarks: Vec::new(),
            };
            let outcome = no_graph(&component, &NoGraph::Spent(spent), report);
            report
                .outcomes
                .push(super::check::unknown_because_cut(outcome, settings));
            return;
        }
    };
    match judge(workspace, &read.process, &unfolding, settings, report) {
        Ok(outcome) => report.outcomes.push(outcome),
        Err(error) => report.world_failed = Some(error.to_string()),
    }
}

fn judge(
    workspace: &mut Workspace<'_>,
    process: &Process,
    unfolding: &UnfoldedProcess,
    settings: &Settings,
    report: &mut Report,
) -> Result<Outcome, SolverError> {
    let stg = &unfolding.graph;
    let mut solver = settings.solver();
    let budget = settings.until_cancelled();
    let found = reachability(stg, &mut workspace.terms, &mut solver, &budget)?;
    settings.name_solver(&solver, &mut report.semantics);
    let terms = &workspace.terms;
    let findings = dead_code(process, unfolding, &found);
    report.diagnostics.extend(findings);
    let findings = correlations(unfolding, &found, terms);
    report.diagnostics.extend(findings);
    let mut mark = GraphMark {
        model: stg.name().to_owned(),
        ..GraphMark::default()
    };
    let mut undecided = 0;
    for ((edge, liveness), sense) in stg.edges().iter().zip(&found.edges).zip(&unfolding.senses) {
        undecided += usize::from(matches!(liveness, Liveness::Undecided(_)));
        if liveness.is_dead() && *sense != Sense::Broken {
            mark.edges.push(marked(edge, stg, liveness, terms));
        }
    }
    let mut sizes = stats(stg)
        .with(Stat::Parameters, stg.parameters(terms).len())
        .with(Stat::Dead, mark.edges.len());
    if undecided > 0 {
        sizes = sizes.with(Stat::Undecided, undecided);
    }
    let reason = (undecided > 0).then(|| match found.cut {
        Some(spent) => spent.to_string(),
        None => format!(
            "whether {undecided} of its transitions can happen was not decided (raise the bound with \
             --solver-budget)"
        ),
    });
    let answer = Answer {
        word: match reason {
            Some(_) => Word::Unknown,
            None => Word::Holds,
        },
        condition: None,
        reason,
        evidence: Some(Evidence::GraphMark(mark)),
    };
    Ok(Outcome {
        name: stg.name().to_owned(),
        answer: Some(answer),
        models: model_pictures(&[(stg, dead_marks(stg, &found))], terms),
        sizes: Sizes {
            stats: sizes,
            complete: found.cut.is_none(),
        },
        parameters: parameters(stg, terms),
        ..Outcome::default()
    })
}

fn marked(edge: &Edge, stg: &Stg, liveness: &Liveness, terms: &Terms) -> MarkedEdge {
    MarkedEdge {
        source: label(stg, edge.source),
        target: label(stg, edge.target),
        label: edge_text(edge.guard, &edge.event.text(terms), terms),
        origin: edge.origin,
        because: reasons(liveness, stg, terms),
    }
}

/// The outermost activities and handlers without a single transition that can fire.
///
/// An activity may stand at many places of the graph; it is alive if it is at one.
fn dead_code(
    process: &Process,
    unfolding: &UnfoldedProcess,
    found: &Reachability,
) -> Vec<Diagnostic> {
    let name = unfolding.graph.name();
    let mut alive_places: FxHashSet<Span> = FxHashSet::default();
    for (edge, liveness) in unfolding.graph.edges().iter().zip(&found.edges) {
        if !liveness.is_dead() {
            alive_places.extend(edge.origin);
        }
    }
    // What an activity is made of was added before it.
    let mut alive = vec![false; process.len()];
    let mut steps = vec![false; process.len()];
    for id in process.ids() {
        let own = process
            .origin(id)
            .filter(|_| has_steps(process.activity(id)));
        let index = id.0 as usize;
        steps[index] = own.is_some();
        alive[index] = own.is_some_and(|place| alive_places.contains(&place));
        for part in process.parts(id) {
            alive[index] |= alive[part.0 as usize];
            steps[index] |= steps[part.0 as usize];
        }
    }
    let is_dead = |id: ActivityId| steps[id.0 as usize] && !alive[id.0 as usize];
    let mut findings = Vec::new();
    let mut said: FxHashSet<Span> = FxHashSet::default();
    let mut work = vec![process.root];
    while let Some(id) = work.pop() {
        if let Activity::Scope(scope) = process.activity(id) {
            for handler in scope.handlers.iter().filter(|it| is_dead(it.body)) {
                if let Some(place) = process.origin(handler.body).filter(|it| said.insert(*it)) {
                    findings.push(dead_activity::diagnostic("this handler", name, place));
                }
            }
        }
        let place = process.origin(id);
        match place {
            Some(place) if is_dead(id) => {
                if said.insert(place) {
                    findings.push(dead_activity::diagnostic("this activity", name, place));
                }
            }
            _ => work.extend(process.parts(id)),
        }
    }
    findings.sort_by_key(Diagnostic::primary);
    findings
}

/// Whether an activity takes steps of its own.
fn has_steps(activity: &Activity) -> bool {
    matches!(
        activity,
        Activity::Assign(_)
            | Activity::Throw(..)
            | Activity::Rethrow
            | Activity::Exit
            | Activity::Receive(_)
            | Activity::Send(_)
            | Activity::Choice { .. }
            | Activity::Loop { .. }
    )
}

/// The places whose correlation is never kept although it is checked.
fn correlations(
    unfolding: &UnfoldedProcess,
    found: &Reachability,
    terms: &Terms,
) -> Vec<Diagnostic> {
    let stg = &unfolding.graph;
    let mut places: Vec<Span> = Vec::new();
    let mut kept: FxHashMap<Span, bool> = FxHashMap::default();
    let mut why: FxHashMap<Span, (String, Vec<String>)> = FxHashMap::default();
    let edges = stg.edges().iter().zip(&found.edges).zip(&unfolding.senses);
    for ((edge, liveness), sense) in edges {
        let (Sense::Kept, Some(place)) = (sense, edge.origin) else {
            continue;
        };
        if !kept.contains_key(&place) {
            places.push(place);
        }
        *kept.entry(place).or_default() |= !liveness.is_dead();
        if let Liveness::Dead(_) = liveness {
            let finding = dead_transition::diagnostic(stg, terms, "", Some(place), liveness);
            let notes = finding.map(|it| it.notes).unwrap_or_default();
            let what = match edge.event.message() {
                Some(message) => format!("`{}`", message.heading(terms)),
                None => "what is received".to_owned(),
            };
            why.entry(place).or_insert((what, notes));
        }
    }
    places
        .into_iter()
        .filter(|place| !kept[place])
        .filter_map(|place| {
            let (what, notes) = why.remove(&place)?;
            Some(unmatched_correlation::diagnostic(&what, place, notes))
        })
        .collect()
}
