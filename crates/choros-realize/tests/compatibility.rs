//! Compatibility within a bound: the naive twin, and what it promises beyond the bound.

use choros_base::Budget;
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline, MachineId, Move, Reduction, System, survey};
use choros_model::lts::StateId;
use choros_realize::{Compatibility, Independence, compatibility, safety};
use choros_testkit::{
    MachineShape, Random, random_directed, random_machines, random_protocol, seed_from_env,
};

const SMALL: MachineShape = MachineShape {
    machines: 2,
    states: 3,
    transitions: 4,
    messages: 2,
    loops: true,
};

/// Everything by looking from every configuration for everything, forwards.
fn naive(machines: &[Cfsm], bound: u32, terms: &Terms) -> (bool, bool, bool, bool) {
    let mut system = System::new(machines, Discipline::fifo(bound), terms);
    let found = survey(&mut system, &Budget::unlimited());
    let all: Vec<Vec<Move>> = (0..found.states as u32)
        .map(|state| {
            let mut moves = Vec::new();
            system.moves(StateId(state), &mut moves);
            moves
        })
        .collect();
    // Configurations that steps of everyone but `without` lead to.
    let after = |from: usize, without: Option<MachineId>| {
        let mut seen = vec![false; all.len()];
        let mut open = vec![from];
        seen[from] = true;
        while let Some(at) = open.pop() {
            for step in &all[at] {
                let target = step.target.index();
                if Some(step.machine) != without && !seen[target] {
                    seen[target] = true;
                    open.push(target);
                }
            }
        }
        (0..all.len()).filter(|&at| seen[at]).collect::<Vec<_>>()
    };
    let (mut reception, mut progress, mut exhaustive, mut input) = (true, true, true, true);
    for at in 0..all.len() {
        let state = StateId(at as u32);
        let later = after(at, None);
        for channel in 0..system.channel_count() {
            if !system.is_empty(state, channel) {
                reception &= later
                    .iter()
                    .any(|&it| all[it].iter().any(|it| !it.sends && it.channel == channel));
            }
        }
        for machine in system.machine_ids() {
            let offers: Vec<_> = system.offers(state, machine).collect();
            if !offers.is_empty() && offers.iter().all(|it| !it.sends) {
                progress &= later
                    .iter()
                    .any(|&it| all[it].iter().any(|it| it.machine == machine));
            }
            let others = after(at, Some(machine));
            for offer in offers.iter().filter(|it| it.sends) {
                exhaustive &= others.iter().any(|&it| {
                    all[it]
                        .iter()
                        .any(|it| it.machine == machine && it.channel == offer.channel)
                });
            }
            for step in all[at]
                .iter()
                .filter(|it| it.machine == machine && !it.sends)
            {
                input &= !others.iter().any(|&it| {
                    all[it]
                        .iter()
                        .any(|it| it.machine == machine && !it.sends && it.channel != step.channel)
                });
            }
        }
    }
    (reception, progress, exhaustive, input)
}

#[test]
fn going_backwards_agrees_with_going_forwards() {
    let mut random = Random::new(seed_from_env());
    let mut counts = [[0; 2]; 4];
    // Some answers are rare: it continues until each was seen.
    let all_seen = |counts: &[[usize; 2]; 4]| counts.iter().flatten().all(|&it| it > 0);
    for round in 0..20_000 {
        if round >= 400 && all_seen(&counts) {
            break;
        }
        let mut terms = Terms::new();
        let shape = MachineShape {
            machines: 2 + round % 2,
            ..SMALL
        };
        let machines = random_machines(shape, &mut random, &mut terms.names);
        let bound = 1 + random.below(2) as u32;
        let mut system = System::new(&machines, Discipline::fifo(bound), &terms);
        let found = survey(&mut system, &Budget::unlimited());
        if found.states > 400 {
            continue;
        }
        let quick = compatibility(&mut system, &found).unwrap();
        let quick = [
            quick.reception.is_none(),
            quick.progress.is_none(),
            quick.exhaustivity.is_none(),
            quick.independence.unwrap().input.is_none(),
        ];
        let (reception, progress, exhaustive, input) = naive(&machines, bound, &terms);
        assert_eq!(
            quick,
            [reception, progress, exhaustive, input],
            "{machines:?}"
        );
        for (count, holds) in counts.iter_mut().zip(quick) {
            count[usize::from(holds)] += 1;
        }
    }
    assert!(all_seen(&counts), "{counts:?}");
}

/// Directed machines that are safe and exhaustive within a bound are safe within larger ones.
#[test]
fn what_holds_beyond_the_bound_holds_at_larger_bounds() {
    let mut random = Random::new(seed_from_env());
    let mut promised = 0;
    for round in 0..6_000 {
        let mut terms = Terms::new();
        let shape = MachineShape {
            machines: 2 + round % 2,
            ..SMALL
        };
        let machines = random_directed(shape, &mut random, &mut terms.names);
        if machines.iter().all(|it| it.transition_count() < 2) {
            continue;
        }
        let mut system = System::new(&machines, Discipline::fifo(1), &terms);
        let found = survey(&mut system, &Budget::unlimited());
        let Some(answer) = compatibility(&mut system, &found) else {
            continue;
        };
        assert_eq!(answer.independence, Some(Independence::default()));
        if !answer.beyond_the_bound() {
            continue;
        }
        promised += 1;
        for bound in [2, 3, 4] {
            let mut larger = System::new(&machines, Discipline::fifo(bound), &terms);
            let all = survey(&mut larger, &Budget::steps(100_000));
            assert_eq!(all.unsafe_count(), 0, "{bound} {machines:?}");
            assert_eq!(
                (all.unspecified.0, all.orphans.0),
                (0, 0),
                "{bound} {machines:?}"
            );
            if let Some(answer) = compatibility(&mut larger, &all) {
                assert!(answer.is_safe(), "{bound} {machines:?}");
            }
        }
    }
    assert!(promised > 20, "only {promised} systems of any interest");
}

/// Where every configuration comes home, nothing is asked of each channel and machine; the answer is the same.
#[test]
fn coming_home_agrees_with_going_backwards() {
    let mut random = Random::new(seed_from_env());
    let mut counts = [0; 3];
    for round in 0..20_000 {
        if round >= 1_000 && counts.iter().all(|&it| it > 30) {
            break;
        }
        let mut terms = Terms::new();
        let shape = MachineShape {
            machines: 2 + round % 3,
            states: 3 + round % 2,
            ..SMALL
        };
        let machines = match random.below(3) {
            0 => random_machines(shape, &mut random, &mut terms.names),
            1 => random_directed(shape, &mut random, &mut terms.names),
            _ => random_protocol(shape, &mut random, &mut terms.names),
        };
        let mut system = System::new(&machines, Discipline::fifo(3), &terms);
        let budget = Budget::steps(3_000);
        let found = safety(&mut system, Reduction::None, &budget);
        let Some(quick) = &found.compatible else {
            continue;
        };
        let slow = compatibility(&mut system, &found.found).unwrap();
        let all_home = quick.independence.is_none();
        let slow_is_safe = slow.is_safe();
        assert_eq!(
            *quick,
            Compatibility {
                independence: quick.independence.clone(),
                ..slow
            },
            "{machines:?}"
        );
        // Who comes home came from somewhere: two configurations at least.
        let is_small = found.found.states < 2;
        counts[usize::from(all_home) + usize::from(all_home && !is_small)] += 1;
        assert!(!all_home || slow_is_safe);
    }
    assert!(counts.iter().all(|&it| it > 30), "{counts:?}");
}
