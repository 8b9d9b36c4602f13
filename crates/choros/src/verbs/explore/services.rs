//! How many states do services have?

use choros_cows::runs::{left, run_to};
use choros_model::lts::{Lts, census};
use choros_report::answers::{Deadlock, Exploration};
use choros_report::{Stats, cut_text};

use super::Exploring;
use crate::Service;
use crate::Settings;
use crate::diagnostics::symmetric_states;

/// Deadlocks beyond these are counted only.
const MAX_SHOWN: usize = 10;

impl Exploring<'_, '_> {
    /// Counts states, transitions and deadlocks, and shows how the nearest deadlocks are reached and what is left in
    /// each.
    pub(super) fn services(&mut self, service: &Service) -> Option<Exploration> {
        let (path, settings) = (&self.file.path, self.settings);
        let semantics = &mut self.run.semantics;
        semantics.relation = Some(relation(settings).to_owned());
        let bound = settings
            .max_memory
            .map(|most| ("max-memory".to_owned(), most));
        semantics.bounds.extend(bound);
        let mut system = service.system(settings)?;
        settings.events.doing(format!("exploring `{path}`"));
        let found = census(&mut system, &settings.states(), |states| {
            let now = format!("exploring `{path}`: {states} states");
            settings.events.doing(now);
        });
        let shown = found.deadlocks.iter().take(MAX_SHOWN);
        let deadlocks = shown
            .map(|&deadlock| Deadlock {
                state: system.describe(deadlock),
                left: left(deadlock, &system),
                run: run_to(deadlock, &found, &mut system),
            })
            .collect();
        if let Some(cut) = found.extent.cut_by() {
            let note = format!("`{path}`: {}", cut_text(cut));
            semantics.notes.push(note);
        }
        if system.may_repeat_states() {
            let finding = symmetric_states::diagnostic(path);
            self.run.findings.push(finding);
        }
        Some(Exploration {
            name: path.clone(),
            is_cut: !found.extent.is_whole(),
            stats: Stats::of_system(found.counts),
            deadlocks,
            ..Exploration::default()
        })
    }
}

/// What the states are.
pub(in crate::verbs) fn relation(settings: &Settings) -> &'static str {
    if settings.best_match {
        "terms up to structural congruence, the best match first"
    } else {
        "terms up to structural congruence, any match"
    }
}
