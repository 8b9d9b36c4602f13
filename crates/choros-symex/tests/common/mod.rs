//! Models, purposes and trees for tests.

#![allow(dead_code, reason = "each test uses a part of it")]

use choros_base::{Budget, SourceMap, Span};
use choros_data::Terms;
use choros_model::interface::Interface;
use choros_model::stg::{Stg, read_stg};
use choros_query::purpose::{self, Purpose, Vocabulary, add_contracts, interface_of};
use choros_symex::{
    Execution, ExecutionRules, Graph, PurposeActions, Tree, TreeSizes, execute, product, prune,
};

/// A model with everything around it.
pub(crate) struct Case {
    pub(crate) terms: Terms,
    pub(crate) stg: Stg,
    pub(crate) graph: Graph,
    pub(crate) interface: Interface,
}

/// A file of the examples.
pub(crate) fn example(path: &str) -> String {
    let path = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

pub(crate) fn case_of(text: &str) -> Case {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("model.stg", text);
    let (stg, found) = read_stg(file, text, &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let graph = Graph::of_model(&stg, &mut terms);
    let interface = interface_of(&stg, None, &mut terms).unwrap();
    Case {
        terms,
        stg,
        graph,
        interface,
    }
}

pub(crate) fn case(path: &str) -> Case {
    case_of(&example(path))
}

impl Case {
    pub(crate) fn purpose(&mut self, text: &str) -> Purpose {
        let mut sources = SourceMap::new();
        let file = sources.add("purpose.tp", text);
        let (syntax, found) = purpose::parse(file, text, &mut self.terms.names);
        assert!(found.is_empty(), "{found:?}");
        let vocabulary = Vocabulary::of(&self.stg, &self.terms);
        let start = Span::new(file, 0, 0);
        let (purpose, found) = purpose::resolve(&syntax, &vocabulary, start, &mut self.terms);
        purpose.unwrap_or_else(|| panic!("{found:?}"))
    }

    /// The product, before and after pruning.
    pub(crate) fn product(
        &mut self,
        text: &str,
        actions: PurposeActions,
    ) -> (Graph, Option<Graph>) {
        let purpose = self.purpose(text);
        let whole = product(&self.graph, &purpose, actions, &mut self.terms);
        let pruned = prune(&whole);
        (whole, pruned)
    }

    pub(crate) fn product_sizes(&mut self, text: &str) -> [(usize, usize); 2] {
        let (whole, pruned) = self.product(text, PurposeActions::First);
        let sizes = |graph: &Graph| {
            let counts = graph.counts();
            (counts.states, counts.transitions)
        };
        [sizes(&whole), pruned.as_ref().map_or((0, 0), sizes)]
    }

    pub(crate) fn contract(&mut self, text: &str) {
        let mut sources = SourceMap::new();
        let file = sources.add("x.contract", text);
        let (syntax, found) = purpose::parse(file, text, &mut self.terms.names);
        assert!(found.is_empty(), "{found:?}");
        let found = add_contracts(&syntax, &mut self.interface, &mut self.terms);
        assert!(found.is_empty(), "{found:?}");
    }

    pub(crate) fn tree(&mut self, depth: u32, inclusion: bool) -> Tree {
        let graph = self.graph.clone();
        self.tree_of(&graph, depth, inclusion)
    }

    pub(crate) fn tree_of(&mut self, graph: &Graph, depth: u32, inclusion: bool) -> Tree {
        self.execute(graph, depth, inclusion, false)
    }

    /// The same where nodes that are alike are one.
    pub(crate) fn merged_tree(&mut self, depth: u32) -> Tree {
        let graph = self.graph.clone();
        self.execute(&graph, depth, false, true)
    }

    fn execute(&mut self, graph: &Graph, depth: u32, inclusion: bool, merge: bool) -> Tree {
        let mut solver = choros_smt::find().expect("a solver");
        let budget = Budget::steps(100_000);
        let execution = Execution {
            depth,
            silent: 100,
            inclusion,
            merge,
            rules: ExecutionRules {
                interface: Some(&self.interface),
                words: &[],
            },
            budget: &budget,
        };
        execute(graph, &execution, &mut *solver, &mut self.terms).unwrap()
    }
}

/// Nodes, leaves, terminating leaves, leaves with a fault.
pub(crate) fn sizes(tree: &Tree) -> [usize; 4] {
    let TreeSizes {
        nodes,
        leaves,
        terminating,
        raised,
    } = tree.sizes();
    [nodes, leaves, terminating, raised]
}
