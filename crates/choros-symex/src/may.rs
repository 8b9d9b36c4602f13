//! may(η): what the tester may see next.

use choros_model::stg::Role;
use rustc_hash::FxHashSet;

use crate::{Part, Tree, TreeCut, TreeNodeId};

/// The observations that may come next, and whether these are all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NextObservations {
    /// The nodes that an observation leads to; the label of each is the observation.
    pub observations: Vec<TreeNodeId>,
    /// Whether the tree was not cut before all of them were found: only then is another observation wrong.
    pub complete: bool,
}

impl Tree {
    /// may(η): the observations that follow a node over steps that the tester does not see, and units of time.
    ///
    /// Where a node is included in another, what follows is looked up there; the data of such observations are those
    /// of the other node.
    pub fn may(&self, node: TreeNodeId, played: &[Role]) -> NextObservations {
        let mut may = NextObservations {
            observations: Vec::new(),
            complete: true,
        };
        let mut seen: FxHashSet<TreeNodeId> = FxHashSet::default();
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.node(at).cut {
                TreeCut::Not => {}
                TreeCut::Included { by, .. } => stack.push(by),
                TreeCut::Bound | TreeCut::UndecidedStep | TreeCut::Stopped => may.complete = false,
            }
            for &child in &self.node(at).children {
                let part = match &self.node(child).label {
                    Some(label) => Part::of(label, played),
                    None => Part::Hidden,
                };
                match part {
                    Part::Observation => may.observations.push(child),
                    Part::Hidden | Part::Time => stack.push(child),
                    Part::Stimulus => {}
                }
            }
        }
        may.observations.sort_unstable();
        may
    }
}
