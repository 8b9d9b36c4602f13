//! How a participant begins, in each part and after it.
//!
//! `L_{i,X}` of Definition 2.1: the events of the *i*-th branch that are minimal among those of `X`, over all pomsets
//! of the branch.

use choros_base::Name;
use choros_model::gchor::{Form, Gchor, NodeId, Roles};
use choros_model::pomset::Event;
use std::collections::BTreeMap;

/// For each node and participant, how it begins.
pub(super) struct Firsts<'g> {
    gchor: &'g Gchor,
    pub(super) roles: Roles,
    nodes: Vec<BTreeMap<usize, First>>,
    /// The node that a node is part of, and the position there; that of the first one where several share it.
    parents: Vec<Option<(NodeId, usize)>>,
}

/// How a participant begins in a part.
#[derive(Debug, Clone, Default)]
pub(super) struct First {
    /// The events, each with the interaction it belongs to, without repetitions.
    pub(super) events: Vec<(Event, NodeId)>,
    /// Whether it may do nothing at all there.
    pub(super) may_skip: bool,
}

impl First {
    fn add(&mut self, other: &First) {
        for event in &other.events {
            if !self.events.contains(event) {
                self.events.push(*event);
            }
        }
    }
}

impl<'g> Firsts<'g> {
    pub(super) fn new(gchor: &'g Gchor) -> Firsts<'g> {
        let roles = gchor.roles();
        let mut parents = vec![None; gchor.len()];
        for id in gchor.in_order() {
            for (position, part) in gchor.form(id).parts().iter().enumerate() {
                parents[part.index()].get_or_insert((id, position));
            }
        }
        let mut firsts = Firsts {
            gchor,
            roles,
            nodes: Vec::with_capacity(gchor.len()),
            parents,
        };
        for id in gchor.ids() {
            let own = firsts.of_form(id);
            firsts.nodes.push(own);
        }
        firsts
    }

    /// How a participant begins in a part, if it takes part.
    pub(super) fn at(&self, id: NodeId, role: usize) -> Option<&First> {
        self.nodes[id.index()].get(&role)
    }

    /// Whether a participant may do nothing in a part.
    pub(super) fn may_skip(&self, id: NodeId, role: usize) -> bool {
        self.at(id, role).is_none_or(|first| first.may_skip)
    }

    /// How a participant continues after a part: what follows in its sequence, and further up as long as it may do
    /// nothing in between; at the end of a loop another round may follow.
    pub(super) fn behind(&self, id: NodeId, role: usize) -> First {
        let mut found = First {
            may_skip: true,
            ..First::default()
        };
        let mut at = id;
        while let Some((parent, position)) = self.parents[at.index()] {
            match self.gchor.form(parent) {
                Form::Sequence(parts) => {
                    for &part in &parts[position + 1..] {
                        if let Some(first) = self.at(part, role) {
                            found.add(first);
                            if !first.may_skip {
                                found.may_skip = false;
                                return found;
                            }
                        }
                    }
                }
                Form::Repeat { body, .. } => {
                    if let Some(first) = self.at(*body, role) {
                        found.add(first);
                    }
                }
                Form::Empty | Form::Interaction(_) | Form::Fork(_) | Form::Choice { .. } => {}
            }
            at = parent;
        }
        found
    }

    fn of_form(&self, id: NodeId) -> BTreeMap<usize, First> {
        let mut own: BTreeMap<usize, First> = BTreeMap::new();
        let number = |name: Name| self.roles.number(name);
        match self.gchor.form(id) {
            Form::Empty => {}
            Form::Interaction(interaction) => {
                for event in [Event::output(*interaction), Event::input(*interaction)] {
                    if let Some(role) = number(event.subject()) {
                        own.entry(role).or_default().events.push((event, id));
                    }
                }
            }
            Form::Sequence(parts) => {
                for part in parts {
                    for (&role, first) in &self.nodes[part.index()] {
                        match own.get_mut(&role) {
                            None => {
                                own.insert(role, first.clone());
                            }
                            Some(known) if known.may_skip => {
                                known.add(first);
                                known.may_skip = first.may_skip;
                            }
                            Some(_) => {}
                        }
                    }
                }
            }
            Form::Fork(parts) => {
                for part in parts {
                    for (&role, first) in &self.nodes[part.index()] {
                        let known = own.entry(role).or_insert_with(|| First {
                            may_skip: true,
                            ..First::default()
                        });
                        known.add(first);
                        known.may_skip &= first.may_skip;
                    }
                }
            }
            Form::Choice { branches, .. } => {
                for branch in branches {
                    for (&role, first) in &self.nodes[branch.index()] {
                        let known = own.entry(role).or_default();
                        known.add(first);
                        known.may_skip |= first.may_skip;
                    }
                }
                for (&role, first) in &mut own {
                    first.may_skip |= branches
                        .iter()
                        .any(|branch| !self.nodes[branch.index()].contains_key(&role));
                }
            }
            Form::Repeat { body, .. } => {
                own.clone_from(&self.nodes[body.index()]);
                for first in own.values_mut() {
                    first.may_skip = true;
                }
            }
        }
        own
    }
}
