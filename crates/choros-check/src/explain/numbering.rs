//! Names of states in explanations.
//!
//! A state is `C1`, `C2`, … in the order of a depth-first search that goes straight along the explanation: where the
//! explanation takes a step from a state, all successors of that state get the next numbers.
//! So are the states of Figure 14 of Fantechi et al. numbered.

use rustc_hash::FxHashMap;

use super::{ExplainedStep, Explanation, ExplanationReason};
use crate::unfolding::UnfoldedLts;

/// Numbers of states.
#[derive(Debug, Default)]
pub struct Numbering {
    numbers: FxHashMap<u32, usize>,
    expanded: rustc_hash::FxHashSet<u32>,
}

impl Numbering {
    /// Numbers the states of an explanation.
    pub fn of(explanation: &Explanation, graph: &UnfoldedLts<'_>) -> Self {
        let mut numbering = Self::default();
        numbering.found(explanation.state);
        numbering.explanation(explanation, graph);
        numbering
    }

    /// The name of a state.
    pub fn name(&self, state: u32) -> String {
        match self.numbers.get(&state) {
            Some(number) => format!("C{number}"),
            // Only states of the explanation are asked for, and they all have numbers.
            None => format!("C?{state}"),
        }
    }

    /// How many states have names: those that the explanation visits, and their siblings.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    fn found(&mut self, state: u32) {
        let next = self.numbers.len() + 1;
        self.numbers.entry(state).or_insert(next);
    }

    fn step(&mut self, taken: &ExplainedStep, graph: &UnfoldedLts<'_>) {
        self.expand(taken.from, graph);
        self.found(taken.to);
    }

    fn expand(&mut self, state: u32, graph: &UnfoldedLts<'_>) {
        self.found(state);
        if state < graph.expanded() && self.expanded.insert(state) {
            for position in graph.steps(state) {
                self.found(graph.step(position).1);
            }
        }
    }

    fn explanation(&mut self, explanation: &Explanation, graph: &UnfoldedLts<'_>) {
        self.found(explanation.state);
        let parts: Vec<&Explanation> = match &explanation.reason {
            ExplanationReason::Constant
            | ExplanationReason::Label(_)
            | ExplanationReason::NoStep
            | ExplanationReason::Omitted => Vec::new(),
            ExplanationReason::Parts(parts) => parts.iter().collect(),
            ExplanationReason::Step(taken, parts) => {
                self.step(taken, graph);
                parts.iter().collect()
            }
            ExplanationReason::Steps { matching, .. } => {
                self.expand(explanation.state, graph);
                matching.iter().flat_map(|(_, parts)| parts).collect()
            }
            ExplanationReason::Path(path) => {
                for taken in &path.steps {
                    self.step(taken, graph);
                }
                path.parts.iter().collect()
            }
            ExplanationReason::Everywhere { example, .. } => {
                example.iter().map(|it| &**it).collect()
            }
        };
        for part in parts {
            self.explanation(part, graph);
        }
    }
}
