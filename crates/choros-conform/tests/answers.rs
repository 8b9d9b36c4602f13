//! Answers about small models made by hand, where random ones do not reach: numbers, loops, wrong relations.

use choros_base::{Budget, SourceMap};
use choros_certify::{Certificate, RelatedPair, RelationClaim, check_certificate};
use choros_conform::{Conformance, NotCompared, Setup, conformance, conformance_by_parts};
use choros_data::{Term, Terms};
use choros_model::stg::{Stg, product, read_stg};
use choros_model::{Bound, Evidence, Verdict};
use choros_smt::Solver;

fn solver() -> Box<dyn Solver> {
    choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh")
}

fn read(text: &str, terms: &mut Terms) -> Stg {
    let mut sources = SourceMap::new();
    let file = sources.add("test.stg", text);
    let (stg, diagnostics) = read_stg(file, text, terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    stg
}

fn compare(left: &str, right: &str, shared: &[&str], terms: &mut Terms) -> Conformance<'static> {
    let (left, right) = (read(left, terms), read(right, terms));
    let setup = Setup {
        shared: shared.iter().map(|&it| it.to_owned()).collect(),
        allow_fixed: false,
        most_changes: 24,
    };
    let budget = Budget::steps(100_000);
    conformance(&left, &right, &setup, terms, &mut *solver(), &budget)
        .expect("the solver answers")
        .into_owned()
}

fn condition(found: &Conformance<'_>, terms: &Terms) -> String {
    match &found.verdict {
        Verdict::HoldsIf(condition, _) => terms.print(*condition),
        other => panic!("{other:?}"),
    }
}

/// A session that decides at a bound, shifted by some amount.
fn order(name: &str, variable: &str, bound: i64, hidden: &str) -> String {
    format!(
        "stg {name} explicit\ninitial 0\n0 -> 1: Request[b,v].<{variable}>\n1 -> 2: [{variable} < {bound}] \
         Confirm[v,b]\n{hidden}1 -> 2: [{variable} >= {bound}] Abort[v,b]\n2: end\n"
    )
}

#[test]
fn shifting_all_constants_shifts_the_condition() {
    for shift in [-40, 0, 1, 1_000_000_007] {
        let mut terms = Terms::new();
        let hidden = format!(
            "1 -> 3: [y >= {0}] Tel[b,v].w\n3 -> 2: [w >= {1}] Abort[v,b]\n3: end [w < {1}]\n",
            5 + shift,
            10 + shift
        );
        let left = order("impl", "y", 5 + shift, &hidden);
        let right = order("spec", "x", 5 + shift, "");
        let found = compare(&left, &right, &[], &mut terms);
        assert_eq!(condition(&found, &terms), format!("w >= {}", 10 + shift));
        let other = compare(&order("impl", "y", 5 + shift, ""), &right, &[], &mut terms);
        assert_eq!(other.verdict.word(), "holds");
        let wrong = compare(&order("impl", "y", 6 + shift, ""), &right, &[], &mut terms);
        let Verdict::Fails(Evidence::Trace(trace)) = &wrong.verdict else {
            panic!("{:?}", wrong.verdict);
        };
        // Only at the old bound do the two differ.
        assert_eq!(trace.steps[0].bindings[0].value, (5 + shift).to_string());
    }
}

#[test]
fn a_difference_that_shows_late_is_found_with_all_its_steps() {
    let mut terms = Terms::new();
    let counter = |name: &str, variable: &str, last: i64| {
        format!(
            "stg {name} explicit\ninitial 0\n0 -> 1: begin[a,b] / {variable} := 0\n1 -> 1: [{variable} < {last}] \
             step[a,b] / {variable} := {variable} + 1\n1: end [{variable} >= {last}]\n"
        )
    };
    let found = compare(
        &counter("impl", "x", 5),
        &counter("spec", "y", 4),
        &[],
        &mut terms,
    );
    let Verdict::Fails(Evidence::Trace(trace)) = &found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert_eq!(
        trace.steps.len(),
        5,
        "begin, then four steps that both can take"
    );
    let same = compare(
        &counter("impl", "x", 5),
        &counter("spec", "y", 5),
        &[],
        &mut terms,
    );
    assert_eq!(same.verdict.word(), "holds");
}

