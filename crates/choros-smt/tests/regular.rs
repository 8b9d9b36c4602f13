//! Regular expressions: every solver agrees with our own matcher about which texts there are.

mod solvers;

use choros_data::{RegularExpression, Sort, Terms, Value};
use choros_smt::{CheckedSolver, Satisfiability, Solver};
use choros_testkit::{Random, rounds, seed_from_env};

fn random(source: &mut Random, depth: usize) -> RegularExpression {
    let kind = if depth == 0 { 0 } else { source.below(4) };
    let several = |source: &mut Random| -> Vec<RegularExpression> {
        let count = 1 + source.below(2);
        (0..count).map(|_| random(source, depth - 1)).collect()
    };
    match kind {
        0 => {
            let letters = ['a', 'b', 'é'];
            let count = 1 + source.below(2);
            let ends = (0..count).map(|_| (*source.pick(&letters), *source.pick(&letters)));
            match (RegularExpression::class(ends), source.percent(25)) {
                (RegularExpression::Class(ranges), true) => {
                    RegularExpression::Class(RegularExpression::others(&ranges))
                }
                (class, _) => class,
            }
        }
        1 => RegularExpression::Sequence(several(source)),
        2 => RegularExpression::Choice(several(source)),
        _ => {
            let least = source.below(3) as u32;
            let most = source.percent(60).then(|| least + source.below(2) as u32);
            RegularExpression::Repeat(Box::new(random(source, depth - 1)), least, most)
        }
    }
}

/// All texts up to three letters: what is listed, a letter between them, and one that is in no range.
fn texts() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..3 {
        last = last
            .iter()
            .flat_map(|text| ['a', 'b', 'é', 'z', '0'].map(|letter| format!("{text}{letter}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn solvers_and_our_matcher_agree() {
    let seed = seed_from_env();
    let mut source = Random::new(seed);
    let texts = texts();
    let mut counts = [0; 3];
    for mut open in solvers::all() {
        for _ in 0..rounds(15) {
            let expression = random(&mut source, 2);
            let mut terms = Terms::new();
            let subject = terms.named("x", Sort::STRING);
            let matches = terms.matches(subject, &expression);
            for length in 0..=3 {
                let expected = texts
                    .iter()
                    .any(|text| text.chars().count() == length && expression.matches(text));
                let count = terms.length(subject);
                let length = terms.constant(Value::int(length));
                let is_long = terms.equal(count, length);
                let mut solver = CheckedSolver::new(open());
                solver.assert(matches);
                solver.assert(is_long);
                let answer = solver.check(&mut terms).expect("works");
                match (&answer, expected) {
                    (Satisfiability::Sat, true) => counts[0] += 1,
                    (Satisfiability::Unsat, false) => counts[1] += 1,
                    (Satisfiability::Unknown(_), _) => counts[2] += 1,
                    _ => panic!(
                        "{expression}, {}: {answer:?} (CHOROS_SEED={seed})",
                        terms.print(is_long)
                    ),
                }
            }
        }
    }
    assert!(
        counts[0] > 0 && counts[1] > 0 && counts[2] < counts[0],
        "{counts:?}"
    );
}

/// A text for private use belongs to what is not a name, although solvers have none: there is no wrong *unsat*.
#[test]
fn characters_for_private_use_are_not_forgotten() {
    for mut open in solvers::all() {
        let mut terms = Terms::new();
        let subject = terms.named("x", Sort::STRING);
        // Only private use is left.
        let high = RegularExpression::read("[\\u{10000}-\\u{10ffff}]").expect("an expression");
        let other = RegularExpression::read("[a-z\\u{f0000}-\\u{10ffff}]").expect("an expression");
        let mut solver = CheckedSolver::new(open());
        for expression in [&high, &other] {
            let matches = terms.matches(subject, expression);
            solver.assert(matches);
        }
        let answer = solver.check(&mut terms).expect("works");
        assert!(matches!(answer, Satisfiability::Sat), "{answer:?}");
    }
}

/// What the alphabet of solvers does not have is not decided by it.
#[test]
fn characters_beyond_the_alphabet_of_solvers() {
    for mut open in solvers::all() {
        for (notation, is_decided) in [
            ("[\\u{30000}]", false),
            ("[a-\\u{10ffff}]", true),
            // Names of XML, and everything else.
            ("[a\\u{10000}-\\u{effff}]", true),
            ("[\\u{0}-`b-\\u{ffff}\\u{f0000}-\\u{10ffff}]", true),
        ] {
            let expression = RegularExpression::read(notation).expect("an expression");
            let mut terms = Terms::new();
            let subject = terms.named("x", Sort::STRING);
            let matches = terms.matches(subject, &expression);
            let mut solver = CheckedSolver::new(open());
            solver.assert(matches);
            let answer = solver.check(&mut terms).expect("works");
            let is_unknown = matches!(answer, Satisfiability::Unknown(_));
            assert_eq!(is_unknown, !is_decided, "{notation}: {answer:?}");
        }
    }
}
