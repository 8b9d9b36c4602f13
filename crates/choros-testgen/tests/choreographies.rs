//! Fact F22: tests of well-formed choreographies are suitable (Theorem 3.11), and their runs are runs of the whole
//! system (Lemma 3.10).

use std::collections::BTreeSet;

use choros_base::Budget;
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Channels, Discipline, System, survey};
use choros_model::lts::StateId;
use choros_realize::gchor::{Strictness, project_all, well_formedness};
use choros_testgen::{
    Compliance, Fairness, Generation, Oracle, Splitting, WatchedChannels, comply, generate,
};
use choros_testkit::{GchorShape, Random, random_formed_gchor, random_gchor, seed_from_env};

/// All steps of a system in words.
fn steps<'m>(
    machines: impl IntoIterator<Item = &'m Cfsm>,
    discipline: Discipline,
    terms: &'m Terms,
) -> BTreeSet<(String, String, String)> {
    let mut system = System::new(machines, discipline, terms);
    let found = survey(&mut system, &Budget::unlimited());
    let mut all = BTreeSet::new();
    let mut moves = Vec::new();
    for state in (0..found.states as u32).map(StateId) {
        moves.clear();
        system.moves(state, &mut moves);
        for step in &moves {
            all.insert((
                words(&system, state),
                system.step_text(step.action),
                words(&system, step.target),
            ));
        }
    }
    all
}

/// A configuration in words that do not depend on the order in which channels and messages are first mentioned.
fn words(system: &System<'_>, state: StateId) -> String {
    let mut configuration = system.configuration(state);
    configuration.channels.sort();
    if system.discipline().channels == Channels::Bag {
        for (_, waiting) in &mut configuration.channels {
            waiting.sort();
        }
    }
    format!("{configuration:?}")
}

#[test]
fn f22_tests_of_well_formed_choreographies_are_suitable() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut tried = 0;
    for number in 0..600 {
        let mut terms = Terms::new();
        let shape = GchorShape {
            roles: 2 + random.below(2),
            interactions: 1 + random.below(5),
            ..GchorShape::small()
        };
        let gchor = match number % 3 {
            0 => random_gchor(&mut random, shape, &mut terms.names),
            _ => random_formed_gchor(&mut random, shape, &mut terms.names),
        };
        let form = well_formedness(&gchor, Strictness::default(), &Budget::unlimited()).unwrap();
        if !form.holds() || !form.unsequenced.is_empty() {
            continue;
        }
        let machines = project_all(&gchor, &Budget::unlimited()).unwrap();
        let generation = Generation {
            roles: Vec::new(),
            splitting: Splitting::Once,
            oracles: vec![Oracle::FinalStates],
        };
        let suite = generate(
            &machines,
            &generation,
            &mut terms.names,
            &Budget::unlimited(),
        )
        .unwrap();
        tried += suite.tests.len();
        for discipline in [Discipline::fifo(6), Discipline::bag(6)] {
            let whole = steps(&machines, discipline, &terms);
            for test in suite.tests.iter().take(8) {
                let context = || format!("{number} of CHOROS_SEED={seed}: {gchor:?} {test:?}");
                let own = suite.machine(test.under_test).unwrap();
                let answer = comply(
                    own,
                    test,
                    discipline,
                    &WatchedChannels::All,
                    Fairness::None,
                    &terms,
                    &Budget::unlimited(),
                );
                assert!(
                    matches!(answer, Compliance::Passes(_)),
                    "{answer:?} {}",
                    context()
                );
                // In the order of the model, so that configurations have the same words.
                let mut players = test.machines.iter().map(|it| &it.machine);
                let all = machines.iter().filter_map(|machine| {
                    if machine.participant() == test.under_test {
                        Some(machine)
                    } else {
                        players.next()
                    }
                });
                let all: Vec<&Cfsm> = all.collect();
                assert!(
                    steps(all, discipline, &terms).is_subset(&whole),
                    "{}",
                    context()
                );
            }
        }
    }
    assert!(tried > 300, "only {tried} tests");
}
