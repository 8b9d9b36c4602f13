//! Is it sound?

use choros_base::{Diagnostic, has_errors};
use choros_data::{Term, Terms, Value, Var};
use choros_model::Evidence;
use choros_model::evidence::{Condition, GraphMark, MarkedEdge};
use choros_model::stg::{DotMarks, EdgeId, NodeId, Stg};
use choros_realize::{
    Contradiction, Liveness, Reachability, StuckState, dead_transition, reachability, stuck_states,
    undecided_transition,
};
use choros_report::{Answer, Counted, Outcome, Report, Sizes, Stat, StuckPlace, Word};
use choros_smt::{Solver, SolverError};

use super::draw::model_pictures;
use super::explore::{no_graph, remark, stats};
use crate::{Component, Model, Request, Settings, Workspace};

/// Reads models, infers their sorts, lists their parameters, and finds transitions that can never fire.
pub fn check(workspace: &mut Workspace<'_>, requests: &[Request], settings: &Settings) -> Report {
    let mut report = settings.report("check");
    report.semantics.relation = Some("reachability for all data".to_owned());
    let mut components: Vec<Component> = Vec::new();
    let mut machines = Vec::new();
    let mut gchors = Vec::new();
    for request in requests {
        #[cfg(feature = "bpel")]
        if request.is_process() {
            super::orchestration::check(workspace, request, settings, &mut report);
            continue;
        }
        let Some((kind, model)) = workspace.load(request, settings, &mut report.diagnostics) else {
            continue;
        };
        report
            .semantics
            .inputs
            .insert(request.path.clone(), kind.name().to_owned());
        match model {
            Model::Graphs(found, _) => components.extend(found),
            Model::System(system) => report.outcomes.push(system_outcome(&request.path, &system)),
            Model::Machines(found) => machines.push((request.path.clone(), found)),
            Model::Gchor(found) => gchors.push((request.path.clone(), found)),
            Model::Service(service) => super::services::check(&request.path, &service, &mut report),
        }
    }
    if has_errors(&report.diagnostics) {
        report.outcomes.clear();
        return report;
    }
    for (path, gchor) in &gchors {
        super::gchor::check(path, gchor, workspace, settings, &mut report);
    }
    for (path, machines) in &machines {
        super::machines::check(path, machines, workspace, settings, &mut report);
    }
    let mut solver = settings.solver();
    for component in &components {
        remark(component, &mut report);
        settings
            .progress
            .show(format!("checking `{}`", component.name));
        let outcome = match &component.stg {
            Err(reason) => unknown_because_cut(no_graph(component, reason, &mut report), settings),
            Ok(stg) => {
                match component_outcome(stg, workspace, &mut solver, settings, &mut report) {
                    Ok(outcome) => outcome,
                    Err(error) => {
                        report.world_failed = Some(error.to_string());
                        return report;
                    }
                }
            }
        };
        report.outcomes.push(outcome);
        settings.progress.keep(&report, &workspace.sources);
        if settings.is_cancelled() {
            report.interrupted = true;
            break;
        }
    }
    settings.name_solver(&solver, &mut report.semantics);
    report
}

/// More states that are stuck than these are counted and listed for programs only.
const MOST_STUCK: usize = 10;

