//! Certificates that were changed are refused, though what they claim is right.

mod support;

use choros_certify::{Flaw, ForAllProof, RankPart, SetClaim};
use choros_data::{Op, Term, Terms};
use support::Question;
use support::attack::DAMAGES;

/// Counts from 0 until the counter is `n`: `AF {Done}` holds if `n >= 0`, with the rank `n - x`.
const COUNT: &str = "stg count explicit\ninitial 0\n0 -> 1: tau / x := 0\n\
                     1 -> 1: [x != n] Up[a,b] / x := x + 1\n1 -> 2: [x == n] Done[a,b]\n2: end\n";
/// Two loops: the rank is `i`, then `j`.
const NESTED: &str = "stg nested explicit\ninitial 0\n0 -> 1: [i > 0] Round[a,b].<j>\n\
                      1 -> 1: [j > 0] Inner[a,b] / j := j - 1\n1 -> 0: [j <= 0] Next[a,b] / i := i - 1\n\
                      0 -> 2: [i <= 0] Done[a,b]\n2: end\n";
/// Some `y` above the `x` that was given: it is chosen as a term.
const ABOVE: &str = "stg above explicit\ninitial 0\n0 -> 1: X[a,b].<x>\n1 -> 2: Y[a,b].<y>\n\
                     2 -> 3: [y > x] P[a,b]\n2: end\n3: end\n";
/// A string that is neither of two.
const OTHER: &str = "stg other explicit\ninitial 0\n0 -> 1: X[a,b].(<s>, <t>)\n1 -> 2: Y[a,b].<u>\n\
                     2 -> 3: [u != s && u != t && s == \"a\"] P[a,b]\n2 -> 3: [u != s && u != t && s != \"a\"] P[a,b]\n2: end\n3: end\n";
/// Needs that both counters are the same.
const BOTH: &str = "stg both explicit\ninitial 0\n0 -> 1: tau / x := 0; y := 0\n1 -> 1: Up[a,b] / x := x + 1; y := y + 1\n\
                    1 -> 2: Turn[a,b]\n2 -> 2: [x > 0] Down[a,b] / x := x - 1; y := y - 1\n2 -> 3: [x == 0] Last[a,b]\n3: end\n";
/// What is shown was brought before, or is 5.
const SEEN: &str = "stg seen explicit\ninitial 0\n0 -> 1: X[a,b].<x>\n1 -> 2: [x > 0] Show[b,a].x\n1 -> 2: [x <= 0] Show[b,a].5\n2: end\n";
const NEVER: &str = "forall $v: A[true {not Show($v)} W {X($v)} true]";

fn proved(stg: &str, formula: &str) -> (Question, ForAllProof) {
    let mut question = Question::new(stg, formula);
    let found = question.answer();
    let Some(proof) = found.proof else {
        panic!("{formula}: {:?}", found.verdict);
    };
    assert_eq!(question.check(&proof), Ok(found.checked));
    (question, proof)
}

/// What the checker says of a proof after a damage of this name.
fn damaged(stg: &str, formula: &str, name: &str) -> Result<(), Flaw> {
    let (mut question, mut proof) = proved(stg, formula);
    let damage = DAMAGES.iter().find(|it| it.0 == name);
    let Some((_, damage)) = damage else {
        panic!("{name} is not known");
    };
    assert!(
        damage(&mut proof, &mut question.terms),
        "{name} changes nothing"
    );
    question.check(&proof).map(drop)
}

#[test]
fn what_a_certificate_rests_on_is_needed() {
    for (stg, formula, name) in [
        (COUNT, "AF {Done} true", "no ranks"),
        (COUNT, "AF {Done} true", "ranks upside down"),
        (COUNT, "AF {Done} true", "everything everywhere"),
        (COUNT, "AF {Done} true", "the opposite"),
        (COUNT, "AF {Done} true", "true for false"),
        (COUNT, "AF {Done} true", "no claims"),
        (NESTED, "AF {Done} true", "no ranks"),
        (NESTED, "AF {Done} true", "ranks upside down"),
        (ABOVE, "AX {X} EX {Y} EF {P} true", "no choices"),
        (OTHER, "AX {X} EX {Y} EF {P} true", "no choices"),
        (
            OTHER,
            "AX {X} EX {Y} EF {P} true",
            "the first choice for all",
        ),
        (SEEN, NEVER, "nothing against"),
        (SEEN, NEVER, "other values against"),
        (SEEN, "AG knows(b, x)", "true for false"),
        (SEEN, "AG [X] knows(b, x)", "no claims"),
        (BOTH, "AG (at 3 implies y == 0)", "nothing assumed"),
        (BOTH, "AG (at 3 implies y == 0)", "false assumed"),
    ] {
        let found = damaged(stg, formula, name);
        assert!(matches!(found, Err(Flaw::Wrong(_))), "{name}: {found:?}");
    }
}

