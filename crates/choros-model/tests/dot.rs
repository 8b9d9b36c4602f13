//! DOT as SChorA writes it.

mod support;

use choros_base::SourceMap;
use choros_data::{Sort, Terms};
use choros_model::stg::{
    DotMarks, EdgeId, Ending, NodeId, Stg, StgCounts, read_dot, read_stg, write_dot,
};
use proptest::prelude::*;
use support::{lines, multiset};

fn read(text: &str, terms: &mut Terms) -> (Stg, Vec<String>) {
    let mut map = SourceMap::new();
    let file = map.add("test.dot", text);
    let (stg, diagnostics) = read_dot(file, text, terms);
    let findings = diagnostics
        .iter()
        .map(|finding| {
            let place = finding.primary().map_or(String::new(), |span| {
                let (line, column) = map.line_column(span.start());
                format!("{line}:{column} ")
            });
            format!("{place}{} {}", finding.code.code, finding.message)
        })
        .collect();
    (stg, findings)
}

fn from_stg(text: &str, terms: &mut Terms) -> Stg {
    let mut map = SourceMap::new();
    let file = map.add("test.stg", text);
    let (stg, diagnostics) = read_stg(file, text, terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    stg
}

/// Example 6 of the thesis, as in the author's files.
const EXAMPLE_6: &str = r#"
digraph G {
  rankdir=LR; node [shape=circle];
  0; 1; 2; 3; 4 [ label="end"]; 5; 6; 7; 8;
  0 -> 1 [label="req[b,v]"];
  1 -> 2 [label="rep[v,b]"];
  2 -> 3 [label="req[b,v]"];
  3 -> 2 [label="rep[v,b]"];
  2 -> 4 [label="abort[v,b]"];
  2 -> 5 [label="buy[b,v].<x1>"];
  5 -> 6 [label="sell[v,w].x1"];
  6 -> 7 [label="rep[w,v].<x2>"];
  7 -> 8 [label="[x2=OK] ship[w,s].x1"];
  8 -> 4 [label="confirm[v,b]"];
  7 -> 4 [label="[x2!=OK] sold[v,b]"];
}
"#;

#[test]
fn example_6_has_9_states_11_transitions_and_9_messages() {
    let mut terms = Terms::new();
    let (stg, findings) = read(EXAMPLE_6, &mut terms);
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(
        stg.counts(),
        StgCounts {
            states: 9,
            transitions: 11,
            messages: 9
        }
    );
    assert_eq!(stg.ending(), Ending::Sinks);
    assert_eq!(stg.initial(), NodeId(0));
    assert_eq!(stg.node(NodeId(4)).label, "end");
    assert_eq!(stg.node(NodeId(4)).terminations.len(), 1);
    let x2 = terms.names.get("x2").expect("read");
    let x2 = stg
        .variables(&terms)
        .into_iter()
        .find(|&variable| terms.variable_name(variable) == x2);
    assert_eq!(x2.map(|x2| terms.variable_sort(x2)), Some(Sort::SYMBOL));
    assert_eq!(stg.parameters(&terms), vec![]);
}

#[test]
fn a_graph_is_drawn_with_its_free_variables_its_start_and_its_ends() {
    let mut terms = Terms::new();
    let stg = from_stg(
        "\
stg shop explicit
initial 1
1 -> 2: Request[b,v].<x1>
2 -> 3: [x1 < 5] Confirm[v,b] / y := x1
2 -> 3: [s == \"a\\\"b\"] Abort[v,b]
3: end
3: end [y > k]
node 1 \"the \\\"first\\\"\"
",
        &mut terms,
    );
    let marks = DotMarks {
        edges: [EdgeId(2)].into_iter().collect(),
        terminations: [(NodeId(2), 1)].into_iter().collect(),
    };
    let text = write_dot(&stg, &marks, &terms);
    assert_eq!(
        text,
        r#"digraph "shop" {
  comment="explicit";
  0 [label="the \"first\"\n{k, s, y}"];
  1 [label="2\n{k, s, x1, y}"];
  2 [label="3\n{k, y}"];
  start [shape="point"];
  start -> 0;
  end [label="√", shape="plaintext"];
  0 -> 1 [label="Request[b,v].<x1>"];
  1 -> 2 [label="[x1 < 5] Confirm[v,b] / y := x1"];
  1 -> 2 [label="[s == \"a\\\"b\"] Abort[v,b]", style="dashed", color="gray50", fontcolor="gray50"];
  2 -> end [label="√"];
  2 -> end [label="[y > k] √", style="dashed", color="gray50", fontcolor="gray50"];
}
"#
    );
    let (again, findings) = read(&text, &mut terms);
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(again.ending(), Ending::Explicit);
    assert_eq!(again.initial(), stg.initial());
    assert_eq!(lines(&again, &terms), lines(&stg, &terms));
}

#[test]
fn a_stuck_node_stays_stuck() {
    let mut terms = Terms::new();
    let stg = from_stg(
        "stg g sinks\ninitial 0\n0 -> 1: tau\n0 -> 2: tau\n2: stuck\n",
        &mut terms,
    );
    let text = write_dot(&stg, &DotMarks::default(), &terms);
    assert!(text.contains("1 [label=\"1\", peripheries=2];"));
    let (again, findings) = read(&text, &mut terms);
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(again.ending(), Ending::Sinks);
    assert_eq!(lines(&again, &terms), lines(&stg, &terms));
}

#[test]
fn receptions_bind_as_schora_has_it() {
    let mut terms = Terms::new();
    let (stg, findings) = read(
        r#"digraph G { 0 -> 1 [label="m[a,b]?z"]; 1 -> 2 [label="n[a,b]?(price=p, fee=(z), kind=OK)"] }"#,
        &mut terms,
    );
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(
        lines(&stg, &terms),
        [
            "0 -m[a,b]?<z>-> 1",
            "1 -n[a,b]?(price = <p>, fee = (z), kind = OK)-> 2",
            "2 -end",
        ]
    );
}

#[test]
fn mistakes_are_reported_where_they_are() {
    let mut terms = Terms::new();
    let (stg, findings) = read(
        "\
graph G {
  0 -> 1;
  0 -> [label=\"tau\"];
  1 -> 2 [label=\"[x <] m[a,b]\"];
  1 -> 2 [label=\"[x] m[a,b].x\"];
  1 -> 2 [label=\"[x < 3] m[a,b].x nonsense\"];
  { }
}
",
        &mut terms,
    );
    assert_eq!(
        findings,
        [
            "1:1 CH0001 expected `digraph`, found `graph`",
            "2:3 CH0210 an edge between two states needs a label",
            "3:8 CH0001 expected a node, found `[`",
            "4:22 CH0001 expected an expression, found `]`",
            "5:19 CH0002 expected Bool, found a number",
            "6:35 CH0001 expected the end of the label, found `nonsense`",
            "7:3 CH0210 this describes neither a node nor an edge",
            "8:1 CH0001 expected the end of the file after the graph, found `}`",
        ]
    );
    assert_eq!(stg.nodes().len(), 3);
}

#[test]
fn a_file_without_nodes_says_so() {
    let (stg, findings) = read("digraph empty { }", &mut Terms::new());
    assert_eq!(findings, ["1:9 CH0207 the graph has no nodes"]);
    assert_eq!(stg.name(), "empty");
}

const LABELS: [&str; 8] = [
    "tau",
    "tick",
    "raise broken",
    "m[a,b].<x>",
    "n[b,a]!(x + 1)",
    "[x < 5 and not y == 2] m[a,b]?<y>",
    "[x div y > 1] o[a,b].(price = x, fee = <y>)",
    "p[a,b]#late?((x)) / y := x; x := -3",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_drawn_is_read_back(
        edges in prop::collection::vec((0..4u32, 0..4u32, 0..LABELS.len()), 0..7),
        ends in prop::collection::vec((0..4u32, any::<bool>()), 0..3),
        initial in 0..4u32,
        explicit in any::<bool>(),
    ) {
        let mut terms = Terms::new();
        let mut text = format!("stg g {}\nvariables x: Int, y: Int\ninitial {initial}\n", if explicit { "explicit" } else { "sinks" });
        for node in 0..4 {
            text.push_str(&format!("node {node}\n"));
        }
        for &(source, target, label) in &edges {
            text.push_str(&format!("{source} -> {target}: {}\n", LABELS[label]));
        }
        for &(node, guarded) in &ends {
            // A node without edges ends by a double border, which has no guard.
            let sink = edges.iter().all(|edge| edge.0 != node);
            let guard = if guarded && (explicit || !sink) { " [x == 1]" } else { "" };
            text.push_str(&format!("{node}: end{guard}\n"));
        }
        let stg = from_stg(&text, &mut terms);
        let drawn = write_dot(&stg, &DotMarks::default(), &terms);
        let (again, findings) = read(&drawn, &mut terms);
        prop_assert_eq!(findings, Vec::<String>::new(), "{}", drawn);
        prop_assert_eq!(again.ending(), stg.ending());
        prop_assert_eq!(again.counts(), stg.counts());
        prop_assert_eq!(
            &again.node(again.initial()).label,
            &stg.node(stg.initial()).label
        );
        // The initial node is drawn first, so the order may differ.
        prop_assert_eq!(
            multiset(lines(&again, &terms)),
            multiset(lines(&stg, &terms)),
            "{}", drawn
        );
    }
}
