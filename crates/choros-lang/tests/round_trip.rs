//! Printing and parsing again changes nothing but places.

mod support;

use choros_base::{Names, SourceMap};
use choros_data::syntax::{ExprId, ExprKind, Exprs};
use choros_lang::ast::{Body, ProcessId, ProcessKind, Script};
use choros_lang::{parse, print};
use choros_model::stg::label::{EventSyntax, FieldValueSyntax, LabelSyntax};
use proptest::prelude::*;
use support::random::{EVENTS, GUARDS, Random, Tree};

fn read(text: &str, names: &mut Names) -> (Script, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.schora", text);
    let (script, diagnostics) = parse(file, text, names);
    let findings = diagnostics
        .iter()
        .map(|it| format!("{} {}", it.code.code, it.message));
    (script, findings.collect())
}

/// Everything about a script but its places and parentheses.
fn shape(script: &Script, names: &Names) -> String {
    let mut out = String::new();
    for component in &script.components {
        let body = match &component.body {
            Body::Process(root) => process_shape(script, *root, names),
            Body::Composition(parts) => {
                let parts: Vec<&str> = parts.iter().map(|it| names.text(it.name)).collect();
                format!("{parts:?}")
            }
            Body::Graph(graph) => {
                let states: Vec<_> = graph
                    .states
                    .iter()
                    .map(|it| (names.text(it.name.name), &it.label))
                    .collect();
                let transitions: Vec<_> = graph
                    .transitions
                    .iter()
                    .map(|it| {
                        let ends = (names.text(it.source.name), names.text(it.target.name));
                        (
                            ends,
                            it.label.as_ref().map(|it| label_shape(it, script, names)),
                        )
                    })
                    .collect();
                format!("{states:?} {transitions:?}")
            }
        };
        out += &format!("{} = {body}\n", names.text(component.name.name));
    }
    for command in &script.commands {
        out += &format!("{:?} {:?} {}\n", command.kind, command.mode, command.text);
    }
    out
}

fn process_shape(script: &Script, id: ProcessId, names: &Names) -> String {
    let of = |&id: &ProcessId| process_shape(script, id, names);
    let guard = |guard: &choros_data::syntax::Expression| {
        expression_shape(&script.exprs, guard.root, names)
    };
    match &script.processes.get(id).kind {
        ProcessKind::Skip => "skip".to_owned(),
        ProcessKind::Error => "error".to_owned(),
        ProcessKind::Event(event) => event_shape(event, script, names),
        ProcessKind::Chain(operator, operands) => {
            let operands: Vec<String> = operands.iter().map(of).collect();
            format!("({} {})", operator.text(), operands.join(" "))
        }
        ProcessKind::Guarded(it, inner) => format!("(|> {} {})", guard(it), of(inner)),
        ProcessKind::Loop(it, inner) => format!("(* {} {})", guard(it), of(inner)),
    }
}

fn label_shape(label: &LabelSyntax, script: &Script, names: &Names) -> String {
    let expression = |root| expression_shape(&script.exprs, root, names);
    let guard = label.guard.map(|it| expression(it.root));
    let updates: Vec<_> = label
        .updates
        .iter()
        .map(|it| (names.text(it.variable.0), expression(it.value.root)))
        .collect();
    let event = event_shape(&label.event, script, names);
    format!("{guard:?} {event} {updates:?}")
}

fn event_shape(event: &EventSyntax, script: &Script, names: &Names) -> String {
    let EventSyntax::Message(message) = event else {
        return match event {
            EventSyntax::Raise(fault) => format!("raise {}", names.text(*fault)),
            EventSyntax::Disturbance(it) => it.written(&|name| names.text(name).to_owned()),
            other => format!("{other:?}"),
        };
    };
    let fields: Vec<_> = message
        .fields
        .iter()
        .map(|field| {
            let value = match field.value {
                FieldValueSyntax::Bind(name) => format!("<{}>", names.text(name)),
                FieldValueSyntax::Free(it) => expression_shape(&script.exprs, it.root, names),
            };
            (field.label.map(|label| names.text(label)), value)
        })
        .collect();
    format!(
        "{}[{},{}] {:?} {:?} {fields:?}",
        names.text(message.operation.0),
        names.text(message.from.0),
        names.text(message.to.0),
        message.fault.map(|it| names.text(it)),
        message.direction
    )
}

fn expression_shape(exprs: &Exprs, id: ExprId, names: &Names) -> String {
    let of = |&id: &ExprId| expression_shape(exprs, id, names);
    let all = |ids: &[ExprId]| ids.iter().map(of).collect::<Vec<_>>().join(" ");
    match exprs.kind(id) {
        ExprKind::Name(name) | ExprKind::Bound(name, _) => names.text(*name).to_owned(),
        ExprKind::Unary(op, it) => format!("({op:?} {})", of(it)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", of(a), of(b)),
        ExprKind::Chain(op, items) => format!("({op:?}… {})", all(items)),
        ExprKind::If(a, b, c) => format!("(if {} {} {})", of(a), of(b), of(c)),
        ExprKind::Call(name, items) => format!("({} {})", names.text(*name), all(items)),
        ExprKind::Field(it, name) => format!("(field {} {})", of(it), names.text(*name)),
        ExprKind::Index(a, b) => format!("(index {} {})", of(a), of(b)),
        ExprKind::List(items) => format!("(list {})", all(items)),
        ExprKind::Record(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(label, value)| (names.text(*label), of(value)))
                .collect();
            format!("(record {fields:?})")
        }
        ExprKind::Quantified(quantifier, variables, body) => {
            let variables: Vec<&str> = variables.iter().map(|it| names.text(it.0)).collect();
            format!("({quantifier:?} {variables:?} {})", of(body))
        }
        constant => format!("{constant:?}"),
    }
}

