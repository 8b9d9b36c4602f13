//! The graph of a process: its reachable terms, numbered.
//!
//! States are numbered from 1, depth first in the order of the text, as in the thesis.
//! The target of `√` takes a number when it is first met, although it is not a node: so the states of the thesis' case
//! study are 1, 2, 3, 5 and 6 here as there, where 4 is the state after `√`.

use std::rc::Rc;

use choros_base::{Budget, StopReason};
use choros_data::Terms;
use choros_model::stg::{Edge, Ending, NodeId, Stg, StgBuilder, Unreached};
use rustc_hash::FxHashMap;

use super::NoGraph;
use super::steps::{Action, LoweredStep, Rules};
use super::store::{Class, Form, ProcessTerm, Spine, Store};
use super::unreached::unreached;
use crate::ast::{Operator, ProcessId, ProcessKind, Processes};
use crate::sorts::Meanings;

/// The graph of a process.
pub(crate) fn lower_process(
    name: &str,
    processes: &Processes,
    root: ProcessId,
    meanings: &Meanings,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Stg, NoGraph> {
    let mut store = Store::default();
    let initial = enter(&mut store, processes, root, meanings).ok_or(NoGraph::Mistakes)?;
    lower_term(name, store, initial, terms, budget)
}

/// The graph of a term.
pub(crate) fn lower_term(
    name: &str,
    mut store: Store,
    initial: ProcessTerm,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Stg, NoGraph> {
    let unreached: Vec<Unreached> = unreached(&store, initial)
        .into_iter()
        .map(|(event, origin)| Unreached {
            event: store.event(event).0.clone(),
            origin,
        })
        .collect();
    let rules = Rules::new(&mut store, terms, budget);
    Ok(number(name, rules, initial)?.with_unreached(unreached))
}

/// Puts a process into the store; `None` where something was reported.
fn enter(
    store: &mut Store,
    processes: &Processes,
    root: ProcessId,
    meanings: &Meanings,
) -> Option<ProcessTerm> {
    // Operands come after their processes in a walk, so backwards they come before.
    let walk: Vec<ProcessId> = processes.walk(root).map(|(id, _)| id).collect();
    let mut entered: FxHashMap<ProcessId, ProcessTerm> = FxHashMap::default();
    for &id in walk.iter().rev() {
        let process = processes.get(id);
        let span = Some(process.span);
        let form = match &process.kind {
            ProcessKind::Error => return None,
            ProcessKind::Skip => Form::Skip(span),
            ProcessKind::Event(_) => {
                let act = (meanings.event(id)?.clone(), Vec::new());
                Form::Act(store.event_id(&act), span)
            }
            ProcessKind::Guarded(_, inner) => {
                Form::Guarded(meanings.guard(id)?, *entered.get(inner)?)
            }
            ProcessKind::Loop(_, inner) => {
                Form::Loop(meanings.guard(id)?, *entered.get(inner)?, span)
            }
            ProcessKind::Chain(operator, operands) => {
                let operands: Option<Vec<ProcessTerm>> = operands
                    .iter()
                    .map(|operand| entered.get(operand).copied())
                    .collect();
                let term = join(store, *operator, &operands?)?;
                entered.insert(id, term);
                continue;
            }
        };
        let term = store.term(form);
        entered.insert(id, term);
    }
    entered.get(&root).copied()
}

/// A chain, which associates to the left.
pub(crate) fn join(
    store: &mut Store,
    operator: Operator,
    operands: &[ProcessTerm],
) -> Option<ProcessTerm> {
    let (&first, others) = operands.split_first()?;
    match operator {
        Operator::Sequence | Operator::Interruption => {
            let spine = match operator {
                Operator::Sequence => Spine::Sequence,
                _ => Spine::Interruption,
            };
            let list = store.list(others)?;
            Some(store.spine(spine, first, list))
        }
        Operator::Parallel => Some(others.iter().fold(first, |left, &right| {
            store.term(Form::Parallel(left, right))
        })),
        Operator::Choice => store.choice(operands),
    }
}

fn number(name: &str, mut rules: Rules<'_>, initial: ProcessTerm) -> Result<Stg, StopReason> {
    let mut builder = StgBuilder::new(name, Ending::Explicit);
    let mut nodes: FxHashMap<Class, NodeId> = FxHashMap::default();
    let mut numbers = 1..;
    let mut end_is_numbered = false;
    let mut path: Vec<(NodeId, Rc<[LoweredStep]>, usize)> = Vec::new();
    let enter = |builder: &mut StgBuilder, numbers: &mut std::ops::RangeFrom<u64>| {
        builder.node(numbers.next().unwrap_or_default().to_string())
    };
    rules.pay_for_state()?;
    let first = enter(&mut builder, &mut numbers);
    nodes.insert(rules.store.class(initial), first);
    path.push((first, rules.steps(initial)?, 0));
    while let Some((source, steps, position)) = path.last_mut() {
        let source = *source;
        let Some(&step) = steps.get(*position) else {
            path.pop();
            continue;
        };
        *position += 1;
        let (event, after) = match step.action {
            Action::Tick => {
                if !end_is_numbered {
                    end_is_numbered = true;
                    numbers.next();
                }
                builder.terminate(rules.terms, source, step.guard, step.origin);
                continue;
            }
            Action::Event(event, after) => (event, after),
        };
        let class = rules.store.class(after);
        let known = nodes.get(&class).copied();
        if known.is_none() {
            rules.pay_for_state()?;
        }
        let target = known.unwrap_or_else(|| enter(&mut builder, &mut numbers));
        let (event, updates) = rules.store.event(event).clone();
        let edge = Edge {
            source,
            target,
            guard: step.guard,
            event,
            updates,
            origin: step.origin,
        };
        builder.edge(rules.terms, edge);
        if known.is_none() {
            nodes.insert(class, target);
            path.push((target, rules.steps(after)?, 0));
        }
    }
    Ok(builder.finish(first))
}
