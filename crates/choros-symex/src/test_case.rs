//! Symbolic test cases: paths of a tree.

use choros_data::{Term, Terms};
use choros_model::stg::Role;

use crate::{Tree, TreeLabel, TreeNodeId};

/// A symbolic test case: a path from the root of a tree, with the condition at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// How it is called: `test_1`.
    pub name: String,
    /// Where the path ends.
    pub end: TreeNodeId,
    /// The steps from the root; the last one leads to [`TestCase::end`].
    pub steps: Vec<TestStep>,
    /// π at the end, with all definitions put in.
    pub condition: Vec<Term>,
    /// Whether the path ends with `√`.
    pub terminating: bool,
    /// Whether `#` lies on the path.
    pub accepted: bool,
}

/// A step of a test case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestStep {
    /// The node that it leads to.
    pub node: TreeNodeId,
    /// What happens.
    pub label: TreeLabel,
    /// What the tester has to do with it.
    pub part: Part,
}

/// What a tester has to do with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The tester sends: the orchestrator receives from a role that the tester plays.
    Stimulus,
    /// The tester waits for it: the orchestrator sends to a role that the tester plays.
    Observation,
    /// One unit of time passes.
    Time,
    /// The tester does not see it.
    Hidden,
}

impl Part {
    /// The part of a tester who plays these roles.
    pub fn of(label: &TreeLabel, played: &[Role]) -> Part {
        match label {
            TreeLabel::Tick => Part::Time,
            TreeLabel::Message(message) if played.contains(&message.head.partner) => {
                if message.is_sent() {
                    Part::Observation
                } else {
                    Part::Stimulus
                }
            }
            _ => Part::Hidden,
        }
    }
}

impl TestCase {
    /// The test case that ends at a node, for a tester who plays these roles.
    pub fn of(tree: &Tree, end: TreeNodeId, name: String, played: &[Role]) -> TestCase {
        let steps: Vec<TestStep> = tree
            .path(end)
            .into_iter()
            .filter_map(|node| {
                let label = tree.node(node).label.clone()?;
                let part = Part::of(&label, played);
                Some(TestStep { node, label, part })
            })
            .collect();
        TestCase {
            name,
            end,
            condition: tree.solved_condition(end),
            terminating: tree.is_terminating(end),
            accepted: steps.iter().any(|step| step.label == TreeLabel::Accept),
            steps,
        }
    }

    /// The events of the path without `τ` and `#`, as they are printed.
    pub fn events(&self, terms: &Terms) -> Vec<String> {
        self.steps
            .iter()
            .filter(|step| step.label.counts())
            .map(|step| step.label.shown(terms))
            .collect()
    }
}