fn returns(text: &str) {
    let mut names = Names::new();
    let (first, findings) = read(text, &mut names);
    assert_eq!(findings, [""; 0], "{text}");
    let printed = print(&first, &names);
    let (second, findings) = read(&printed, &mut names);
    assert_eq!(findings, [""; 0], "{printed}");
    assert_eq!(shape(&first, &names), shape(&second, &names), "{printed}");
    assert_eq!(print(&second, &names), printed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn processes_return(seed in any::<u64>(), leaves in 1usize..30) {
        let tree = Tree::random(&mut Random(seed), leaves, EVENTS.len(), GUARDS.len());
        returns(&format!("DECLARATIONS component c chorD {} end component COMMANDS", tree.text()));
    }

    /// Parsing is compared with the tree that the text was made from.
    #[test]
    fn parentheses_say_what_belongs_together(seed in any::<u64>(), leaves in 1usize..30) {
        let tree = Tree::random(&mut Random(seed), leaves, EVENTS.len(), GUARDS.len());
        let mut names = Names::new();
        let text = format!("DECLARATIONS component c chorD {} end component", tree.text());
        let (script, findings) = read(&text, &mut names);
        prop_assert_eq!(findings, [""; 0]);
        let Body::Process(root) = script.components[0].body else { panic!("{text}") };
        // The same events and guards, looked up one by one.
        let mut expected = tree.shape();
        let mut parts: Vec<&str> = EVENTS.iter().chain(&GUARDS).copied().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        for (number, part) in parts.iter().enumerate() {
            expected = expected.replace(part, &format!("@{number}@"));
        }
        for (number, part) in parts.iter().enumerate() {
            let own = if GUARDS.contains(part) {
                let (script, _) = read(&format!("DECLARATIONS component c chorD [{part}] |> skip end component"), &mut names);
                let Body::Process(root) = script.components[0].body else { panic!("{part}") };
                let ProcessKind::Guarded(guard, _) = &script.processes.get(root).kind else { panic!("{part}") };
                expression_shape(&script.exprs, guard.root, &names)
            } else {
                let (script, _) = read(&format!("DECLARATIONS component c chorD {part} end component"), &mut names);
                let Body::Process(root) = script.components[0].body else { panic!("{part}") };
                process_shape(&script, root, &names)
            };
            expected = expected.replace(&format!("@{number}@"), &own);
        }
        prop_assert_eq!(process_shape(&script, root, &names), expected);
    }
}

#[test]
fn examples_return() {
    let folder = format!("{}/../../examples", env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|it| it == "schora") {
            returns(&std::fs::read_to_string(&path).unwrap());
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn everything_that_can_be_written_returns() {
    returns(
        r#"DECLARATIONS
        component g STG
            0; 1 [label="waiting \"here\""]; s2;
            0 -> 1 [label="[x == \"OK\" and y.price > 1.50] \"my op\"[a,b].(l = <x>, m = {p: [1, 2], q: -3})"];
            1 -> s2 [label="o[a,b]#late!"];
            s2 -> 0 [label="tau / n := n + 1; m := length(\"abc\")"];
            s2 -> 0 [label="o[a,b]?((z))"];
            1 -> 0 [label="raise broken"];
            1 -> 0 [label="tick"];
        end component
        component p chorD
            "component"[1,2] ; skip[a,b] ; o[a,b]?z ; o[a,b]?(l = <z>, (w)) ; o[a,b]!"a \"b\" \\ c"
            ; [forall n: Int. n > x => not not (a[0].b in [n, 1] or "x" ++ y == z)] |> [x - (y - z) > 0] * tau
        end component
        component all chorD g || p end component
        COMMANDS showTime showStat g p showSTG g showReachableSTG g
        showRealizableSTG p ASYNC_SENDER projection p g ASYNC_DISJOINT conformance g p"#,
    );
}

#[test]
fn long_chains_return() {
    let chains = [
        format!("A[a,b]{}", " ; A[a,b]".repeat(20_000)),
        format!("A[a,b]{}", " + A[a,b]".repeat(20_000)),
        format!("{}A[a,b]", "[x > 0] |> ".repeat(20_000)),
        format!("[x{} > 0] |> A[a,b]", " - 1".repeat(20_000)),
        format!("[{}x > 0] |> A[a,b]", "not ".repeat(20_000)),
        format!("[{}x] |> A[a,b]", "x => ".repeat(20_000)),
    ];
    for chain in chains {
        let text = format!("DECLARATIONS component c chorD {chain} end component COMMANDS");
        let mut names = Names::new();
        let (first, _) = read(&text, &mut names);
        let printed = print(&first, &names);
        let (second, findings) = read(&printed, &mut names);
        assert_eq!(findings, [""; 0]);
        assert_eq!(print(&second, &names), printed);
    }
}
