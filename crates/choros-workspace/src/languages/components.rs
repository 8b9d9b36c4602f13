//! Texts that declare several components, which are built one by one.

use choros_base::Budget;
use choros_data::Terms;
use choros_lang::ast::Command;
use choros_lang::{ComponentGraph, NoGraph, chor};
use choros_model::diagram::Diagram;
use choros_model::stg::{Disturbance, Event, ProductNote, Sessions, Stg, prune};

use super::Read;
use crate::Settings;
use crate::contents::{Component, Model};
use choros_codes::diagnostics::unmatched_message;

/// A text that was read and declares components.
pub(crate) trait Components {
    /// Their names, in order.
    fn names(&self, terms: &Terms) -> Vec<String>;

    /// The graph of one of them, by its place in the order, with ticks of so many milliseconds if that is given.
    fn lower(
        &self,
        place: usize,
        tick: Option<u64>,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<ComponentGraph, NoGraph>;

    /// The roles of one of them that are declared as services.
    fn services(&self, _place: usize, _terms: &Terms) -> Vec<String> {
        Vec::new()
    }

    /// How many sessions of its graph one of them is.
    fn sessions(&self, _place: usize, _terms: &Terms) -> Option<Sessions> {
        None
    }

    /// The sequence diagram of one of them, where the language has the structure of one.
    fn diagram(&self, _place: usize, _terms: &Terms) -> Option<Diagram> {
        None
    }

    /// What is asked of them in the text itself.
    fn commands(&self) -> &[Command] {
        &[]
    }
}

fn texts<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.map(str::to_owned).collect()
}

/// Scripts of SChorA, and Chor as PACT reads it.
impl Components for choros_lang::Model {
    fn names(&self, terms: &Terms) -> Vec<String> {
        texts(self.ids().map(|id| self.name(id, terms)))
    }

    fn lower(
        &self,
        place: usize,
        _tick: Option<u64>,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<ComponentGraph, NoGraph> {
        let id = self.ids().nth(place).ok_or(NoGraph::Mistakes)?;
        self.lower(id, terms, budget)
    }

    fn commands(&self) -> &[Command] {
        self.commands()
    }
}

/// The native language.
impl Components for chor::Model {
    fn names(&self, terms: &Terms) -> Vec<String> {
        texts(self.ids().map(|id| self.name(id, terms)))
    }

    fn lower(
        &self,
        place: usize,
        tick: Option<u64>,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<ComponentGraph, NoGraph> {
        let id = self.ids().nth(place).ok_or(NoGraph::Mistakes)?;
        self.lower_with_ticks(id, tick, terms, budget)
    }

    fn services(&self, place: usize, terms: &Terms) -> Vec<String> {
        let services = self.ids().nth(place).map(|id| self.services(id, terms));
        services.into_iter().flatten().map(str::to_owned).collect()
    }

    fn sessions(&self, place: usize, terms: &Terms) -> Option<Sessions> {
        self.sessions(self.ids().nth(place)?, terms)
    }

    fn diagram(&self, place: usize, terms: &Terms) -> Option<Diagram> {
        self.diagram(self.ids().nth(place)?, terms)
    }
}

/// A graph without the steps in which crashes are noticed, and the whole graph where it has any.
fn without_crashes(stg: Stg, terms: &mut Terms) -> (Stg, Option<Box<Stg>>) {
    let notices = |event: &Event| matches!(event, Event::Disturbance(Disturbance::Noticed { .. }));
    if !stg.edges().iter().any(|it| notices(&it.event)) {
        return (stg, None);
    }
    let calm = prune(&stg, terms, |id| !notices(&stg.edge(id).event), |_, _| true);
    let calm = calm.with_tick(stg.tick()).with_once(stg.once().to_vec());
    (calm, Some(Box::new(stg)))
}

/// Builds the component that is wanted, or all of them.
pub(super) fn build(
    declared: &dyn Components,
    wanted: Option<&str>,
    settings: &Settings,
    terms: &mut Terms,
) -> Read {
    let mut read = Read {
        model: Model::Graphs(Vec::new(), Vec::new()),
        findings: Vec::new(),
        names: Vec::new(),
    };
    let mut built = Vec::new();
    for (place, name) in declared.names(terms).into_iter().enumerate() {
        // A name that is declared twice is reported, and the first one counts.
        if read.names.contains(&name) {
            continue;
        }
        read.names.push(name.clone());
        if wanted.is_some_and(|wanted| wanted != name) {
            continue;
        }
        settings.events.doing(format!("building `{name}`"));
        let mut remarks = Vec::new();
        let lowered = declared.lower(place, settings.tick, terms, &settings.states());
        let stg = lowered.map(|lowered| {
            for note in &lowered.notes {
                match note {
                    ProductNote::MixedEndings { .. } => remarks.push(note.to_string()),
                    ProductNote::Incompatible { .. } | ProductNote::Partnerless { .. } => {
                        let found = unmatched_message::diagnostic(&name, note);
                        read.findings.push(found);
                    }
                }
            }
            lowered.stg
        });
        let (stg, under_faults) = match stg {
            Ok(stg) => {
                let (calm, whole) = without_crashes(stg, terms);
                (Ok(calm), whole)
            }
            Err(reason) => (Err(reason), None),
        };
        let diagram = declared.diagram(place, terms).map(Box::new);
        built.push(Component {
            services: declared.services(place, terms),
            name,
            stg,
            under_faults,
            interface: None,
            diagram,
            remarks,
            notation: terms.notation,
            sessions: declared.sessions(place, terms),
        });
    }
    read.model = Model::Graphs(built, declared.commands().to_vec());
    read
}
