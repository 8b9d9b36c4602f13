use choros_data::{Assignment, Value};

use super::*;
use crate::seed_from_env;

fn shape(states: usize, data_level: usize, contradictions: u32) -> Shape {
    Shape {
        states,
        data_level,
        contradictions,
        ..Shape::BASE
    }
}

#[test]
fn the_shape_is_kept() {
    let seed = seed_from_env();
    for (states, branches) in [(1, 1), (2, 5), (100, 1), (1000, 5), (1002, 5), (1000, 25)] {
        let made = random_choreography(
            Shape {
                states,
                branches,
                ..Shape::BASE
            },
            seed,
        );
        let stg = &made.stg;
        assert_eq!(stg.nodes().len(), states);
        assert_eq!(stg.edges().len(), states - 1);
        let mut targets: Vec<NodeId> = stg.edges().iter().map(|edge| edge.target).collect();
        targets.sort();
        assert_eq!(targets, (1..states as u32).map(NodeId).collect::<Vec<_>>());
        // A target is newer than its source, so there is no cycle.
        assert!(stg.edges().iter().all(|edge| edge.source < edge.target));
        let degrees: Vec<usize> = stg
            .node_ids()
            .map(|node| stg.outgoing(node).count())
            .filter(|&degree| degree > 0)
            .collect();
        let short = degrees.iter().filter(|&&degree| degree != branches).count();
        assert!(short <= 1 && degrees.iter().all(|&degree| degree <= branches));
        assert_eq!(short == 0, (states - 1) % branches == 0);
    }
}

#[test]
fn roles_and_operations_are_kept() {
    let made = random_choreography(
        Shape {
            roles: 3,
            operations: 4,
            ..Shape::BASE
        },
        1,
    );
    assert_eq!(made.stg.roles().len(), 3);
    assert!(
        made.stg
            .messages()
            .all(|message| message.from != message.to)
    );
    let mut operations: Vec<&str> = made
        .stg
        .messages()
        .map(|message| made.terms.names.text(message.operation.0))
        .collect();
    operations.sort_unstable();
    operations.dedup();
    assert_eq!(operations, ["o1", "o2", "o3", "o4"]);
}

#[test]
fn the_data_level_is_kept() {
    let seed = 1;
    for data_level in 0..5 {
        let made = random_choreography(shape(500, data_level, 0), seed);
        let has_data = made
            .stg
            .messages()
            .any(|message| !message.fields.is_empty());
        assert_eq!(has_data, data_level > 0);
        let most = made
            .stg
            .edges()
            .iter()
            .map(|edge| made.terms.free_variables(edge.guard).len())
            .max();
        assert_eq!(most, Some(data_level.saturating_sub(1)));
        assert!(made.stg.parameters(&made.terms).is_empty());
    }
}

#[test]
fn the_same_seed_makes_the_same() {
    let seed = seed_from_env();
    let script = |seed| random_choreography(shape(200, 3, 20), seed).script();
    assert_eq!(script(seed), script(seed));
    assert_ne!(script(seed), script(seed.wrapping_add(1)));
}

#[test]
fn there_is_something_dead_to_find() {
    let made = random_choreography(shape(400, 3, 30), 1);
    assert!(made.contradictions.len() > 20);
    assert!((20..380).contains(&made.dead.len()));
}

#[test]
fn nothing_is_dead_unless_asked_for() {
    let made = random_choreography(shape(1000, 4, 0), seed_from_env());
    assert!(made.dead.is_empty() && made.contradictions.is_empty());
}