/// A difference after few steps costs what the pairs near the start cost, however many there are after them.
#[test]
fn a_difference_near_the_start_is_found_before_the_rest_is_solved() {
    let mut terms = Terms::new();
    let mut side = |side: &str, limit: i64| {
        let sessions: Vec<Stg> = (0..6)
            .map(|number| {
                let limit = if number == 5 { limit } else { 5 };
                let text = format!(
                    "stg {side}{number} explicit\ninitial 0\n0 -> 1: req{number}[b,v].<{side}{number}>\n1 -> 2: \
                     [{side}{number} < {limit}] ok{number}[v,b]\n1 -> 2: [{side}{number} >= {limit}] \
                     no{number}[v,b]\n2: end\n"
                );
                read(&text, &mut terms)
            })
            .collect();
        let parts: Vec<&Stg> = sessions.iter().collect();
        let both = product(side, &parts, &Budget::unlimited(), &mut terms);
        both.expect("an unlimited budget").stg
    };
    let (left, right) = (side("y", 6), side("x", 5));
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed: false,
        most_changes: 24,
    };
    let budget = Budget::steps(100_000);
    let found = conformance(&left, &right, &setup, &mut terms, &mut *solver(), &budget)
        .expect("the solver answers");
    let Verdict::Fails(Evidence::Trace(trace)) = &found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert!(
        trace.steps.len() <= 2,
        "the sixth request, with 5, perhaps after another"
    );
    // Three to the sixth pairs; to find one costs two steps, to solve its equation one.
    assert_eq!(found.pairs, 729);
    let solved = budget.used() - 2 * 729;
    assert!(solved < 100, "{solved} equations");
}

#[test]
fn silent_steps_with_updates_are_followed() {
    let mut terms = Terms::new();
    let left =
        "stg impl explicit\ninitial 0\n0 -> 1: tau / x := p + 1\n1 -> 2: tell[a,b].x\n2: end\n";
    let right = "stg spec explicit\ninitial 0\n0 -> 1: tell[a,b].q\n1: end\n";
    let found = compare(left, right, &[], &mut terms);
    let Verdict::HoldsIf(condition, _) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    let name = |name: &str, terms: &mut Terms| terms.names.intern(name);
    let (p, q) = (name("p", &mut terms), name("q", &mut terms));
    let p = terms.variable(p, choros_data::Sort::INT);
    let q = terms.variable(q, choros_data::Sort::INT);
    for (at, sent, expected) in [(3, 4, true), (3, 3, false), (-1, 0, true)] {
        let values = [
            (p, choros_data::Value::int(at)),
            (q, choros_data::Value::int(sent)),
        ];
        let values = values.into_iter().collect();
        assert_eq!(terms.evaluate_guard(condition, &values), Ok(expected));
    }
}

#[test]
fn a_silent_loop_that_computes_without_end_is_not_called_a_failure() {
    let mut terms = Terms::new();
    let left = "stg impl explicit\ninitial 0\n0 -> 1: begin[a,b] / x := 0\n1 -> 1: tau / x := x + 1\n1 -> 2: [x > 1000] go[a,b]\n2: end\n";
    let right = "stg spec explicit\ninitial 0\n0 -> 1: begin[a,b]\n1 -> 2: go[a,b]\n2: end\n";
    let found = compare(left, right, &[], &mut terms);
    assert_eq!(found.verdict.word(), "unknown", "{:?}", found.verdict);
    assert_eq!(found.divergent.len(), 1);
}

#[test]
fn shared_parameters_are_one() {
    let mut terms = Terms::new();
    let text = |name: &str| {
        format!(
            "stg {name} explicit\ninitial 0\n0 -> 1: [limit > 0] go[a,b]\n1: end\n0: end [limit <= 0]\n"
        )
    };
    let apart = compare(&text("impl"), &text("spec"), &[], &mut terms);
    assert_eq!(apart.verdict.word(), "conditional");
    let shared = compare(&text("impl"), &text("spec"), &["limit"], &mut terms);
    assert_eq!(shared.verdict.word(), "holds");
}

#[test]
fn the_checker_refutes_relations_that_claim_too_much() {
    let mut terms = Terms::new();
    let left = order("impl", "y", 6, "");
    let right = order("spec", "x", 5, "");
    let (left, right) = (read(&left, &mut terms), read(&right, &mut terms));
    let everything: Vec<RelatedPair> = left
        .node_ids()
        .flat_map(|left| {
            right.node_ids().map(move |right| RelatedPair {
                left,
                right,
                condition: Term::TRUE,
            })
        })
        .collect();
    let check = |relation: &[RelatedPair], start: Term, terms: &mut Terms| {
        let claim = RelationClaim {
            implementation: &left,
            specification: &right,
            relation,
            start,
            allow_fixed: false,
        };
        check_certificate(&claim, terms, &mut *solver(), &Budget::steps(1_000))
            .expect("the solver answers")
    };
    assert!(matches!(
        check(&everything, Term::TRUE, &mut terms),
        Certificate::Refuted(..)
    ));
    // Nothing is related: right as a relation, but not what was claimed.
    assert!(matches!(
        check(&[], Term::TRUE, &mut terms),
        Certificate::Refuted(..)
    ));
    assert_eq!(check(&[], Term::FALSE, &mut terms), Certificate::Confirmed);
}

