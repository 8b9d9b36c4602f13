//! Facts about matching and scopes, round trips, garbage.

use choros_base::{FileId, Names, NotFormatted, SourceMap};
use choros_query::abstraction::{format_rules, parse_rules};
use choros_query::questions::{format_questions, parse_questions};
use choros_query::socl::{
    Actions, Arity, Formula, GroundAction, NodeKind, Pattern, match_actions, match_atom,
    parse_formula,
};
use choros_testkit::{fuzz, seed_from_env};

fn read(text: &str, names: &mut Names) -> Result<Formula, Vec<&'static str>> {
    let mut map = SourceMap::new();
    let file = map.add("<formula>", text);
    parse_formula(file, text, names)
        .map_err(|errors| errors.iter().map(|error| error.code.code).collect())
}

fn codes(text: &str) -> Vec<&'static str> {
    match read(text, &mut Names::new()) {
        Ok(_) => Vec::new(),
        Err(codes) => codes,
    }
}

/// The action formula of `EX {…} true`.
fn actions(text: &str, names: &mut Names) -> Actions {
    let formula = read(&format!("EX {{{text}}} true"), names).expect("it is a formula");
    match &formula.node(formula.root()).kind {
        NodeKind::Next(_, actions, _) => actions.clone(),
        other => panic!("{other:?}"),
    }
}

fn closed(text: &str, names: &mut Names) -> GroundAction {
    let (kind, rest) = text.split_once('(').expect("an action has arguments");
    let arguments = rest.trim_end_matches(')').split(',');
    GroundAction {
        kind: names.intern(kind),
        arguments: arguments.map(|argument| names.intern(argument)).collect(),
    }
}

/// What the match binds, in words; `undefined` where there is none.
fn matched(pattern: &str, action: &str, arity: Arity) -> String {
    let mut names = Names::new();
    let Actions::Atom(atom) = actions(pattern, &mut names) else {
        panic!("{pattern} is not an action");
    };
    let action = closed(action, &mut names);
    match match_atom(&atom, &action, &|_| None, arity) {
        None => "undefined".to_owned(),
        Some(bindings) => {
            let values: Vec<&str> = bindings.iter().map(|it| names.text(it.1)).collect();
            format!("{{{}}}", values.join(","))
        }
    }
}

#[test]
fn fact_1_example_2_9() {
    let exact = |pattern, action| matched(pattern, action, Arity::Exact);
    assert_eq!(
        exact("response(charge,1234,1)", "response(charge,1234,1)"),
        "{}"
    );
    assert_eq!(
        exact("request(charge,1234,$id)", "request(charge,1234,1)"),
        "{1}"
    );
    assert_eq!(
        exact("request(charge,1234,$id)", "response(charge,1234,1)"),
        "undefined"
    );
}

#[test]
fn fact_2_action_formulas() {
    let mut names = Names::new();
    let a = closed("a(1)", &mut names);
    let b = closed("b(1)", &mut names);
    let mut satisfied = |text: &str, step: &[GroundAction]| {
        let actions = actions(text, &mut names);
        !match_actions(&actions, step, &|_| None, Arity::Prefix).is_empty()
    };
    let both = [a.clone(), b];
    assert!(satisfied("tau", &[]));
    assert!(!satisfied("tau", std::slice::from_ref(&a)));
    assert!(satisfied("a and b", &both));
    assert!(satisfied("not a", &[]));
    assert!(satisfied("tt", &[]));
    assert!(!satisfied("ff", &both));
    for arity in [Arity::Exact, Arity::Prefix] {
        assert_eq!(
            matched("request(i,$x,$y)", "request(i,1,2)", arity),
            "{1,2}"
        );
        assert_eq!(
            matched("request(i,$x,$y)", "request(i,1)", arity),
            "undefined"
        );
    }
    assert_eq!(
        matched("request(i,$x)", "request(i,1,2)", Arity::Exact),
        "undefined"
    );
    assert_eq!(
        matched("request(i,$x)", "request(i,1,2)", Arity::Prefix),
        "{1}"
    );
}

