//! The `.stg` form: what is written is read back, and bad texts are told what is wrong with them.

mod support;

use choros_base::{Diagnostic, SourceMap};
use choros_data::Terms;
use choros_model::stg::{Ending, NodeId, Stg, StgCounts, read_stg, write_stg};
use proptest::prelude::*;
use support::random::{essence, graph};

fn read(text: &str, terms: &mut Terms) -> (Stg, Vec<Diagnostic>, SourceMap) {
    let mut map = SourceMap::new();
    let file = map.add("test.stg", text);
    let (stg, diagnostics) = read_stg(file, text, terms);
    (stg, diagnostics, map)
}

/// Each finding as `line:column code message`.
fn findings(text: &str) -> Vec<String> {
    let (_, diagnostics, map) = read(text, &mut Terms::new());
    diagnostics
        .iter()
        .map(|finding| {
            let place = finding.primary().map_or(String::new(), |span| {
                let (line, column) = map.line_column(span.start());
                format!("{line}:{column} ")
            });
            format!("{place}{} {}", finding.code.code, finding.message)
        })
        .collect()
}

const SHOP: &str = "\
stg shop explicit
sort Status = Fine | Late
variables x: Int, y: Status
initial 0
node 2 \"done\"
0 -> 1: Request[b,v].<x>
1 -> 2: [x < 5] Confirm[v,b] / y := Fine; x := x + 1
1 -> 2: [x >= 5] Abort[v,b]#tooDear.(price = x, when = <y>)
2 -> 0: tau
2 -> 2: tick
2: end
2: end [y == Late]
";

#[test]
fn a_graph_is_read_and_written_as_it_was() {
    let mut terms = Terms::new();
    let (stg, diagnostics, _) = read(SHOP, &mut terms);
    assert_eq!(findings(SHOP), Vec::<String>::new());
    assert!(diagnostics.is_empty());
    assert_eq!(write_stg(&stg, &terms), SHOP);
    assert_eq!(stg.name(), "shop");
    assert_eq!(stg.ending(), Ending::Explicit);
    assert_eq!(stg.initial(), NodeId(0));
    // Five edges and two terminations; three nodes and the target of the terminations.
    assert_eq!(
        stg.counts(),
        StgCounts {
            states: 4,
            transitions: 7,
            messages: 3
        }
    );
}

#[test]
fn what_is_left_out_is_inferred() {
    let text = "\
stg shop sinks // comments and blank lines are fine

initial 10
10 -> 20: Request[b,v]!<x>\r
20 -> 30: [x < 0.5 and z == OK] tau / w := 1
30 -> 10: Answer[v,b]?(w)
";
    let mut terms = Terms::new();
    let (stg, diagnostics, _) = read(text, &mut terms);
    assert!(diagnostics.is_empty());
    assert_eq!(
        write_stg(&stg, &terms),
        "\
stg shop sinks
variables w: Int, x: Real, z: Symbol
initial 0
node 0 \"10\"
node 1 \"20\"
node 2 \"30\"
0 -> 1: Request[b,v]!<x>
1 -> 2: [x < 0.5 and z == OK] tau / w := 1
2 -> 0: Answer[v,b]?((w))
"
    );
    let parameters = stg.parameters(&terms);
    let parameters: Vec<&str> = parameters
        .iter()
        .map(|&parameter| terms.variable_text(parameter))
        .collect();
    assert_eq!(parameters, ["z"]);
}

#[test]
fn sinks_terminate_unless_they_are_stuck() {
    let text = "stg g sinks\ninitial 0\n0 -> 1: tau\n0 -> 2: tau\n2: stuck\n";
    let mut terms = Terms::new();
    let (stg, diagnostics, _) = read(text, &mut terms);
    assert!(diagnostics.is_empty());
    assert_eq!(stg.node(NodeId(1)).terminations.len(), 1);
    assert_eq!(stg.node(NodeId(2)).terminations.len(), 0);
    assert_eq!(write_stg(&stg, &terms), text);
}

#[test]
fn every_mistake_is_reported_where_it_is() {
    assert_eq!(
        findings(
            "\
stg shop explicit
initail 0
variables x: Int, s: Strng
0 -> 1: Request[b,b].<x>
0 -> 1: [x < \"abc\"] Confirm[v,b]
1 -> : tau
1: end [x]
1: finish
0 -> 2: m[a,b]?(<x>, <x>)
"
        ),
        [
            "1:1 CH0207 no statement says where runs start",
            "2:1 CH0208 this is not a statement of a `.stg` file",
            "3:22 CH0010 there is no sort `Strng`",
            "4:17 CH0204 `b` sends a message to itself",
            "5:14 CH0002 expected Int, found String",
            "6:6 CH0001 expected the number of a node, found `:`",
            "7:9 CH0002 expected Bool, found Int",
            "8:4 CH0001 expected `end` or `stuck`, found `finish`",
            "9:22 CH0205 this message binds `x` twice",
        ]
    );
}

#[test]
fn a_message_has_one_sort_for_each_field() {
    let text = "\
stg g explicit
initial 0
0 -> 0: m[a,b].<x>
0 -> 0: [x == \"no\"] n[a,b]
0 -> 0: m[a,b].5
";
    let findings = findings(text);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].contains("CH0002"), "{findings:?}");
}

#[test]
fn declarations_are_made_once() {
    let codes: Vec<String> = findings(
        "\
stg g explicit
stg h explicit
initial 0
initial 1
variables x: Int, x: Bool
sort S = A | A
node 1 \"a\"
node 1 \"b\"
constant C: Int
",
    )
    .iter()
    .map(|finding| finding.split(' ').take(2).collect::<Vec<_>>().join(" "))
    .collect();
    assert_eq!(
        codes,
        [
            "2:1 CH0209",
            "4:1 CH0209",
            "5:19 CH0209",
            "5:19 CH0002",
            "6:14 CH0209",
            "8:8 CH0209",
            "9:10 CH0208",
        ]
    );
}

#[test]
fn nothing_is_a_graph_too() {
    let (stg, diagnostics, _) = read("", &mut Terms::new());
    let codes: Vec<&str> = diagnostics.iter().map(|one| one.code.code).collect();
    assert_eq!(codes, ["CH0206", "CH0207"]);
    assert_eq!(stg.nodes().len(), 1);
}

#[test]
fn after_many_findings_the_rest_is_not_read_and_nothing_is_said_to_be_missing() {
    let text = format!("{}stg g explicit\ninitial 0\n", "nonsense\n".repeat(60));
    let (_, diagnostics, _) = read(&text, &mut Terms::new());
    assert_eq!(diagnostics.len(), 50);
    assert!(diagnostics.iter().all(|one| one.code.code == "CH0208"));
    let last = diagnostics.last().expect("there are fifty");
    assert_eq!(last.notes, ["the rest of the file was not read"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn reading_what_was_written_gives_the_same(seed in any::<u64>()) {
        let mut terms = Terms::new();
        let stg = graph(seed, &mut terms);
        let text = write_stg(&stg, &terms);
        let (again, diagnostics, _) = read(&text, &mut terms);
        let errors: Vec<&Diagnostic> = diagnostics
            .iter()
            // Random messages do bind a variable twice now and then.
            .filter(|finding| finding.code.code != "CH0205")
            .collect();
        prop_assert!(errors.is_empty(), "{text}\n{errors:?}");
        prop_assert_eq!(essence(&again), essence(&stg), "{}", text);
        // Also in a store that has never seen the graph.
        let mut other = Terms::new();
        let (again, _, _) = read(&text, &mut other);
        prop_assert_eq!(write_stg(&again, &other), text);
    }
}
