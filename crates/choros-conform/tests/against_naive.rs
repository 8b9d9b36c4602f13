//! Conformance against its naive twin: the ground relation, found by trying all values of finite sorts.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod support;

use choros_base::{Budget, SourceMap};
use choros_conform::{Conformance, Setup, conformance, conformance_by_parts};
use choros_data::{Assignment, Terms, Var};
use choros_model::Verdict;
use choros_model::stg::{Operation, Renaming, Role, Stg, product, read_stg, rename};
use choros_testkit::{Random, rounds, seed_from_env};
use support::ground::{Ground, assignments, size};
use support::random::Maker;

fn compare<'a>(
    left: &'a Stg,
    right: &'a Stg,
    allow_fixed: bool,
    terms: &mut Terms,
) -> Conformance<'a> {
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed,
        most_changes: 40,
    };
    let mut solver =
        choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
    conformance(
        left,
        right,
        &setup,
        terms,
        &mut *solver,
        &Budget::unlimited(),
    )
    .expect("the solver answers")
}

/// The variables on which the answer may depend.
fn parameters(found: &Conformance<'_>, terms: &Terms) -> Vec<Var> {
    let mut parameters = found.implementation.parameters(terms);
    parameters.extend(found.specification.parameters(terms));
    parameters
}

/// What the verdict says for given values.
fn says(found: &Conformance<'_>, values: &Assignment, terms: &Terms) -> Option<bool> {
    match &found.verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Fails(_) => Some(false),
        Verdict::HoldsIf(condition, _) => terms.evaluate_guard(*condition, values).ok(),
        Verdict::Unknown(_) => None,
    }
}

/// *Holds* means that all ground states are related, *fails* that none are, and a condition is the weakest one: it is
/// true just for the values for which they are.
#[test]
fn the_verdict_is_that_of_the_ground_states() {
    let words = compare_with_ground(0, 0, 250);
    // Otherwise the assertions would have little to say.
    for word in ["holds", "fails", "conditional"] {
        assert!(
            words.get(word).is_some_and(|&count| count >= 5),
            "{words:?}"
        );
    }
    assert!(
        words.get("unknown").is_none_or(|&count| count < 8),
        "{words:?}"
    );
}

/// The same where hidden messages bring data, mostly into variables that had a value before: silent steps that choose.
#[test]
fn hidden_data_that_come_again_are_arbitrary_each_time() {
    let rounds = rounds(200) as u64;
    let words = compare_with_ground(50_000, 80, rounds);
    for word in ["holds", "fails"] {
        assert!(
            words.get(word).is_some_and(|&count| count >= 5),
            "{words:?}"
        );
    }
    assert!(
        words
            .get("unknown")
            .is_none_or(|&count| count as u64 * 20 < rounds),
        "{words:?}"
    );
}

/// Two sessions beside each other on each side, compared part by part and as a whole; some differ in a guard or in an
/// ending, some continue forever for some data, and some take silent steps.
#[test]
fn parts_say_what_the_whole_says() {
    let seed = seed_from_env();
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed: false,
        most_changes: 40,
    };
    let budget = Budget::unlimited();
    let mut by_parts = std::collections::BTreeMap::<&str, usize>::new();
    for round in 0..rounds(24) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        let goes_round = [(); 2].map(|()| random.percent(40));
        let mut side = |name: &str| {
            let sessions = [0, 1].map(|number| {
                let text = if goes_round[number] {
                    round_session(name, number, &mut random)
                } else {
                    session(name, number, &mut random)
                };
                let file = SourceMap::new().add("session.stg", text.as_str());
                let (stg, diagnostics) = read_stg(file, &text, &mut terms);
                assert!(diagnostics.is_empty(), "{diagnostics:?}");
                stg
            });
            let parts: Vec<&Stg> = sessions.iter().collect();
            let made = product(name, &parts, &budget, &mut terms);
            made.expect("an unlimited budget").stg
        };
        let (implementation, specification) = (side("y"), side("x"));
        let whole = compare(&implementation, &specification, false, &mut terms);
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let parts = conformance_by_parts(
            &implementation,
            &specification,
            &setup,
            &mut terms,
            &mut *solver,
            &budget,
        )
        .expect("the solver answers");
        let word = whole.verdict.word();
        assert_eq!(parts.verdict.word(), word, "seed {seed}, round {round}");
        if parts.pairs < whole.pairs {
            *by_parts.entry(word).or_default() += 1;
        }
    }
    for word in ["holds", "fails"] {
        assert!(by_parts.contains_key(word), "seed {seed}: {by_parts:?}");
    }
}