#[test]
fn fact_3_closed_formulas() {
    assert_eq!(codes("AF {response(i,%v)} true"), ["CH0703"]);
    assert_eq!(codes("E[p {request(i,$v)} U {tt} true]"), ["CH0704"]);
    assert_eq!(codes("EF accepting_undo(i,$v)"), ["CH0704"]);
    assert_eq!(codes("A[pi(%v) {tt} U {a($v)} true]"), ["CH0703"]);
    assert_eq!(codes("EX {a($v) or b} true"), ["CH0704"]);
    assert_eq!(codes("EX {a($v,$v)} true"), ["CH0705"]);
    assert_eq!(codes("[a($v)] A[pi(%v) {b(%v)} U {c($v)} p($v)]"), [""; 0]);
    // The scope ends with the operand.
    assert_eq!(codes("([a($v)] true) and p(%v)"), ["CH0703"]);
}

const FORMULAS: &[&str] = &[
    "always after Charge($id, $a) where $a > 3 eventually Refund($id) or Shipped(*)",
    "between Open($x) and Close($x) at most twice Use($x)",
    "after Q until R always (b >= 0 and knows(bank, id))",
    "never Charge(amount = $a) before Order($a) then not Ack",
    "forall $v: before R($v) never P($v)",
    "AG [ request(road_assistance,$var) ] AG not accepting_request(road_assistance)",
    "AF {response(charge,1) or fail(charge,1)} true",
    "E[true {not (a or b)} U p(i)] and A[p {tt} W {c(\"x y\",-2)} (q or r)]",
    "not (p implies q implies (r implies s)) or EX {tau} false",
    "<a($v)> EF {b($v)} EG p($v)",
    "\"true\"(1) or \"A\"",
    "((p)) and (q and r) or not not s",
    "AX {not a and not (b or c)} true",
];

#[test]
fn what_is_printed_is_read_back() {
    let mut names = Names::new();
    for text in FORMULAS {
        let once = read(text, &mut names).expect(text).print(&names);
        let twice = read(&once, &mut names).expect(&once).print(&names);
        assert_eq!(once, twice);
    }
    for pattern in Pattern::EVERY {
        let text = pattern.formula("some interaction");
        assert!(read(&text, &mut names).is_ok(), "{text}");
        assert_eq!(Pattern::named(pattern.name()), Some(pattern));
    }
}

const QUESTIONS: &str = "
rules A { Action bank.charge,<*,*,$id> -> request(charge,$id); State charge -> accepting_request(charge) }
rules B from \"b.abs\"
top: true;
group \"some name\" using A + B + \"c.abs\" + model {
  one: AG [request(charge,$v)] AF {responseOk(charge,$v)} true;
  pattern one-shot:charge;
  pattern all:charge
}
group using none { two: EX {tau} true }
";

#[test]
fn files_of_questions_are_printed_and_read_back() {
    let mut names = Names::new();
    let mut read = |text: &str| {
        let mut map = SourceMap::new();
        let file = map.add("a.socl", text);
        let (questions, diagnostics) = parse_questions(file, text, &mut names);
        assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
        questions.print(&names)
    };
    let once = read(QUESTIONS);
    assert_eq!(read(&once), once);
    assert!(once.contains("pattern one-shot:charge;"), "{once}");
    assert!(once.contains("using A + B + \"c.abs\" + model"), "{once}");
}

const RULES: &str = "Abstractions {
    Action bank.charge,<*,*,*,$id> -> request(charge,$id)
    Action charge-<*,$1> -> request(charge,$1)
    Action Request[b,$to]<x> -> request(shop,$to)
    State  bank.revoke?<$id> -> accepting_undo(charge,$id)
    State  p.o!<> -> asks
    Action $car.engineFailure -> request(ra,$car)
}";

#[test]
fn rules_are_printed_and_read_back() {
    let mut names = Names::new();
    let mut read = |text: &str| {
        let mut map = SourceMap::new();
        let file = map.add("a.abs", text);
        let (rules, diagnostics) = parse_rules(file, text, 0..text.len(), &mut names);
        assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
        let lines: Vec<String> = rules.iter().map(|rule| rule.print(&names)).collect();
        lines.join("\n")
    };
    let once = read(RULES);
    assert_eq!(once.lines().count(), 6);
    assert_eq!(read(&once), once);
}