/// Changes the claims of a proof, and says what the checker finds.
fn flaw(
    (question, proof): &mut (Question, ForAllProof),
    change: impl Fn(&mut SetClaim, &mut Terms),
) -> String {
    let mut changed = proof.clone();
    for claim in changed.parts.iter_mut().flat_map(|it| &mut it.claims) {
        change(claim, &mut question.terms);
    }
    match question.check(&changed) {
        Err(Flaw::Wrong(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_flaw_names_the_claim_and_the_place() {
    let mut count = proved(COUNT, "AF {Done} true");
    let found = flaw(&mut count, |claim, _| {
        let ranks = claim.stages.iter_mut().flat_map(|it| &mut it.rank);
        ranks.for_each(|it| {
            if let RankPart::Number(_) = it {
                *it = RankPart::Number(Term::TRUE);
            }
        });
    });
    assert_eq!(found, "a rank is not a number of the state");
    let found = flaw(&mut count, |claim, terms| {
        let ranks = claim.stages.iter_mut().flat_map(|it| &mut it.rank);
        let seven = terms.int(7);
        ranks.for_each(|it| {
            if let RankPart::Number(number) = it {
                *number = seven;
            }
        });
    });
    let expected = "the claim that `AF {Done} true` holds at 1 (stage ";
    assert!(found.starts_with(expected), "{found}");
    assert!(
        found.ends_with("step 0 leads to where nothing is shown, or does not decrease the rank"),
        "{found}"
    );
}

#[test]
fn other_terms_are_no_choice() {
    let mut above = proved(ABOVE, "AX {X} EX {Y} EF {P} true");
    let found = flaw(&mut above, |claim, terms| {
        let sets = claim.stages.iter_mut().flat_map(|it| &mut it.sets);
        for witness in sets.flat_map(|it| &mut it.witnesses) {
            for value in witness.values.iter_mut().flatten() {
                // One less than what is above by one is not above.
                let one = terms.int(1);
                *value = terms.arithmetic(Op::Subtract, *value, one);
            }
        }
    });
    assert!(
        found.ends_with("no step with the given values does what is claimed"),
        "{found}"
    );
}

#[test]
fn steps_are_chosen_by_terms() {
    for (stg, formula) in [
        (ABOVE, "AX {X} EX {Y} EF {P} true"),
        (OTHER, "AX {X} EX {Y} EF {P} true"),
        (ABOVE, "EX {X} AX {Y} EF {P} true"),
        (NESTED, "EF {Done} true"),
    ] {
        let (mut question, proof) = proved(stg, formula);
        let checked = question.check(&proof).expect("it was accepted");
        assert_eq!(checked.for_some_value, 0, "{formula}");
    }
}

#[test]
fn a_value_may_be_left_to_the_solver() {
    let (mut question, mut proof) = proved(ABOVE, "AX {X} EX {Y} EF {P} true");
    let claims = proof.parts.iter_mut().flat_map(|it| &mut it.claims);
    let sets = claims
        .flat_map(|it| &mut it.stages)
        .flat_map(|it| &mut it.sets);
    for witness in sets.flat_map(|it| &mut it.witnesses) {
        witness.values = None;
    }
    let checked = question.check(&proof).expect("there is such a value");
    assert_eq!(checked.for_some_value, 1);
}

#[test]
fn a_set_without_its_place_is_missed() {
    let mut both = proved(BOTH, "AG (at 3 implies y == 0)");
    let found = flaw(&mut both, |claim, _| {
        for stage in &mut claim.stages {
            stage.sets.retain(|it| it.place != 2);
        }
    });
    assert!(found.contains("at 1"), "{found}");
}

#[test]
fn a_condition_is_about_parameters() {
    let (mut question, mut proof) = proved(COUNT, "AF {Done} true");
    let (x, zero) = (
        question.terms.named("x", choros_data::Sort::INT),
        question.terms.int(0),
    );
    proof.condition = question.terms.compare(Op::GreaterEqual, x, zero);
    let found = question.check(&proof);
    assert_eq!(
        found,
        Err(Flaw::Wrong(
            "the condition is not about the parameters alone".to_owned()
        ))
    );
}

#[test]
fn weaker_and_stronger_conditions_are_refused() {
    let (mut question, mut proof) = proved(COUNT, "AF {Done} true");
    for bound in [-1, 1] {
        let n = question.terms.named("n", choros_data::Sort::INT);
        let bound = question.terms.int(bound);
        proof.condition = question.terms.compare(Op::GreaterEqual, n, bound);
        let found = question.check(&proof);
        assert!(matches!(found, Err(Flaw::Wrong(_))), "{found:?}");
    }
}

/// What the checker says of a proof about one formula as a proof about another.
fn as_proof_of(stg: &str, formula: &str, other: &str) -> Flaw {
    let (_, proof) = proved(stg, formula);
    let mut question = Question::new(stg, other);
    // The terms of the proof are those of another store, which was filled in the same way.
    let (own, _) = proved(stg, formula);
    question.terms = own.terms;
    question
        .check(&proof)
        .expect_err("it is about another formula")
}

#[test]
fn quantifiers_cannot_be_swapped() {
    for (formula, other) in [
        ("AX {X} EX {Y} EF {P} true", "EX {X} AX {Y} EF {P} true"),
        ("AX {X} EX {Y} EF {P} true", "AX {X} AX {Y} EF {P} true"),
        ("AX {X} EX {Y} EF {P} true", "AX {X} EX {Y} AF {P} true"),
    ] {
        let found = as_proof_of(ABOVE, formula, other);
        assert!(matches!(found, Flaw::Wrong(_)), "{other}: {found:?}");
    }
    // Some run is not every run, and a step is not a rank.
    let found = as_proof_of(NESTED, "EF {Done} true", "AF {Done} true");
    assert!(matches!(found, Flaw::Wrong(_)), "{found:?}");
}

#[test]
fn a_set_that_leaks_is_refused() {
    // It is avoided where n < x; of n <= x one step leads to the end.
    let mut count = proved(COUNT, "AF {Done} true");
    let found = flaw(&mut count, |claim, terms| {
        if claim.truth {
            return;
        }
        for set in claim.stages.iter_mut().flat_map(|it| &mut it.sets) {
            if set.place == 1 {
                let (n, x) = ("n", "x");
                let [n, x] = [n, x].map(|it| terms.named(it, choros_data::Sort::INT));
                set.condition = terms.compare(Op::LessEqual, n, x);
            }
        }
    });
    assert!(found.contains("at 1"), "{found}");
}

#[test]
fn ranks_that_fall_without_end_are_refused() {
    // x grows, so -x falls, and is never at least 0.
    let mut count = proved(COUNT, "AF {Done} true");
    let found = flaw(&mut count, |claim, terms| {
        let x = terms.named("x", choros_data::Sort::INT);
        let x = terms.negate(x);
        let ranks = claim.stages.iter_mut().flat_map(|it| &mut it.rank);
        ranks.for_each(|it| {
            if let RankPart::Number(number) = it {
                *number = x;
            }
        });
    });
    assert!(found.ends_with("does not decrease the rank"), "{found}");
}

/// Steps back by `n`, a real number.
const BACK: &str = "stg back explicit\ninitial 0\n0 -> 0: [x > 0.0] Back[a,b] / x := x - n; k := k + n\n\
                    0 -> 1: [x <= 0.0] End[a,b]\n1: end\n";

#[test]
fn what_a_rank_falls_by_does_not_change() {
    let mut back = proved(BACK, "AF {End} true");
    for other in ["k", "x", "0.0", "-1.0"] {
        let found = flaw(&mut back, |claim, terms| {
            let ranks = claim.stages.iter_mut().flat_map(|it| &mut it.rank);
            for part in ranks {
                if let RankPart::Falling(_, by) = part {
                    *by = match other {
                        "0.0" | "-1.0" => {
                            let number = other.parse::<f64>().expect("a number") as i64;
                            let number = num_rational::BigRational::from_integer(number.into());
                            terms.constant(choros_data::Value::Real(number))
                        }
                        name => terms.named(name, choros_data::Sort::REAL),
                    };
                }
            }
        });
        assert!(!found.is_empty(), "{other}");
    }
}
