//! What must hold of every g-choreography, tried on random ones.

use std::collections::BTreeSet;

use choros_base::{Budget, Names};
use choros_data::Terms;
use choros_model::cfsm::{Discipline, System};
use choros_model::gchor::{Gchor, LoopUnfolding, unfold};
use choros_realize::gchor::{
    EventId, GchorLanguage, Strictness, WordState, pomsets, project_all, realises, resolutions,
    well_formedness,
};
use choros_testkit::{GchorShape, Random, random_formed_gchor, random_gchor, seed_from_env};

/// All linearisations of all pomsets, by the definition.
fn listed(gchor: &Gchor, language: &GchorLanguage) -> BTreeSet<Vec<EventId>> {
    let mut words = BTreeSet::new();
    for pomset in pomsets(gchor, &Budget::unlimited()).unwrap() {
        for word in pomset.linearisations(&Budget::unlimited()).unwrap() {
            let event = |number: &u32| {
                let event = pomset.events()[*number as usize];
                language.residuals().event_id(event).unwrap()
            };
            words.insert(word.iter().map(event).collect());
        }
    }
    words
}

/// All words of the rules that may end.
fn unfolded(language: &mut GchorLanguage) -> BTreeSet<Vec<EventId>> {
    let mut words = BTreeSet::new();
    let mut open: Vec<(Vec<EventId>, WordState)> = vec![(Vec::new(), language.start())];
    while let Some((word, state)) = open.pop() {
        if language.ends(state) {
            words.insert(word.clone());
        }
        for &(event, next) in language.steps(state).iter() {
            let mut longer = word.clone();
            longer.push(event);
            open.push((longer, next));
        }
    }
    words
}

/// The rules give the linearisations of the pomsets, and the counts count them.
#[test]
fn the_rules_and_the_definition_agree() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for number in 0..400 {
        let mut names = Names::new();
        let gchor = random_gchor(&mut random, GchorShape::small(), &mut names);
        let mut language = GchorLanguage::new(&gchor);
        let listed = listed(&gchor, &language);
        let unfolded = unfolded(&mut language);
        let context = format!("choreography {number} of CHOROS_SEED={seed}: {gchor:?}");
        assert_eq!(listed, unfolded, "{context}");
        let counts = language.counts(&Budget::unlimited()).unwrap();
        let prefixes: BTreeSet<&[EventId]> = listed
            .iter()
            .flat_map(|word| (0..=word.len()).map(|length| &word[..length]))
            .collect();
        assert_eq!(counts.linearisations, listed.len().into(), "{context}");
        assert_eq!(counts.prefixes, prefixes.len().into(), "{context}");
    }
}

/// The ways to resolve choices are never fewer than the pomsets, and as many where the form is right.
#[test]
fn resolutions_bound_the_pomsets() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for number in 0..400 {
        let mut names = Names::new();
        let gchor = match number % 2 {
            0 => random_gchor(&mut random, GchorShape::small(), &mut names),
            _ => random_formed_gchor(&mut random, GchorShape::small(), &mut names),
        };
        let found = pomsets(&gchor, &Budget::unlimited()).unwrap().len();
        let form = well_formedness(&gchor, Strictness::default(), &Budget::unlimited()).unwrap();
        let context = format!("choreography {number} of CHOROS_SEED={seed}: {gchor:?}");
        assert!(resolutions(&gchor) >= found.into(), "{context}");
        // A choice in which no one takes part is not a mistake, but all its branches are alike.
        if form.holds() && form.decisions.iter().all(|(_, decider)| decider.is_some()) {
            assert_eq!(resolutions(&gchor), found.into(), "{context}");
        }
    }
}

/// What is well-branched, well-forked and well-sequenced is realised by its projections; over multisets they do all of
/// it, over queues perhaps less.
#[test]
fn what_is_well_formed_is_realised() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut tried = 0;
    for number in 0..500 {
        let mut terms = Terms::new();
        let shape = GchorShape {
            roles: 2 + random.below(2),
            interactions: 1 + random.below(5),
            loops: number % 4 == 3,
            ..GchorShape::small()
        };
        let gchor = match number % 2 {
            0 => random_gchor(&mut random, shape, &mut terms.names),
            _ => random_formed_gchor(&mut random, shape, &mut terms.names),
        };
        let form = well_formedness(&gchor, Strictness::default(), &Budget::unlimited()).unwrap();
        if !form.holds() || !form.unsequenced.is_empty() {
            continue;
        }
        tried += 1;
        let machines = project_all(&gchor, &Budget::unlimited()).unwrap();
        for (discipline, is_bag) in [(Discipline::bag(4), true), (Discipline::fifo(4), false)] {
            let mut system = System::new(&machines, discipline, &terms);
            let found = realises(&gchor, &mut system, &Budget::steps(200_000));
            let context = format!(
                "choreography {number} of CHOROS_SEED={seed}, {discipline}: {gchor:?}\n{found:#?}"
            );
            assert_ne!(found.answer(), Some(false), "{context}");
            if is_bag && found.answer() == Some(true) {
                assert!(found.missing.is_none(), "{context}");
            }
        }
    }
    assert!(
        tried > 50,
        "only {tried} were well-formed, CHOROS_SEED={seed}"
    );
}

/// Pulling what follows into the branches changes no pomset: the words of an unfolded loop are words of the loop.
#[test]
fn unfolding_keeps_the_words() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for number in 0..200 {
        let mut names = Names::new();
        let shape = GchorShape {
            loops: true,
            interactions: 4,
            ..GchorShape::small()
        };
        let gchor = random_gchor(&mut random, shape, &mut names);
        let Ok(once) = unfold(&gchor, LoopUnfolding::UpTo(1), &Budget::steps(2_000)) else {
            continue;
        };
        assert!(!once.has_loops());
        let mut whole = GchorLanguage::new(&gchor);
        let mut written_out = GchorLanguage::new(&once);
        for word in unfolded(&mut written_out) {
            let mut state = whole.start();
            for event in word {
                // What follows a loop may be mentioned earlier now, so events have other numbers.
                let event = written_out.residuals().events()[event.index()];
                let event = whole.residuals().event_id(event);
                let after = event.and_then(|event| whole.after(state, event));
                state = after.unwrap_or_else(|| {
                    panic!("choreography {number} of CHOROS_SEED={seed}: {gchor:?}")
                });
            }
            assert!(
                whole.ends(state),
                "choreography {number} of CHOROS_SEED={seed}: {gchor:?}"
            );
        }
    }
}
