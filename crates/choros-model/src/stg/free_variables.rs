//! Free variables of nodes, computed and never trusted (Definition 1 of Nguyen's thesis).
//!
//! `fv(s)` is the least solution of `fv(s) ⊇ fv(φ) ∪ fv(e) ∪ (fv(s') \ written(e, A))` over the edges that leave `s`,
//! and of `fv(s) ⊇ fv(√-guards of s)`: a backward data flow, iterated until stable because of loops.
//!
//! Sets are bits, one row of words per node: products have hundreds of thousands of nodes and few variables.

use choros_data::{Terms, Var};
use rustc_hash::FxHashMap;

use super::{Edge, NodeId, Stg};

/// The free variables of every node of one graph.
#[derive(Debug, Clone)]
pub struct FreeVariables {
    /// A variable's bit is its position here.
    variables: Vec<Var>,
    positions: FxHashMap<Var, usize>,
    /// Words per node.
    width: usize,
    /// One row after the other.
    rows: Vec<u64>,
}

impl FreeVariables {
    /// Computes them.
    pub fn of(stg: &Stg, terms: &Terms) -> Self {
        let variables = stg.variables(terms);
        let width = variables.len().div_ceil(64);
        let mut free = Self {
            positions: variables
                .iter()
                .enumerate()
                .map(|(i, &it)| (it, i))
                .collect(),
            variables,
            width,
            rows: vec![0; width * stg.nodes().len()],
        };
        if width == 0 {
            return free;
        }
        let effects = free.effects(stg, terms);
        for node in stg.node_ids() {
            for termination in &stg.node(node).terminations {
                for variable in terms.free_variables(termination.guard) {
                    free.insert(node, variable);
                }
            }
        }
        let (starts, incoming) = incoming(stg);
        let mut work: Vec<NodeId> = stg.node_ids().collect();
        let mut waiting = vec![true; work.len()];
        while let Some(node) = work.pop() {
            let at = node.index();
            waiting[at] = false;
            for &index in &incoming[starts[at] as usize..starts[at + 1] as usize] {
                let source = stg.edges()[index as usize].source;
                if free.flow(node, source, &effects[index as usize * 2 * width..])
                    && !waiting[source.index()]
                {
                    waiting[source.index()] = true;
                    work.push(source);
                }
            }
        }
        free
    }

    /// Whether a variable is free at a node.
    pub fn contains(&self, node: NodeId, variable: Var) -> bool {
        self.positions.get(&variable).is_some_and(|&position| {
            let word = self.rows[node.index() * self.width + position / 64];
            word & (1 << (position % 64)) != 0
        })
    }

    /// The free variables of a node, in the order of their first occurrence in the graph.
    pub fn at(&self, node: NodeId) -> Vec<Var> {
        let start = node.index() * self.width;
        let mut found = Vec::new();
        for (index, &word) in self.rows[start..start + self.width].iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                found.push(self.variables[index * 64 + rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
        found
    }

    /// What the free variables of a node are called, sorted for people.
    pub fn names_at<'t>(&self, node: NodeId, terms: &'t Terms) -> Vec<&'t str> {
        let mut names: Vec<&str> = self
            .at(node)
            .into_iter()
            .map(|variable| terms.variable_text(variable))
            .collect();
        names.sort_unstable();
        names
    }

    fn insert(&mut self, node: NodeId, variable: Var) {
        if let Some(&position) = self.positions.get(&variable) {
            self.rows[node.index() * self.width + position / 64] |= 1 << (position % 64);
        }
    }

    /// What is free after an edge and not written by it, and what it reads, is free before it; whether that is new.
    fn flow(&mut self, target: NodeId, source: NodeId, effect: &[u64]) -> bool {
        let (written, read) = effect.split_at(self.width);
        let (target, source) = (target.index() * self.width, source.index() * self.width);
        let mut grown = false;
        for word in 0..self.width {
            let needed = (self.rows[target + word] & !written[word]) | read[word];
            grown |= needed & !self.rows[source + word] != 0;
            self.rows[source + word] |= needed;
        }
        grown
    }

    /// For each edge a row of what it writes and one of what it reads before that.
    ///
    /// Both do not depend on what is needed after it: the steps of an edge, from the last update to the guard, each
    /// map a set *S* to *(S \ W) ∪ R*, and so does what is made of them.
    fn effects(&self, stg: &Stg, terms: &Terms) -> Vec<u64> {
        let mut effects = vec![0; stg.edges().len() * 2 * self.width];
        for (edge, effect) in stg
            .edges()
            .iter()
            .zip(effects.chunks_exact_mut(2 * self.width))
        {
            let (written, read) = effect.split_at_mut(self.width);
            self.effect(edge, written, read, terms);
        }
        effects
    }

    fn effect(&self, edge: &Edge, written: &mut [u64], read: &mut [u64], terms: &Terms) {
        let bit = |variable: Var| {
            let position = self.positions.get(&variable)?;
            Some((position / 64, 1u64 << (position % 64)))
        };
        let mut write = |variable: Var, read: &mut [u64]| {
            if let Some((word, mask)) = bit(variable) {
                written[word] |= mask;
                read[word] &= !mask;
            }
        };
        let add = |term, read: &mut [u64]| {
            for variable in terms.free_variables(term) {
                if let Some((word, mask)) = bit(variable) {
                    read[word] |= mask;
                }
            }
        };
        for update in edge.updates.iter().rev() {
            write(update.variable, read);
            add(update.value, read);
        }
        for variable in edge.event.bound_variables() {
            write(variable, read);
        }
        for term in edge.event.free_terms() {
            add(term, read);
        }
        add(edge.guard, read);
    }
}

/// The edges that arrive at each node: those of node `n` are `edges[starts[n]..starts[n + 1]]`.
fn incoming(stg: &Stg) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; stg.nodes().len() + 1];
    for edge in stg.edges() {
        starts[edge.target.index() + 1] += 1;
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts.clone();
    let mut edges = vec![0; stg.edges().len()];
    for (index, edge) in stg.edges().iter().enumerate() {
        let place = &mut next[edge.target.index()];
        edges[*place as usize] = index as u32;
        *place += 1;
    }
    (starts, edges)
}

impl Stg {
    /// The parameters: variables free at the initial node, sorted by name.
    pub fn parameters(&self, terms: &Terms) -> Vec<Var> {
        FreeVariables::of(self, terms).at(self.initial())
    }
}
