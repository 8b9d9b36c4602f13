//! Random graphs and formulas: the answer for all data agrees, point by point, with the graph explored over a range.
//!
//! The range does not change the meaning. The counter `c` is kept between 0 and 3 by its guards. What messages bring
//! is compared with the constants 0 to 2 and, for equality, with other data: four values on each side of the constants
//! stand for all others, because no more than four data are there at once.

use choros_base::{Budget, Names, SourceMap};
use choros_certify::{AskedFormula, ForAllProof, check_for_all};
use choros_check::{AbstractLabels, UnfoldedLts, UnfoldingBounds, check_fair};
use choros_data::{Assignment, Op, Term, Terms, Value};
use choros_forall::{Asked, answer};
use choros_model::Verdict;
use choros_model::lts::ValuedGraph;
use choros_model::stg::{Stg, fix_parameter, read_stg};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::{Actions, Arity, parse_formula, parse_steps};
use choros_smt::{LazySolver, Limits, Solver};
use choros_testkit::{Random, rounds, seed_from_env};
use rustc_hash::FxHashMap;

struct Model {
    text: String,
    nodes: usize,
    /// Whether each node shows its counter and its name, by a loop.
    looks: bool,
}

fn model(random: &mut Random) -> Model {
    let nodes = 2 + random.below(3);
    let looks = random.percent(30);
    let mut text = "stg random explicit\ninitial 0\n".to_owned();
    let first = random.below(4);
    text.push_str(&format!("0 -> 1: tau / c := {first}; x := 0; y := 1\n"));
    for node in 1..=nodes {
        for _ in 0..1 + random.below(3) {
            let target = 1 + random.below(nodes);
            let guard = guard(random);
            let edge = match random.below(8) {
                0 => "tau".to_owned(),
                1 => "In[a,b].<x>".to_owned(),
                2 => "In[a,b].<x> / y := x".to_owned(),
                3 => "Get[a,b].<y>".to_owned(),
                4 => "Out[b,a].x".to_owned(),
                5 => "Out[b,a].(y, c)".to_owned(),
                6 => "Go[a,b]".to_owned(),
                _ => "Out[b,a].1 / x := y".to_owned(),
            };
            let (guard, edge) = match random.below(3) {
                0 => (guard, edge),
                // The counter moves within its range.
                1 => (
                    format!("{guard} && c < 3"),
                    format!("Up[a,b] / c := c + {}", 1),
                ),
                _ => (
                    format!("{guard} && c > 0"),
                    "Down[a,b] / c := c - 1".to_owned(),
                ),
            };
            text.push_str(&format!("{node} -> {target}: [{guard}] {edge}\n"));
        }
        if looks {
            text.push_str(&format!("{node} -> {node}: Look[a,b].(c, {node})\n"));
        }
        match random.below(5) {
            0 => text.push_str(&format!("{node}: end\n")),
            1 => text.push_str(&format!("{node}: end [{}]\n", guard(random))),
            _ => {}
        }
    }
    Model { text, nodes, looks }
}

fn guard(random: &mut Random) -> String {
    let number = random.below(3);
    match random.below(10) {
        0 => format!("x <= {number}"),
        // Undefined for p = 0.
        9 => format!("c mod p == {number}"),
        1 => format!("x == {number}"),
        2 => "x != y".to_owned(),
        3 => "x == y".to_owned(),
        4 => format!("c >= {number}"),
        5 => "c < p".to_owned(),
        6 => "c >= p".to_owned(),
        7 => format!("(p == {number} || y > {number})"),
        _ => "c < 4".to_owned(),
    }
}

/// A formula twice: for all data, and for states that are explored.
type Both = (String, String);

