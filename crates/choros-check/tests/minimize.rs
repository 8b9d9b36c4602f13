//! Minimisation against the definitions, on random systems.

use choros_base::{Budget, Names, SourceMap};
use choros_check::{
    AbstractLabels, Equivalence, UnfoldedLts, UnfoldingBounds, bisimilar, check, minimize,
};
use choros_data::Terms;
use choros_model::lts::{Action, ActionId, ExplicitLts, ExplicitLtsBuilder, Lts, StateId};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::{Arity, parse_formula};
use choros_testkit::{Random, rounds, seed_from_env};

fn random_system(random: &mut Random) -> ExplicitLts {
    let mut terms = Terms::new();
    let mut builder = ExplicitLtsBuilder::new();
    let labels = [
        builder.action(&Action::Silent),
        builder.named_action(terms.names.intern("a")),
        builder.named_action(terms.names.intern("b")),
    ];
    let states = 1 + random.below(8);
    for _ in 0..states {
        let count = random.below(4);
        let transitions: Vec<(ActionId, StateId)> = (0..count)
            .map(|_| (*random.pick(&labels), StateId(random.below(states) as u32)))
            .collect();
        let has_ended = random.percent(10);
        builder.state(transitions, &[], has_ended);
    }
    builder.finish(StateId(0), terms)
}

/// The largest relation in which each pair answers each other's steps, found by striking pairs out.
fn related(system: &ExplicitLts, equivalence: Equivalence) -> Vec<Vec<bool>> {
    let count = system.counts().states;
    let state = |index: usize| StateId(index as u32);
    let mut related: Vec<Vec<bool>> = (0..count)
        .map(|one| {
            (0..count)
                .map(|other| system.ended(state(one)) == system.ended(state(other)))
                .collect()
        })
        .collect();
    loop {
        while let Some((one, other)) = find(&related, |one, other| {
            !(answers(system, equivalence, &related, one, other)
                && answers(system, equivalence, &related, other, one))
        }) {
            related[one][other] = false;
            related[other][one] = false;
        }
        // Divergence is asked of classes, and only now the relation has some: states that differ in it, in a relation
        // that holds all pairs of the largest one, differ in the largest one too.
        let diverging: Vec<bool> = (0..count)
            .map(|state| diverges(system, &related, state))
            .collect();
        let differs = |one: usize, other: usize| diverging[one] != diverging[other];
        if equivalence == Equivalence::Strong || find(&related, differs).is_none() {
            return related;
        }
        while let Some((one, other)) = find(&related, differs) {
            related[one][other] = false;
        }
    }
}

/// The first related pair of which something is so.
fn find(related: &[Vec<bool>], is_so: impl Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
    (0..related.len())
        .flat_map(|one| (0..related.len()).map(move |other| (one, other)))
        .find(|&(one, other)| related[one][other] && is_so(one, other))
}

/// Whether silent steps can continue forever through states that are related to this one: since there are finitely many,
/// whether some walk of as many steps as there are states does.
fn diverges(system: &ExplicitLts, related: &[Vec<bool>], start: usize) -> bool {
    let mut here = vec![start];
    for _ in 0..=system.counts().states {
        let mut next: Vec<usize> = here
            .iter()
            .flat_map(|&state| system.transitions(StateId(state as u32)))
            .filter(|&&(label, target)| {
                *system.action(label) == Action::Silent && related[start][target.index()]
            })
            .map(|&(_, target)| target.index())
            .collect();
        next.sort_unstable();
        next.dedup();
        here = next;
    }
    !here.is_empty()
}

/// Whether `other` can answer each step of `one`.
fn answers(
    system: &ExplicitLts,
    equivalence: Equivalence,
    related: &[Vec<bool>],
    one: usize,
    other: usize,
) -> bool {
    let leaving = |state: usize| system.transitions(StateId(state as u32)).to_vec();
    leaving(one).into_iter().all(|(action, target)| {
        let target = target.index();
        let is_silent = *system.action(action) == Action::Silent;
        if equivalence == Equivalence::Strong {
            return leaving(other)
                .iter()
                .any(|&(label, next)| label == action && related[target][next.index()]);
        }
        if is_silent && related[target][other] {
            return true;
        }
        // Silent steps first, all through states that are related to `one`. Where endings play no part, asking it of the
        // last of them is enough (the stuttering lemma); with endings a silent way may lead through an ended state.
        let mut reached = vec![other];
        let mut position = 0;
        while position < reached.len() {
            for (label, next) in leaving(reached[position]) {
                let next = next.index();
                if *system.action(label) == Action::Silent
                    && related[one][next]
                    && !reached.contains(&next)
                {
                    reached.push(next);
                }
            }
            position += 1;
        }
        reached.iter().any(|&middle| {
            related[one][middle]
                && leaving(middle)
                    .iter()
                    .any(|&(label, next)| label == action && related[target][next.index()])
        })
    })
}

#[test]
fn classes_are_those_of_the_definition() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..rounds(300) {
        let system = random_system(&mut random);
        for equivalence in [Equivalence::Strong, Equivalence::Branching] {
            let classes = bisimilar(&system, equivalence);
            let related = related(&system, equivalence);
            for one in 0..classes.len() {
                for other in 0..classes.len() {
                    assert_eq!(
                        classes[one] == classes[other],
                        related[one][other],
                        "{equivalence:?} of {one} and {other} in\n{}",
                        choros_model::lts::write_aut(&system)
                    );
                }
            }
        }
    }
}

#[test]
fn a_small_system_stays_as_it_is() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..rounds(300) {
        let system = random_system(&mut random);
        for equivalence in [Equivalence::Strong, Equivalence::Branching] {
            let small = minimize(&system, equivalence).expect("it is whole");
            let again = minimize(&small, equivalence).expect("it is whole");
            assert_eq!(
                choros_model::lts::write_aut(&small),
                choros_model::lts::write_aut(&again)
            );
            let mut classes = bisimilar(&small, equivalence);
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes.len(), small.counts().states);
        }
    }
}

/// What branching minimisation must keep: formulas over paths that look at visible labels only.
#[test]
fn formulas_over_paths_keep_their_values() {
    let formulas = [
        "AF {a} true",
        "EF {b} true",
        "AG AF {a} true",
        "AG EF {b} true",
        "E [true {b or tau} U {a} true]",
        "A [true {b or tau} U {a} true]",
        "A [true {not b} W {a} true]",
        "EG EF {a} true",
    ];
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut kept = 0;
    for _ in 0..rounds(300) {
        let system = random_system(&mut random);
        let small = minimize(&system, Equivalence::Branching).expect("it is whole");
        kept += usize::from(small.counts().states < system.counts().states);
        for formula in formulas {
            assert_eq!(
                holds(&system, formula),
                holds(&small, formula),
                "{formula}, seed {seed}, in\n{}",
                choros_model::lts::write_aut(&system)
            );
        }
    }
    assert!(kept > 50, "{kept} systems became smaller");
}

fn holds(system: &ExplicitLts, formula: &str) -> &'static str {
    let mut system = system.clone();
    let mut names = Names::new();
    let file = SourceMap::new().add("formula", formula);
    let parsed = parse_formula(file, formula, &mut names).expect("it is a formula");
    let bounds = UnfoldingBounds {
        max_states: 1000,
        depth: None,
        budget: Budget::unlimited(),
    };
    let mut graph = UnfoldedLts::new(&mut system, bounds);
    let mut labels = AbstractLabels::new(Abstraction::Identity, StateLabels::Steps);
    let checked = check(&mut graph, &mut labels, &mut names, &parsed, Arity::Prefix);
    checked.verdict.word()
}
