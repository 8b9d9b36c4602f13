//! Certificates that were tampered with are found out, or what they claim is still true.
//!
//! The truth is that of the ground relation, over finite sorts.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod support;

use choros_base::Budget;
use choros_certify::{
    Attack, Certificate, Challenge, RelatedPair, RelationClaim, Sides, check_attack,
    check_certificate, sides,
};
use choros_conform::{Setup, attack, conformance};
use choros_data::{Assignment, Term, Terms, Value};
use choros_model::Verdict;
use choros_model::stg::{NodeId, Stg};
use choros_smt::Solver;
use choros_testkit::{Random, rounds, seed_from_env};
use support::ground::{Ground, assignments, size};
use support::random::Maker;

/// A model, its answer, and the evidence for it.
struct Case {
    implementation: Stg,
    specification: Stg,
    allow_fixed: bool,
    verdict: Verdict,
    relation: Vec<RelatedPair>,
    attack: Option<Attack>,
    terms: Terms,
}

fn case(seed: u64, allow_fixed: bool, solver: &mut dyn Solver) -> Case {
    let mut maker = Maker::new(seed);
    let specification = maker.specification();
    let implementation = maker.implementation(&specification);
    let mut terms = maker.terms;
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed,
        most_changes: 40,
    };
    let budget = Budget::unlimited();
    let (left, right) = (&implementation, &specification);
    let found = conformance(left, right, &setup, &mut terms, solver, &budget)
        .expect("the solver answers")
        .into_owned();
    let attack = match found.verdict {
        Verdict::Fails(_) => {
            attack(left, right, &setup, &mut terms, solver, &budget).expect("the solver answers")
        }
        _ => None,
    };
    Case {
        verdict: found.verdict,
        relation: found.relation,
        implementation,
        specification,
        allow_fixed,
        attack,
        terms,
    }
}

/// Whether the implementation conforms for each of the values that satisfy `start`.
fn conforms(case: &Case, sides: &Sides<'_>, start: Term) -> bool {
    let terms = &case.terms;
    let ground = Ground::new(&sides.left, &sides.right, case.allow_fixed, terms);
    let mut parameters = sides.left.parameters(terms);
    parameters.extend(sides.right.parameters(terms));
    assignments(&parameters, terms).into_iter().all(|values| {
        terms.evaluate_guard(start, &values) != Ok(true) || ground.conforms(&values, terms)
    })
}

/// Pairs dropped, added, exchanged, conditions weakened and taken from elsewhere, the claim made larger: what is
/// confirmed is true.
#[test]
fn a_relation_that_was_tampered_with_is_refuted_or_its_claim_is_true() {
    let seed = seed_from_env();
    let (mut refuted, mut harmless) = (0, 0);
    for round in 0..rounds(60) as u64 {
        let mut solver = choros_smt::find().expect("the tests need a solver");
        let mut case = case(seed.wrapping_add(round), round % 3 == 0, &mut *solver);
        let (implementation, specification) =
            (case.implementation.clone(), case.specification.clone());
        let sides = sides(&implementation, &specification, &[], &mut case.terms);
        if size(&sides.left, &sides.right, &case.terms) > 3_000 {
            continue;
        }
        let mut random = Random::new(seed ^ round.wrapping_mul(0x9e37));
        for _ in 0..6 {
            let (relation, start) = forged(&case, &sides, &mut random);
            let claim = RelationClaim {
                implementation: &sides.left,
                specification: &sides.right,
                relation: &relation,
                start,
                allow_fixed: case.allow_fixed,
            };
            let budget = Budget::unlimited();
            let checked = check_certificate(&claim, &mut case.terms, &mut *solver, &budget);
            match checked.expect("the solver answers") {
                Certificate::Confirmed => {
                    harmless += 1;
                    assert!(
                        conforms(&case, &sides, start),
                        "seed {seed}, round {round}: confirmed, but it does not conform"
                    );
                }
                _ => refuted += 1,
            }
        }
    }
    assert!(refuted > 40 && harmless > 5, "{refuted} {harmless}");
}

