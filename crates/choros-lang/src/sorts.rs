//! Sorts, and with them the terms of guards and events.
//!
//! One inference runs over the whole script.
//! A variable belongs to its component; the data of a message have one sort wherever the message occurs, so that a
//! sender and a receiver that disagree are found here.

use choros_base::Diagnostic;
use choros_data::syntax::{Expression, Exprs};
use choros_data::{Inference, Scope, Sort, Term, Terms};
use choros_model::stg::Event;
use choros_model::stg::label::{Label, MessageSorts};

use crate::ast::{Body, ProcessId, ProcessKind, Script};
use crate::diagnostics::MAX_FINDINGS;

/// The terms of a script.
#[derive(Debug, Default)]
pub(crate) struct Meanings {
    /// For each process: the guard or event in it; `None` where there is none or where it was reported.
    processes: Vec<Option<Meaning>>,
    /// For each component, the labels of its transitions; `None` where something was reported.
    labels: Vec<Vec<Option<Label>>>,
}

#[derive(Debug)]
enum Meaning {
    Guard(Term),
    Event(Event),
}

impl Meanings {
    /// The guard of a guarded process or loop.
    pub(crate) fn guard(&self, id: ProcessId) -> Option<Term> {
        match self.processes.get(id.index())? {
            Some(Meaning::Guard(guard)) => Some(*guard),
            _ => None,
        }
    }

    /// The event of a process that is one.
    pub(crate) fn event(&self, id: ProcessId) -> Option<&Event> {
        match self.processes.get(id.index())? {
            Some(Meaning::Event(event)) => Some(event),
            _ => None,
        }
    }

    /// The labels of the transitions of a component.
    pub(crate) fn labels(&self, component: usize) -> &[Option<Label>] {
        self.labels.get(component).map_or(&[], Vec::as_slice)
    }
}

/// Infers the sorts of a script and builds its terms.
pub(crate) fn infer(script: &Script, terms: &mut Terms) -> (Meanings, Vec<Diagnostic>) {
    let mut inference = Inference::new(Sort::INT);
    let scopes: Vec<Scope> = script
        .components
        .iter()
        .map(|_| inference.scope())
        .collect();
    for (component, &scope) in script.components.iter().zip(&scopes) {
        declare(script, &component.body, &mut inference, scope);
    }
    let mut sorts = MessageSorts::default();
    for (component, &scope) in script.components.iter().zip(&scopes) {
        check(
            script,
            &component.body,
            terms,
            &mut inference,
            scope,
            &mut sorts,
        );
    }
    let mut meanings = Meanings::default();
    meanings
        .processes
        .resize_with(script.processes.len(), || None);
    for (component, &scope) in script.components.iter().zip(&scopes) {
        build(
            script,
            &component.body,
            terms,
            &mut inference,
            scope,
            &mut meanings,
        );
    }
    let mut diagnostics = inference.diagnostics;
    diagnostics.truncate(MAX_FINDINGS);
    (meanings, diagnostics)
}

fn declare(script: &Script, body: &Body, inference: &mut Inference, scope: Scope) {
    match body {
        Body::Process(root) => {
            for (_, process) in script.processes.walk(*root) {
                if let ProcessKind::Event(event) = &process.kind {
                    event.declare(inference, scope);
                }
            }
        }
        Body::Graph(graph) => {
            for label in graph.transitions.iter().filter_map(|it| it.label.as_ref()) {
                label.declare(inference, scope);
            }
        }
        Body::Composition(_) => {}
    }
}

fn check(
    script: &Script,
    body: &Body,
    terms: &mut Terms,
    inference: &mut Inference,
    scope: Scope,
    sorts: &mut MessageSorts,
) {
    let exprs = &script.exprs;
    match body {
        Body::Process(root) => {
            for (_, process) in script.processes.walk(*root) {
                match &process.kind {
                    ProcessKind::Event(event) => event.check(terms, exprs, inference, scope, sorts),
                    ProcessKind::Guarded(guard, _) | ProcessKind::Loop(guard, _) => {
                        inference.check_guard(
                            terms,
                            exprs,
                            *guard,
                            scope,
                            "a guard is true or false",
                        );
                    }
                    ProcessKind::Skip | ProcessKind::Chain(..) | ProcessKind::Error => {}
                }
            }
        }
        Body::Graph(graph) => {
            for label in graph.transitions.iter().filter_map(|it| it.label.as_ref()) {
                label.check(terms, exprs, inference, scope, sorts);
            }
        }
        Body::Composition(_) => {}
    }
}

fn build(
    script: &Script,
    body: &Body,
    terms: &mut Terms,
    inference: &mut Inference,
    scope: Scope,
    meanings: &mut Meanings,
) {
    let exprs = &script.exprs;
    let mut labels = Vec::new();
    match body {
        Body::Process(root) => {
            for (id, process) in script.processes.walk(*root) {
                meanings.processes[id.index()] = match &process.kind {
                    ProcessKind::Event(event) => event
                        .build(terms, exprs, inference, scope)
                        .map(Meaning::Event),
                    ProcessKind::Guarded(guard, _) | ProcessKind::Loop(guard, _) => {
                        build_guard(*guard, terms, exprs, inference).map(Meaning::Guard)
                    }
                    ProcessKind::Skip | ProcessKind::Chain(..) | ProcessKind::Error => None,
                };
            }
        }
        Body::Graph(graph) => {
            labels.extend(graph.transitions.iter().map(|transition| {
                let label = transition.label.as_ref()?;
                label.build(terms, exprs, inference, scope)
            }));
        }
        Body::Composition(_) => {}
    }
    meanings.labels.push(labels);
}

fn build_guard(
    guard: Expression,
    terms: &mut Terms,
    exprs: &Exprs,
    inference: &Inference,
) -> Option<Term> {
    let guard = inference.build(terms, exprs, guard)?;
    (terms.sort_of(guard) == Sort::BOOL).then_some(guard)
}
