//! Saying in a report why a component has no graph.

use choros_lang::NoGraph;
use choros_report::{Answer, NamedResult, Rejection, Report, VerdictKind};

use crate::diagnostics::{mistakes, state_bound};
use crate::{Component, Settings};

/// An outcome for a component that has no graph; the report is told why.
pub(super) fn no_graph(
    component: &Component,
    reason: &NoGraph,
    report: &mut Report,
) -> NamedResult {
    let mut outcome = NamedResult {
        name: component.name.clone(),
        ..NamedResult::default()
    };
    match reason {
        NoGraph::Spent(spent) => {
            report
                .diagnostics
                .push(state_bound::diagnostic(&component.name, *spent));
            outcome.sizes.complete = false;
        }
        NoGraph::Mistakes => {
            outcome.rejected = Some(Rejection {
                code: mistakes::CODE.code,
                message: mistakes::message(&component.name),
            });
        }
    }
    outcome
}

/// Tells the report how a component is to be read.
pub(super) fn remark(component: &Component, report: &mut Report) {
    for remark in &component.remarks {
        let remark = format!("`{}`: {remark}", component.name);
        if !report.semantics.notes.contains(&remark) {
            report.semantics.notes.push(remark);
        }
    }
}

/// The answer about something that has no graph, because a bound or the user ended its building.
pub(super) fn unknown_because_cut(mut outcome: NamedResult, settings: &Settings) -> NamedResult {
    if outcome.rejected.is_none() {
        let reason = match settings.is_cancelled() {
            true => "the run was stopped before it was built",
            false => "it is larger than the bound (raise it with --max-states)",
        };
        outcome.answer = Some(Answer {
            word: VerdictKind::Unknown,
            condition: None,
            reason: Some(reason.to_owned()),
            evidence: None,
        });
    }
    outcome
}
