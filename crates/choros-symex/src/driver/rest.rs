//! Whether a service may stay silent.

use choros_data::{Term, Terms};
use choros_model::stg::{Edge, Event, FieldValue, Operation};
use choros_smt::{Solver, SolverError};

use super::belief::{Allowed, Feasible, feasible, waiting};
use super::branch::Branch;
use super::clock::Moment;
use super::specification::Specification;
use super::view::{Sight, Unseen};

/// Whether a branch may stay where it is without the tester seeing anything.
pub(super) fn rests(
    branch: &Branch,
    now: Moment,
    specification: &Specification<'_>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Allowed, SolverError> {
    if branch.outbox.is_empty() {
        stays(branch, None, now, specification, terms, solver)
    } else {
        Ok(Allowed::No)
    }
}

/// Whether a branch may stay where it is; what it has sent before may be on its way.
///
/// A call that was refused must not be one that the service takes where it stands: silence is a right of a service that
/// may end, but an error in answer to a call that the model takes is an answer, and a wrong one.
/// Partners who keep the choreography have seen to it that the service can take what they sent, so it neither refuses
/// nor has ended.
pub(super) fn stays(
    branch: &Branch,
    refused: Option<Operation>,
    now: Moment,
    specification: &Specification<'_>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Allowed, SolverError> {
    let mut conditions = branch.conditions.clone();
    let mut moves = Vec::new();
    let mut takes = Vec::new();
    let mut is_doubtful = branch.is_doubtful;
    for (id, edge) in specification.stg.outgoing(branch.node) {
        if !is_urgent(branch, edge, now, specification) {
            continue;
        }
        let values = edge
            .event
            .message()
            .filter(|message| specification.view.sight(message) == Sight::Input)
            .and_then(|message| waiting(branch, message))
            .map(|(_, waiting)| &waiting.message.values[..]);
        // What the edge adds is the condition under which it is taken; symbols that it makes can be chosen freely.
        if values.is_some() {
            match branch.fire((id, edge), values, specification.interface, terms) {
                None => {}
                Some((next, _)) if specification.view.unseen == Unseen::ByPartners => {
                    match feasible(&next.conditions, terms, solver)? {
                        Feasible::No => {}
                        Feasible::Yes => return Ok(Allowed::No),
                        Feasible::Doubtful => is_doubtful = true,
                    }
                }
                Some((next, _)) => {
                    let added: Vec<Term> = next
                        .conditions
                        .iter()
                        .copied()
                        .filter(|condition| !branch.conditions.contains(condition))
                        .collect();
                    let taken = terms.and(added);
                    moves.push(taken);
                    if edge.event.message().map(|it| it.operation) == refused {
                        takes.push(taken);
                    }
                }
            }
        } else {
            moves.push(branch.moves(edge, terms));
        }
    }
    let ends = specification.stg.termination(branch.node, terms);
    let ends = branch.reading(ends, terms);
    let moves = terms.or(moves);
    let stays = terms.not(moves);
    let rests = terms.or([ends, stays]);
    let takes = terms.or(takes);
    let refuses = terms.not(takes);
    let rests = terms.and([rests, refuses]);
    let rests = terms.simplify(rests);
    if rests == Term::FALSE {
        return Ok(Allowed::No);
    }
    if rests != Term::TRUE {
        conditions.push(rests);
    }
    Ok(match feasible(&conditions, terms, solver)? {
        Feasible::No => Allowed::No,
        Feasible::Yes if is_doubtful => Allowed::Unknown,
        Feasible::Yes => Allowed::Yes,
        Feasible::Doubtful => Allowed::Unknown,
    })
}

/// Whether an edge does not wait for the tester, nor for someone who may never come.
fn is_urgent(branch: &Branch, edge: &Edge, now: Moment, specification: &Specification<'_>) -> bool {
    match &edge.event {
        Event::Silent | Event::Choose(_) | Event::Raise(_) | Event::Disturbance(_) => true,
        Event::Tick | Event::TickOf(_) => branch.window.is_overdue(now, specification.tempo),
        Event::Message(message) => match specification.view.sight(message) {
            Sight::Output => true,
            Sight::Input => waiting(branch, message).is_some(),
            // A partner that was asked answers (hypothesis H2); one that may call need not, and an answer that is not
            // the one that the service waits for leaves it waiting.
            Sight::Hidden => {
                message.from == specification.view.service
                    || specification.interface.is_answer(message)
                        && message
                            .fields
                            .iter()
                            .all(|field| matches!(field.value, FieldValue::Bind(_)))
            }
        },
    }
}
