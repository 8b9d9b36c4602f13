//! The graph of a process: its states in depth-first preorder.

use std::collections::BTreeSet;

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms};
use choros_model::stg::{Edge, Ending, Event, NodeId, Stg, StgBuilder};
use rustc_hash::FxHashMap;

use super::activity::{ActivityId, Process};
use super::contest::Claim;
use super::rules::{ProcessLabel, ProcessRules, ProcessStep, Sense};
use super::state::{StateId, States};

/// A process as a graph.
#[derive(Debug)]
pub struct UnfoldedProcess {
    /// The graph; it ends as orchestrations do, by being stopped.
    pub graph: Stg,
    /// The nodes in which time may pass and change nothing; the graph has no edge for it.
    pub idle: Vec<NodeId>,
    /// What each edge of the graph says about a correlation.
    pub senses: Vec<Sense>,
    /// Receptions that wait for the same messages at the same time, each pair once.
    pub rivals: Vec<(ActivityId, ActivityId)>,
    /// Handlers of alarms that may still be at work when the alarm comes again.
    pub skipped: Vec<ActivityId>,
}

/// The graph of a process under a name.
///
/// Nodes are numbered depth first from 0, in the order of steps: branches as they are written, a broken correlation
/// before a kept one, messages before time.
/// Ticks that change nothing are not drawn but listed.
pub fn unfold(
    terms: &mut Terms,
    process: &Process,
    name: &str,
    budget: &Budget,
) -> Result<UnfoldedProcess, StopReason> {
    let mut rules = ProcessRules::new(process);
    let initial = rules.initial();
    let mut found = Found::default();
    found.visit(initial);
    let mut open = vec![(initial, 0)];
    while let Some((state, position)) = open.last_mut() {
        let state = *state;
        if *position == 0 && !found.edges.contains_key(&state) {
            budget.spend()?;
            let offered = rules.steps(terms, state);
            found.note_rivals(&rules, &offered);
            let settled = rules.settled(terms, &offered);
            // A conflict is raised before any time passes.
            let tick = if settled.is_conflict {
                None
            } else {
                rules.tick(terms, state)
            };
            let steps = outgoing(&mut rules, &settled.steps, tick.filter(|&it| it != state));
            found.edges.insert(state, steps);
            if tick == Some(state) {
                found.idle.push(state);
            }
        }
        // What has ended is the same as what was stopped, and is numbered where it is first met.
        if state == States::EMPTY {
            found.visit(States::STOP);
        }
        let next = found.edges.get(&state).and_then(|it| it.get(*position));
        *position += 1;
        match next {
            None => {
                open.pop();
            }
            Some(step) => {
                let target = step.target;
                found.stopped |= target == States::STOP;
                if found.visit(target) {
                    open.push((target, 0));
                }
            }
        }
    }
    let skipped = rules.skipped.into_iter().collect();
    Ok(UnfoldedProcess {
        skipped,
        ..found.build(terms, name, initial)
    })
}

/// The steps of a state as the process shows them.
fn outgoing(
    rules: &mut ProcessRules<'_>,
    steps: &[ProcessStep],
    later: Option<StateId>,
) -> Vec<Shown> {
    let mut shown = Vec::new();
    for step in steps {
        let step = match step.label {
            // The process is a scope without handlers.
            ProcessLabel::Raise(raised) => {
                let ending = rules.terminate(step.target);
                rules.escape(step, raised, ending)
            }
            ProcessLabel::Exit | ProcessLabel::Rethrow => ProcessStep {
                target: States::STOP,
                ..step.clone()
            },
            ProcessLabel::Event(_) => step.clone(),
        };
        let event = match &step.label {
            ProcessLabel::Event(event) => event.clone(),
            ProcessLabel::Raise(raised) => Event::Raise(raised.fault),
            ProcessLabel::Exit | ProcessLabel::Rethrow => Event::Silent,
        };
        shown.push(Shown {
            target: step.target,
            event,
            step,
        });
    }
    if let Some(target) = later {
        shown.push(Shown {
            target,
            event: Event::Tick,
            step: tick(target),
        });
    }
    shown
}

