//! When a role's graph sends or receives.

use choros_data::{Term, Terms};
use choros_model::stg::{Direction, NodeId, Stg};

/// The condition under which a node sends or receives.
pub(crate) fn offered(stg: &Stg, node: NodeId, direction: Direction, terms: &mut Terms) -> Term {
    let guards: Vec<Term> = stg
        .outgoing(node)
        .filter(|(_, edge)| {
            edge.event
                .message()
                .is_some_and(|message| message.direction == direction)
        })
        .map(|(_, edge)| edge.guard)
        .collect();
    terms.or(guards)
}