#[test]
fn rubbish_is_refused_and_never_panics() {
    let seed = seed_from_env();
    fuzz(seed, 3000, FORMULAS, |text| {
        let mut names = Names::new();
        if let Ok(formula) = read(text, &mut names) {
            let printed = formula.print(&names);
            // A word in quotes may hold anything but quotes, so what was read can be printed and read again.
            let again = read(&printed, &mut names).expect(&printed);
            assert_eq!(again.print(&names), printed);
        }
    });
    fuzz(seed, 1500, &[QUESTIONS, RULES], |text| {
        let mut map = SourceMap::new();
        let file = map.add("fuzz", text);
        let mut names = Names::new();
        let _ = parse_questions(file, text, &mut names);
        let _ = parse_rules(file, text, 0..text.len(), &mut names);
    });
}

/// What formatting makes of a file, which a second time must change nothing.
fn formatted(
    text: &str,
    format: fn(FileId, &str, &mut Names) -> Result<String, NotFormatted>,
) -> Option<String> {
    let once = |text: &str| {
        let mut map = SourceMap::new();
        let file = map.add("fuzz", text);
        match format(file, text, &mut Names::new()) {
            Ok(formatted) => Some(formatted),
            Err(NotFormatted::Mistakes(_)) => None,
            Err(NotFormatted::Unfaithful) => panic!("something else was made of\n{text}"),
        }
    };
    let first = once(text)?;
    let second = once(&first);
    assert_eq!(second.as_deref(), Some(first.as_str()), "from\n{text}");
    Some(first)
}

const COMMENTED: &str = "// the bank
rules A { // what is asked
  Action bank . charge , < * , $id > -> request( charge , $id ) ; -- asked
  /* offered */ State charge?->accepting_request(charge)
  Action 1 . 5 /* a number */ -> n

}
rules B from \"b.abs\"; /* of a file */


group one using A+B{F1:AG[request(charge,$v)] // asked
AF{responseOk(charge , $v)}true;pattern one - shot:charge /* once */ }
last:A[p{tt}W(q or not(r))]and E(p U{a}q) -- no end
";

#[test]
fn the_form_of_questions() {
    let form = "// the bank
rules A {  // what is asked
  Action bank.charge,<*,$id> -> request(charge,$id)  -- asked
  /* offered */
  State  charge?             -> accepting_request(charge)
  Action 1 . 5 /* a number */ -> n
}
rules B from \"b.abs\"  /* of a file */

group one using A + B {
  F1: AG [request(charge,$v)]  // asked
      AF {responseOk(charge,$v)} true;
  pattern one-shot:charge;  /* once */
}
last: A[p {tt} W (q or not (r))] and E(p U {a} q);  -- no end
";
    assert_eq!(
        formatted(COMMENTED, format_questions).as_deref(),
        Some(form)
    );
    let rules = "Abstractions { Action a.b-><x>\n->c State d->e }";
    assert_eq!(formatted(rules, format_rules), None);
    let rules = "Abstractions {State d->e;; Action a.b-<x>\n->c /* end */} // after";
    let form = "Abstractions {
  State  d       -> e
  Action a.b-<x> -> c  /* end */
}  // after
";
    assert_eq!(formatted(rules, format_rules).as_deref(), Some(form));
    assert_eq!(formatted("", format_questions).as_deref(), Some(""));
    // A separator that goes must not let one comment run into another.
    assert_eq!(
        formatted("// a\n; // b", format_rules).as_deref(),
        Some("// a\n// b\n")
    );
    assert_eq!(
        formatted("group{}", format_questions).as_deref(),
        Some("group {}\n")
    );
}

#[test]
fn formatting_rubbish_loses_nothing_and_happens_once() {
    let seed = seed_from_env();
    fuzz(seed, 3000, &[QUESTIONS, COMMENTED], |text| {
        formatted(text, format_questions);
    });
    fuzz(
        seed,
        2000,
        &[RULES, "Action a . 1 -> b; // c\nState x!<> -> y(z) /* d */"],
        |text| {
            formatted(text, format_rules);
        },
    );
}

/// A sentence as its formula, which is read back as the same.
fn as_formula(text: &str) -> String {
    let mut names = Names::new();
    let formula = read(text, &mut names).unwrap_or_else(|codes| panic!("{text}: {codes:?}"));
    assert!(formula.has_sentences(), "{text}");
    let printed = formula.print(&names);
    let again = read(&printed, &mut names).unwrap_or_else(|codes| panic!("{printed}: {codes:?}"));
    assert_eq!(again.print(&names), printed);
    printed
}

