//! Certificates about machines: every answer has one that is confirmed, and no damaged one shows what is not true.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(clippy::print_stdout, reason = "how many were damaged is worth seeing")]

use choros_base::Budget;
use choros_certify::{JointState, MachineProof, Machines, WaitingForever};
use choros_data::Terms;
use choros_model::cfsm::{Discipline, Reduction, System};
use choros_realize::{Gap, Proof, machine_proof, safety};
use choros_testkit::{
    MachineShape, Random, random_machines, random_protocol, rounds, seed_from_env,
};

#[test]
fn answers_have_certificates_and_damaged_ones_show_nothing_false() {
    let seed = seed_from_env();
    let (mut safe, mut broken, mut without, mut refused, mut accepted) = (0, 0, 0, 0, 0);
    for round in 0..rounds(300) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        let shape = MachineShape {
            machines: 2 + random.below(2),
            states: 4,
            transitions: 6,
            messages: 2,
            loops: random.percent(60),
        };
        let machines = if random.percent(50) {
            random_machines(shape, &mut random, &mut terms.names)
        } else {
            random_protocol(shape, &mut random, &mut terms.names)
        };
        let discipline = match random.below(3) {
            0 => Discipline::fifo(2),
            1 => Discipline::bag(2),
            _ => Discipline::synchronous(),
        };
        let mut system = System::new(&machines, discipline, &terms);
        let found = safety(&mut system, Reduction::None, &Budget::steps(3_000));
        let place = format!("seed {seed}, round {round}, {discipline}");
        let proof = match (&found.proof, machine_proof(&machines, &mut system, &found)) {
            (Ok(Proof::Everything), proof) => {
                safe += 1;
                proof.unwrap_or_else(|reason| panic!("{place}: {reason}"))
            }
            (Err(Gap::Unsafe), Ok(proof)) => {
                broken += 1;
                proof
            }
            (Err(Gap::Unsafe), Err(_)) => {
                without += 1;
                continue;
            }
            (_, Ok(_)) => panic!("{place}: a proof of what was not settled"),
            (_, Err(_)) => continue,
        };
        let checker = Machines::new(&machines, discipline);
        for _ in 0..20 {
            let damaged = damage(&proof, &mut random);
            match checker.check(damaged.claim()) {
                Ok(()) => {
                    let says_safe = matches!(damaged, MachineProof::Safe(_));
                    assert_eq!(says_safe, found.proof.is_ok(), "{place}: {damaged:?}");
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    println!(
        "seed {seed}: {safe} safe, {broken} not, {without} without a certificate; {refused} damaged ones refused, \
         {accepted} still true"
    );
    assert!(safe > 10 && broken > 50 && refused > 500 && without * 10 < broken);
}

/// The proof with something changed, or taken for one of the opposite.
fn damage(proof: &MachineProof, random: &mut Random) -> MachineProof {
    let mut proof = proof.clone();
    match &mut proof {
        MachineProof::Safe(all) => match random.below(3) {
            0 => {
                let run = vec![all[0].clone(), random.pick(all).clone()];
                let waits = WaitingForever::Machine(random.below(3));
                let after = all.clone();
                return MachineProof::Unsafe { run, waits, after };
            }
            _ => change(all, random),
        },
        MachineProof::Unsafe { run, waits, after } => match random.below(5) {
            0 => return MachineProof::Safe(after.clone()),
            1 => return MachineProof::Safe(run.clone()),
            2 => *waits = WaitingForever::Machine(random.below(3)),
            3 => change(run, random),
            _ if after.is_empty() => change(run, random),
            _ => change(after, random),
        },
    }
    proof
}

fn change(all: &mut Vec<JointState>, random: &mut Random) {
    let at = random.below(all.len());
    match random.below(3) {
        0 => {
            all.remove(at);
        }
        1 => {
            let machine = random.below(all[at].states.len());
            all[at].states[machine] = random.below(5) as u32;
        }
        _ => {
            let contents = &mut all[at].contents;
            if let Some(one) = contents.iter_mut().find(|it| !it.is_empty()) {
                one.pop();
            }
        }
    }
}
