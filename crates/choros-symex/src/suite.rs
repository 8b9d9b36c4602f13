//! Which paths are driven.

use crate::driver::Path;
use crate::{Derived, Label, Origin, Part, TestCase, TreeNodeId};
use choros_model::stg::EdgeId;

/// The paths, and where each of them ends.
#[derive(Debug)]
pub struct Suite {
    /// What is followed, test by test.
    pub paths: Vec<Path>,
    /// The node of the tree where each path ends.
    pub ends: Vec<TreeNodeId>,
}

impl Suite {
    /// What tells this suite from others, for a run that is resumed: the model by its digest, and the tests.
    pub fn fingerprint(&self, digest: &str) -> String {
        let ends: Vec<String> = self.ends.iter().map(|end| end.0.to_string()).collect();
        format!("{digest}: {}", ends.join(" "))
    }
}

/// The tests that were chosen; those that leave the service in the middle are replaced by longer ones where possible,
/// because what is left of one conversation would disturb the next.
pub fn suite(derived: &Derived, wanted: Option<&[u32]>, incomplete: bool) -> Suite {
    let tree = &derived.tree;
    let is_complete =
        |end: TreeNodeId| matches!(tree.node(end).label, Some(Label::End | Label::Raise(_)));
    let mut ends: Vec<TreeNodeId> = match wanted {
        Some(wanted) => tree.ids().filter(|id| wanted.contains(&id.0)).collect(),
        None => derived
            .selection
            .tests
            .iter()
            .map(|test| test.end)
            .collect(),
    };
    if !incomplete && wanted.is_none() {
        let dropped: Vec<TreeNodeId> = ends
            .iter()
            .copied()
            .filter(|&end| !is_complete(end))
            .collect();
        ends.retain(|&end| is_complete(end));
        let mut covered: Vec<Origin> = ends.iter().flat_map(|&end| taken(derived, end)).collect();
        let mut lost: Vec<Origin> = dropped
            .iter()
            .flat_map(|&end| taken(derived, end))
            .filter(|origin| !covered.contains(origin))
            .collect();
        let candidates = tree.ids().filter(|&id| {
            tree.is_leaf(id) && is_complete(id) && (derived.purpose.is_none() || tree.accepts(id))
        });
        for end in candidates {
            let new = taken(derived, end);
            if new.iter().any(|origin| lost.contains(origin)) && !ends.contains(&end) {
                covered.extend(new);
                lost.retain(|origin| !covered.contains(origin));
                ends.push(end);
            }
        }
        ends.sort_unstable();
        // Without a single path to an end, those in the middle are better than none.
        if ends.is_empty() {
            ends = dropped;
        }
    }
    // A path on which the tester neither says nor hears nor awaits anything says nothing about a service.
    let tests = ends.into_iter().enumerate().map(|(number, end)| {
        let name = format!("test_{}", number + 1);
        TestCase::of(tree, end, name, &derived.orchestration.played)
    });
    let tests: Vec<TestCase> = tests
        .filter(|test| test.steps.iter().any(|step| step.part != Part::Hidden))
        .collect();
    let paths = tests.iter().map(Path::of).collect();
    let ends = tests.iter().map(|test| test.end).collect();
    Suite { paths, ends }
}

/// The edges of the model on the way to a node.
pub fn edges_to(derived: &Derived, end: TreeNodeId) -> Vec<EdgeId> {
    taken(derived, end)
        .into_iter()
        .filter_map(|origin| match origin {
            Origin::Edge(edge) => Some(edge),
            Origin::Termination(..) | Origin::Purpose => None,
        })
        .collect()
}

/// The parts of the model on the way to a node.
fn taken(derived: &Derived, end: TreeNodeId) -> Vec<Origin> {
    derived
        .tree
        .path(end)
        .into_iter()
        .filter_map(|node| derived.tree.node(node).edge)
        .map(|edge| derived.graph.edge(edge).of)
        .collect()
}