fn formula(random: &mut Random, depth: usize, bound: &mut Vec<String>, model: &Model) -> Both {
    let both = |text: String| (text.clone(), text);
    if depth == 0 || random.percent(10) {
        let number = random.below(4);
        return match random.below(if model.looks { 9 } else { 6 }) {
            0 => both("true".to_owned()),
            1 => both("enabled(Out)".to_owned()),
            2 => both(format!("enabled(Out,{number})")),
            3 => both("enabled(Up)".to_owned()),
            4 => both("EX true".to_owned()),
            5 => match bound.last() {
                Some(variable) => both(format!("enabled(Out,${variable})")),
                None => both("enabled(end)".to_owned()),
            },
            6 => (
                format!("(not at 0 and EX true and c == {number})"),
                format!("enabled(Look,{number})"),
            ),
            7 => (
                format!("(not at 0 and EX true and c >= {number})"),
                (number..4)
                    .map(|it| format!("enabled(Look,{it})"))
                    .collect::<Vec<_>>()
                    .join(" or "),
            ),
            _ => {
                let node = 1 + random.below(model.nodes);
                let looks = (0..4).map(|it| format!("enabled(Look,{it},{node})"));
                (format!("at {node}"), looks.collect::<Vec<_>>().join(" or "))
            }
        };
    }
    let wrap = |(left, right): Both, before: &str| {
        (format!("{before} ({left})"), format!("{before} ({right})"))
    };
    match random.below(12) {
        0 => wrap(formula(random, depth - 1, bound, model), "not"),
        1 => {
            let (one, two) = (
                formula(random, depth - 1, bound, model),
                formula(random, depth - 1, bound, model),
            );
            let word = random.pick(&["and", "or", "implies"]);
            (
                format!("(({}) {word} ({}))", one.0, two.0),
                format!("(({}) {word} ({}))", one.1, two.1),
            )
        }
        2 | 3 => {
            let word = *random.pick(&["AG", "EG", "EF", "AF"]);
            wrap(formula(random, depth - 1, bound, model), word)
        }
        4 => {
            let quantifier = *random.pick(&["A", "E"]);
            let weak = *random.pick(&["U", "W"]);
            let steps = steps(random, bound);
            let left = formula(random, depth - 1, bound, model);
            let (last, right) = if random.percent(60) {
                under(random, depth, bound, model)
            } else {
                (String::new(), formula(random, depth - 1, bound, model))
            };
            let write = |left: &str, right: &str| {
                format!("{quantifier}[({left}) {{{steps}}} {weak} {last} ({right})]")
            };
            (write(&left.0, &right.0), write(&left.1, &right.1))
        }
        _ => {
            let (last, part) = under(random, depth, bound, model);
            let inner = last.trim_matches(['{', '}']).to_owned();
            let before = match random.below(6) {
                0 => format!("EX {last}"),
                1 => format!("AX {last}"),
                2 => format!("[ {inner} ]"),
                3 => format!("< {inner} >"),
                4 => format!("EF {last}"),
                _ => format!("AF {last}"),
            };
            wrap(part, &before)
        }
    }
}

/// A formula, one about all values of a variable, or a sentence.
fn question(random: &mut Random, model: &Model) -> Both {
    let sentences = [
        "never Out($w) before In($w)",
        "never Out($w) before Get($w) then Go",
        "after In($w) until Go never Out($w)",
        "after In($w) eventually Out($w) or end",
        "before Out($w) eventually In($w) or Get($w)",
        "between In($w) and Out($w) never Go",
        "between Get and end at most once Out(1)",
        "after Go or Up at most twice Get($w)",
        "always after In($w) then Get($w) eventually end",
    ];
    match random.below(10) {
        0..=1 => {
            let sentence = random.pick(&sentences).to_string();
            (sentence.clone(), sentence)
        }
        2 => {
            let (left, right) = formula(random, 2, &mut vec!["w".to_owned()], model);
            let all = |text: String| format!("forall $w: {text}");
            (all(left), all(right))
        }
        _ => formula(random, 3, &mut Vec::new(), model),
    }
}

