//! A script that has been read: its components on demand as graphs, its commands as data.

use choros_base::{Budget, Diagnostic, FileId, Severity};
use choros_data::Terms;
use choros_model::stg::{ProductNote, Stg, product};

use crate::ast::{Body, Command, Component, Script};
use crate::diagnostics::unclosed_component;
use crate::lower::{NoGraph, lower_graph, lower_process};
use crate::resolve::{ComponentId, Resolution, resolve};
use crate::sorts::{Meanings, infer};
use crate::{parse, views};

/// A script with its names looked up and its terms built.
#[derive(Debug)]
pub struct Model {
    script: Script,
    resolution: Resolution,
    meanings: Meanings,
    /// For each component, whether there are errors in it.
    broken: Vec<bool>,
}

/// How a component is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    /// `chorD` with a process: `√` is a step and counts.
    Process,
    /// `chorD` with the names of other components.
    Composition,
    /// `STG`: nodes without outgoing transitions terminate.
    Graph,
}

#[derive(Debug, Clone)]
pub struct ComponentGraph {
    /// The graph, with the name of the component.
    pub stg: Stg,
    /// What is odd about a composition; empty for other components.
    pub notes: Vec<ProductNote>,
}

/// Reads a script: syntax, names, views, sorts.
///
/// The model can be used even if there are errors: components without mistakes have graphs, and commands that no
/// error [concerns](Command::concerns) can be carried out.
pub fn read(file: FileId, text: &str, terms: &mut Terms) -> (Model, Vec<Diagnostic>) {
    let (script, diagnostics) = parse(file, text, &mut terms.names);
    Model::of_script(script, diagnostics, terms)
}

impl Model {
    /// Names, views and sorts of a script that was parsed with these findings.
    pub(crate) fn of_script(
        script: Script,
        mut diagnostics: Vec<Diagnostic>,
        terms: &mut Terms,
    ) -> (Model, Vec<Diagnostic>) {
        let (resolution, mut findings) = resolve(&script, &terms.names);
        diagnostics.append(&mut findings);
        diagnostics.append(&mut views::check(&script, &resolution, &terms.names));
        let (meanings, mut findings) = infer(&script, terms);
        diagnostics.append(&mut findings);
        // In the order of the text, whichever stage found it.
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary().map(|span| span.start()));
        let broken = script
            .components
            .iter()
            .map(|component| diagnostics.iter().any(|it| is_error_in(it, component)))
            .collect();
        let model = Model {
            script,
            resolution,
            meanings,
            broken,
        };
        (model, diagnostics)
    }

    /// The script as it is written.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The commands, in order.
    pub fn commands(&self) -> &[Command] {
        &self.script.commands
    }

    /// The ids of all components, in order.
    pub fn ids(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (0..self.script.components.len()).map(ComponentId)
    }

    /// The component of this name, if there is one.
    pub fn find(&self, name: &str, terms: &Terms) -> Option<ComponentId> {
        self.resolution.component(terms.names.get(name)?)
    }

    /// A component as it is written.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.script.components[id.0]
    }

    /// The name of a component.
    pub fn name<'a>(&self, id: ComponentId, terms: &'a Terms) -> &'a str {
        terms.names.text(self.component(id).name.name)
    }

    /// How a component is written.
    pub fn kind(&self, id: ComponentId) -> ComponentKind {
        match self.component(id).body {
            Body::Process(_) => ComponentKind::Process,
            Body::Composition(_) => ComponentKind::Composition,
            Body::Graph(_) => ComponentKind::Graph,
        }
    }

    /// The parts of a composition that are not compositions themselves, in order, each once; the component itself if
    /// it is none. `None` if names in it are wrong.
    pub fn parts(&self, id: ComponentId) -> Option<Vec<ComponentId>> {
        self.resolution.parts(&self.script, id)
    }

    /// The graph of a component, computed at each call.
    ///
    /// A composition is the product of its parts and of the parts of its parts: what two parts of an inner
    /// composition leave open for a third one outside can still happen with it.
    ///
    /// The budget is spent by the state; states with very many steps cost more.
    pub fn lower(
        &self,
        id: ComponentId,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<ComponentGraph, NoGraph> {
        let parts = self.parts(id).ok_or(NoGraph::Mistakes)?;
        let name = self.name(id, terms).to_owned();
        if self.kind(id) != ComponentKind::Composition {
            return Ok(ComponentGraph {
                stg: self.lower_part(id, terms, budget)?,
                notes: Vec::new(),
            });
        }
        let parts = parts
            .into_iter()
            .map(|part| self.lower_part(part, terms, budget))
            .collect::<Result<Vec<Stg>, NoGraph>>()?;
        let parts: Vec<&Stg> = parts.iter().collect();
        let product = product(name, &parts, budget, terms)?;
        Ok(ComponentGraph {
            stg: product.stg,
            notes: product.notes,
        })
    }

    /// The graph of a component that is not a composition.
    fn lower_part(
        &self,
        id: ComponentId,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Stg, NoGraph> {
        if self.broken[id.0] {
            return Err(NoGraph::Mistakes);
        }
        let name = self.name(id, terms).to_owned();
        match &self.component(id).body {
            Body::Process(root) => lower_process(
                &name,
                &self.script.processes,
                *root,
                &self.meanings,
                terms,
                budget,
            ),
            Body::Graph(graph) => lower_graph(&name, graph, self.meanings.labels(id.0), terms),
            Body::Composition(_) => Err(NoGraph::Mistakes),
        }
    }
}

/// Whether an error makes a component mean nothing.
///
/// A missing `end component` does not: what follows says where the component ends.
fn is_error_in(diagnostic: &Diagnostic, component: &Component) -> bool {
    let own = component.span.range();
    diagnostic.severity == Severity::Error
        && diagnostic.code.code != unclosed_component::CODE.code
        && diagnostic.primary().is_some_and(|place| {
            let range = place.range();
            place.file() == component.span.file()
                && own.start <= range.start
                && range.end <= own.end
        })
}
