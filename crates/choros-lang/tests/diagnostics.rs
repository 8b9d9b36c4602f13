//! What is reported, and what is not.

mod support;

use choros_base::Severity;
use support::Script;

fn findings(text: &str) -> Vec<String> {
    Script::new(text).findings()
}

/// The text after the first finding's suggestion.
fn mended(text: &str) -> String {
    let script = Script::new(text);
    let suggestion = script.diagnostics[0]
        .suggestion
        .as_ref()
        .unwrap_or_else(|| panic!("no suggestion: {:?}", script.findings()));
    let mut text = text.to_owned();
    text.replace_range(suggestion.span.range(), &suggestion.replacement);
    text
}

#[test]
fn three_mistakes_are_three_findings() {
    let text = "DECLARATIONS
        component one chorD Request[b v] ; Confirm[v,b] end component
        component two STG 0; 1; 0 -> [label=\"Request[b,v]\"]; 1 -> 0 [label=\"Confirm[v,b]\"]; end component
        component three chorD Request[b,v] end component
        COMMANDS showSTG one two three showSTG for";
    assert_eq!(
        findings(text),
        [
            "CH0001 expected `,` between the roles, found `v`",
            "CH0001 expected the state that the transition leads to, found `[`",
            "CH0101 there is no component `for`",
        ]
    );
}

#[test]
fn three_mistakes_in_one_process_are_three_findings() {
    let text = "DECLARATIONS component c chorD
        A[a,b ; (B[a,b] + ) ; C[a,b] D[a,b]
        end component";
    assert_eq!(
        findings(text),
        [
            "CH0001 expected `]` after the roles, found `;`",
            "CH0001 expected an event, `skip`, `(` or a guard, found `)`",
            "CH0001 expected `;`, `+`, `|`, `[>` or the end of the component, found `D`",
        ]
    );
}

#[test]
fn a_guard_without_its_end_costs_only_itself() {
    let text = "DECLARATIONS component c chorD
        [x < |> A[a,b] ; [y 3] |> B[a,b] ; [z > 0] C[a,b]
        end component";
    assert_eq!(
        findings(text),
        [
            "CH0001 expected an expression, found `|>`",
            "CH0001 expected `]` after the guard, found `3`",
            "CH0001 expected `|>` or `*` after the guard, found `C`",
        ]
    );
}

#[test]
fn undeclared_names_get_a_suggestion() {
    let text = "DECLARATIONS component shop chorD A[a,b] end component
        component both chorD shop || shpo end component
        COMMANDS showStat shop shopp";
    assert_eq!(
        findings(text),
        [
            "CH0101 there is no component `shpo`",
            "CH0101 there is no component `shopp`"
        ]
    );
    assert!(mended(text).contains("shop || shop end"));
}

#[test]
fn names_are_declared_once() {
    let text = "DECLARATIONS
        component a chorD A[a,b] end component
        component a chorD B[a,b] end component
        component g STG 0; 1; 1; 0 -> 1 [label=\"A[a,b]\"]; 1 -> 2 [label=\"A[a,b]\"]; end component";
    let script = Script::new(text);
    assert_eq!(
        script.findings(),
        [
            "CH0102 the component `a` is declared twice",
            "CH0106 the state `1` is listed twice",
            "CH0105 there is no state `2`",
        ]
    );
    assert_eq!(script.diagnostics[0].labels.len(), 2);
    let state = script.diagnostics[2].suggestion.as_ref();
    assert_eq!(state.map(|it| it.replacement.as_str()), Some("2; "));
}

#[test]
fn compositions_do_not_contain_themselves() {
    let text = "DECLARATIONS
        component a chorD A[a,b]! end component
        component self chorD a || self end component
        component x chorD a || y end component
        component y chorD z || a end component
        component z chorD x || a end component
        component fine chorD x || a end component";
    let mut script = Script::new(text);
    assert_eq!(
        script.findings(),
        [
            "CH0104 the composition `self` contains itself",
            "CH0104 the composition `x` contains itself"
        ]
    );
    for component in ["self", "x", "y", "z", "fine"] {
        let budget = choros_base::Budget::steps(1000);
        assert!(script.lower(component, &budget).is_err(), "{component}");
    }
    assert_eq!(script.stg("a").counts().states, 3);
}

#[test]
fn a_missing_end_costs_only_itself() {
    let text = "DECLARATIONS
        component one chorD A[a,b]!
        component two chorD A[a,b]? end component
        component three chorD one || two
        COMMANDS showSTG one two three";
    let mut script = Script::new(text);
    assert_eq!(
        script.findings(),
        [
            "CH0103 the component `one` has no `end component`",
            "CH0103 the component `three` has no `end component`"
        ]
    );
    assert_eq!(script.stg("three").counts().transitions, 2);
    assert_eq!(
        findings(&mended(text)),
        ["CH0103 the component `three` has no `end component`"]
    );
}

#[test]
fn half_an_end_is_seen() {
    assert_eq!(
        findings("DECLARATIONS component one chorD A[a,b] end COMMANDS showSTG one"),
        ["CH0001 expected `component` after `end`, found `COMMANDS`"]
    );
    assert_eq!(
        findings(
            "DECLARATIONS component one chorD A[a,b] end component two chorD A[a,b] end component COMMANDS showSTG two"
        ),
        ["CH0001 expected `component`, found `two`"]
    );
}

#[test]
fn commands_get_what_they_need() {
    let text = "DECLARATIONS component a chorD A[a,b] end component
        COMMANDS
        showTime a
        showStats a
        showSTG
        projection a
        conformance a
        showSTG a SYNC
        frobnicate a
        showReachableSTG a";
    let script = Script::new(text);
    assert_eq!(
        script.findings(),
        [
            "CH0109 `showTime` takes no components",
            "CH0108 there is no command `showStats`",
            "CH0109 `showSTG` takes one or more components",
            "CH0109 `projection` takes a communication mode after its components",
            "CH0109 `conformance` takes two components: an implementation and a specification",
            "CH0109 `showSTG` takes no communication mode such as `SYNC`",
            "CH0108 there is no command `frobnicate`",
        ]
    );
    let rejected: Vec<(&str, usize)> = script
        .model
        .commands()
        .iter()
        .map(|command| {
            let concerned = script.diagnostics.iter().filter(|it| command.concerns(it));
            (command.text.as_str(), concerned.count())
        })
        .collect();
    assert_eq!(
        rejected,
        [
            ("showTime a", 1),
            ("showStats a", 1),
            ("showSTG", 1),
            ("projection a", 1),
            ("conformance a", 1),
            ("showSTG a SYNC", 1),
            ("frobnicate a", 1),
            ("showReachableSTG a", 0),
        ]
    );
}

#[test]
fn commands_may_share_a_line_or_take_several() {
    let script = Script::new(
        "DECLARATIONS component a chorD A[a,b] end component component b chorD A[a,b] end component
        COMMANDS showTime showStat a b showSTG
            a // one
            b /* and
            the other */ projection a b ASYNC_RECEIVER conformance a b showTime",
    );
    assert_eq!(script.findings(), [""; 0]);
    let texts: Vec<&str> = script
        .model
        .commands()
        .iter()
        .map(|command| command.text.as_str())
        .collect();
    assert_eq!(
        texts,
        [
            "showTime",
            "showStat a b",
            "showSTG a b",
            "projection a b ASYNC_RECEIVER",
            "conformance a b",
            "showTime"
        ]
    );
}

#[test]
fn a_role_does_not_talk_to_itself() {
    let script = Script::process("A[a,a].<x>");
    assert_eq!(script.codes(), ["CH0204"]);
    assert_eq!(script.diagnostics[0].severity, Severity::Error);
}

#[test]
fn only_readings_that_differ_are_warned_of() {
    let clear = [
        "A[a,b] ; B[a,b] + C[a,b] ; D[a,b]",
        "A[a,b] ; B[a,b] | C[a,b] ; D[a,b]",
        "A[a,b].<x> ; ([x < 5] |> B[a,b] + [x >= 5] |> C[a,b].x ; D[a,b])",
        "A[a,b].<x> ; [x < 5] * B[a,b].<x> ; C[a,b]",
        "A[a,b] | (B[a,b] + C[a,b])",
        "(A[a,b] ; B[a,b]) [> C[a,b]",
        "A[a,b] [> B[a,b] [> [x > 0] |> C[a,b]",
    ];
    for text in clear {
        assert_eq!(Script::process(text).findings(), [""; 0], "{text}");
    }
    let unclear = [
        (
            "A[a,b] | B[a,b] + C[a,b] | D[a,b] + E[a,b]",
            "A[a,b] | (B[a,b] + C[a,b]) | (D[a,b] + E[a,b])",
        ),
        ("A[a,b] + B[a,b] | C[a,b]", "(A[a,b] + B[a,b]) | C[a,b]"),
        ("A[a,b] ; B[a,b] [> C[a,b]", "(A[a,b] ; B[a,b]) [> C[a,b]"),
        (
            "[x > 0] |> A[a,b] [> C[a,b]",
            "([x > 0] |> A[a,b]) [> C[a,b]",
        ),
        ("A[a,b] [> B[a,b] ; C[a,b]", "A[a,b] [> (B[a,b] ; C[a,b])"),
    ];
    for (text, clear) in unclear {
        let script = Script::process(text);
        assert_eq!(script.codes(), ["CH0107"], "{text}");
        assert_eq!(script.diagnostics[0].severity, Severity::Warning);
        let whole = format!("DECLARATIONS component c chorD {text} end component");
        let expected = format!("DECLARATIONS component c chorD {clear} end component");
        assert_eq!(mended(&whole), expected);
        assert_eq!(findings(&expected), [""; 0]);
    }
}

/// The parentheses that are suggested do not change the meaning.
#[test]
fn what_is_suggested_means_the_same() {
    let pairs = [
        ("A[a,b] | B[a,b] + C[a,b]", "A[a,b] | (B[a,b] + C[a,b])"),
        (
            "[x > 0] |> A[a,b] [> C[a,b]",
            "([x > 0] |> A[a,b]) [> C[a,b]",
        ),
    ];
    for (text, clear) in pairs {
        let (mut left, mut right) = (Script::process(text), Script::process(clear));
        let (a, b) = (left.stg("c"), right.stg("c"));
        assert_eq!(
            support::listing(&a, &left.terms),
            support::listing(&b, &right.terms)
        );
    }
}

#[test]
fn a_guard_before_a_sequence_is_no_ambiguity() {
    let (mut left, mut right) = (
        Script::process("[x > 0] |> (skip + A[a,b]) ; B[a,b]"),
        Script::process("[x > 0] |> ((skip + A[a,b]) ; B[a,b])"),
    );
    let (a, b) = (left.stg("c"), right.stg("c"));
    assert_eq!(
        support::listing(&a, &left.terms),
        support::listing(&b, &right.terms)
    );
}

#[test]
fn views_are_not_mixed() {
    let script = Script::process("A[a,b]!<x> ; B[b,a]");
    assert_eq!(
        script.findings(),
        ["CH0110 the component `c` mixes interactions with sends and receives"]
    );
    let script = Script::process("A[a,b]! ; B[a,b]?");
    assert_eq!(
        script.findings(),
        ["CH0111 the component `c` plays `a` and `b`"]
    );
    assert_eq!(Script::process("A[a,b]! ; B[b,a]?").findings(), [""; 0]);
}

#[test]
fn a_role_is_played_once() {
    let text = "DECLARATIONS
        component one chorD A[a,b]! end component
        component two chorD A[a,b]? end component
        component other chorD B[a,b]! end component
        component inner chorD one || two end component
        component all chorD inner || other end component
        component twice chorD two || two end component";
    let mut script = Script::new(text);
    assert_eq!(
        script.findings(),
        [
            "CH0112 `a` is played twice: `one` and `other`",
            "CH0112 `b` is played twice: `two` occurs twice"
        ]
    );
    // A part that occurs twice is there once.
    assert_eq!(script.stg("twice").nodes()[0].label, "1");
}

#[test]
fn a_composition_of_compositions_is_one_composition() {
    // `one` talks to `three`, which is outside of the inner composition.
    let mut script = Script::new(
        "DECLARATIONS
        component one chorD A[a,b]! ; B[a,c]! end component
        component two chorD A[a,b]? end component
        component three chorD B[a,c]? end component
        component inner chorD one || two end component
        component nested chorD inner || three end component
        component flat chorD one || two || three end component",
    );
    assert_eq!(script.findings(), [""; 0]);
    let (nested, flat) = (script.stg("nested"), script.stg("flat"));
    assert_eq!(
        support::listing(&nested, &script.terms),
        support::listing(&flat, &script.terms)
    );
    assert_eq!(flat.counts().transitions, 3);
}

#[test]
fn unbound_variables_are_parameters() {
    let mut script = Script::process("[y > limit] |> A[a,b].y ; B[b,a].<z> ; C[a,b].z");
    assert_eq!(script.findings(), [""; 0]);
    let stg = script.stg("c");
    let parameters = stg.parameters(&script.terms);
    let parameters: Vec<&str> = parameters
        .iter()
        .map(|&it| script.terms.variable_text(it))
        .collect();
    assert_eq!(parameters, ["y", "limit"]);
}

#[test]
fn the_sorts_of_a_message_agree_across_components() {
    let text = "DECLARATIONS
        component buyer chorD Request[b,v]!<x> ; [x > 0] |> Pay[b,v]! end component
        component vendor chorD Request[b,v]?<y> ; [y == \"much\"] |> Pay[b,v]? end component";
    let script = Script::new(text);
    assert_eq!(script.codes(), ["CH0002"]);
    assert!(script.diagnostics[0].labels.len() >= 2, "both places");
    // The same names in two components are two variables.
    let text = "DECLARATIONS
        component one chorD A[a,b].<x> ; [x > 0] |> B[a,b] end component
        component two chorD C[a,b].<x> ; [x == \"OK\"] |> D[a,b] end component";
    assert_eq!(findings(text), [""; 0]);
}

#[test]
fn sorts_come_from_the_other_side_of_a_message() {
    let mut script = Script::new(
        "DECLARATIONS
        component one chorD A[a,b]!x end component
        component two chorD A[a,b]?<y> ; [y == OK] |> B[a,b]? end component",
    );
    assert_eq!(script.findings(), [""; 0]);
    let stg = script.stg("one");
    let parameter = stg.parameters(&script.terms)[0];
    assert_eq!(
        script
            .terms
            .sort_text(script.terms.variable_sort(parameter)),
        "Symbol"
    );
}

#[test]
fn receptions_bind_with_and_without_brackets() {
    let (mut left, mut right) = (
        Script::process("A[a,b]?z ; [z > 0] |> B[b,a]!z"),
        Script::process("A[a,b]?<z> ; [z > 0] |> B[b,a]!z"),
    );
    let (a, b) = (left.stg("c"), right.stg("c"));
    assert_eq!(
        support::listing(&a, &left.terms),
        support::listing(&b, &right.terms)
    );
    assert!(a.parameters(&left.terms).is_empty());
}

#[test]
fn a_sort_mistake_says_where_and_why() {
    let script = Script::process("A[a,b].<x> ; [x < \"abc\"] |> B[a,b]");
    assert_eq!(script.codes(), ["CH0002"]);
    let labels = &script.diagnostics[0].labels;
    assert_eq!(script.sources.text_of(labels[0].span), "\"abc\"");
}

#[test]
fn mixed_kinds_of_components_compose() {
    let mut script = Script::new(
        "DECLARATIONS
        component one STG 0 [label=\"start\"]; 1; 0 -> 1 [label=\"[x > 0] A[a,b]!x\"]; end component
        component two chorD A[a,b]?<y> end component
        component both chorD one || two end component",
    );
    assert_eq!(script.findings(), [""; 0]);
    let lowered = script.lower("both", &choros_base::Budget::steps(1000));
    let lowered = lowered.unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(lowered.stg.nodes()[0].label, "start.1");
    assert_eq!(lowered.notes.len(), 1, "{:?}", lowered.notes);
}

#[test]
fn every_code_is_documented_once() {
    let mut codes: Vec<&str> = choros_lang::CODES.iter().map(|code| code.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), choros_lang::CODES.len());
    for code in choros_lang::CODES {
        assert!(code.code.starts_with("CH01"), "{}", code.code);
        for heading in ["What it checks", "Why it matters", "Example", "Reference"] {
            let heading = format!("## {heading}\n");
            assert!(code.documentation.contains(&heading), "{}", code.code);
        }
    }
}