#[test]
fn sentences_are_formulas() {
    let rows = [
        ("never p", "AG [ p ] false"),
        ("eventually p", "AF {p} true"),
        ("eventually p then q", "AF {p} AF {q} true"),
        ("at most once p", "AG [ p ] AG [ p ] false"),
        ("always (x > 0 and at n)", "AG (x > 0 and at n)"),
        ("never p before s", "A[true {not p} W {s} true]"),
        (
            "never p before s then t",
            "A[true {not p} W {s and not p} A[true {not p} W {t} true]]",
        ),
        ("always after s eventually p", "AG [ s ] AF {p} true"),
        (
            "after s then t eventually p",
            "AG [ s ] AG [ t ] AF {p} true",
        ),
        (
            "before r never p",
            "not E[true {not r} U {p and not r} EF {r} true]",
        ),
        ("before r eventually p", "not E[true {not p} U {r} true]"),
        (
            "between q and r never p",
            "AG [ q ] not E[true {not r} U {p and not r} EF {r} true]",
        ),
        (
            "after q until r never p",
            "AG [ q ] A[true {not p} W {r} true]",
        ),
        (
            "after q until r eventually p",
            "AG [ q ] A[true {not r} U {p and not r} true]",
        ),
        (
            "after q until r always enabled(x)",
            "AG [ q ] A[enabled(x) {tt} W {r} true]",
        ),
        // Variables: bound by what opens, by `forall`, by their own condition, or anything.
        ("after q($v) never p($v)", "AG [ q($v) ] AG [ p($v) ] false"),
        (
            "after q($v) or r($v) eventually p($v)",
            "AG ([ q($v) ] AF {p($v)} true and [ r($v) ] AF {p($v)} true)",
        ),
        ("at most once p($v)", "AG [ p($v) ] AG [ p($v) ] false"),
        (
            "never p($v) before s($v)",
            "forall $v: A[true {not p($v)} W {s($v)} true]",
        ),
        (
            "after q until r($v) never p($v)",
            "forall $v: AG [ q ] A[true {not p($v)} W {r($v)} true]",
        ),
        ("never p($v) before s", "A[true {not p(*)} W {s} true]"),
        (
            "never p($v) where $v > 2 before s",
            "A[true {not (p($v) where $v > 2)} W {s} true]",
        ),
        ("never p and never q", "AG [ p ] false and AG [ q ] false"),
    ];
    for (sentence, formula) in rows {
        assert_eq!(as_formula(sentence), formula, "{sentence}");
    }
}

#[test]
fn what_sentences_cannot_say() {
    assert_eq!(codes("eventually p($v) then q($v)"), ["CH0706"]);
    assert_eq!(codes("never p before s($v) then t($v)"), ["CH0706"]);
    assert_eq!(codes("after q until r($v) eventually p($v)"), ["CH0706"]);
    assert_eq!(codes("after q($v) or r eventually p($v)"), ["CH0706"]);
    assert_eq!(codes("EF never p($v) before s($v)"), ["CH0706"]);
    assert_eq!(codes("at most 21 times p"), ["CH0701"]);
    let chain = ["p"; 11].join(" then ");
    assert_eq!(codes(&format!("eventually {chain}")), ["CH0702"]);
    let alternatives = ["a", "b", "c", "d", "e"].map(|it| format!("{it}($x)"));
    let (first, second) = (
        alternatives.join(" or "),
        alternatives.join(" or ").replace('x', "y"),
    );
    let text = format!("after {first} then {second} eventually p($x,$y)");
    assert_eq!(codes(&text), ["CH0702"]);
    let nested = "always ".repeat(5) + "p";
    assert_eq!(codes(&nested), ["CH0702"]);
}

#[test]
fn words_of_sentences_stay_names() {
    for text in ["never and after", "EX {never} not before", "p(never)"] {
        let formula = read(text, &mut Names::new()).expect("it is a formula");
        assert!(!formula.has_sentences(), "{text}");
    }
    assert_eq!(
        as_formula("never(x) implies true"),
        "AG [ x ] false implies true"
    );
    let mut names = Names::new();
    let formula = read("\"never\"(x)", &mut names).expect("it is a proposition");
    assert_eq!(formula.print(&names), "\"never\"(x)");
}
