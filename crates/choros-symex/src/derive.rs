//! From a model and what is asked of it to a tree and a suite.

use std::sync::Arc;

use choros_base::{Budget, Diagnostic};
use choros_data::Terms;
use choros_query::purpose::Purpose;
use choros_smt::{Solver, SolverError};

use crate::diagnostics::{silent_loop, undecided_path};
use crate::{
    Candidates, CoverageCriterion, DerivedTests, Execution, ExecutionRules, Graph, PurposeActions,
    Selection, ServiceModel, StateId, SymbolicSuite, TestCase, Tree, execute, follow, product,
    prune, select,
};

/// Which tests are chosen from how large a tree.
#[derive(Debug, Clone)]
pub struct Derivation {
    /// How many events a path may have, silent ones not counted.
    pub depth: u32,
    /// Nodes that are included in earlier ones are not followed.
    pub inclusion: bool,
    /// Nodes that are alike from outside are one.
    pub merge: bool,
    /// What the suite has to cover.
    pub coverage: CoverageCriterion,
    /// Only paths that end with termination.
    pub only_terminating: bool,
    /// Paths that end before the service has ended are tests too.
    pub incomplete: bool,
}

impl Default for Derivation {
    fn default() -> Self {
        Derivation {
            depth: 10,
            inclusion: false,
            merge: true,
            coverage: CoverageCriterion::Transitions,
            only_terminating: false,
            incomplete: false,
        }
    }
}

/// This many silent steps in a row are followed; nothing but a loop has more.
const SILENT: u32 = 256;

/// A model and a purpose, and their product; nothing is searched yet.
#[derive(Debug)]
pub struct Prepared {
    /// The model.
    pub orchestration: ServiceModel,
    /// The purpose, where one was given.
    pub purpose: Option<Purpose>,
    /// What is executed: the model, or its product with the purpose.
    pub graph: Graph,
    unpruned: Option<Graph>,
    words: Vec<Arc<str>>,
}

impl Prepared {
    /// The product of a model with a purpose, where there is one; strings from outside are among the words.
    pub fn new(
        orchestration: ServiceModel,
        purpose: Option<Purpose>,
        actions: PurposeActions,
        words: Vec<Arc<str>>,
        terms: &mut Terms,
    ) -> Prepared {
        let model = Graph::of_model(&orchestration.stg, terms);
        let (graph, unpruned) = match &purpose {
            None => (model, None),
            Some(purpose) => {
                let whole = product(&model, purpose, actions, terms);
                // Where no path contains `#`, the tree is a root without tests.
                let pruned = prune(&whole).unwrap_or_else(|| whole.root());
                (pruned, Some(whole))
            }
        };
        Prepared {
            orchestration,
            purpose,
            graph,
            unpruned,
            words,
        }
    }

    fn rules(&self) -> ExecutionRules<'_> {
        ExecutionRules {
            interface: Some(&self.orchestration.interface),
            words: &self.words,
        }
    }

    /// Executes it and chooses a suite.
    pub fn derive(
        self,
        asked: &Derivation,
        budget: &Budget,
        solver: &mut dyn Solver,
        terms: &mut Terms,
    ) -> Result<DerivedTests, SolverError> {
        let execution = Execution {
            depth: asked.depth,
            silent: SILENT,
            inclusion: asked.inclusion,
            // What inclusion does not follow is counted as it stands.
            merge: asked.merge && !asked.inclusion,
            rules: self.rules(),
            budget,
        };
        let tree = execute(&self.graph, &execution, solver, terms)?;
        let candidates = Candidates {
            only_terminating: asked.only_terminating,
            incomplete: asked.incomplete,
            only_accepted: self.purpose.is_some(),
            played: &self.orchestration.played,
        };
        let selection = select(&self.graph, &tree, asked.coverage, candidates, terms);
        let mut derived = self.derived(tree, selection, terms);
        let (tree, tests) = (&derived.tree, &derived.selection.tests);
        derived.suite.add_edges(tree, tests, terms, solver)?;
        Ok(derived)
    }

    /// The suite of paths that are known by their edges, each with the name of its test; nothing is searched.
    ///
    /// `None` where the model has no such path.
    pub fn follow(self, paths: &[(String, Vec<usize>)], terms: &mut Terms) -> Option<DerivedTests> {
        let edges: Vec<Vec<usize>> = paths.iter().map(|(_, edges)| edges.clone()).collect();
        let (tree, ends) = follow(&self.graph, self.rules(), &edges, terms).ok()?;
        let played = &self.orchestration.played;
        let tests = paths.iter().zip(ends);
        let tests = tests.map(|((name, _), end)| TestCase::of(&tree, end, name.clone(), played));
        let selection = Selection {
            tests: tests.collect(),
            items: 0,
            infeasible: 0,
            missing: Vec::new(),
            growth: Vec::new(),
        };
        Some(self.derived(tree, selection, terms))
    }

    fn derived(self, tree: Tree, selection: Selection, terms: &mut Terms) -> DerivedTests {
        let interface = &self.orchestration.interface;
        let suite = SymbolicSuite::of(&self.graph, &tree, &selection.tests, interface, terms);
        DerivedTests {
            orchestration: self.orchestration,
            purpose: self.purpose,
            graph: self.graph,
            unpruned: self.unpruned,
            tree,
            selection,
            suite,
            words: self.words,
        }
    }
}

impl DerivedTests {
    /// Warnings of what was left out for another reason than a bound that was asked for.
    pub fn cuts(&self, terms: &Terms) -> Vec<Diagnostic> {
        let (name, tree) = (&self.orchestration.name, &self.tree);
        let mut found = Vec::new();
        if let Some(doubt) = tree.doubts.first() {
            let edge = self.graph.edge(doubt.edge);
            let label = |state: StateId| &self.graph.state(state).label;
            let (source, target) = (label(edge.source), label(edge.target));
            let first = format!("`{source} -> {target}` under `{}`", terms.print(edge.guard));
            let reason = doubt.reason.to_string();
            let count = tree.doubts.len();
            found.push(undecided_path::diagnostic(name, count, &first, &reason));
        }
        if tree.silent_cut {
            found.push(silent_loop::diagnostic(name, SILENT));
        }
        found
    }
}
