//! How many traces a graph has.

use choros_data::Term;
use choros_model::stg::{FieldValue, Stg, Traces, count_traces};
use choros_report::Stat;
use choros_report::answers::Exploration;

use super::Exploring;
use crate::diagnostics::state_bound;

impl Exploring<'_, '_> {
    /// Adds the number of traces of a graph to its sizes.
    pub(super) fn count_traces(&mut self, stg: &Stg, found: &mut Exploration) {
        if has_data(stg) {
            self.run.note(
                "traces are counted without data: a message counts once, and guards count as satisfiable",
            );
        }
        let name = stg.name();
        match count_traces(stg, &self.settings.states()) {
            Ok(Traces::Infinite) => self
                .run
                .note(format!("`{name}` has infinitely many traces")),
            Ok(Traces::Finite(count)) => match usize::try_from(&count) {
                Ok(count) => {
                    let stats = std::mem::take(&mut found.stats);
                    found.stats = stats.with(Stat::Traces, count);
                }
                Err(_) => self.run.note(format!("`{name}` has {count} traces")),
            },
            Err(spent) => {
                let finding = state_bound::diagnostic(name, spent);
                self.run.findings.push(finding);
                found.is_cut = true;
            }
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