fn component_outcome(
    stg: &Stg,
    workspace: &mut Workspace<'_>,
    solver: &mut dyn Solver,
    settings: &Settings,
    report: &mut Report,
) -> Result<Outcome, SolverError> {
    let found = reachability(
        stg,
        &mut workspace.terms,
        solver,
        &settings.until_cancelled(),
    )?;
    let budget = settings.until_cancelled();
    let stuck = stuck_states(stg, &found, &mut workspace.terms, solver, &budget)?;
    let terms = &workspace.terms;
    let mut mark = GraphMark {
        model: stg.name().to_owned(),
        ..GraphMark::default()
    };
    let connected = connected(stg);
    let (mut dead, mut behind, mut undecided) = (0, 0, 0);
    let mut judge = |what: String, source: NodeId, liveness: &Liveness, edge: MarkedEdge| {
        let own = edge.origin;
        let finding: Option<Diagnostic> = match liveness {
            Liveness::Live => return,
            Liveness::Undecided(_) => {
                undecided += 1;
                undecided_transition::diagnostic(stg, &what, own, liveness)
            }
            Liveness::Dead(_) | Liveness::Unreached => {
                dead += 1;
                mark.edges.push(edge);
                if *liveness == Liveness::Unreached && connected[source.0 as usize] {
                    // The dead transition before it is what there is to say; the rest follows.
                    behind += 1;
                    return;
                }
                dead_transition::diagnostic(stg, terms, &what, own, liveness)
            }
        };
        report.diagnostics.extend(finding);
    };
    for (edge, liveness) in stg.edges().iter().zip(&found.edges) {
        let what = format!("`{}`", edge.event.text(terms));
        let marked = MarkedEdge {
            source: label(stg, edge.source),
            target: label(stg, edge.target),
            label: edge_text(edge.guard, &edge.event.text(terms), terms),
            origin: edge.origin,
            because: reasons(liveness, stg, terms),
        };
        judge(what, edge.source, liveness, marked);
    }
    for node in stg.node_ids() {
        let terminations = stg.node(node).terminations.iter();
        for (termination, liveness) in terminations.zip(&found.terminations[node.0 as usize]) {
            // That a state which no run reaches cannot terminate either goes without saying.
            if *liveness == Liveness::Unreached {
                continue;
            }
            let what = format!("termination in state {}", label(stg, node));
            let marked = MarkedEdge {
                source: label(stg, node),
                target: "√".to_owned(),
                label: edge_text(termination.guard, "√", terms),
                origin: termination.origin,
                because: reasons(liveness, stg, terms),
            };
            judge(what, node, liveness, marked);
        }
    }
    for step in stg.unreached() {
        dead += 1;
        let what = format!("`{}`", step.event.text(terms));
        let finding = dead_transition::unreached(stg, &what, step.origin);
        report.diagnostics.push(finding);
    }
    if behind > 0 {
        report.semantics.notes.push(format!(
            "unreachable behind dead transitions of `{}`: {}",
            stg.name(),
            Counted(Stat::Transitions, behind)
        ));
    }
    let answer = if undecided > 0 {
        let reason = match found.cut {
            Some(spent) => spent.to_string(),
            None => format!(
                "whether {undecided} of its transitions can happen was not decided (raise the bound with \
                 --solver-budget)"
            ),
        };
        Answer {
            word: Word::Unknown,
            condition: None,
            reason: Some(reason),
            evidence: Some(Evidence::GraphMark(mark)),
        }
    } else {
        Answer {
            word: Word::Holds,
            condition: None,
            reason: None,
            evidence: Some(Evidence::GraphMark(mark)),
        }
    };
    let mut sizes = stats(stg)
        .with(Stat::Parameters, stg.parameters(terms).len())
        .with(Stat::Dead, dead)
        .with(Stat::Stuck, stuck.stuck.len());
    if undecided > 0 {
        sizes = sizes.with(Stat::Undecided, undecided);
    }
    let places: Vec<StuckPlace> = stuck
        .stuck
        .iter()
        .map(|it| stuck_place(stg, it, terms))
        .collect();
    let notes = places.iter().map(|it| stuck_note(stg, it));
    report.semantics.notes.extend(notes.take(MOST_STUCK));
    if !stuck.undecided.is_empty() {
        report.semantics.notes.push(format!(
            "whether `{}` can be stuck in {} further states was not decided",
            stg.name(),
            stuck.undecided.len()
        ));
    }
    if !found.widened.is_empty() {
        report.semantics.notes.push(format!(
            "conditions were forgotten at {} states of `{}`: what is called dead is dead, but more may be",
            found.widened.len(),
            stg.name()
        ));
    }
    Ok(Outcome {
        name: stg.name().to_owned(),
        answer: Some(answer),
        models: model_pictures(&[(stg, dead_marks(stg, &found))], terms),
        sizes: Sizes {
            stats: sizes,
            complete: found.cut.is_none(),
        },
        parameters: parameters(stg, terms),
        stuck: places,
        ..Outcome::default()
    })
}

/// Where nothing goes on, and for which data.
fn stuck_place(stg: &Stg, stuck: &StuckState, terms: &Terms) -> StuckPlace {
    let value = |(variable, value): &(Var, Value)| {
        let variable = terms.variable_text(*variable).to_owned();
        (variable, terms.print_value(value))
    };
    StuckPlace {
        state: label(stg, stuck.node),
        data: stuck.data.iter().map(value).collect(),
    }
}

