//! The product of a model and a test purpose (Definition 3.3.8), with its rules repaired.
//!
//! ```text
//! (i)   e ∈ {τ, χ, #}:        s_T ─[g] e / A→ s'_T                                  (s_B, s_T) ─[g] e / A→ (s_B, s'_T)
//! (ii)  e ∈ {τ, χ}:           s_B ─[g] e / A→ s'_B                                  (s_B, s_T) ─[g] e / A→ (s'_B, s_T)
//! (iii) any other e:          s_B ─[g_B] e / A_B→ s'_B, s_T ─[g_T] e / A_T→ s'_T    ─[g_B ∧ g_T] e / A_T; A_B→ (s'_B, s'_T)
//! (iv)  any other e:          s_B ─[g_B] e / A_B→ s'_B, s_T ─*→ s'_T,
//!                             no transition of s_T names e                          ─[g_B] e / A_B→ (s'_B, s'_T)
//! ```
//!
//! Against the print: rule (ii) keeps its event, so that ticks do not vanish; rules (iii) and (iv) are for messages
//! with faults too; rule (iv) asks that there be *no* such transition; which actions come first in (iii) is for the
//! caller to say, because text and algorithm of the thesis differ.

use choros_base::Choice;
use choros_data::{Term, Terms};
use choros_model::stg::{FieldValue, Message, Update};
use choros_query::purpose::{MessageHead, Purpose, PurposeEdge, Trigger};
use rustc_hash::FxHashMap;

use crate::graph::{EdgeLabel, EdgeOrigin, Graph, GraphBuilder, GraphEdge, State, StateId};

/// Whose actions are carried out first where model and purpose take a step together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PurposeActions {
    /// Those of the purpose, as the rule says.
    #[default]
    First,
    /// Those of the model, as the algorithm says.
    Last,
}

impl Choice for PurposeActions {
    const CHOICES: &'static [(&'static str, PurposeActions, &'static str)] = &[
        (
            "first",
            PurposeActions::First,
            "Before: they see values before the model changes them",
        ),
        (
            "last",
            PurposeActions::Last,
            "After: they see values the model has just written",
        ),
    ];
}

/// The model in step with the purpose, before anything is pruned.
pub fn product(
    model: &Graph,
    purpose: &Purpose,
    actions: PurposeActions,
    terms: &mut Terms,
) -> Graph {
    let mut making = TestMaking {
        model,
        purpose,
        known: FxHashMap::default(),
        pairs: Vec::new(),
        builder: GraphBuilder {
            states: Vec::new(),
            edges: Vec::new(),
        },
    };
    let initial = making.state(model.initial, purpose.initial);
    let mut next = 0;
    while let Some(&(node, state)) = making.pairs.get(next) {
        making.expand(StateId(next as u32), node, state, actions, terms);
        next += 1;
    }
    let mut variables = model.variables.clone();
    for &extra in &purpose.variables {
        if !variables.contains(&extra) {
            variables.push(extra);
        }
    }
    making.builder.finish(
        format!("{} × {}", model.name, purpose.name),
        initial,
        variables,
        model.ending,
    )
}

/// The paths that contain `#` and no others; none where there is no such path.
///
/// The thesis enumerates paths, of which a loop has infinitely many. An edge lies on such a path if and only if `#` is
/// after it, before it, or the edge itself.
pub fn prune(graph: &Graph) -> Option<Graph> {
    let count = graph.states.len();
    let mut before = vec![Vec::new(); count];
    for edge in graph.edges() {
        before[edge.target.index()].push(edge.source);
    }
    let accepting = || {
        graph
            .edges()
            .iter()
            .filter(|edge| edge.label == EdgeLabel::Accept)
    };
    let leads = closure(count, accepting().map(|edge| edge.source), |state| {
        before[state.index()].clone()
    });
    let follows = closure(count, accepting().map(|edge| edge.target), |state| {
        graph.outgoing(state).map(|(_, edge)| edge.target).collect()
    });
    if !leads[graph.initial.index()] {
        return None;
    }
    let is = |set: &[bool], state: StateId| set[state.index()];
    let mut new_id: Vec<Option<StateId>> = vec![None; count];
    let mut builder = GraphBuilder {
        states: Vec::new(),
        edges: Vec::new(),
    };
    for (index, state) in graph.states.iter().enumerate() {
        if leads[index] || follows[index] {
            new_id[index] = Some(StateId(builder.states.len() as u32));
            builder.states.push(state.clone());
        }
    }
    for edge in graph.edges() {
        let on_a_path =
            edge.label == EdgeLabel::Accept || is(&follows, edge.source) || is(&leads, edge.target);
        let ends = (new_id[edge.source.index()], new_id[edge.target.index()]);
        if let (true, (Some(source), Some(target))) = (on_a_path, ends) {
            builder.edges.push(GraphEdge {
                source,
                target,
                ..edge.clone()
            });
        }
    }
    let initial = new_id[graph.initial.index()]?;
    Some(builder.finish(
        graph.name.clone(),
        initial,
        graph.variables.clone(),
        graph.ending,
    ))
}

