//! How many traces a model has.

use choros_data::Term;
use choros_model::stg::{FieldValue, Stg, Traces, count_traces};
use choros_report::{Outcome, Report, Stat};

use crate::diagnostics::state_bound;
use crate::{Component, Settings};

/// Adds the number of traces of a component to its sizes.
pub(super) fn count(
    component: &Component,
    settings: &Settings,
    outcome: &mut Outcome,
    report: &mut Report,
) {
    let Ok(stg) = &component.stg else { return };
    if has_data(stg) {
        note(
            report,
            "traces are counted without data: a message counts once, and guards count as satisfiable".to_owned(),
        );
    }
    match count_traces(stg, &settings.states()) {
        Ok(Traces::Infinite) => {
            note(
                report,
                format!("`{}` has infinitely many traces", component.name),
            );
        }
        Ok(Traces::Finite(count)) => match usize::try_from(&count) {
            Ok(count) => {
                let stats = std::mem::take(&mut outcome.sizes.stats);
                outcome.sizes.stats = stats.with(Stat::Traces, count);
            }
            Err(_) => note(report, format!("`{}` has {count} traces", component.name)),
        },
        Err(spent) => {
            let diagnostic = state_bound::diagnostic(&component.name, spent);
            report.diagnostics.push(diagnostic);
            outcome.sizes.complete = false;
        }
    }
}

fn has_data(stg: &Stg) -> bool {
    let guarded = stg.edges().iter().any(|edge| edge.guard != Term::TRUE);
    let carries = stg
        .messages()
        .flat_map(|message| &message.fields)
        .any(|field| matches!(field.value, FieldValue::Free(_) | FieldValue::Bind(_)));
    guarded || carries
}

fn note(report: &mut Report, note: String) {
    if !report.semantics.notes.contains(&note) {
        report.semantics.notes.push(note);
    }
}