fn forged(case: &Case, sides: &Sides<'_>, random: &mut Random) -> (Vec<RelatedPair>, Term) {
    let mut relation = case.relation.clone();
    let pair = |random: &mut Random| RelatedPair {
        left: NodeId(random.below(sides.left.nodes().len()) as u32),
        right: NodeId(random.below(sides.right.nodes().len()) as u32),
        condition: Term::TRUE,
    };
    if relation.is_empty() {
        relation.push(RelatedPair {
            left: sides.left.initial(),
            right: sides.right.initial(),
            condition: Term::TRUE,
        });
        for _ in 0..random.below(20) {
            relation.push(pair(random));
        }
    }
    for _ in 0..1 + random.below(2) {
        let at = random.below(relation.len());
        match random.below(5) {
            0 if relation.len() > 1 => drop(relation.remove(at)),
            1 => relation[at].condition = Term::TRUE,
            2 => relation[at].condition = relation[random.below(relation.len())].condition,
            3 => relation[at].right = pair(random).right,
            _ => relation.push(pair(random)),
        }
    }
    let start = match (&case.verdict, random.below(3)) {
        (Verdict::HoldsIf(condition, _), 0) => *condition,
        _ => Term::TRUE,
    };
    (relation, start)
}

/// Most answers *fails* over finite sorts can be certified, and an attack that was tampered with, or belongs to another
/// model, is confirmed only where the implementation does not conform for the values it starts with.
#[test]
fn an_attack_that_was_tampered_with_is_refuted_or_its_claim_is_true() {
    let seed = seed_from_env();
    let (mut failing, mut attacked, mut refuted, mut harmless) = (0, 0, 0, 0);
    let mut last: Option<Attack> = None;
    for round in 0..rounds(60) as u64 {
        let seed_of_round = seed.wrapping_add(70_000 + round);
        let mut solver = choros_smt::find().expect("the tests need a solver");
        let mut case = case(seed_of_round, round % 3 == 0, &mut *solver);
        let (implementation, specification) =
            (case.implementation.clone(), case.specification.clone());
        let sides = sides(&implementation, &specification, &[], &mut case.terms);
        failing += usize::from(matches!(case.verdict, Verdict::Fails(_)));
        attacked += usize::from(case.attack.is_some());
        let attack = case.attack.clone().or(last.clone());
        last = attack.clone();
        let Some(attack) = attack else { continue };
        if size(&sides.left, &sides.right, &case.terms) > 3_000 {
            continue;
        }
        let ground = Ground::new(&sides.left, &sides.right, case.allow_fixed, &case.terms);
        let mut random = Random::new(seed_of_round);
        for _ in 0..10 {
            let mut forged = attack.clone();
            tamper(&mut forged, &mut random);
            match check_attack(&forged, &sides, case.allow_fixed, &case.terms) {
                Certificate::Confirmed => {
                    harmless += 1;
                    let start = forged.positions.last().expect("it has a start");
                    let mut values: Assignment = start.left.values.clone();
                    values.extend(start.right.values.clone());
                    // One that was made for another model may speak of others.
                    let mut parameters = sides.left.parameters(&case.terms);
                    parameters.extend(sides.right.parameters(&case.terms));
                    values.retain(|it, _| parameters.contains(it));
                    assert!(
                        !ground.conforms(&values, &case.terms),
                        "seed {seed}, round {round}: confirmed, but it conforms"
                    );
                }
                _ => refuted += 1,
            }
        }
    }
    assert!(
        refuted > 40 && attacked * 10 >= failing * 9,
        "{refuted} {harmless} {attacked} {failing}"
    );
}

fn tamper(attack: &mut Attack, random: &mut Random) {
    let at = random.below(attack.positions.len());
    let earlier = random.below(attack.positions.len());
    let position = &mut attack.positions[at];
    match random.below(8) {
        0 => drop(attack.positions.remove(at)),
        1 => drop(position.replies.pop()),
        2 => position.challenge = Challenge::LeftEnds,
        3 => position.challenge = Challenge::RightEnds,
        4 => position
            .replies
            .iter_mut()
            .for_each(|it| it.to = Some(earlier)),
        5 => position.left.values.clear(),
        6 =>
        {
            #[expect(clippy::iter_over_hash_type, reason = "each value on its own")]
            for value in position.right.values.values_mut() {
                if let Value::Bool(it) = value {
                    *it = !*it;
                }
            }
        }
        _ => position.left.node = NodeId(random.below(4) as u32),
    }
}
