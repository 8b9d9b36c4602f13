//! Sendings of a part that may be one message, told apart by their values.
//!
//! `[φ] o!t` to one place and `[ψ] o!u` to another are the same message where `t = u`: then L(r) continues from both.
//! The second is split: where `t = u` it is written `[ψ ∧ t = u] o!t`, elsewhere `[ψ ∧ t ≠ u] o!u`.
//! That changes no run, because `t` is the same value as `u` there; and steps with the same event are what the subset
//! construction makes one step of, to all their targets under their conditions.
//! Sendings that choose a value, or that assign different variables, stay as they are.

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::stg::{Direction, Edge, Event, FieldValue, Message, Stg, StgBuilder};

use crate::projection::determinise::{Precision, determinise};
use crate::projection::minimise::minimise;
use crate::reachability::contradiction::{Oracle, Together};
use crate::stopped::Stopped;

/// The part with the same runs in which a message leads to all places where it may lead; none where it does already.
pub(crate) fn told_apart(
    part: &Stg,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    budget: &Budget,
) -> Result<Option<Stg>, Stopped> {
    let mut builder = StgBuilder::new(part.name(), part.ending());
    for node in part.nodes() {
        let new = builder.node(node.label.clone());
        for termination in &node.terminations {
            builder.terminate(terms, new, termination.guard, termination.origin);
        }
    }
    let mut has_split = false;
    for node in part.node_ids() {
        let mut before: Vec<&Edge> = Vec::new();
        for (_, edge) in part.outgoing(node) {
            // What is left of the guard where it is none of the messages before.
            let mut rest = edge.guard;
            for &other in &before {
                let Some(same) = same_message(other, edge, terms) else {
                    continue;
                };
                if oracle.together(terms, &[other.guard, rest, same])? == Together::Impossible {
                    continue;
                }
                has_split = true;
                let guard = terms.and([rest, same]);
                let event = other.event.clone();
                builder.edge(
                    terms,
                    Edge {
                        guard,
                        event,
                        ..edge.clone()
                    },
                );
                let differs = terms.not(same);
                rest = terms.and([rest, differs]);
            }
            builder.edge(
                terms,
                Edge {
                    guard: rest,
                    ..edge.clone()
                },
            );
            before.push(edge);
        }
    }
    if !has_split {
        return Ok(None);
    }
    let split = builder.finish_as_built(part.initial());
    let determined = determinise(&split, Precision::Exact, terms, oracle, budget)?;
    Ok(Some(minimise(&determined, terms)))
}

/// The condition under which two sendings that are written differently are one message.
fn same_message(one: &Edge, other: &Edge, terms: &mut Terms) -> Option<Term> {
    let (first, second) = (sent(one)?, sent(other)?);
    let alike = (first.operation, first.from, first.to, first.fault)
        == (second.operation, second.from, second.to, second.fault)
        && first.fields.len() == second.fields.len()
        && first.fields != second.fields
        && one.updates == other.updates;
    if !alike {
        return None;
    }
    let mut equal = Vec::with_capacity(first.fields.len());
    for (own, its) in first.fields.iter().zip(&second.fields) {
        let (FieldValue::Free(own_value), FieldValue::Free(its_value)) = (own.value, its.value)
        else {
            return None;
        };
        if own.label != its.label || terms.sort_of(own_value) != terms.sort_of(its_value) {
            return None;
        }
        let same = terms.equal(own_value, its_value);
        equal.push(terms.close(same));
    }
    Some(terms.and(equal))
}

fn sent(edge: &Edge) -> Option<&Message> {
    match &edge.event {
        Event::Message(message) if message.direction == Direction::Send => Some(message),
        _ => None,
    }
}
