//! Reachability against its naive twins: running the graph on all values, and knowing what was made dead.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::{Budget, SourceMap, Span};
use choros_data::Terms;
use choros_model::stg::{Edge, EdgeId, Stg, StgBuilder};
use choros_realize::{
    Contradiction, Liveness, Reachability, occurrences, reachability, stuck_states,
};
use choros_smt::Satisfiability;
use choros_testkit::{GraphShape, Shape, random_choreography, random_graph, rounds, seed_from_env};

fn reach(stg: &Stg, terms: &mut Terms) -> Reachability {
    let mut solver =
        choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
    reachability(stg, terms, &mut *solver, &Budget::unlimited()).expect("the solver answers")
}

/// With loops, joins, values bound again and assignments: nothing that some run fires is called dead, and where the
/// result says that it is exact, everything else is.
#[test]
fn what_some_run_fires_is_never_called_dead() {
    let seed = seed_from_env();
    let (mut exact, mut dead) = (0, 0);
    for round in 0..150 {
        let shape = GraphShape {
            nodes: 2 + round as usize % 6,
            edges: 4 + round as usize % 11,
            variables: 1 + round as usize % 3,
            modulus: 3,
        };
        let mut graph = random_graph(shape, seed.wrapping_add(round));
        let live: Vec<EdgeId> = graph.live_edges();
        let result = reach(&graph.stg, &mut graph.terms);
        for (index, liveness) in result.edges.iter().enumerate() {
            let id = EdgeId(index as u32);
            let fires = live.contains(&id);
            assert!(
                !(fires && liveness.is_dead()),
                "seed {seed}, round {round}: {liveness:?}, but edge {index} fires"
            );
            if result.is_exact() {
                assert_eq!(
                    !fires,
                    liveness.is_dead(),
                    "seed {seed}, round {round}: edge {index} is {liveness:?}"
                );
            }
            dead += usize::from(liveness.is_dead());
        }
        exact += usize::from(result.is_exact());
    }
    // Otherwise the assertions above would have nothing to say.
    assert!(dead > 5, "only {dead} dead edges in all graphs");
    assert!(exact > 5, "only {exact} exact results");
}

/// No state is called stuck in which every run continues; where nothing was left undecided, the others are found.
#[test]
fn what_is_called_stuck_is_stuck() {
    let seed = seed_from_env();
    let (mut stuck, mut free) = (0, 0);
    for round in 0..rounds(100) as u64 {
        let shape = GraphShape {
            nodes: 2 + round as usize % 6,
            edges: 4 + round as usize % 11,
            variables: 1 + round as usize % 3,
            modulus: 3,
        };
        let mut graph = random_graph(shape, seed.wrapping_add(round));
        let expected = graph.stuck_nodes();
        let terms = &mut graph.terms;
        let budget = Budget::unlimited();
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let found = reachability(&graph.stg, terms, &mut *solver, &budget).expect("it answers");
        let result = stuck_states(&graph.stg, &found, terms, &mut *solver, &budget);
        let result = result.expect("it answers");
        for one in &result.stuck {
            let node = one.node;
            assert!(
                expected.contains(&node),
                "seed {seed}, round {round}: {one:?}"
            );
            let values = one.data.iter().cloned().collect();
            for (_, edge) in graph.stg.outgoing(node) {
                let fires = graph.terms.evaluate_guard(edge.guard, &values);
                assert_eq!(fires, Ok(false), "seed {seed}, round {round}: {one:?}");
            }
        }
        for node in &expected {
            let named = result.stuck.iter().any(|it| it.node == *node);
            assert!(
                named || result.undecided.contains(node),
                "seed {seed}, round {round}: {node:?} is stuck"
            );
        }
        stuck += result.stuck.len();
        free += graph.stg.nodes().len() - expected.len();
    }
    assert!(stuck > 20 && free > 20, "{stuck} {free}");
}

