//! When everything has ended.
//!
//! In the thesis the roles end together: a role may end as soon as it could be that the conversation has, and nothing
//! happens unless all of them may.
//! Services cannot do that: a role that still listens does not know whether the others have ended.
//! So here a role has ended where it may end and listens no more: where no message can come for all it knows.
//! A role that is declared a *service* may also stay where it listens, if some run of the choreography has ended for
//! it there: it waits for the next conversation.
//! In the middle of a conversation no one may stay.
//!
//! What a role may send does not matter, neither for a service nor for others: a run that looks the same to it has
//! ended there, so the message is not owed to anyone.
//! The rule is about each thread of a role by itself: a role that does two independent things has ended, or may stay,
//! where both have, because *may end* is a conjunction over threads and *listens* a disjunction.

use choros_data::{Term, Terms};
use choros_model::stg::{Role, Stg, StgBuilder};

use crate::Projection;

/// When everything has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closing {
    /// All roles end together, as in the thesis: none has to be told.
    Together,
    /// Each role ends by itself, but for services, which stay where they listen.
    Alone {
        /// The roles that are services.
        services: Vec<Role>,
    },
}

impl Closing {
    /// Whether a role goes where it has ended, and takes nothing any more.
    pub(crate) fn leaves(&self, role: Role) -> bool {
        match self {
            Closing::Together => false,
            Closing::Alone { services } => !services.contains(&role),
        }
    }

    /// The projection whose states terminate where the role may stay forever.
    pub(crate) fn of(&self, projection: &Projection, terms: &mut Terms) -> Stg {
        let leaves = self.leaves(projection.role);
        let stg = &projection.stg;
        let mut builder = StgBuilder::new(stg.name(), stg.ending());
        for (node, foresight) in stg.nodes().iter().zip(&projection.foresights) {
            let new = builder.node(node.label.clone());
            let busy = if leaves {
                foresight.listens
            } else {
                Term::FALSE
            };
            let idle = terms.not(busy);
            let stays = terms.and([foresight.ends, idle]);
            if stays != Term::FALSE {
                let origin = node.terminations.first().and_then(|it| it.origin);
                builder.terminate(terms, new, stays, origin);
            }
        }
        for edge in stg.edges() {
            builder.edge(terms, edge.clone());
        }
        builder.finish_as_built(stg.initial())
    }
}

/// The roles that listen in some state in which they may end: those that a declaration as a service would help.
pub(crate) fn listeners(projections: &[Projection]) -> Vec<Role> {
    let mut found = Vec::new();
    for projection in projections {
        let mut foresights = projection.foresights.iter();
        let waits = foresights.any(|it| it.ends != Term::FALSE && it.listens != Term::FALSE);
        if waits {
            found.push(projection.role);
        }
    }
    found
}