/// A dead edge has a contradiction on the way to it, and every live one has a run: sampling finds values that pass
/// all guards for the edges near the root, and values that pass a contradiction are never found.
#[test]
fn what_is_dead_is_dead() {
    let made = random_choreography(shape(400, 3, 30), seed_from_env());
    let parents = parents(&made);
    for &Contradiction { edge, against } in &made.contradictions {
        let mut above = parents[edge.index()];
        while above != Some(against) {
            above = parents[above.expect("it is above").index()];
        }
    }
    let mut random = Random::new(1);
    for _ in 0..2000 {
        for edge in run(&made, &mut random) {
            assert!(!made.dead.contains(&edge), "{edge:?} was taken");
        }
    }
    // Everything under a dead edge is dead, and nothing else without a contradiction of its own.
    for (index, parent) in parents.iter().enumerate() {
        let edge = EdgeId(index as u32);
        let by_parent = parent.is_some_and(|parent| made.dead.contains(&parent));
        let by_itself = made
            .contradictions
            .iter()
            .any(|contradiction| contradiction.edge == edge);
        assert_eq!(made.dead.contains(&edge), by_parent || by_itself);
    }
}

/// The witness is inside the generator; here the guards on the way to each live edge are tried with the bounds they
/// name themselves, which is enough for guards over one variable.
#[test]
fn what_is_not_dead_has_a_run() {
    let made = random_choreography(shape(400, 2, 30), seed_from_env());
    let parents = parents(&made);
    for index in 0..made.stg.edges().len() {
        let edge = EdgeId(index as u32);
        if made.dead.contains(&edge) {
            continue;
        }
        let mut guards: Vec<Term> = Vec::new();
        let mut above = Some(edge);
        while let Some(at) = above {
            guards.push(made.stg.edge(at).guard);
            above = parents[at.index()];
        }
        let mut variables: Vec<Var> = guards
            .iter()
            .flat_map(|&guard| made.terms.free_variables(guard))
            .collect();
        variables.sort_by_key(|&variable| made.terms.variable_text(variable));
        variables.dedup();
        for variable in variables {
            let is_possible = (-3 * LARGEST..=3 * LARGEST).any(|value| {
                let values = Assignment::from_iter([(variable, Value::int(value))]);
                guards
                    .iter()
                    .all(|&guard| made.terms.evaluate_guard(guard, &values) != Ok(false))
            });
            assert!(is_possible, "{edge:?}");
        }
    }
}

#[test]
fn the_script_shows_everything() {
    let made = random_choreography(shape(30, 3, 50), 7);
    let script = made.script();
    assert_eq!(
        script.lines().filter(|line| line.contains("->")).count(),
        29
    );
    assert_eq!(
        script.matches("[x").count(),
        made.stg
            .edges()
            .iter()
            .filter(|edge| edge.guard != Term::TRUE)
            .count()
    );
    assert!(script.starts_with("DECLARATIONS\n\ncomponent random STG\n    0;\n    1;\n"));
    assert!(
        script.ends_with("end component\n\nCOMMANDS\n\nshowStat random\nshowReachableSTG random\n")
    );
}

/// The edge above each edge.
fn parents(made: &RandomChoreography) -> Vec<Option<EdgeId>> {
    let mut incoming = vec![None; made.stg.nodes().len()];
    for (index, edge) in made.stg.edges().iter().enumerate() {
        incoming[edge.target.index()] = Some(EdgeId(index as u32));
    }
    made.stg
        .edges()
        .iter()
        .map(|edge| incoming[edge.source.index()])
        .collect()
}

/// A run with random values, which ends where no guard holds.
fn run(made: &RandomChoreography, random: &mut Random) -> Vec<EdgeId> {
    let mut taken = Vec::new();
    let mut node = made.stg.initial();
    let mut values = Assignment::default();
    loop {
        let enabled: Vec<EdgeId> = made
            .stg
            .outgoing(node)
            .filter(|(_, edge)| made.terms.evaluate_guard(edge.guard, &values) == Ok(true))
            .map(|(id, _)| id)
            .collect();
        if enabled.is_empty() {
            return taken;
        }
        let id = *random.pick(&enabled);
        for variable in made.stg.edge(id).event.bound_variables() {
            values.insert(
                variable,
                Value::int(random.between(-2 * LARGEST, 2 * LARGEST)),
            );
        }
        node = made.stg.edge(id).target;
        taken.push(id);
    }
}
