//! What networks and crashes do to roles that are composed, and how data follow their messages.

use choros_base::{Name, StopReason};
use choros_data::Term;

use super::FaultKind;
use super::compose::{Composer, FaultyNode};
use super::waiting::{Moved, Waiting, doubled, multiplied, overtaken, without};
use crate::stg::{Disturbance, Edge, Event, NodeId, Operation, Update};

impl Composer<'_> {
    /// What may happen to the messages of a channel.
    pub(super) fn channel_faults(
        &mut self,
        source: NodeId,
        here: &FaultyNode,
        channel: usize,
    ) -> Result<(), StopReason> {
        let queue = &here.queues[channel];
        let Some(last) = queue.len().checked_sub(1) else {
            return Ok(());
        };
        let (from, to) = self.channels[channel];
        if !queue[last].many {
            for (left, _) in self.allowed(here, FaultKind::Lose, queue[last]) {
                let event = Disturbance::Lost(self.operation(queue[last]), from, to);
                let moved = without(queue, last);
                self.disturb(source, here, (channel, moved), left, event)?;
            }
        }
        // Where messages overtake, the others are not in the order in which they were sent.
        let first = if self.reorders { 0 } else { last };
        for position in first..=last {
            if queue[position].many || self.is_once(queue[position], channel) {
                continue;
            }
            for (left, bounded) in self.allowed(here, FaultKind::Duplicate, queue[position]) {
                if bounded && queue.len() >= self.bound {
                    self.refuse(source);
                    continue;
                }
                let moved = if bounded {
                    doubled(queue, position)
                } else {
                    multiplied(queue, position)
                };
                let event = Disturbance::Doubled(self.operation(queue[position]), from, to);
                self.disturb(source, here, (channel, moved), left, event)?;
            }
        }
        for (left, _) in self.allowed(here, FaultKind::Reorder, queue[last]) {
            for moved in overtaken(queue) {
                if moved.queue.len() > self.bound {
                    self.refuse(source);
                    continue;
                }
                let event = Disturbance::Overtakes(self.operation(queue[last]), from, to);
                self.disturb(source, here, (channel, moved), left.clone(), event)?;
            }
        }
        Ok(())
    }

    fn disturb(
        &mut self,
        source: NodeId,
        here: &FaultyNode,
        (channel, moved): (usize, Moved),
        left: Vec<u32>,
        event: Disturbance,
    ) -> Result<(), StopReason> {
        let updates = self.moves(channel, &here.queues[channel], &moved);
        let mut after = here.clone();
        after.queues[channel] = moved.queue;
        after.left = left;
        self.step(source, after, fault(event, updates))
    }

    pub(super) fn crash(
        &mut self,
        source: NodeId,
        here: &FaultyNode,
        index: usize,
    ) -> Result<(), StopReason> {
        let role = self.roles[index];
        if here.crashed[index] {
            return Ok(());
        }
        for (left, _) in self.ways(here, FaultKind::Crash, role.0) {
            let mut after = here.clone();
            after.left = left;
            after.crashed[index] = true;
            after.places[index] = self.components[index].initial();
            for (queue, ends) in after.queues.iter_mut().zip(&self.channels) {
                if ends.1 == role {
                    queue.clear();
                }
            }
            self.step(source, after, fault(Disturbance::Crash(role), Vec::new()))?;
        }
        Ok(())
    }

    /// Whether the receiver drops copies of a message: then a copy does nothing but wait.
    fn is_once(&self, waiting: Waiting, channel: usize) -> bool {
        let (from, to) = self.channels[channel];
        let kind = (self.operation(waiting), from, to);
        self.components.iter().any(|it| it.once().contains(&kind))
    }

    fn operation(&self, waiting: Waiting) -> Operation {
        self.kinds[waiting.kind].operation
    }

    fn allowed(&self, here: &FaultyNode, kind: FaultKind, it: Waiting) -> Vec<(Vec<u32>, bool)> {
        self.ways(here, kind, self.operation(it).0)
    }

    /// What is left of the bounds after a fault, for each way in which it is allowed, and whether it was bounded.
    fn ways(&self, here: &FaultyNode, kind: FaultKind, of: Name) -> Vec<(Vec<u32>, bool)> {
        let mut found = Vec::new();
        for (index, fault) in self.faults.faults.iter().enumerate() {
            let named = fault.of.as_deref();
            if fault.kind != kind || named.is_some_and(|it| it != self.terms.names.text(of)) {
                continue;
            }
            if fault.most.is_none() {
                return vec![(here.left.clone(), false)];
            }
            if here.left[index] > 0 {
                let mut left = here.left.clone();
                left[index] -= 1;
                found.push((left, true));
            }
        }
        found
    }

    /// The updates by which data follow their messages.
    pub(super) fn moves(
        &mut self,
        channel: usize,
        before: &[Waiting],
        moved: &Moved,
    ) -> Vec<Update> {
        let changed = moved.from.iter().enumerate();
        let changed: Vec<(usize, usize)> = changed
            .map(|(to, &from)| (to, from))
            .filter(|(to, from)| to != from)
            .collect();
        // What goes towards the head goes first to last, the others last to first; one that jumps is kept aside.
        let (mut ahead, behind): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|(to, from)| to < from);
        let jumps = !behind.is_empty();
        let (mut kept, mut updates, mut last) = (Vec::new(), Vec::new(), Vec::new());
        if jumps {
            kept.append(&mut ahead);
        }
        for (to, from) in kept {
            for field in 0..self.kinds[before[from].kind].fields.len() {
                let sort = self.kinds[before[from].kind].fields[field].1;
                let aside = self.slot(channel, usize::MAX, field, sort);
                let (source, target) = (
                    self.slot(channel, from, field, sort),
                    self.slot(channel, to, field, sort),
                );
                let value = self.terms.var(source);
                updates.push(Update {
                    variable: aside,
                    value,
                });
                let value = self.terms.var(aside);
                last.push(Update {
                    variable: target,
                    value,
                });
            }
        }
        for (to, from) in ahead.into_iter().chain(behind.into_iter().rev()) {
            for field in 0..self.kinds[before[from].kind].fields.len() {
                let sort = self.kinds[before[from].kind].fields[field].1;
                let source = self.slot(channel, from, field, sort);
                let variable = self.slot(channel, to, field, sort);
                let value = self.terms.var(source);
                updates.push(Update { variable, value });
            }
        }
        updates.extend(last);
        updates
    }
}

/// The edge of a fault.
fn fault(event: Disturbance, updates: Vec<Update>) -> Edge {
    Edge {
        source: NodeId(0),
        target: NodeId(0),
        guard: Term::TRUE,
        event: Event::Disturbance(event),
        updates,
        origin: None,
    }
}
