//! The tests of a suite as paths that a driver follows.

use std::fmt::Write as _;

use choros_data::{Term, Terms};
use choros_model::interface::Interface;
use choros_model::stg::EdgeId;
use rustc_hash::FxHashMap;

use crate::driver::{SymbolicPath, SymbolicStep};
use crate::fnv::fnv1a;
use crate::graph::EdgeLabel;
use crate::{EdgeOrigin, Graph, TestCase, Tree, TreeLabel, TreeNodeId, datum};

/// The paths, and what each of them takes of the model.
#[derive(Debug, Default)]
pub struct SymbolicSuite {
    /// What is followed, test by test.
    pub paths: Vec<SymbolicPath>,
    /// The edges of the model on each path.
    pub covers: Vec<Vec<EdgeId>>,
}

impl SymbolicSuite {
    /// The paths of tests that were chosen from a tree.
    ///
    /// Their conditions ask for one thing more than those of the tests: that every answer of the model has the type of
    /// its message. Who sends a value whose successor is too large blames a service for an answer that it cannot give.
    pub fn of(
        graph: &Graph,
        tree: &Tree,
        tests: &[TestCase],
        interface: &Interface,
        terms: &mut Terms,
    ) -> SymbolicSuite {
        let mut suite = SymbolicSuite::default();
        for test in tests {
            let mut path = SymbolicPath::of(test);
            for conjunct in answer_types(graph, tree, test.end, interface, terms) {
                if conjunct != Term::TRUE && !path.conditions.contains(&conjunct) {
                    path.conditions.push(conjunct);
                }
            }
            suite.paths.push(path);
            suite.covers.push(taken(graph, tree, test.end));
        }
        suite
    }

    /// What tells this suite from others, for a run that is resumed: the model by its digest, and the tests.
    pub fn fingerprint(&self, digest: &str, terms: &Terms) -> String {
        let mut text = String::new();
        for path in &self.paths {
            let _ = writeln!(text, "{}", path.name);
            for step in &path.steps {
                let (SymbolicStep::Send(message) | SymbolicStep::Expect(message)) = step else {
                    let _ = writeln!(text, "tick");
                    continue;
                };
                let values = message.values.iter().map(|&value| terms.print(value));
                let values: Vec<String> = values.collect();
                let names = [message.operation.0, message.from.0, message.to.0];
                let [operation, from, to] = names.map(|it| terms.names.text(it));
                let fault = message.fault.map(|it| format!("#{}", terms.names.text(it)));
                let (fault, values) = (fault.unwrap_or_default(), values.join(", "));
                let _ = writeln!(text, "{operation}[{from},{to}]{fault}({values})");
            }
            for &condition in &path.conditions {
                let _ = writeln!(text, "{}", terms.print(condition));
            }
        }
        format!("{digest}: {:032x}", fnv1a(text.as_bytes()))
    }
}

/// What the types of messages ask of everything that the service sends on the way to a node.
fn answer_types(
    graph: &Graph,
    tree: &Tree,
    end: TreeNodeId,
    interface: &Interface,
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    for node in tree.path(end) {
        let node = tree.node(node);
        let (Some(TreeLabel::Message(sent)), Some(edge)) = (&node.label, node.edge) else {
            continue;
        };
        let EdgeLabel::Message(message) = &graph.edge(edge).label else {
            continue;
        };
        let carried = interface.message_type(message);
        if let (true, Some((variable, formula))) =
            (sent.is_sent(), carried.and_then(|it| it.constraint))
            && let Some([_, value]) = datum(&sent.fields, terms)
            && terms.sort_of(value) == terms.variable_sort(variable)
        {
            let formula = terms.substitute(formula, &FxHashMap::from_iter([(variable, value)]));
            found.push(terms.simplify(formula));
        }
    }
    found
}

/// The edges of the model on the way to a node.
fn taken(graph: &Graph, tree: &Tree, end: TreeNodeId) -> Vec<EdgeId> {
    let path = tree.path(end).into_iter();
    path.filter_map(|node| tree.node(node).edge)
        .filter_map(|edge| match graph.edge(edge).of {
            EdgeOrigin::Edge(edge) => Some(edge),
            EdgeOrigin::Termination(..) | EdgeOrigin::Purpose => None,
        })
        .collect()
}
