//! Under which conditions the messages of a model happen.

use choros_base::Span;
use choros_realize::occurrences;

use crate::{Model, Request, Settings, Workspace};

/// Conditions are told in passing: more work than this is not done for them.
const MAX_STEPS: u64 = 50_000;

impl Workspace<'_> {
    /// What the guards on all ways to each message say, with the place of the message.
    ///
    /// It holds whenever the message happens; messages without a condition are left out, and models without data have
    /// none.
    pub fn message_conditions(
        &mut self,
        request: &Request,
        settings: &Settings,
    ) -> Vec<(Span, String)> {
        let mut run = settings.run();
        let model = self.model(request, settings, &mut run);
        let Some((_, Model::Graphs(components, _))) = model else {
            return Vec::new();
        };
        let mut solver = settings.solver();
        let mut found = Vec::new();
        for component in components {
            let Ok(stg) = component.graph(settings, &mut run) else {
                continue;
            };
            let budget = settings.until_cancelled().part(MAX_STEPS);
            let told = occurrences(&stg, &mut self.terms, &mut solver, &budget);
            let told = told.unwrap_or_default().into_iter();
            found.extend(told.map(|it| (it.origin, self.terms.print(it.condition))));
        }
        found
    }
}