/// Trees in which it is known what was made contradictory: exactly that is found, with a contradiction as
/// evidence.
#[test]
fn what_was_made_contradictory_is_found_and_nothing_else() {
    let seed = seed_from_env();
    for round in 0..20 {
        let shape = Shape {
            states: 200,
            branches: 1 + round as usize % 5,
            roles: 4,
            operations: 10,
            data_level: 1 + round as usize % 4,
            contradictions: 20,
        };
        let mut model = random_choreography(shape, seed.wrapping_add(round));
        let result = reach(&model.stg, &mut model.terms);
        let found: Vec<EdgeId> = result.dead_edges().collect();
        assert_eq!(found, model.dead, "seed {seed}, round {round}");
        for contradiction in &model.contradictions {
            let liveness = &result.edges[contradiction.edge.index()];
            let Liveness::Dead(reasons) = liveness else {
                // Below another contradiction.
                assert_eq!(*liveness, Liveness::Unreached);
                continue;
            };
            for reason in reasons {
                assert_contradictory(reason, &mut model.terms);
            }
        }
        assert!(result.is_exact(), "trees need no widening");
    }
}

/// No variable of these trees is bound twice, so the guards as they are written contradict each other.
fn assert_contradictory(reason: &Contradiction, terms: &mut Terms) {
    let mut solver =
        choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
    let formulas: Vec<_> = reason.sentences.iter().map(|it| it.formula).collect();
    let answer = solver
        .satisfiable(terms, &formulas)
        .expect("the solver answers");
    assert_eq!(answer, Satisfiability::Unsat);
    let own = reason
        .sentences
        .iter()
        .filter(|it| it.edge.is_none())
        .count();
    assert!(own > 0, "the dead edge's own guard is always to blame");
}

#[test]
fn a_cut_exploration_calls_nothing_dead() {
    let shape = Shape {
        states: 100,
        branches: 2,
        roles: 3,
        operations: 5,
        data_level: 2,
        contradictions: 50,
    };
    let mut model = random_choreography(shape, 7);
    let mut solver =
        choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
    let result = reachability(
        &model.stg,
        &mut model.terms,
        &mut *solver,
        &Budget::steps(5),
    )
    .expect("the solver answers");
    assert!(result.cut.is_some());
    assert_eq!(result.dead_edges().count(), 0);
    assert!(!result.is_exact());
}

/// Whatever values a transition happens with, its condition holds; graphs have no places in a text, so each edge gets
/// one.
#[test]
fn conditions_hold_whenever_a_transition_happens() {
    let seed = seed_from_env();
    let (mut told, mut tried) = (0, 0);
    for round in 0..rounds(150) as u64 {
        let shape = GraphShape {
            nodes: 2 + round as usize % 6,
            edges: 4 + round as usize % 11,
            variables: 1 + round as usize % 3,
            modulus: 3,
        };
        let mut graph = random_graph(shape, seed.wrapping_add(round));
        let file = SourceMap::new().add("graph", "");
        let place = |number: u32| Span::new(file, number, number + 1);
        let mut builder = StgBuilder::new("placed".to_owned(), graph.stg.ending());
        for node in graph.stg.nodes() {
            builder.node(node.label.clone());
        }
        for (number, edge) in graph.stg.edges().iter().enumerate() {
            let edge = Edge {
                origin: Some(place(number as u32)),
                ..edge.clone()
            };
            builder.edge(&mut graph.terms, edge);
        }
        let placed = builder.finish_as_built(graph.stg.initial());
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let budget = Budget::unlimited();
        let found = occurrences(&placed, &mut graph.terms, &mut *solver, &budget);
        let found = found.expect("the solver answers");
        told += found.len();
        for (edge, values) in graph.firings() {
            let own = found.iter().find(|it| it.origin == place(edge.0));
            let Some(own) = own else {
                continue;
            };
            tried += 1;
            assert_eq!(
                graph.terms.evaluate_guard(own.condition, &values),
                Ok(true),
                "seed {seed}, round {round}: edge {} happens although not {}",
                edge.0,
                graph.terms.print(own.condition)
            );
        }
    }
    // Otherwise the assertion above would have nothing to say.
    assert!(
        told > 20 && tried > 100,
        "{told} conditions, {tried} firings"
    );
}
