//! What each role may still do from a node on.

use choros_model::stg::{Edge, NodeId, Role, Stg};

use crate::roles::{RoleSet, Roles};

/// What the roles may do, for every node of one graph.
///
/// A backward data flow: each set only grows, and is united over what leaves a node until nothing changes.
#[derive(Debug)]
pub(crate) struct Outlook {
    nodes: Vec<Ahead>,
}

/// What lies ahead of one node.
#[derive(Debug, Clone, Default)]
struct Ahead {
    /// Roles that take part in something.
    acts: RoleSet,
    /// Roles that receive something.
    receives: RoleSet,
    /// Roles whose next event may be a reception.
    receives_first: RoleSet,
    /// Roles whose next event may be a sending.
    sends_first: RoleSet,
    /// Roles that may see the end, or a place where nothing continues, without another event.
    idles: RoleSet,
}

impl Outlook {
    pub(crate) fn of(stg: &Stg, roles: &Roles) -> Self {
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); stg.nodes().len()];
        for (index, edge) in stg.edges().iter().enumerate() {
            incoming[edge.target.index()].push(index as u32);
        }
        let mut nodes = vec![Ahead::default(); stg.nodes().len()];
        for node in stg.node_ids() {
            if !stg.node(node).terminations.is_empty() || stg.outgoing(node).next().is_none() {
                nodes[node.index()].idles = roles.everybody();
            }
        }
        // A stack of all nodes, the last on top: graphs are mostly numbered from the start on.
        let mut work: Vec<NodeId> = stg.node_ids().collect();
        let mut waiting = vec![true; work.len()];
        while let Some(node) = work.pop() {
            waiting[node.index()] = false;
            for &index in &incoming[node.index()] {
                let edge = &stg.edges()[index as usize];
                let ahead = behind(edge, &nodes[node.index()], roles);
                let source = &mut nodes[edge.source.index()];
                if source.unite(&ahead) && !waiting[edge.source.index()] {
                    waiting[edge.source.index()] = true;
                    work.push(edge.source);
                }
            }
        }
        Self { nodes }
    }

    /// Whether a role takes part in anything from a node on.
    pub(crate) fn acts(&self, node: NodeId, role: Role, roles: &Roles) -> bool {
        roles.contains(&self.nodes[node.index()].acts, role)
    }

    /// Whether a role receives something on a branch: in its first interaction or later, on some way.
    pub(crate) fn receives(&self, branch: &Edge, role: Role, roles: &Roles) -> bool {
        let at_once = branch
            .event
            .message()
            .is_some_and(|message| message.to == role);
        let later = &self.nodes[branch.target.index()].receives;
        at_once || roles.contains(later, role)
    }

    /// Whether the first event of a role on a branch is a reception, on every way.
    pub(crate) fn starts_with_reception(&self, branch: &Edge, role: Role, roles: &Roles) -> bool {
        if let Some(message) = branch.event.message() {
            if message.to == role {
                return true;
            }
            if message.from == role {
                return false;
            }
        }
        let ahead = &self.nodes[branch.target.index()];
        roles.contains(&ahead.receives_first, role)
            && !roles.contains(&ahead.sends_first, role)
            && !roles.contains(&ahead.idles, role)
    }
}

/// What lies ahead of an edge, given what lies ahead of its target.
fn behind(edge: &Edge, after: &Ahead, roles: &Roles) -> Ahead {
    let Some(message) = edge.event.message() else {
        return after.clone();
    };
    let both = roles.set(&[message.from, message.to]);
    let mut ahead = Ahead {
        acts: both.clone(),
        receives: roles.set(&[message.to]),
        receives_first: roles.set(&[message.to]),
        sends_first: roles.set(&[message.from]),
        idles: RoleSet::default(),
    };
    ahead.acts.unite(&after.acts);
    ahead.receives.unite(&after.receives);
    ahead
        .receives_first
        .unite_without(&after.receives_first, &both);
    ahead.sends_first.unite_without(&after.sends_first, &both);
    ahead.idles.unite_without(&after.idles, &both);
    ahead
}

impl Ahead {
    fn unite(&mut self, other: &Ahead) -> bool {
        let mut grown = self.acts.unite(&other.acts);
        grown |= self.receives.unite(&other.receives);
        grown |= self.receives_first.unite(&other.receives_first);
        grown |= self.sends_first.unite(&other.sends_first);
        grown |= self.idles.unite(&other.idles);
        grown
    }
}
