//! Certificates about formulas: every answer has one that is confirmed, and no damaged one shows what is not true.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(clippy::print_stdout, reason = "how many were damaged is worth seeing")]

mod support;

use choros_base::{Budget, Names};
use choros_certify::{AskedFormula, Flaw, Judgements, check_judgements};
use choros_check::naive::Naive;
use choros_check::{AbstractLabels, UnfoldedLts, judgements};
use choros_model::lts::ExplicitLts;
use choros_query::abstraction::StateLabels;
use choros_query::socl::{Arity, NodeId};
use choros_testkit::{Random, rounds, seed_from_env};

use support::random::{RULES, Writer, random_system};
use support::{bounds, formula, rules};

#[test]
fn answers_have_certificates_and_damaged_ones_show_nothing_false() {
    let seed = seed_from_env();
    let (mut truths, mut refused, mut accepted) = ([0usize; 2], 0, 0);
    for round in 0..rounds(1_500) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let lts = random_system(&mut random);
        let text = Writer::new(&mut random).formula(4);
        let place = format!("seed {seed}, round {round}: {text}\n{lts:?}");
        let mut names = Names::new();
        let abstraction = rules(RULES, &mut names);
        let formula = formula(&text, &mut names);
        let labels = StateLabels::Steps;
        let arity = Arity::Prefix;
        let naive = Naive::new(&lts, &abstraction, labels, &mut names, &formula, arity);
        let expected = naive.states(formula.root(), &Vec::new())[lts.start().index()];

        let mut own = lts.clone();
        let mut graph = UnfoldedLts::new(&mut own, bounds());
        let mut seen = AbstractLabels::new(abstraction.clone(), labels);
        let found = judgements(&mut graph, &mut seen, &mut names, &formula, arity);
        let (truth, proof) = found.unwrap_or_else(|| panic!("{place}"));
        assert_eq!(truth, expected, "{place}");
        truths[usize::from(truth)] += 1;
        let asked = AskedFormula {
            formula: &formula,
            abstraction: &abstraction,
            state_labels: labels,
            arity,
            fair: &[],
        };
        let mut check = |claim: bool, proof: &Judgements, lts: &ExplicitLts| {
            let mut lts = lts.clone();
            check_judgements(
                &mut lts,
                &asked,
                claim,
                proof,
                &mut names,
                &Budget::unlimited(),
            )
        };
        assert_eq!(check(truth, &proof, &lts), Ok(()), "{place}\n{proof:?}");
        for _ in 0..20 {
            let damaged = damage(&proof, formula.nodes().count(), &mut random);
            for claim in [true, false] {
                match check(claim, &damaged, &lts) {
                    Ok(()) => {
                        assert_eq!(claim, expected, "{place}\n{damaged:?}");
                        accepted += 1;
                    }
                    Err(Flaw::Wrong(_)) => refused += 1,
                    Err(Flaw::Open(why)) => panic!("{place}: {why:?}"),
                }
            }
        }
    }
    println!(
        "seed {seed}: {} true, {} false; {refused} damaged ones refused, {accepted} still true",
        truths[1], truths[0]
    );
    assert!(truths[0] > 100 && truths[1] > 100 && refused > 5_000);
}

/// The proof with something changed: a truth value and a rank more often than the rest, because they are what counts.
fn damage(proof: &Judgements, nodes: usize, random: &mut Random) -> Judgements {
    let mut proof = proof.clone();
    for _ in 0..1 + random.below(3) {
        if proof.all.is_empty() {
            return proof;
        }
        let at = random.below(proof.all.len());
        let states = proof.states.len() + 1;
        let judgement = &mut proof.all[at];
        match random.below(8) {
            0 | 1 => judgement.truth = !judgement.truth,
            2 => judgement.rank = random.below(4) as u32,
            3 => judgement.state = random.below(states) as u32,
            4 => judgement.node = NodeId(random.below(nodes) as u32),
            5 => {
                let mut other = judgement.clone();
                other.truth = !other.truth;
                other.rank = random.below(3) as u32;
                proof.all.push(other);
            }
            6 if states > 1 => {
                let state = random.below(proof.states.len());
                proof.states[state].1 = random.below(3) as u32;
            }
            _ => {
                proof.all.remove(at);
            }
        }
    }
    proof
}