/// A session with a value that is checked; it may end before it has begun.
fn session(side: &str, number: usize, random: &mut Random) -> String {
    let (x, limit) = (format!("{side}{number}"), 4 + i32::from(random.percent(25)));
    let early = if random.percent(20) { "0: end\n" } else { "" };
    format!(
        "stg {x} explicit\ninitial 0\n{early}0 -> 1: req{number}[b,v].<{x}>\n1 -> 2: [{x} < {limit}] ok{number}[v,b]\n\
         1 -> 2: [{x} >= {limit}] no{number}[v,b]\n2: end\n"
    )
}

/// A session that a value sends round forever, and perhaps keeps from its end.
fn round_session(side: &str, number: usize, random: &mut Random) -> String {
    let (x, limit) = (format!("{side}{number}"), 4 + i32::from(random.percent(15)));
    let ends = if random.percent(20) {
        String::new()
    } else {
        format!("[{x} >= {limit}]")
    };
    // What the specification does not have is silent.
    let silent = if side == "y" && random.percent(40) {
        format!("1 -> 1: [{x} >= {limit}] log{number}[v,b]\n")
    } else {
        String::new()
    };
    format!(
        "stg {x} explicit\ninitial 0\n0 -> 1: req{number}[b,v].<{x}>\n1 -> 1: [{x} < {limit}] tick{number}[v,b]\n\
         {silent}1: end {ends}\n"
    )
}

fn compare_with_ground(
    offset: u64,
    hidden_data: u32,
    rounds: u64,
) -> std::collections::BTreeMap<&'static str, usize> {
    let seed = seed_from_env();
    let mut words = std::collections::BTreeMap::<&str, usize>::new();
    for round in 0..rounds {
        let mut maker = Maker::new(seed.wrapping_add(offset + round));
        maker.hidden_data = hidden_data;
        let specification = maker.specification();
        let implementation = maker.implementation(&specification);
        let allow_fixed = round % 3 == 0;
        let mut terms = maker.terms;
        let found = compare(&implementation, &specification, allow_fixed, &mut terms);
        *words.entry(found.verdict.word()).or_default() += 1;
        if size(&found.implementation, &found.specification, &terms) > 6_000 {
            continue;
        }
        let ground = Ground::new(
            &found.implementation,
            &found.specification,
            allow_fixed,
            &terms,
        );
        for values in assignments(&parameters(&found, &terms), &terms) {
            let expected = ground.conforms(&values, &terms);
            let said = says(&found, &values, &terms);
            assert!(
                said.is_none_or(|said| said == expected),
                "seed {seed}, round {round}: {:?}, but for {values:?} it is {expected}",
                found.verdict
            );
        }
    }
    words
}

/// Names do not matter.
#[test]
fn the_verdict_is_the_same_under_other_names() {
    let seed = seed_from_env();
    for round in 0..60 {
        let mut maker = Maker::new(seed.wrapping_add(1_000 + round));
        let specification = maker.specification();
        let implementation = maker.implementation(&specification);
        let mut terms = maker.terms;
        let before = compare(&implementation, &specification, false, &mut terms);
        let mut renaming = Renaming::default();
        for (old, new) in [
            ("ask", "tell"),
            ("tell", "ask"),
            ("say", "shout"),
            ("ping", "hop"),
        ] {
            let (old, new) = (terms.names.intern(old), terms.names.intern(new));
            renaming.operations.insert(Operation(old), Operation(new));
        }
        for (old, new) in [("a", "b"), ("b", "a")] {
            let (old, new) = (terms.names.intern(old), terms.names.intern(new));
            renaming.roles.insert(Role(old), Role(new));
        }
        let mut back = Vec::new();
        for stg in [&implementation, &specification] {
            for variable in stg.variables(&terms) {
                let name = terms.names.intern(&format!("v{}", 9 - back.len()));
                let new = terms.variable(name, terms.variable_sort(variable));
                renaming.variables.insert(variable, new);
                back.push((variable, new));
            }
        }
        let implementation = rename(&implementation, &renaming, &mut terms);
        let specification = rename(&specification, &renaming, &mut terms);
        let after = compare(&implementation, &specification, false, &mut terms);
        assert_eq!(
            before.verdict.word(),
            after.verdict.word(),
            "seed {seed}, round {round}"
        );
        for values in assignments(&parameters(&before, &terms), &terms) {
            let renamed: Assignment = values
                .iter()
                .filter_map(|(old, value)| {
                    let (_, new) = back.iter().find(|(it, _)| it == old)?;
                    Some((*new, value.clone()))
                })
                .collect();
            assert_eq!(
                says(&before, &values, &terms),
                says(&after, &renamed, &terms),
                "seed {seed}, round {round}"
            );
        }
    }
}
