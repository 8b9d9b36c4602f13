//! Finite automata with silent steps: what projection is made of.
//!
//! Textbook constructions (Hopcroft, Motwani, Ullman): subset construction, product by interleaving, partition
//! refinement.

use choros_base::{Budget, StopReason};
use choros_model::gchor::NodeId;
use rustc_hash::FxHashMap;

/// An automaton with one start and one end.
#[derive(Debug, Clone, Default)]
pub(super) struct Automaton {
    edges: Vec<Vec<Edge>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// What is done, by number; `None` is silent.
    pub(super) label: Option<u32>,
    /// Where it leads.
    pub(super) target: u32,
    /// Where it comes from.
    pub(super) origin: NodeId,
}

/// An automaton without silent steps in which each label leads to one state; state 0 is the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deterministic {
    /// What leaves each state, in the order of labels.
    pub(super) edges: Vec<Vec<(u32, u32)>>,
    /// Where the labels of each state come from.
    pub(super) origins: Vec<Vec<NodeId>>,
    /// Whether the end may have been reached.
    pub(super) accepting: Vec<bool>,
}

impl Automaton {
    pub(super) fn add_state(&mut self) -> u32 {
        self.edges.push(Vec::new());
        self.edges.len() as u32 - 1
    }

    pub(super) fn add_edge(&mut self, source: u32, edge: Edge) {
        self.edges[source as usize].push(edge);
    }

    /// The subset construction; each state that is made takes a step of the budget.
    pub(super) fn determinise(
        &self,
        start: u32,
        end: u32,
        budget: &Budget,
    ) -> Result<Deterministic, StopReason> {
        let mut ids: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut sets = vec![self.closed(vec![start])];
        ids.insert(sets[0].clone(), 0);
        let mut result = Deterministic {
            edges: Vec::new(),
            origins: Vec::new(),
            accepting: Vec::new(),
        };
        let mut next = 0;
        while next < sets.len() {
            budget.spend()?;
            let set = sets[next].clone();
            next += 1;
            let mut leaving: Vec<(u32, u32, NodeId)> = Vec::new();
            for &state in &set {
                for edge in &self.edges[state as usize] {
                    if let Some(label) = edge.label {
                        leaving.push((label, edge.target, edge.origin));
                    }
                }
            }
            leaving.sort_unstable();
            let (mut edges, mut origins) = (Vec::new(), Vec::new());
            for group in leaving.chunk_by(|left, right| left.0 == right.0) {
                let targets = group.iter().map(|it| it.1).collect();
                let targets = self.closed(targets);
                let known = sets.len() as u32;
                let target = *ids.entry(targets.clone()).or_insert(known);
                if target == known {
                    sets.push(targets);
                }
                edges.push((group[0].0, target));
                origins.push(group.iter().map(|it| it.2).min().unwrap_or(group[0].2));
            }
            result.edges.push(edges);
            result.origins.push(origins);
            result.accepting.push(set.binary_search(&end).is_ok());
        }
        Ok(result)
    }

    /// The states that silent steps lead to, sorted.
    fn closed(&self, mut set: Vec<u32>) -> Vec<u32> {
        let mut open = set.clone();
        while let Some(state) = open.pop() {
            for edge in &self.edges[state as usize] {
                if edge.label.is_none() && !set.contains(&edge.target) {
                    set.push(edge.target);
                    open.push(edge.target);
                }
            }
        }
        set.sort_unstable();
        set.dedup();
        set
    }
}

impl Deterministic {
    /// All interleavings of several automata, accepting where all of them are.
    ///
    /// Two of them may have the same label, so the result need not be deterministic: it is written into `into`,
    /// between two of its states.
    pub(super) fn interleave(
        parts: &[Deterministic],
        into: &mut Automaton,
        between: (u32, u32),
        fork: NodeId,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let (start, end) = between;
        let silent = |target| Edge {
            label: None,
            target,
            origin: fork,
        };
        let mut ids: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut open = vec![vec![0_u32; parts.len()]];
        let first = into.add_state();
        into.add_edge(start, silent(first));
        ids.insert(open[0].clone(), first);
        while let Some(tuple) = open.pop() {
            budget.spend()?;
            let source = ids[&tuple];
            let ends = parts.iter().zip(&tuple);
            if ends
                .clone()
                .all(|(part, &state)| part.accepting[state as usize])
            {
                into.add_edge(source, silent(end));
            }
            for (position, (part, &state)) in ends.enumerate() {
                let edges = part.edges[state as usize].iter();
                for (&(label, target), &origin) in edges.zip(&part.origins[state as usize]) {
                    let mut after = tuple.clone();
                    after[position] = target;
                    let target = match ids.get(&after) {
                        Some(&known) => known,
                        None => {
                            let fresh = into.add_state();
                            ids.insert(after.clone(), fresh);
                            open.push(after);
                            fresh
                        }
                    };
                    let edge = Edge {
                        label: Some(label),
                        target,
                        origin,
                    };
                    into.add_edge(source, edge);
                }
            }
        }
        Ok(())
    }

    /// The smallest automaton with the same behaviour, by partition refinement.
    ///
    /// With `by_end`, states count as different when only one may have reached the end; without, only what leaves
    /// them counts, as in a machine, which has no accepting states.
    pub(super) fn minimise(&self, by_end: bool) -> Deterministic {
        let mut class: Vec<u32> = self
            .accepting
            .iter()
            .map(|&accepting| u32::from(by_end && accepting))
            .collect();
        let mut count = 0;
        loop {
            let mut ids: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
            let finer: Vec<u32> = self
                .edges
                .iter()
                .enumerate()
                .map(|(state, edges)| {
                    let leaving = edges
                        .iter()
                        .map(|&(label, target)| (label, class[target as usize]))
                        .collect();
                    let known = ids.len() as u32;
                    *ids.entry((class[state], leaving)).or_insert(known)
                })
                .collect();
            class = finer;
            if ids.len() == count {
                break;
            }
            count = ids.len();
        }
        self.quotient(&class)
    }

    /// One state for each class, numbered breadth-first from the first one, in the order of labels.
    fn quotient(&self, class: &[u32]) -> Deterministic {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order: Vec<usize> = Vec::new();
        if !class.is_empty() {
            numbers.insert(class[0], 0);
            order.push(0);
        }
        let mut result = Deterministic {
            edges: Vec::new(),
            origins: Vec::new(),
            accepting: Vec::new(),
        };
        let mut next = 0;
        while next < order.len() {
            let state = order[next];
            next += 1;
            let mut edges = Vec::new();
            for &(label, target) in &self.edges[state] {
                let known = order.len() as u32;
                let number = *numbers.entry(class[target as usize]).or_insert(known);
                if number == known {
                    order.push(target as usize);
                }
                edges.push((label, number));
            }
            result.edges.push(edges);
            result.origins.push(self.origins[state].clone());
            result.accepting.push(self.accepting[state]);
        }
        result
    }

    /// Whether both do the same and may end after the same words; both must be minimal.
    pub(super) fn same_as(&self, other: &Deterministic) -> bool {
        self.edges == other.edges && self.accepting == other.accepting
    }
}
