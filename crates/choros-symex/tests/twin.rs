//! The tree against runs with concrete values, on random graphs.

mod common;

use std::collections::BTreeSet;

use choros_data::{Sort, Terms, Value};
use choros_model::stg::{Event, run};
use choros_symex::{EdgeLabel, Graph, Tree, TreeCut, TreeLabel, TreeNodeId, naive};
use choros_testkit::{Random, seed_from_env};
use common::case_of;

/// A graph over one Bool and two Ints, whose guards a domain from -1 to 4 satisfies and refutes wherever any value does.
fn random_model(random: &mut Random) -> String {
    let nodes = random.between(3, 6) as usize;
    let mut text = "stg random stopped\nvariables x: Int, y: Int, b: Bool\ninitial 0\n".to_owned();
    let guards = [
        "x > y",
        "x <= y",
        "x == 2",
        "x != 2",
        "b",
        "not b",
        "y < 1",
        "b and x > 0",
        "x > 0 or b",
    ];
    let updates = [
        "",
        "",
        "y := x",
        "b := x > y",
        "b := not b",
        "x := y; y := x",
        "y := 0",
        "x := 1; x := x + 1",
    ];
    let events = [
        "tau",
        "tau",
        "i[USER,M]?<x>",
        "j[USER,M]?<y>",
        "o[M,USER]!x",
        "tick",
        "raise f",
        "k[USER,M]?(<x>, <y>)",
        "p[P,M]?<b>",
    ];
    for _ in 0..random.between(4, 8) {
        let (source, target) = (random.below(nodes), random.below(nodes));
        let guard = if random.percent(60) {
            format!("[{}] ", random.pick(&guards))
        } else {
            String::new()
        };
        let update = match *random.pick(&updates) {
            "" => String::new(),
            update => format!(" / {update}"),
        };
        // Silent steps lead forward: a loop of them would only test the bound on such loops.
        let event = match *random.pick(&events) {
            "tau" if source >= target => "tick",
            event => event,
        };
        text.push_str(&format!("{source} -> {target}: {guard}{event}{update}\n"));
    }
    let last = nodes - 1;
    text.push_str(&format!("{last}: end [x > 1]\n0 -> {last}: tau\n"));
    // The interface needs a message to tell whose view it is.
    text.push_str(&format!("{last} -> {last}: last[M,USER]!y\n"));
    text
}

fn domain(terms: &Terms) -> impl Fn(choros_data::Var) -> Vec<Value> + '_ {
    |variable| match terms.variable_sort(variable) {
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        _ => (-1..=4).map(Value::int).collect(),
    }
}

fn path_of(tree: &Tree, node: TreeNodeId) -> Vec<usize> {
    let path = tree.path(node);
    path.iter().filter_map(|&id| tree.node(id).edge).collect()
}

fn paths_of(tree: &Tree) -> BTreeSet<Vec<usize>> {
    tree.ids().map(|node| path_of(tree, node)).collect()
}

#[test]
fn feasible_paths_are_those_of_concrete_runs() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..40 {
        let text = random_model(&mut random);
        let mut case = case_of(&text);
        let tree = case.tree(2, false);
        assert!(tree.doubts.is_empty() && !tree.silent_cut);
        let terms = &case.terms;
        let expected = naive::paths(&case.graph, 2, 100, &domain(terms), terms);
        assert_eq!(
            paths_of(&tree),
            expected,
            "seed {seed}, round {round}:\n{text}"
        );
    }
}

/// Every node has a run with concrete values; the waist's own semantics takes it.
#[test]
fn every_path_has_a_run() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..40 {
        let text = random_model(&mut random);
        let mut case = case_of(&text);
        let tree = case.tree(2, false);
        for node in tree.ids().filter(|&id| tree.is_leaf(id)) {
            let context = format!("seed {seed}, round {round}, node {node:?}:\n{text}");
            let mut values = tree.concrete(node, &case.terms).expect(&context);
            let start = tree.node(TreeNodeId::ROOT).values.clone();
            let mut parameters = choros_data::Assignment::default();
            for (&variable, &value) in tree.variables.iter().zip(start.iter()) {
                let value = tree.value(value, &mut values, &case.terms).expect(&context);
                parameters.insert(variable, value);
            }
            let mut situation = run::start(&case.stg, parameters);
            for id in tree.path(node) {
                let Some(edge) = tree.node(id).edge else {
                    continue;
                };
                let choros_symex::EdgeOrigin::Edge(edge) = case.graph.edge(edge).of else {
                    let ends = run::may_end(&case.stg, &situation, &case.terms);
                    assert_eq!(ends, Ok(true), "{context}");
                    continue;
                };
                let brought = match &tree.node(id).label {
                    Some(TreeLabel::Message(message)) => message
                        .fields
                        .iter()
                        .filter(|field| field.fresh.is_some())
                        .map(|field| tree.value(field.value, &mut values, &case.terms))
                        .collect::<Option<Vec<Value>>>()
                        .expect(&context),
                    _ => Vec::new(),
                };
                let choice = run::RunStep {
                    edge,
                    bound_values: brought,
                };
                let fired = run::fire(&case.stg, &situation, &choice, &case.terms);
                situation = fired
                    .unwrap_or_else(|refusal| panic!("{refusal:?}, {context}"))
                    .state;
                assert!(
                    !matches!(case.stg.edge(edge).event, Event::Message(ref m) if m.fault.is_some())
                );
            }
        }
    }
}

/// Following references, the tree with inclusion has all labels of the tree without.
#[test]
fn inclusion_loses_no_labels() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut included = 0;
    for round in 0..40 {
        let text = random_model(&mut random);
        let mut case = case_of(&text);
        let whole = case.tree(2, false);
        let small = case.tree(2, true);
        included += small
            .nodes
            .iter()
            .filter(|node| matches!(node.cut, TreeCut::Included { .. }))
            .count();
        assert!(small.nodes.len() <= whole.nodes.len());
        let (left, right) = (words(&whole, &case.graph), words(&small, &case.graph));
        // What includes a node may allow more than the node does, so there may be more words, never fewer.
        assert!(
            left.is_subset(&right),
            "seed {seed}, round {round}:\n{text}"
        );
    }
    assert!(
        included > 0,
        "seed {seed}: nothing was included in forty graphs"
    );
}

/// The sequences of edges other than silent ones, up to the bound, references followed.
fn words(tree: &Tree, graph: &Graph) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<(TreeNodeId, Vec<usize>)> = BTreeSet::new();
    let mut stack = vec![(TreeNodeId::ROOT, Vec::new())];
    while let Some((node, word)) = stack.pop() {
        if !seen.insert((node, word.clone())) {
            continue;
        }
        found.insert(word.clone());
        if let TreeCut::Included { by, .. } = tree.node(node).cut {
            stack.push((by, word.clone()));
        }
        for &child in &tree.node(node).children {
            let mut longer = word.clone();
            if let Some(edge) = tree.node(child).edge
                && graph.edge(edge).label != EdgeLabel::Silent
            {
                longer.push(edge);
            }
            // A reference may lead to a node with more of the bound left than the word has.
            if longer.len() <= 2 {
                stack.push((child, longer));
            }
        }
    }
    found
}
