//! How many states do services have?

use choros_model::Evidence;
use choros_model::lts::{Lts, census};
use choros_report::{Block, Counted, Outcome, Report, Sizes, Stat, Stats, cut_text};

use super::runs::{left, run_to};
use crate::Settings;
use crate::diagnostics::symmetric_states;
use crate::service::Service;

/// Counts states, transitions and deadlocks, and shows how the nearest deadlock is reached and what is left in each.
pub(in crate::verbs) fn explore(
    path: &str,
    service: &Service,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some(relation(settings).to_owned());
    if let Some(most) = settings.max_memory {
        report
            .semantics
            .bounds
            .insert("max-memory".to_owned(), most);
    }
    let Some(mut system) = service.system(settings) else {
        return;
    };
    settings.progress.show(format!("exploring `{path}`"));
    let found = census(&mut system, &settings.states(), |states| {
        settings
            .progress
            .show(format!("exploring `{path}`: {states} states"));
    });
    let mut blocks = Vec::new();
    if !found.deadlocks.is_empty() {
        blocks.push(Block::Line(format!(
            "{path}: {}, {}, {}",
            Counted(Stat::States, found.counts.states as u64),
            Counted(Stat::Transitions, found.counts.transitions as u64),
            Counted(Stat::Deadlocks, found.counts.deadlocks as u64)
        )));
    }
    for (position, &deadlock) in found.deadlocks.iter().take(MOST_SHOWN).enumerate() {
        let name = system.describe(deadlock);
        let left = left(deadlock, &system);
        let mut run = run_to(deadlock, &found, &mut system);
        let steps = run.steps.len();
        if position == 0 {
            run.conclusion = format!("deadlock in {name}: {left}");
            blocks.push(Block::Evidence(Box::new(Evidence::Trace(run))));
        } else {
            let steps = match steps {
                1 => "one step".to_owned(),
                steps => format!("{steps} steps"),
            };
            blocks.push(Block::Line(format!(
                "deadlock in {name} after {steps}: {left}"
            )));
        }
    }
    if found.deadlocks.len() > MOST_SHOWN {
        let more = found.deadlocks.len() - MOST_SHOWN;
        blocks.push(Block::Line(format!("{more} further deadlocks")));
    }
    if let Some(cut) = found.extent.cut_by() {
        report
            .semantics
            .notes
            .push(format!("`{path}`: {}", cut_text(cut)));
    }
    if system.may_repeat_states() {
        report.diagnostics.push(symmetric_states::diagnostic(path));
    }
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, found.counts.states)
                .with(Stat::Transitions, found.counts.transitions)
                .with(Stat::Deadlocks, found.counts.deadlocks),
            complete: found.extent.is_whole(),
        },
        blocks,
        ..Outcome::default()
    });
}

/// Deadlocks beyond these are counted only.
const MOST_SHOWN: usize = 10;

/// What the states are.
pub(super) fn relation(settings: &Settings) -> &'static str {
    match settings.best_match {
        true => "terms up to structural congruence, the best match first",
        false => "terms up to structural congruence, any match",
    }
}
