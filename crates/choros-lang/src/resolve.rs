//! Which name means which component, and whether the names make sense.

use choros_base::{Diagnostic, Name, Names};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Body, Graph, Reference, Script};
use crate::diagnostics::{
    MAX_FINDINGS, composition_cycle, duplicate_component, duplicate_state, undeclared_component,
    undeclared_state,
};

/// Index of a component in its script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(pub(crate) usize);

/// What names mean.
#[derive(Debug, Default)]
pub(crate) struct Resolution {
    ids: FxHashMap<Name, ComponentId>,
    /// Components whose names are wrong in a way that leaves no model.
    broken: FxHashSet<ComponentId>,
}

/// Looks up every name of a script.
pub(crate) fn resolve(script: &Script, names: &Names) -> (Resolution, Vec<Diagnostic>) {
    let mut resolver = Resolver {
        script,
        names,
        resolution: Resolution::default(),
        diagnostics: Vec::new(),
    };
    resolver.components();
    resolver.references();
    resolver.cycles();
    for (index, component) in script.components.iter().enumerate() {
        if let Body::Graph(graph) = &component.body {
            resolver.states(ComponentId(index), graph);
        }
    }
    (resolver.resolution, resolver.diagnostics)
}

impl Resolution {
    /// The component of this name; the first one if there are several.
    pub(crate) fn component(&self, name: Name) -> Option<ComponentId> {
        self.ids.get(&name).copied()
    }

    /// The parts of a component that are not compositions, in order, each once; just itself if it is none.
    ///
    /// `None` if something in it is broken.
    pub(crate) fn parts(&self, script: &Script, id: ComponentId) -> Option<Vec<ComponentId>> {
        self.parts_within(script, id, &mut { usize::MAX })
    }

    /// The same, for someone who has time to look at this many components only; `None` if they are not enough.
    pub(crate) fn parts_within(
        &self,
        script: &Script,
        id: ComponentId,
        left: &mut usize,
    ) -> Option<Vec<ComponentId>> {
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            *left = left.checked_sub(1)?;
            if self.broken.contains(&id) {
                return None;
            }
            match &script.components[id.0].body {
                Body::Composition(references) => {
                    for reference in references.iter().rev() {
                        pending.push(self.component(reference.name)?);
                    }
                }
                Body::Process(_) | Body::Graph(_) => parts.push(id),
            }
        }
        Some(parts)
    }
}

struct Resolver<'a> {
    script: &'a Script,
    names: &'a Names,
    resolution: Resolution,
    diagnostics: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn report(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        if self.diagnostics.len() < MAX_FINDINGS {
            let diagnostic = diagnostic(self);
            self.diagnostics.push(diagnostic);
        }
    }

    fn components(&mut self) {
        let script = self.script;
        for (index, component) in script.components.iter().enumerate() {
            let Reference { name, span } = component.name;
            // A component without a name was reported and cannot be meant by anyone.
            if self.names.text(name).is_empty() {
                continue;
            }
            match self.resolution.component(name) {
                None => {
                    self.resolution.ids.insert(name, ComponentId(index));
                }
                Some(first) => self.report(|resolver| {
                    let first = script.components[first.0].name.span;
                    duplicate_component::diagnostic(span, resolver.names.text(name), first)
                }),
            }
        }
    }

    fn references(&mut self) {
        let script = self.script;
        for (index, component) in script.components.iter().enumerate() {
            if let Body::Composition(parts) = &component.body {
                for &part in parts {
                    if !self.reference(part) {
                        self.resolution.broken.insert(ComponentId(index));
                    }
                }
            }
        }
        for command in &script.commands {
            // What comes after an unknown command need not be the names of components.
            if command.kind.is_some() {
                for &argument in &command.arguments {
                    self.reference(argument);
                }
            }
        }
    }

    /// Whether a name means a component; reports it if not.
    fn reference(&mut self, reference: Reference) -> bool {
        let declared = self.resolution.component(reference.name).is_some();
        if !declared {
            self.report(|resolver| {
                let candidates = resolver
                    .script
                    .components
                    .iter()
                    .map(|component| resolver.names.text(component.name.name));
                let name = resolver.names.text(reference.name);
                undeclared_component::diagnostic(reference.span, name, candidates)
            });
        }
        declared
    }

    /// Depth-first search for references that lead back to a composition that is still open.
    fn cycles(&mut self) {
        let script = self.script;
        let mut closed = FxHashSet::default();
        for start in 0..script.components.len() {
            let mut open = FxHashSet::default();
            let mut path: Vec<(ComponentId, usize)> = vec![(ComponentId(start), 0)];
            while let Some((id, position)) = path.last_mut() {
                let (id, at) = (*id, *position);
                *position += 1;
                if at == 0 {
                    if closed.contains(&id) {
                        path.pop();
                        continue;
                    }
                    open.insert(id);
                }
                let parts: &[Reference] = match &script.components[id.0].body {
                    Body::Composition(parts) => parts,
                    _ => &[],
                };
                let Some(&part) = parts.get(at) else {
                    open.remove(&id);
                    closed.insert(id);
                    path.pop();
                    continue;
                };
                match self.resolution.component(part.name) {
                    Some(inner) if open.contains(&inner) => {
                        self.resolution.broken.insert(id);
                        self.report(|resolver| {
                            let declared = script.components[inner.0].name.span;
                            let name = resolver.names.text(part.name);
                            composition_cycle::diagnostic(part.span, name, declared)
                        });
                    }
                    Some(inner) => path.push((inner, 0)),
                    None => {}
                }
            }
        }
    }

    fn states(&mut self, id: ComponentId, graph: &Graph) {
        let mut declared: FxHashMap<Name, Reference> = FxHashMap::default();
        for state in &graph.states {
            match declared.get(&state.name.name) {
                None => {
                    declared.insert(state.name.name, state.name);
                }
                Some(&first) => {
                    self.resolution.broken.insert(id);
                    self.report(|resolver| {
                        let name = resolver.names.text(first.name);
                        duplicate_state::diagnostic(state.name.span, name, first.span)
                    });
                }
            }
        }
        if graph.states.is_empty() {
            self.resolution.broken.insert(id);
        }
        // One report per state, however many transitions use it.
        let mut reported = FxHashSet::default();
        for transition in &graph.transitions {
            for end in [transition.source, transition.target] {
                if declared.contains_key(&end.name) {
                    continue;
                }
                self.resolution.broken.insert(id);
                if reported.insert(end.name) {
                    self.report(|resolver| {
                        let states = graph.states.iter();
                        let first = graph.transitions.first();
                        let place = if graph.states.is_empty() {
                            // A state put in here would become the initial one.
                            None
                        } else {
                            first.map(|transition| transition.source.span)
                        };
                        undeclared_state::diagnostic(
                            end.span,
                            resolver.names.text(end.name),
                            states.map(|state| resolver.names.text(state.name.name)),
                            place,
                        )
                    });
                }
            }
        }
    }
}
