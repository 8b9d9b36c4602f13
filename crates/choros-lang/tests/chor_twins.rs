//! Every example is written in both notations; the graphs are the same.

mod support;

use std::collections::BTreeMap;

use choros_base::{Budget, Severity, SourceMap};
use choros_data::Terms;
use choros_lang::{ComponentKind, chor, read};
use choros_model::stg::{NodeId, Stg};
use proptest::prelude::*;
use support::random::{GUARDS, Random, Tree};

#[test]
fn examples_have_the_same_graphs_in_both_notations() {
    let directory = format!("{}/../../examples", env!("CARGO_MANIFEST_DIR"));
    let mut compared = 0;
    let mut paths: Vec<_> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "schora"))
        .collect();
    paths.sort();
    for path in paths {
        let script_text = std::fs::read_to_string(&path).unwrap();
        let twin = path.with_extension("chor");
        let twin_text = std::fs::read_to_string(&twin)
            .unwrap_or_else(|error| panic!("{}: {error}", twin.display()));
        let mut terms = Terms::new();
        let mut sources = SourceMap::new();
        let file = sources.add("script", script_text.as_str());
        let (script, findings) = read(file, &script_text, &mut terms);
        assert!(findings.is_empty(), "{findings:?}");
        let file = sources.add("twin", twin_text.as_str());
        let (model, findings) = chor::read(file, &twin_text, &mut terms);
        let findings: Vec<String> = findings
            .iter()
            .map(|it| format!("{} {}", sources.locate(it.primary().unwrap()), it.message))
            .collect();
        assert_eq!(findings, [""; 0], "{}", twin.display());
        let budget = Budget::steps(1_000_000);
        let names: Vec<String> = script
            .ids()
            .map(|id| script.name(id, &terms).to_owned())
            .collect();
        let twins: Vec<String> = model
            .ids()
            .map(|id| model.name(id, &terms).to_owned())
            .collect();
        assert_eq!(names, twins, "{}", twin.display());
        for (one, other) in script.ids().zip(model.ids().collect::<Vec<_>>()) {
            // A graph may have several nodes that do the same; a process has one state for them.
            let merges = script.kind(one) == ComponentKind::Graph;
            let one = script.lower(one, &mut terms, &budget).unwrap().stg;
            let other = model.lower(other, &mut terms, &budget).unwrap().stg;
            let difference = difference(&one, &other, merges, &terms);
            assert_eq!(
                difference,
                None,
                "{}: {}\n{}\n\n{}",
                twin.display(),
                one.name(),
                support::listing(&one, &terms).join("\n"),
                support::listing(&other, &terms).join("\n")
            );
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

/// How two graphs differ, if they do, apart from the numbers and labels of nodes.
///
/// Labels of edges are terms of one store, so they are compared as they are; the pairing of nodes follows from them,
/// because no node of the examples has two edges with one label.
fn difference(one: &Stg, other: &Stg, merges: bool, terms: &Terms) -> Option<String> {
    let mut pairs: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    let mut back: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    let mut pending = vec![(one.initial(), other.initial())];
    while let Some((a, b)) = pending.pop() {
        match (pairs.insert(a, b), back.insert(b, a)) {
            (None, None) => {}
            (Some(known), Some(_)) if known == b => continue,
            (None, Some(_)) if merges => {}
            _ => return Some(format!("{a:?} and {b:?} are paired with others too")),
        }
        let endings = |stg: &Stg, node| {
            let mut endings: Vec<String> = stg
                .node(node)
                .terminations
                .iter()
                .map(|termination| terms.print(termination.guard))
                .collect();
            endings.sort();
            endings
        };
        if endings(one, a) != endings(other, b) {
            return Some(format!("{a:?} and {b:?} end under other conditions"));
        }
        let edges: Vec<_> = one.outgoing(a).map(|(_, edge)| edge).collect();
        let others: Vec<_> = other.outgoing(b).map(|(_, edge)| edge).collect();
        if edges.len() != others.len() {
            return Some(format!("{a:?} and {b:?} have other numbers of edges"));
        }
        for edge in edges {
            let same: Vec<_> = others
                .iter()
                .filter(|it| {
                    it.guard == edge.guard && it.event == edge.event && it.updates == edge.updates
                })
                .collect();
            match same[..] {
                [only] => pending.push((edge.target, only.target)),
                _ => return Some(format!("{}: {}", one.node(a).label, edge.label_text(terms))),
            }
        }
    }
    (pairs.len() != one.nodes().len() || back.len() != other.nodes().len())
        .then(|| "unreachable nodes".to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Random processes, written in both notations; states are numbered alike, so the listings are the same text.
    #[test]
    fn random_processes_have_the_same_graphs(seed in any::<u64>(), leaves in 1usize..14) {
        let tree = Tree::random(&mut Random(seed), leaves, 6, 6);
        let mut terms = Terms::new();
        let mut sources = SourceMap::new();
        let script = format!("DECLARATIONS component C chorD {} end component", tree.text());
        let text = format!(
            "choreography C[a, b, c](x: Int, p: Int, q: Int, r: Int) {{\n{}}}\n",
            statement(&tree)
        );
        let file = sources.add("twin", text.as_str());
        let (twin, findings) = chor::read(file, &text, &mut terms);
        let errors: Vec<&str> = findings
            .iter()
            .filter(|it| it.severity == Severity::Error)
            .map(|it| it.code.code)
            .collect();
        // The one thing that a script may do and the native language may not: two parallel branches write `x`.
        prop_assume!(!errors.contains(&"CH0127"));
        prop_assert_eq!(errors, Vec::<&str>::new(), "{}", text);
        let file = sources.add("script", script.as_str());
        let (script, _) = read(file, &script, &mut terms);
        let budget = Budget::steps(100_000);
        let id = script.ids().next().unwrap();
        let one = script.lower(id, &mut terms, &budget).unwrap().stg;
        let id = twin.ids().next().unwrap();
        let other = twin.lower(id, &mut terms, &budget).unwrap().stg;
        prop_assert_eq!(
            support::listing(&one, &terms),
            support::listing(&other, &terms),
            "{}\n{}",
            tree.text(),
            text
        );
    }
}

/// A process as a statement of the native language.
fn statement(tree: &Tree) -> String {
    const EVENTS: [&str; 6] = [
        "a -> b: A",
        "b -> a: B(new x)",
        "a -> b: C(x)",
        "a -> c: D(x + 1)",
        "c -> b: E(\"text\")",
        "b -> c: F(OK)",
    ];
    match tree {
        Tree::Skip => "skip\n".to_owned(),
        Tree::Event(event) => format!("{}\n", EVENTS[*event]),
        Tree::Chain(";", operands) => operands
            .iter()
            .map(|operand| match operand {
                // A choice with one branch is what parentheses are elsewhere.
                Tree::Chain(";", _) => format!("choice {{\n{}}}\n", statement(operand)),
                _ => statement(operand),
            })
            .collect(),
        Tree::Chain(operator, operands) => {
            let (first, word) = match *operator {
                "+" => ("choice", "or"),
                "|" => ("par", "and"),
                _ => ("try", "interrupt"),
            };
            let blocks: Vec<String> = alternatives(operator, operands)
                .into_iter()
                .map(|operand| format!("{{\n{}}}", statement(operand)))
                .collect();
            format!("{first} {}\n", blocks.join(&format!(" {word} ")))
        }
        Tree::Prefix(sign, guard, inner) => {
            let word = if *sign == "*" { "while" } else { "when" };
            format!("{word} {} {{\n{}}}\n", GUARDS[*guard], statement(inner))
        }
    }
}

/// `(A + B) + C` is `A + B + C`, as scripts read it.
fn alternatives<'t>(operator: &str, operands: &'t [Tree]) -> Vec<&'t Tree> {
    match operands.split_first() {
        Some((Tree::Chain("+", inner), others)) if operator == "+" => {
            let mut all = alternatives(operator, inner);
            all.extend(others);
            all
        }
        _ => operands.iter().collect(),
    }
}
