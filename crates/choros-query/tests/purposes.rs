//! Test purposes and contracts: reading, recovery, printing.

use choros_base::{SourceMap, Span};
use choros_data::Terms;
use choros_model::stg::read_stg;
use choros_query::purpose::{
    PurposeSyntax, Trigger, Vocabulary, add_contracts, interface_of, parse, print, resolve,
};
use choros_testkit::{Random, fuzz, seed_from_env};

fn reading(text: &str, terms: &mut Terms) -> (PurposeSyntax, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("p.tp", text);
    let (syntax, found) = parse(file, text, &mut terms.names);
    let found = found
        .iter()
        .map(|it| format!("{}: {}", it.code.code, it.message))
        .collect();
    (syntax, found)
}

const FEES: &str = r#"// At most three fees.
purpose few_fees

variables n: Int, "odd name": Bool
initial T0
T0: *
T0 -> T1: USER.returnSetup?r
T1 -> T2: [r.choice != "package"] tau / n := 0
T2 -> "a state": [n < 3 and not (n == 1)] USER.addFee?(fee = f, who) / n := n + 1; "m" := 2
T2 -> T4: USER.validate!!"ns:wrong"(v)
T4 -> T5: raise "bpel:fault"   // a fault
T4 -> T5: tick
T5 -> T6: end
T6: #
contract BK.approve: in.amount >= 10000 or out.rtr
contract BK.list: in in out
"#;

#[test]
fn printing_and_reading_are_inverse() {
    let mut terms = Terms::new();
    let text = FEES.replace("\"odd name\"", "odd").replace("\"m\"", "m");
    let (syntax, found) = reading(&text, &mut terms);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(syntax.contracts().count(), 2);
    let printed = print(&syntax, &terms);
    let (again, found) = reading(&printed, &mut terms);
    assert_eq!(found, Vec::<String>::new(), "{printed}");
    assert_eq!(print(&again, &terms), printed);
    assert_eq!(again.statements().count(), syntax.statements().count());
    assert!(printed.contains("T4 -> T5: raise \"bpel:fault\"  // a fault\n"));
}

#[test]
fn printing_and_reading_are_inverse_at_random() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let names = [
        "T0", "tau", "end", "purpose", "\"a b\"", "7", "initial", "été",
    ];
    let guards = [
        "",
        "[x > 0] ",
        "[a.b == \"]\" or c] ",
        "[(if a then b else c)] ",
    ];
    let triggers = [
        "*",
        "#",
        "tau",
        "tick",
        "end",
        "raise f",
        "USER.o?",
        "USER.o!v",
        "P.\"q r\"??f(x)",
        "A.b!(k = v, w)",
    ];
    let updates = [
        "",
        " / n := 1",
        " / n := n + (2 * m); k := [1, 2]",
        "  // why",
    ];
    let mut terms = Terms::new();
    for _ in 0..500 {
        let mut text = String::new();
        for _ in 0..random.between(1, 5) {
            let trigger = *random.pick(&triggers);
            let (guard, update) = match trigger {
                "*" => ("", ""),
                _ => (*random.pick(&guards), *random.pick(&updates)),
            };
            let (source, target) = (random.pick(&names), random.pick(&names));
            text.push_str(&if random.percent(50) {
                format!("{source} -> {target}: {guard}{trigger}{update}\n")
            } else {
                format!("{source}:   {guard}{trigger}{update}\n\n\n")
            });
        }
        let (first, found) = reading(&text, &mut terms);
        assert_eq!(found, Vec::<String>::new(), "seed {seed}: {text}");
        let printed = print(&first, &terms);
        let (second, found) = reading(&printed, &mut terms);
        assert_eq!(found, Vec::<String>::new(), "seed {seed}: {printed}");
        assert_eq!(print(&second, &terms), printed, "seed {seed}: {text}");
        let labels = |syntax: &PurposeSyntax| format!("{:?}", syntax.statements().count());
        assert_eq!(labels(&first), labels(&second));
    }
}

const MODEL: &str = "stg m stopped\nvariables n: Int\ninitial 0\n0 -> 1: o[USER,M]?<n>\n1 -> 2: ask[M,BK]!n\n\
                     2 -> 3: ask[BK,M]?<k>\n3 -> 4: o[M,USER]!k\n4: end\n";

#[test]
fn names_are_those_of_the_model() {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("m.stg", MODEL);
    let (stg, _) = read_stg(file, MODEL, &mut terms);
    let vocabulary = Vocabulary::of(&stg, &terms);
    let text =
        "purpose p\nT0: *\nT0 -> T1: USER.o?x / c := x + n\nT1 -> T2: [c > 3] tau\nT2 -> T3: #";
    let (syntax, found) = reading(text, &mut terms);
    assert!(found.is_empty());
    let (purpose, found) = resolve(&syntax, &vocabulary, Span::new(file, 0, 0), &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let purpose = purpose.unwrap();
    let own: Vec<&str> = purpose
        .variables
        .iter()
        .map(|&it| terms.variable_text(it))
        .collect();
    assert_eq!(own, ["x", "c"]);
    assert_eq!(purpose.edges[1].binders.len(), 1);
    assert!(matches!(purpose.edges[3].trigger, Trigger::Accept));
}

#[test]
fn contracts_are_about_operations_that_answer() {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("m.stg", MODEL);
    let (stg, _) = read_stg(file, MODEL, &mut terms);
    let mut interface = interface_of(&stg, None, &mut terms).unwrap();
    let (syntax, found) = reading("contract BK.ask: out > in div 2", &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let found = add_contracts(&syntax, &mut interface, &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let contracts: Vec<String> = interface
        .operations
        .iter()
        .filter_map(|one| one.contract)
        .map(|contract| terms.print(contract.formula))
        .collect();
    assert_eq!(contracts, ["out > in div 2"]);
}

/// Whatever the text, reading ends, and what was read resolves or is reported.
#[test]
fn rubbish_is_reported() {
    let corpus = [
        FEES,
        "T0 -> T1: [x",
        "contract A.b: (in",
        "T0: [n > 0] *\n/* c */ T0 => T1",
        "variables a: {b: List(Int)}, c: Foo",
        "T0 -> T1: USER.o?((((",
    ];
    fuzz(11, 400, &corpus, |text| {
        let mut terms = Terms::new();
        let mut sources = SourceMap::new();
        let file = sources.add("m.stg", MODEL);
        let (stg, _) = read_stg(file, MODEL, &mut terms);
        let vocabulary = Vocabulary::of(&stg, &terms);
        let mut interface = interface_of(&stg, None, &mut terms).unwrap();
        let (syntax, _) = reading(text, &mut terms);
        let _ = resolve(&syntax, &vocabulary, Span::new(file, 0, 0), &mut terms);
        let _ = add_contracts(&syntax, &mut interface, &mut terms);
        let _ = print(&syntax, &terms);
    });
}