fn tick(target: StateId) -> ProcessStep {
    ProcessStep {
        guard: Term::TRUE,
        label: ProcessLabel::Event(Event::Tick),
        updates: Vec::new(),
        target,
        patient: false,
        sense: Sense::Ordinary,
        claim: None,
        origin: None,
    }
}

struct Shown {
    step: ProcessStep,
    event: Event,
    target: StateId,
}

#[derive(Default)]
struct Found {
    order: Vec<StateId>,
    position: FxHashMap<StateId, u32>,
    edges: FxHashMap<StateId, Vec<Shown>>,
    /// Whether some step leads to `0`; otherwise only `√` does, and the graph counts it itself.
    stopped: bool,
    idle: Vec<StateId>,
    rivals: BTreeSet<(ActivityId, ActivityId)>,
}

impl Found {
    fn visit(&mut self, state: StateId) -> bool {
        if self.position.contains_key(&state) {
            return false;
        }
        self.position.insert(state, self.order.len() as u32);
        self.order.push(state);
        true
    }

    fn note_rivals(&mut self, rules: &ProcessRules<'_>, steps: &[ProcessStep]) {
        let takers: Vec<ActivityId> = steps
            .iter()
            .filter_map(|it| it.claim)
            .filter(|it| it.1 == Claim::Takes)
            .map(|it| it.0)
            .collect();
        for (position, &one) in takers.iter().enumerate() {
            let later = &takers[position + 1..];
            let rivals = later.iter().filter(|&&it| rules.rivals(one, it).is_some());
            self.rivals
                .extend(rivals.map(|&it| (one.min(it), one.max(it))));
        }
    }

    fn build(mut self, terms: &mut Terms, name: &str, initial: StateId) -> UnfoldedProcess {
        if !self.stopped && initial != States::STOP {
            self.order.retain(|&state| state != States::STOP);
        }
        let mut builder = StgBuilder::new(name, Ending::Stopped);
        let mut nodes: FxHashMap<StateId, NodeId> = FxHashMap::default();
        for &state in &self.order {
            let label = builder.node_count().to_string();
            let node = builder.node(label);
            nodes.insert(state, node);
            if state == States::EMPTY {
                builder.terminate(terms, node, Term::TRUE, None);
            }
        }
        let mut senses = FxHashMap::default();
        for state in &self.order {
            let Some(&source) = nodes.get(state) else {
                continue;
            };
            for shown in self.edges.remove(state).unwrap_or_default() {
                let Some(&target) = nodes.get(&shown.target) else {
                    continue;
                };
                let key = (
                    source,
                    target,
                    shown.event.clone(),
                    shown.step.updates.clone(),
                );
                senses.insert(key, shown.step.sense);
                let edge = Edge {
                    source,
                    target,
                    guard: shown.step.guard,
                    event: shown.event,
                    updates: shown.step.updates,
                    origin: shown.step.origin,
                };
                builder.edge(terms, edge);
            }
        }
        let initial = nodes.get(&initial).copied().unwrap_or(NodeId(0));
        let mut idle: Vec<NodeId> = self
            .idle
            .iter()
            .filter_map(|it| nodes.get(it).copied())
            .collect();
        idle.sort();
        let graph = builder.finish_as_built(initial);
        let senses = graph
            .edges()
            .iter()
            .map(|edge| {
                let key = (
                    edge.source,
                    edge.target,
                    edge.event.clone(),
                    edge.updates.clone(),
                );
                senses.get(&key).copied().unwrap_or_default()
            })
            .collect();
        UnfoldedProcess {
            graph,
            idle,
            senses,
            rivals: self.rivals.into_iter().collect(),
            skipped: Vec::new(),
        }
    }
}
