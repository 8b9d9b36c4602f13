//! Suites: they cover what the tree reaches, and no test can be left out.

mod common;

use std::collections::BTreeSet;

use choros_model::stg::Role;
use choros_symex::{
    Candidates, CoverageCriterion, EdgeOrigin, Graph, PurposeActions, TestCase, Tree, select,
};
use common::{case, case_of, example};

fn candidates(user: &Role) -> Candidates<'_> {
    Candidates {
        only_terminating: false,
        incomplete: true,
        only_accepted: false,
        played: std::slice::from_ref(user),
    }
}

fn transitions(graph: &Graph, tree: &Tree, test: &TestCase) -> BTreeSet<EdgeOrigin> {
    let path = tree.path(test.end);
    let edges = path.iter().filter_map(|&node| tree.node(node).edge);
    edges.map(|edge| graph.edge(edge).of).collect()
}

#[test]
fn suites_cover_what_can_be_reached_and_no_test_is_superfluous() {
    for (path, depth, missing) in [
        // No message can violate the correlation that it starts.
        ("xloan/xloan-r.stg", 10, 1),
        ("econference/econf-c1.stg", 16, 1),
    ] {
        let mut case = case(path);
        let tree = case.tree(depth, false);
        let graph = case.graph.clone();
        let user = case.interface.user;
        let selection = select(
            &graph,
            &tree,
            CoverageCriterion::Transitions,
            candidates(&user),
            &mut case.terms,
        );
        assert_eq!(selection.missing.len(), missing, "{path}");
        let covered: Vec<BTreeSet<EdgeOrigin>> = selection
            .tests
            .iter()
            .map(|test| transitions(&graph, &tree, test))
            .collect();
        let all: BTreeSet<EdgeOrigin> = covered.iter().flatten().copied().collect();
        assert_eq!(all.len() + missing, selection.items, "{path}");
        for index in 0..covered.len() {
            let others: BTreeSet<EdgeOrigin> = covered
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .flat_map(|(_, set)| set.iter().copied())
                .collect();
            assert!(
                !covered[index].is_subset(&others),
                "{path}: {} is superfluous",
                selection.tests[index].name
            );
        }
    }
}

#[test]
fn with_a_purpose_every_test_reaches_it() {
    let mut case = case("econference/econf-c1.stg");
    let text = example("econference/one-fee.tp");
    let (_, pruned) = case.product(&text, PurposeActions::First);
    let graph = pruned.expect("the purpose can be reached");
    let tree = case.tree_of(&graph, 16, false);
    let user = case.interface.user;
    let wanted = Candidates {
        only_accepted: true,
        ..candidates(&user)
    };
    for criterion in [
        CoverageCriterion::States,
        CoverageCriterion::Transitions,
        CoverageCriterion::Branches,
        CoverageCriterion::Paths,
        CoverageCriterion::Purpose,
    ] {
        let selection = select(&graph, &tree, criterion, wanted, &mut case.terms);
        assert!(!selection.tests.is_empty(), "{criterion:?}");
        assert!(selection.tests.iter().all(|test| test.accepted));
    }
}

/// Erratum 7: with the purpose's actions first, it sees the value before the step; last, the value after it.
#[test]
fn the_order_of_actions_matters() {
    let mut case = case_of(
        "stg sum stopped\nvariables total: Int, x: Int\ninitial 0\n0 -> 1: tau / total := 0\n\
         1 -> 2: add[USER,M]?<x> / total := total + x\n2: end",
    );
    let purpose =
        "purpose sum\nT0: *\nT0 -> T1: USER.add? / seen := total\nT1 -> T2: [seen > 0] tau\nT2: #";
    let mut reaches = |actions| {
        let (_, pruned) = case.product(purpose, actions);
        let graph = pruned.expect("there is a way to `#`");
        let tree = case.tree_of(&graph, 9, false);
        tree.ids().any(|id| tree.accepts(id))
    };
    assert!(!reaches(PurposeActions::First));
    assert!(reaches(PurposeActions::Last));
}
