//! Which roles know the value of which variable (data connectedness: 3.4.2 and Algorithm 4 of Nguyen's thesis).
//!
//! `owner(s, x)` are the roles that know `x` at `s`:
//!
//! - parameters are known to everyone from the start;
//! - `o[a,b].<x>` resets the owners of `x` to `{a, b}`, because the value is new;
//! - `o[a,b].x` adds `b`;
//! - an update `x := t` is carried out by those ends of the interaction that know all of `t`;
//! - where ways meet, the owners are the *intersection* over all of them, which the print does not say: who knows the
//!   value on one way only cannot rely on it.
//!
//! Only variables that are free at a node are kept there: no one asks for the others, and long chains stay cheap.

use choros_data::{Terms, Var};
use choros_model::stg::{Edge, FieldValue, FreeVariables, NodeId, Role, Stg};
use rustc_hash::FxHashMap;

use crate::roles::{RoleSet, Roles};

/// The owners of all variables at all nodes.
#[derive(Debug)]
pub(crate) struct Knowledge {
    /// A variable without an entry has not been written: everyone knows it, or no one asks.
    nodes: Vec<Option<FxHashMap<Var, RoleSet>>>,
}

impl Knowledge {
    pub(crate) fn of(stg: &Stg, roles: &Roles, terms: &Terms) -> Self {
        let free = FreeVariables::of(stg, terms);
        let mut nodes: Vec<Option<FxHashMap<Var, RoleSet>>> = vec![None; stg.nodes().len()];
        nodes[stg.initial().index()] = Some(FxHashMap::default());
        let mut waiting = vec![false; stg.nodes().len()];
        let mut work = vec![stg.initial()];
        while let Some(node) = work.pop() {
            waiting[node.index()] = false;
            for (_, edge) in stg.outgoing(node) {
                let Some(before) = &nodes[node.index()] else {
                    continue;
                };
                let mut after = after(edge, before, roles, terms);
                after.retain(|&variable, _| free.contains(edge.target, variable));
                let target = &mut nodes[edge.target.index()];
                let changed = match target {
                    None => {
                        *target = Some(after);
                        true
                    }
                    Some(known) => meet(known, after),
                };
                if changed && !waiting[edge.target.index()] {
                    waiting[edge.target.index()] = true;
                    work.push(edge.target);
                }
            }
        }
        Self { nodes }
    }

    /// Whether a role knows a variable at a node.
    pub(crate) fn knows(&self, node: NodeId, role: Role, variable: Var, roles: &Roles) -> bool {
        let known = self.nodes[node.index()].as_ref();
        match known.and_then(|known| known.get(&variable)) {
            Some(owners) => roles.contains(owners, role),
            None => true,
        }
    }

    /// The roles that know a variable at a node, in the order of roles.
    pub(crate) fn owners(&self, node: NodeId, variable: Var, roles: &Roles) -> Vec<Role> {
        let known = self.nodes[node.index()].as_ref();
        match known.and_then(|known| known.get(&variable)) {
            Some(owners) => roles.members(owners),
            None => roles.all().to_vec(),
        }
    }
}

/// What is known after an edge.
fn after(
    edge: &Edge,
    before: &FxHashMap<Var, RoleSet>,
    roles: &Roles,
    terms: &Terms,
) -> FxHashMap<Var, RoleSet> {
    let mut known = before.clone();
    if let Some(message) = edge.event.message() {
        // What a free field carries was read before anything is bound.
        let receiver = roles.set(&[message.to]);
        for field in &message.fields {
            if let FieldValue::Free(term) = field.value
                && let Some(owners) = terms
                    .as_variable(term)
                    .and_then(|variable| known.get_mut(&variable))
            {
                owners.unite(&receiver);
            }
        }
        for variable in edge.event.bound_variables() {
            known.insert(variable, roles.set(&[message.from, message.to]));
        }
    }
    for update in &edge.updates {
        let mut owners = match edge.event.message() {
            Some(message) => roles.set(&[message.from, message.to]),
            None => roles.everybody(),
        };
        for variable in terms.free_variables(update.value) {
            if let Some(others) = known.get(&variable) {
                owners.intersect(others);
            }
        }
        known.insert(update.variable, owners);
    }
    known
}

/// Intersects owners; whether anything changed.
fn meet(known: &mut FxHashMap<Var, RoleSet>, other: FxHashMap<Var, RoleSet>) -> bool {
    let mut changed = false;
    #[expect(
        clippy::iter_over_hash_type,
        reason = "each entry is met on its own; the order leaves no trace"
    )]
    for (variable, owners) in other {
        match known.get_mut(&variable) {
            Some(set) => changed |= set.intersect(&owners),
            None => {
                known.insert(variable, owners);
                changed = true;
            }
        }
    }
    changed
}