/// The same for people.
fn stuck_note(stg: &Stg, place: &StuckPlace) -> String {
    let data = place.data.iter();
    let data: Vec<String> = data
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let when = match data.is_empty() {
        true => "whatever the data".to_owned(),
        false => format!("for example with {}", data.join(", ")),
    };
    format!(
        "`{}`: nothing goes on in state {}, {when}",
        stg.name(),
        place.state
    )
}

/// The parameters of a graph with their sorts.
pub(super) fn parameters(stg: &Stg, terms: &Terms) -> Vec<(String, String)> {
    stg.parameters(terms)
        .into_iter()
        .map(|parameter| {
            let sort = terms.sort_text(terms.variable_sort(parameter));
            (terms.variable_text(parameter).to_owned(), sort)
        })
        .collect()
}

/// What can never happen.
pub(super) fn dead_marks(stg: &Stg, found: &Reachability) -> DotMarks {
    let mut marks = DotMarks::default();
    for (index, liveness) in found.edges.iter().enumerate() {
        if liveness.is_dead() {
            marks.edges.insert(EdgeId(index as u32));
        }
    }
    for node in stg.node_ids() {
        for (index, liveness) in found.terminations[node.0 as usize].iter().enumerate() {
            if liveness.is_dead() {
                marks.terminations.insert((node, index));
            }
        }
    }
    marks
}

/// Which nodes some path leads to, whatever its guards say.
fn connected(stg: &Stg) -> Vec<bool> {
    let mut reached = vec![false; stg.nodes().len()];
    let mut work = vec![stg.initial()];
    reached[stg.initial().0 as usize] = true;
    while let Some(node) = work.pop() {
        for (_, edge) in stg.outgoing(node) {
            if !std::mem::replace(&mut reached[edge.target.0 as usize], true) {
                work.push(edge.target);
            }
        }
    }
    reached
}

fn system_outcome(path: &str, system: &choros_model::lts::ExplicitLts) -> Outcome {
    let counts = system.counts();
    Outcome {
        name: path.to_owned(),
        answer: Some(Answer {
            word: Word::Holds,
            condition: None,
            reason: None,
            evidence: None,
        }),
        sizes: Sizes {
            stats: choros_report::Stats::default()
                .with(Stat::States, counts.states)
                .with(Stat::Transitions, counts.transitions)
                .with(Stat::Deadlocks, counts.deadlocks),
            complete: true,
        },
        ..Outcome::default()
    }
}

/// The answer about something that has no graph, because a bound or the user ended its building.
pub(super) fn unknown_because_cut(mut outcome: Outcome, settings: &Settings) -> Outcome {
    if outcome.rejected.is_none() {
        let reason = match settings.is_cancelled() {
            true => "the run was stopped before it was built",
            false => "it is larger than the bound (raise it with --max-states)",
        };
        outcome.answer = Some(Answer {
            word: Word::Unknown,
            condition: None,
            reason: Some(reason.to_owned()),
            evidence: None,
        });
    }
    outcome
}

pub(super) fn reasons(liveness: &Liveness, stg: &Stg, terms: &Terms) -> Vec<Evidence> {
    let Liveness::Dead(contradictions) = liveness else {
        return Vec::new();
    };
    contradictions
        .iter()
        .map(|contradiction| Evidence::Condition(condition(contradiction, stg, terms)))
        .collect()
}

fn condition(contradiction: &Contradiction, stg: &Stg, terms: &Terms) -> Condition {
    let sentences: Vec<_> = contradiction
        .sentences
        .iter()
        .map(|sentence| {
            let origin = sentence.edge.and_then(|edge| stg.edge(edge).origin);
            (terms.print(sentence.formula), origin)
        })
        .collect();
    Condition {
        formula: "false".to_owned(),
        sentences,
    }
}

pub(super) fn edge_text(guard: Term, event: &str, terms: &Terms) -> String {
    match guard {
        Term::TRUE => event.to_owned(),
        guard => format!("[{}] {event}", terms.print(guard)),
    }
}

pub(super) fn label(stg: &Stg, node: NodeId) -> String {
    stg.node(node).label.clone()
}
