//! Whether a challenge really has no answer, by the naive semantics and with values.

use choros_data::{Terms, Value};
use choros_model::stg::run::{Choice, Situation, enabled, fire, may_end};
use choros_model::stg::{EdgeId, Event, FieldValue, Stg};

use crate::clauses::{Challenge, System};
use crate::distinguish::MOST_SILENT;
use crate::matching::{pair_fields, same_heading};

/// Whether one side can do what the challenge says and the other, whatever it does in silence, cannot.
pub(crate) fn unanswered(
    system: &System<'_>,
    challenge: Challenge,
    left: &Situation,
    right: &Situation,
    terms: &Terms,
) -> bool {
    let answer = match challenge {
        // A silent step is answered by standing still.
        Challenge::Silent(_) => return false,
        Challenge::LeftEnds => {
            return may_end(system.left, left, terms) == Ok(true)
                && may_end(system.right, right, terms) == Ok(false);
        }
        Challenge::Left(edge) => {
            return can(system.left, left, edge, terms)
                && enabled(system.right, right, terms).is_ok_and(|others| {
                    !others
                        .iter()
                        .any(|&other| same(system, (left, edge), (right, other), terms))
                });
        }
        Challenge::RightEnds => {
            if may_end(system.right, right, terms) != Ok(true) {
                return false;
            }
            None
        }
        Challenge::Right(edge) => {
            if !can(system.right, right, edge, terms) {
                return false;
            }
            Some(edge)
        }
    };
    let Some(situations) = in_silence(system.left, left, terms) else {
        return false;
    };
    situations.iter().all(|situation| match answer {
        None => may_end(system.left, situation, terms) == Ok(false),
        Some(edge) => enabled(system.left, situation, terms).is_ok_and(|own| {
            !own.iter()
                .any(|&own| same(system, (situation, own), (right, edge), terms))
        }),
    })
}

fn can(stg: &Stg, situation: &Situation, edge: EdgeId, terms: &Terms) -> bool {
    enabled(stg, situation, terms).is_ok_and(|edges| edges.contains(&edge))
}

/// Whether two steps that can be taken are the same event with the same data.
fn same(
    system: &System<'_>,
    (left, own): (&Situation, EdgeId),
    (right, other): (&Situation, EdgeId),
    terms: &Terms,
) -> bool {
    let (own, other) = (
        &system.left.edge(own).event,
        &system.right.edge(other).event,
    );
    let (Event::Message(own), Event::Message(other)) = (own, other) else {
        return own == other && *own != Event::Silent;
    };
    let Some(fields) = pair_fields(own, other).filter(|_| same_heading(own, other)) else {
        return false;
    };
    let value = |term, situation: &Situation| -> Option<Value> {
        terms.evaluate(term, &situation.values).ok()
    };
    fields
        .iter()
        .all(|(own, other)| match (own.value, other.value) {
            (FieldValue::Free(own), FieldValue::Free(other)) => {
                value(own, left) == value(other, right)
            }
            (FieldValue::Bind(own), FieldValue::Bind(other)) => {
                terms.variable_sort(own) == terms.variable_sort(other)
            }
            (FieldValue::Free(_), FieldValue::Bind(_)) => system.allows_fixed(),
            (FieldValue::Bind(_), FieldValue::Free(_)) => false,
        })
}

/// All situations that silence leads to; `None` when there are too many.
fn in_silence(stg: &Stg, from: &Situation, terms: &Terms) -> Option<Vec<Situation>> {
    let mut seen = vec![from.clone()];
    let mut next = 0;
    while next < seen.len() {
        let situation = seen[next].clone();
        next += 1;
        for (edge, it) in stg.outgoing(situation.node) {
            if it.event != Event::Silent {
                continue;
            }
            let choice = Choice {
                edge,
                brought: Vec::new(),
            };
            if let Ok(fired) = fire(stg, &situation, &choice, terms)
                && !seen.contains(&fired.after)
            {
                if seen.len() >= MOST_SILENT {
                    return None;
                }
                seen.push(fired.after);
            }
        }
    }
    Some(seen)
}