/// `{γ}`, and a formula in which its variables can be used.
fn under(
    random: &mut Random,
    depth: usize,
    bound: &mut Vec<String>,
    model: &Model,
) -> (String, Both) {
    let known = bound.len();
    let actions = match random.below(6) {
        0 => {
            let variable = format!("v{known}");
            let kind = *random.pick(&["In", "Out", "Get"]);
            bound.push(variable.clone());
            format!("{kind}(${variable})")
        }
        1 => "tt".to_owned(),
        2 => "tau".to_owned(),
        _ => steps(random, bound),
    };
    let part = formula(random, depth - 1, bound, model);
    bound.truncate(known);
    (format!("{{{actions}}}"), part)
}

fn steps(random: &mut Random, bound: &[String]) -> String {
    let number = random.below(3);
    match (random.below(8), bound.last()) {
        (0, _) => "tt".to_owned(),
        (1, _) => "not Go".to_owned(),
        (2, _) => format!("Out({number})"),
        (3, Some(variable)) => format!("not Out(${variable})"),
        (4, Some(variable)) => format!("In(${variable}) or Up"),
        (5, _) => "Up or Down".to_owned(),
        (6, _) => "end".to_owned(),
        _ => "not (tau or end)".to_owned(),
    }
}

/// Whether the formula holds of the graph over the range, for a value of the parameter.
fn explored(stg: &Stg, terms: &Terms, text: &str, fair: &[&str], parameter: i64) -> bool {
    let mut terms = terms.clone();
    let mut stg = stg.clone();
    for variable in stg.parameters(&terms) {
        let value = terms.int(parameter);
        stg = fix_parameter(&stg, variable, value, &mut terms);
    }
    let values: Vec<Value> = (-4..=6).map(Value::int).collect();
    let bound = stg.edges().iter().flat_map(|it| it.event.bound_variables());
    let domains: FxHashMap<_, _> = bound.map(|it| (it, values.clone())).collect();
    let mut system = match ValuedGraph::new(&stg, &terms, domains) {
        Ok(system) => system,
        Err(open) => panic!("{open:?}"),
    };
    let bounds = UnfoldingBounds {
        max_states: 20_000,
        depth: None,
        budget: Budget::unlimited(),
    };
    let mut graph = UnfoldedLts::new(&mut system, bounds);
    let mut labels = AbstractLabels::new(Abstraction::Identity, StateLabels::Steps);
    let mut names = Names::new();
    let mut map = SourceMap::new();
    let file = map.add("formula", text);
    let formula =
        parse_formula(file, text, &mut names).unwrap_or_else(|it| panic!("{text} {it:?}"));
    let fair: Vec<Actions> = fair
        .iter()
        .map(|text| {
            let file = map.add("fair", *text);
            parse_steps(file, text, &mut names).expect("they are steps")
        })
        .collect();
    let arity = Arity::Prefix;
    let checked = check_fair(&mut graph, &mut labels, &mut names, &formula, arity, &fair);
    match checked.verdict {
        Verdict::Holds(_) => true,
        Verdict::Fails(_) => false,
        other => panic!("{other:?}"),
    }
}

/// The claims of a proof show no condition but its own.
fn refuses_other_conditions(
    stg: &Stg,
    asked: &mut Asked<'_>,
    proof: &ForAllProof,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) {
    let question = AskedFormula {
        formula: asked.formula,
        abstraction: asked.abstraction,
        state_labels: StateLabels::Steps,
        arity: asked.arity,
        fair: asked.fair,
    };
    let mut accepts = |condition: Term, terms: &mut Terms| {
        let claim = ForAllProof {
            condition,
            ..proof.clone()
        };
        let budget = Budget::unlimited();
        check_for_all(stg, &question, &claim, asked.names, terms, solver, &budget)
            .expect("a solver")
            .is_ok()
    };
    assert!(accepts(proof.condition, terms));
    let mut others = vec![Term::TRUE, Term::FALSE, terms.not(proof.condition)];
    for parameter in stg.parameters(terms) {
        let (parameter, two) = (terms.var(parameter), terms.int(2));
        let other = terms.compare(Op::Less, parameter, two);
        // Stronger and weaker ones.
        others.push(terms.and([proof.condition, other]));
        others.push(terms.or([proof.condition, other]));
    }
    for other in others {
        let same = are_equal(other, proof.condition, terms);
        assert_eq!(accepts(other, terms), same, "{}", terms.print(other));
    }
}

