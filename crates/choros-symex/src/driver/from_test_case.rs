//! From a test case of a tree to a path that can be followed.

use crate::{Part, TestCase, TreeLabel};

use super::path::{PathMessage, SymbolicPath, SymbolicStep};

impl SymbolicPath {
    /// The path of a test case; the parts say what the tester has to do with each step.
    pub fn of(test: &TestCase) -> SymbolicPath {
        let steps = test
            .steps
            .iter()
            .filter_map(|step| {
                let message = step.label.message().map(|message| PathMessage {
                    operation: message.head.operation,
                    from: message.from,
                    to: message.to,
                    fault: message.head.fault,
                    values: message.fields.iter().map(|field| field.value).collect(),
                });
                match step.part {
                    Part::Stimulus => message.map(SymbolicStep::Send),
                    Part::Observation => message.map(SymbolicStep::Expect),
                    Part::Time => Some(SymbolicStep::Tick),
                    Part::Hidden => None,
                }
            })
            .collect();
        let has_stopped = matches!(
            test.steps.last().map(|step| &step.label),
            Some(TreeLabel::End | TreeLabel::Raise(_))
        );
        SymbolicPath {
            name: test.name.clone(),
            steps,
            conditions: test.condition.clone(),
            is_complete: has_stopped,
            edges: Vec::new(),
        }
    }
}
