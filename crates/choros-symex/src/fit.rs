//! Does a purpose fit its model? (Section 3.3.3 of Bentakouk's thesis.)

use choros_base::Diagnostic;
use choros_data::Terms;
use choros_model::evidence::Trace;
use choros_query::purpose::{Purpose, Trigger};
use rustc_hash::FxHashSet;

use crate::diagnostics::unfulfilled_purpose;
use crate::{DerivedTests, TestCase, TreeLabel};

/// Whether some run of the model reaches `#`.
#[derive(Debug, Clone)]
pub enum PurposeFit {
    /// This one does.
    Reached(Trace),
    /// None does, whatever the data.
    Never,
    /// None does within the bound.
    NotWithin,
}

impl DerivedTests {
    /// Whether the purpose fits the model.
    pub fn fit(&self, terms: &Terms) -> PurposeFit {
        let tree = &self.tree;
        let is_reached = |it| tree.node(it).label == Some(TreeLabel::Accept);
        match tree.ids().find(|&it| is_reached(it)) {
            Some(end) => {
                let played = &self.orchestration.played;
                let test = TestCase::of(tree, end, "run".to_owned(), played);
                PurposeFit::Reached(Trace {
                    conclusion: "the purpose is reached".to_owned(),
                    ..test.trace(tree, true, terms)
                })
            }
            None if tree.is_complete() => PurposeFit::Never,
            None => PurposeFit::NotWithin,
        }
    }

    /// Transitions of the purpose that no run takes, of a tree that was searched to a depth.
    pub fn unfulfilled(&self, depth: u32) -> Vec<Diagnostic> {
        let Some(purpose) = &self.purpose else {
            return Vec::new();
        };
        let nodes = self.tree.nodes.iter();
        let taken: FxHashSet<usize> = nodes
            .filter_map(|node| self.graph.edge(node.edge?).purpose)
            .collect();
        let leading = leading(purpose);
        let mut found = Vec::new();
        for (index, edge) in purpose.edges.iter().enumerate() {
            // What leads away from `#` is there to be pruned.
            let wanted = edge.trigger == Trigger::Accept || leading[edge.target];
            if wanted && edge.trigger != Trigger::Any && !taken.contains(&index) {
                let complete = self.tree.is_complete();
                found.push(unfulfilled_purpose::diagnostic(edge.span, depth, complete));
            }
        }
        found
    }
}

/// For each state of a purpose, whether `#` can follow.
fn leading(purpose: &Purpose) -> Vec<bool> {
    let mut leads = vec![false; purpose.states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for edge in &purpose.edges {
            let now = edge.trigger == Trigger::Accept || leads[edge.target];
            if now && !std::mem::replace(&mut leads[edge.source], true) {
                changed = true;
            }
        }
    }
    leads
}
