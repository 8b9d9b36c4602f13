//! A run of the composition that the choreography does not have.
//!
//! Where there is one, no services that exchange these messages could realise the choreography in this mode: the
//! README of this crate has the argument.
//! It also refutes conformance when queues were cut at a bound, because a run with short queues is a run.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use choros_base::Name;
use choros_data::{Assignment, Term, Terms};
use choros_model::evidence::{Departure, Expected, StepEvent, Trace, WrongEvent};
use choros_model::stg::{EdgeId, Event, NodeId, Operation, Role, Stg, event_with_values};
use rustc_hash::FxHashMap;

use crate::AnalysisStop;
use crate::composition::Composition;
use crate::stranded::steps;
use crate::tools::Tools;

/// The shortest run whose visible part is none of the choreography; for graphs without data.
pub(crate) fn excess(
    composition: &Composition,
    choreography: &Stg,
    tools: &mut Tools<'_>,
) -> Result<Option<Trace>, AnalysisStop> {
    let stg = &composition.stg;
    let (terms, budget) = (&*tools.terms, tools.budget);
    if !stg.variables(terms).is_empty() || !choreography.variables(terms).is_empty() {
        return Ok(None);
    }
    let mut sets: Vec<Vec<NodeId>> = Vec::new();
    let mut numbers: FxHashMap<Vec<NodeId>, usize> = FxHashMap::default();
    let mut number = |set: Vec<NodeId>, sets: &mut Vec<Vec<NodeId>>| {
        *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() - 1
        })
    };
    let start = (
        stg.initial(),
        number(vec![choreography.initial()], &mut sets),
    );
    let mut came: Came = FxHashMap::from_iter([(start, None)]);
    let mut work = VecDeque::from([start]);
    while let Some(here) = work.pop_front() {
        budget.spend()?;
        let (node, set) = here;
        let allowed = sets[set].clone();
        let label = || {
            let labels: Vec<&str> = allowed
                .iter()
                .map(|&it| choreography.node(it).label.as_str())
                .collect();
            labels.join(", ")
        };
        if ends(stg, node) && !allowed.iter().any(|&it| ends(choreography, it)) {
            let conclusion = format!(
                "the roles end here, the choreography (state {}) does not",
                label()
            );
            let edges = way(&came, here, None);
            let mut run = trace(composition, &edges, conclusion, terms);
            run.departure = Departure {
                wrong: WrongEvent::Next(Box::new(StepEvent::Termination)),
                expected: allowed_events(choreography, &allowed, terms),
                ..Departure::default()
            };
            return Ok(Some(run));
        }
        for (id, edge) in stg.outgoing(node) {
            if edge.guard == Term::FALSE {
                continue;
            }
            let next = match key(&edge.event) {
                None => set,
                Some(event) => {
                    let mut targets: Vec<NodeId> = allowed
                        .iter()
                        .flat_map(|&it| choreography.outgoing(it))
                        .filter(|(_, own)| {
                            own.guard != Term::FALSE && key(&own.event) == Some(event)
                        })
                        .map(|(_, own)| own.target)
                        .collect();
                    targets.sort();
                    targets.dedup();
                    if targets.is_empty() {
                        let conclusion = format!(
                            "`{}` is not possible here in the choreography (state {})",
                            edge.event.shown(terms),
                            label()
                        );
                        let edges = way(&came, here, Some(id));
                        let mut run = trace(composition, &edges, conclusion, terms);
                        run.departure = Departure {
                            wrong: WrongEvent::LastStep,
                            expected: allowed_events(choreography, &allowed, terms),
                            ..Departure::default()
                        };
                        return Ok(Some(run));
                    }
                    number(targets, &mut sets)
                }
            };
            let there = (edge.target, next);
            if let Entry::Vacant(new) = came.entry(there) {
                new.insert(Some((here, id)));
                work.push_back(there);
            }
        }
    }
    Ok(None)
}

/// How each pair was reached first: a node of the composition, and the number of a set of nodes of the choreography.
type Came = FxHashMap<(NodeId, usize), Option<((NodeId, usize), EdgeId)>>;

/// The edges to a pair, and perhaps one more.
fn way(came: &Came, to: (NodeId, usize), last: Option<EdgeId>) -> Vec<EdgeId> {
    let mut edges: Vec<EdgeId> = last.into_iter().collect();
    let mut at = to;
    while let Some(&Some((before, edge))) = came.get(&at) {
        edges.push(edge);
        at = before;
    }
    edges.reverse();
    edges
}

fn trace(composition: &Composition, edges: &[EdgeId], conclusion: String, terms: &Terms) -> Trace {
    Trace {
        steps: steps(composition, &composition.stg, edges, terms),
        conclusion,
        ..Trace::default()
    }
}

/// What the choreography allows in these states, each event once.
pub(crate) fn allowed_events(
    choreography: &Stg,
    states: &[NodeId],
    terms: &Terms,
) -> Vec<Expected> {
    let mut events: Vec<Expected> = Vec::new();
    for (_, edge) in states.iter().flat_map(|&it| choreography.outgoing(it)) {
        let event = Expected {
            event: event_with_values(&edge.event, &Assignment::default(), terms),
            guard: (edge.guard != Term::TRUE).then(|| terms.print(edge.guard)),
        };
        if edge.guard != Term::FALSE && !edge.event.is_silent() && !events.contains(&event) {
            events.push(event);
        }
    }
    events
}

type Key = (Operation, Role, Role, Option<Name>);

/// What an observer sees of an event without data.
fn key(event: &Event) -> Option<Key> {
    let message = event.message()?;
    Some((message.operation, message.from, message.to, message.fault))
}

fn ends(stg: &Stg, node: NodeId) -> bool {
    stg.node(node)
        .terminations
        .iter()
        .any(|it| it.guard != Term::FALSE)
}