#[test]
fn a_spent_budget_is_unknown_and_names_the_bound() {
    let mut terms = Terms::new();
    let (left, right) = (order("impl", "y", 5, ""), order("spec", "x", 5, ""));
    let (left, right) = (read(&left, &mut terms), read(&right, &mut terms));
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed: false,
        most_changes: 24,
    };
    let found = conformance(
        &left,
        &right,
        &setup,
        &mut terms,
        &mut *solver(),
        &Budget::steps(2),
    )
    .expect("the solver answers");
    let Verdict::Unknown(unknown) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert_eq!(unknown.bound(), Some(Bound::States(None)));
}

/// A counter that begins at `start`, grows by `step`, and is told how often it may: `ask` while it is below `limit`.
fn counter(name: &str, variable: &str, start: &str, step: &str, limit: &str) -> String {
    format!(
        "stg {name} explicit\ninitial 0\n0 -> 1: go[a,b] / {variable} := {start}\n1 -> 1: [{variable} < {limit}] ask[a,b] / \
         {variable} := {variable} + {step}\n1 -> 2: [{variable} >= {limit}] stop[a,b]\n2: end\n"
    )
}

/// How often a loop goes round.
fn rounds(mut value: i64, factor: i64, step: i64, limit: i64) -> usize {
    let mut rounds = 0;
    while value < limit {
        value += (factor - 1) * value + step;
        rounds += 1;
    }
    rounds
}

/// Loops with concrete bounds conform just when they go round equally often.
#[test]
fn finite_loops_are_followed() {
    let seed = choros_testkit::seed_from_env();
    let mut random = choros_testkit::Random::new(seed);
    let mut equal = 0;
    for round in 0..30 {
        let mut draw = || {
            let start = random.below(4) as i64 + 1;
            let factor = random.below(2) as i64 + 1;
            let step = random.below(3) as i64 + 1;
            (start, factor, step, random.below(12) as i64)
        };
        let (left, right) = (draw(), draw());
        let text =
            |name: &str, variable: &str, (start, factor, step, limit): (i64, i64, i64, i64)| {
                counter(
                    name,
                    variable,
                    &start.to_string(),
                    &format!("{} * {variable} + {step}", factor - 1),
                    &limit.to_string(),
                )
            };
        let mut terms = Terms::new();
        let (one, other) = (text("impl", "x", left), text("spec", "y", right));
        let found = compare(&one, &other, &[], &mut terms);
        let same =
            rounds(left.0, left.1, left.2, left.3) == rounds(right.0, right.1, right.2, right.3);
        equal += usize::from(same);
        let expected = if same { "holds" } else { "fails" };
        assert_eq!(
            found.verdict.word(),
            expected,
            "seed {seed}, round {round}:\n{one}\n{other}"
        );
    }
    assert!(equal > 0, "seed {seed}: all loops differ");
}

/// Counters that never hold the same value, and always differ by the same amount or factor.
///
/// The iteration from above peels off one round at a time and does not end; `y == x + 1` and `y == 2 * x` hold
/// together from round to round.
#[test]
fn counters_related_by_arithmetic() {
    for (start, step, limit) in [
        ("1", "1", "1000001"),
        ("7", "1", "1000007"),
        ("0", "2", "2000000"),
    ] {
        let mut terms = Terms::new();
        let left = counter("impl", "y", start, step, limit);
        let right = counter("spec", "x", "0", "1", "1000000");
        let found = compare(&left, &right, &[], &mut terms);
        assert!(
            matches!(found.verdict, Verdict::Holds(_)),
            "{start} {step} {limit}: {:?}",
            found.verdict
        );
    }
    // One round more is a difference, and no relation is made up: it takes a million rounds to see.
    let mut terms = Terms::new();
    let left = counter("impl", "y", "1", "1", "1000002");
    let right = counter("spec", "x", "0", "1", "1000000");
    let found = compare(&left, &right, &[], &mut terms);
    assert!(
        !matches!(found.verdict, Verdict::Holds(_)),
        "{:?}",
        found.verdict
    );
}

#[test]
fn what_cannot_be_compared_is_refused_at_the_entry() {
    let whole = "stg whole explicit\ninitial 0\n0 -> 1: a[b,v]\n1: end\n";
    let half = "stg half explicit\ninitial 0\n0 -> 1: a[b,v]!\n1: end\n";
    let silent = "stg silent explicit\ninitial 0\n0 -> 1: tau\n1 -> 2: a[b,v]\n2: end\n";
    for (left, right, code) in [(half, whole, "CH0403"), (whole, silent, "CH0402")] {
        let mut terms = Terms::new();
        let (left, right) = (read(left, &mut terms), read(right, &mut terms));
        let setup = Setup {
            shared: Vec::new(),
            allow_fixed: false,
            most_changes: 24,
        };
        let budget = Budget::steps(1_000);
        for compare in [conformance, conformance_by_parts] {
            let found = compare(&left, &right, &setup, &mut terms, &mut *solver(), &budget);
            let Err(NotCompared::Unfit(found)) = found else {
                panic!("{found:?}");
            };
            assert_eq!(found.code.code, code);
        }
    }
}