/// Whether two conditions on one integer agree, point by point.
fn are_equal(one: Term, other: Term, terms: &Terms) -> bool {
    let mut variables = terms.free_variables(one);
    variables.extend(terms.free_variables(other));
    (-6..=8).all(|value| {
        let values: Assignment = variables
            .iter()
            .map(|&it| (it, Value::int(value)))
            .collect();
        terms.evaluate_guard(one, &values) == terms.evaluate_guard(other, &values)
    })
}

#[test]
fn answers_for_all_data_agree_with_exploration() {
    let mut random = Random::new(seed_from_env());
    let mut counts = [0usize; 4];
    for _ in 0..rounds(25) {
        let model = model(&mut random);
        let (text, twin) = question(&mut random, &model);
        let mut fair: Vec<&str> = Vec::new();
        for _ in 0..*random.pick(&[0, 0, 0, 1, 1, 2]) {
            let steps = ["Out", "Go or Up", "not Up", "Down", "Up", "In", "Out(1)"];
            fair.push(*random.pick(&steps));
        }
        let mut terms = Terms::new();
        let mut map = SourceMap::new();
        let file = map.add("test.stg", model.text.as_str());
        let (stg, diagnostics) = read_stg(file, &model.text, &mut terms);
        assert!(diagnostics.is_empty(), "{}\n{diagnostics:?}", model.text);
        let mut names = Names::new();
        let file = map.add("formula", text.as_str());
        let formula =
            parse_formula(file, &text, &mut names).unwrap_or_else(|it| panic!("{text} {it:?}"));
        let printed = formula.print(&names);
        let again = parse_formula(file, &printed, &mut names)
            .unwrap_or_else(|it| panic!("{printed} {it:?}"));
        assert_eq!(printed, again.print(&names));
        let assumed: Vec<Actions> = fair
            .iter()
            .map(|text| {
                let file = map.add("fair", *text);
                parse_steps(file, text, &mut names).expect("they are steps")
            })
            .collect();
        let mut solver = LazySolver::from_environment(Limits::default());
        let mut question = Asked {
            formula: &formula,
            abstraction: &Abstraction::Identity,
            arity: Arity::Prefix,
            names: &mut names,
            fair: &assumed,
        };
        // With few questions the search ends early, and what it has by then must be right too.
        let budget = Budget::steps(*random.pick(&[3_000, 40_000, 200_000]));
        let found = answer(&stg, &mut question, &mut terms, &mut solver, &budget);
        let found = found.expect("a solver");
        if let Some(proof) = &found.proof {
            refuses_other_conditions(&stg, &mut question, proof, &mut terms, &mut solver);
        }
        let condition = match found.verdict {
            Verdict::Holds(_) => {
                counts[0] += 1;
                Term::TRUE
            }
            Verdict::Fails(_) => {
                counts[1] += 1;
                Term::FALSE
            }
            Verdict::HoldsIf(condition, _) => {
                counts[2] += 1;
                condition
            }
            Verdict::Unknown(unknown) => {
                let reason = unknown.reason;
                let confirmed = !reason.contains("could not be confirmed");
                assert!(confirmed, "{reason}\n{text}\n{}", model.text);
                counts[3] += 1;
                continue;
            }
        };
        for parameter in -1..=4 {
            let mut values = Assignment::default();
            for variable in stg.parameters(&terms) {
                values.insert(variable, Value::int(parameter));
            }
            let claimed = terms.evaluate_guard(condition, &values);
            let expected = explored(&stg, &terms, &twin, &fair, parameter);
            assert_eq!(
                claimed,
                Ok(expected),
                "p = {parameter}, fair {fair:?}: {}\n{text}\n{twin}\n{}",
                terms.print(condition),
                model.text
            );
        }
    }
    assert!(counts[3] * 3 <= rounds(25), "too many unknown: {counts:?}");
}
