//! Where roles stand, with values, and what waits between them.

use std::collections::VecDeque;

use choros_data::Value;
use choros_model::stg::{Operation, Role};

use super::ground_part::Stand;

/// What waits, the oldest first.
pub(crate) type Queue = VecDeque<(Operation, Vec<Value>)>;

/// Where the roles stand, and what waits between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) roles: Vec<Stand>,
    /// For each role, where the choreography may be for all it could know; nothing where that is not asked.
    pub(crate) memories: Vec<Vec<Stand>>,
    pub(crate) queues: Vec<((Role, Role), Queue)>,
}

impl State {
    pub(crate) fn in_flight(&self) -> usize {
        self.queues.iter().map(|it| it.1.len()).sum()
    }
}

impl State {
    pub(crate) fn queue(&self, from: Role, to: Role) -> &Queue {
        let queue = self.queues.iter().find(|it| it.0 == (from, to));
        &queue.expect("all pairs have one").1
    }

    pub(crate) fn queue_mut(&mut self, from: Role, to: Role) -> &mut Queue {
        let queue = self.queues.iter_mut().find(|it| it.0 == (from, to));
        &mut queue.expect("all pairs have one").1
    }
}
