//! Free variables of nodes, computed and never trusted (Definition 1 of Nguyen's thesis).
//!
//! `fv(s)` is the least solution of `fv(s) ⊇ fv(φ) ∪ fv(e) ∪ (fv(s') \ written(e, A))` over the edges that leave `s`,
//! and of `fv(s) ⊇ fv(√-guards of s)`: a backward data flow, iterated until stable because of loops.

use choros_data::{Terms, Var};
use rustc_hash::FxHashSet;

use super::{Edge, NodeId, Stg};

/// The free variables of every node of one graph.
#[derive(Debug, Clone)]
pub struct FreeVariables {
    sets: Vec<FxHashSet<Var>>,
}

impl FreeVariables {
    /// Computes them.
    pub fn of(stg: &Stg, terms: &Terms) -> Self {
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); stg.nodes().len()];
        for (index, edge) in stg.edges().iter().enumerate() {
            incoming[edge.target.0 as usize].push(index as u32);
        }
        let mut sets: Vec<FxHashSet<Var>> = vec![FxHashSet::default(); stg.nodes().len()];
        for node in stg.node_ids() {
            let set = &mut sets[node.0 as usize];
            for termination in &stg.node(node).terminations {
                set.extend(terms.free_variables(termination.guard));
            }
            for (_, edge) in stg.outgoing(node) {
                set.extend(before(edge, &FxHashSet::default(), terms));
            }
        }
        let mut work: Vec<NodeId> = stg.node_ids().collect();
        let mut waiting = vec![true; work.len()];
        while let Some(node) = work.pop() {
            waiting[node.0 as usize] = false;
            for &index in &incoming[node.0 as usize] {
                let edge = &stg.edges()[index as usize];
                let needed = before(edge, &sets[node.0 as usize], terms);
                let source = &mut sets[edge.source.0 as usize];
                let size = source.len();
                source.extend(needed);
                if source.len() > size && !waiting[edge.source.0 as usize] {
                    waiting[edge.source.0 as usize] = true;
                    work.push(edge.source);
                }
            }
        }
        Self { sets }
    }

    /// Whether a variable is free at a node.
    pub fn contains(&self, node: NodeId, variable: Var) -> bool {
        self.sets[node.0 as usize].contains(&variable)
    }

    /// The free variables of a node, sorted by name.
    pub fn at(&self, node: NodeId, terms: &Terms) -> Vec<Var> {
        let mut variables: Vec<Var> = self.sets[node.0 as usize].iter().copied().collect();
        variables.sort_by_key(|&variable| terms.variable_text(variable));
        variables
    }
}

impl Stg {
    /// The parameters: variables free at the initial node, sorted by name.
    pub fn parameters(&self, terms: &Terms) -> Vec<Var> {
        FreeVariables::of(self, terms).at(self.initial(), terms)
    }
}

/// What an edge needs before it fires, given what is needed after it.
fn before(edge: &Edge, after: &FxHashSet<Var>, terms: &Terms) -> FxHashSet<Var> {
    let mut needed = after.clone();
    for update in edge.updates.iter().rev() {
        needed.remove(&update.variable);
        needed.extend(terms.free_variables(update.value));
    }
    for variable in edge.event.bound_variables() {
        needed.remove(&variable);
    }
    for term in edge.event.free_terms() {
        needed.extend(terms.free_variables(term));
    }
    needed.extend(terms.free_variables(edge.guard));
    needed
}