/// The states that can be reached from some, these included.
fn closure(
    count: usize,
    from: impl Iterator<Item = StateId>,
    next: impl Fn(StateId) -> Vec<StateId>,
) -> Vec<bool> {
    let mut seen = vec![false; count];
    let mut stack: Vec<StateId> = from.collect();
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut seen[state.index()], true) {
            stack.extend(next(state));
        }
    }
    seen
}

struct TestMaking<'a> {
    model: &'a Graph,
    purpose: &'a Purpose,
    known: FxHashMap<(StateId, usize), StateId>,
    pairs: Vec<(StateId, usize)>,
    builder: GraphBuilder,
}

impl TestMaking<'_> {
    fn state(&mut self, node: StateId, state: usize) -> StateId {
        if let Some(&known) = self.known.get(&(node, state)) {
            return known;
        }
        let id = StateId(self.pairs.len() as u32);
        self.known.insert((node, state), id);
        self.pairs.push((node, state));
        let of_model = self.model.state(node);
        self.builder.states.push(State {
            node: of_model.node,
            purpose: Some(state),
            label: format!("{},{}", of_model.label, self.purpose.states[state].name),
        });
        id
    }

    fn expand(
        &mut self,
        source: StateId,
        node: StateId,
        state: usize,
        actions: PurposeActions,
        terms: &mut Terms,
    ) {
        let (model, purpose) = (self.model, self.purpose);
        let of_state = || {
            let all = purpose.edges.iter().enumerate();
            all.filter(move |(_, edge)| edge.source == state)
        };
        // (i)
        for (index, edge) in of_state() {
            let label = match edge.trigger {
                Trigger::Silent => EdgeLabel::Silent,
                Trigger::Tick => EdgeLabel::Tick,
                Trigger::Accept => EdgeLabel::Accept,
                _ => continue,
            };
            let target = self.state(node, edge.target);
            self.builder.edges.push(GraphEdge {
                source,
                target,
                guard: edge.guard,
                label,
                updates: edge.updates.clone(),
                accepts: Term::TRUE,
                of: EdgeOrigin::Purpose,
                purpose: Some(index),
                origin: Some(edge.span),
            });
        }
        // (ii)
        for (_, edge) in model.outgoing(node) {
            if edge.label.is_silent() || edge.label == EdgeLabel::Tick {
                let target = self.state(edge.target, state);
                self.builder.edges.push(GraphEdge {
                    source,
                    target,
                    ..edge.clone()
                });
            }
        }
        for (_, edge) in model.outgoing(node) {
            if edge.label.is_silent() || edge.label == EdgeLabel::Tick {
                continue;
            }
            let mut named = false;
            // (iii)
            let naming = of_state().filter(|(_, wanted)| names(wanted.trigger, &edge.label));
            for (index, wanted) in naming {
                named = true;
                let target = self.state(edge.target, wanted.target);
                let together = together(edge, wanted, actions, terms);
                self.builder.edges.push(GraphEdge {
                    source,
                    target,
                    purpose: Some(index),
                    ..together
                });
            }
            if named {
                continue;
            }
            // (iv)
            for (index, star) in of_state().filter(|(_, edge)| edge.trigger == Trigger::Any) {
                let target = self.state(edge.target, star.target);
                self.builder.edges.push(GraphEdge {
                    source,
                    target,
                    purpose: Some(index),
                    ..edge.clone()
                });
            }
        }
    }
}

/// Whether a transition of a purpose names this event of the model.
fn names(trigger: Trigger, label: &EdgeLabel) -> bool {
    match (trigger, label) {
        (Trigger::Message(head), EdgeLabel::Message(message)) => head == MessageHead::of(message),
        (Trigger::Raise(wanted), EdgeLabel::Raise(fault)) => wanted == *fault,
        (Trigger::End, EdgeLabel::End) => true,
        _ => false,
    }
}

/// The step that both take.
///
/// Variables that keep what the message carries get it before any action: they are part of the event.
fn together(
    edge: &GraphEdge,
    wanted: &PurposeEdge,
    actions: PurposeActions,
    terms: &mut Terms,
) -> GraphEdge {
    let mut updates = Vec::new();
    if let EdgeLabel::Message(message) = &edge.label {
        updates.extend(kept(message, wanted, terms));
    }
    let (first, last) = match actions {
        PurposeActions::First => (&wanted.updates, &edge.updates),
        PurposeActions::Last => (&edge.updates, &wanted.updates),
    };
    updates.extend(first.iter().chain(last).copied());
    GraphEdge {
        guard: terms.and([edge.guard, wanted.guard]),
        updates,
        ..edge.clone()
    }
}

fn kept(message: &Message, wanted: &PurposeEdge, terms: &mut Terms) -> Vec<Update> {
    wanted
        .binders
        .iter()
        .filter_map(|binder| {
            let value = match message.fields.get(binder.field)?.value {
                FieldValue::Free(term) => term,
                FieldValue::Bind(variable) => terms.var(variable),
            };
            (terms.sort_of(value) == terms.variable_sort(binder.variable)).then_some(Update {
                variable: binder.variable,
                value,
            })
        })
        .collect()
}
