//! How big is a graph?

use choros_model::stg::{DotMarks, Ending, Stg};
use choros_report::answers::{Exploration, Stop};
use choros_report::{GraphDrawing, Stats};

use choros_workspace::{casts, disturbed};

use super::{Exploring, Found};
use crate::Component;

impl Exploring<'_, '_> {
    pub(super) fn graphs(&mut self, components: Vec<Component>) -> Vec<Result<Exploration, Stop>> {
        let each = components.into_iter();
        each.map(|component| self.graph(component)).collect()
    }

    /// The roles of a file under faults.
    pub(super) fn disturbed(&mut self) -> Found {
        self.relate("roles over queues under faults");
        let bound = self.settings.discipline.bound as usize;
        let found = casts(self.workspace, self.file, None, self.settings, self.run);
        let sizes = found.into_iter().map(|cast| {
            let stg = disturbed(&cast?, bound, self.workspace, self.settings, self.run)?;
            Ok(self.sizes_of(&stg))
        });
        Ok(sizes.collect())
    }

    fn graph(&mut self, component: Component) -> Result<Exploration, Stop> {
        let stg = component.graph(self.settings, self.run);
        let stg = stg.map_err(Stop::without_question)?;
        if stg.ending() == Ending::Sinks {
            self.run.note(
                "states without outgoing transitions terminate and add no transition of their own in graphs that are \
                 written as graphs",
            );
        }
        let mut found = self.sizes_of(&stg);
        if self.request.traces {
            self.count_traces(&stg, &mut found);
        }
        Ok(found)
    }

    fn sizes_of(&self, stg: &Stg) -> Exploration {
        let terms = &self.workspace.terms;
        Exploration {
            name: stg.name().to_owned(),
            stats: Stats::of_graph(stg),
            drawings: GraphDrawing::pictures(&[(stg, DotMarks::default())], terms),
            ..Exploration::default()
        }
    }
}
