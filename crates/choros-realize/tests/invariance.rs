//! Names do not matter to realizability, and neither does where numbers begin: shifting all data by an amount, and the
//! constants they are compared with by the same, changes no verdict, no repair and no role: searches go in the order
//! of the graph, never in that of names.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::Budget;
use choros_data::{Op, Term, TermKind, Terms, Value};
use choros_model::stg::{Edge, NodeId, Operation, Renaming, Role, Stg, StgBuilder, prune, rename};
use choros_realize::{Class, Mode, conditions, project, reachability, repair};
use choros_testkit::{RandomChoreography, Shape, random_choreography, seed_from_env};

/// Small trees with conditions, some of which contradict each other.
fn random(seed: u64) -> RandomChoreography {
    let shape = Shape {
        states: 12,
        branches: 2 + seed as usize % 2,
        roles: 3 + seed as usize % 2,
        operations: 8,
        data_level: 2 + seed as usize % 2,
        contradictions: 20,
    };
    random_choreography(shape, seed)
}

/// All that is said about a choreography in a mode, without names: dead edges, broken conditions, what is added to
/// fix them, and the sizes of the roles.
#[derive(Debug, PartialEq, Eq)]
struct Judgement {
    dead: Vec<usize>,
    violations: Vec<&'static str>,
    additions: Option<Vec<Class>>,
    roles: Vec<(usize, usize)>,
}

fn judge(stg: &Stg, mode: Mode, terms: &mut Terms) -> Judgement {
    let mut solver =
        choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
    let solver = &mut *solver;
    let budget = Budget::unlimited();
    let live = reachability(stg, terms, solver, &budget).expect("the solver answers");
    let dead = (0..stg.edges().len())
        .filter(|&edge| live.edges[edge].is_dead())
        .collect();
    let reachable = prune(
        stg,
        terms,
        |edge| !live.edges[edge.index()].is_dead(),
        |node, index| !live.terminations[node.index()][index].is_dead(),
    );
    let found = conditions(&reachable, mode, terms, solver, &budget).expect("the solver answers");
    let mended =
        repair(&reachable, mode, &found, terms, solver, &budget).expect("the solver answers");
    let projections = project(&reachable, mode, terms, solver, &budget).expect("it answers");
    Judgement {
        dead,
        violations: found.violations.iter().map(|it| it.condition()).collect(),
        additions: mended.map(|it| it.additions.iter().map(|it| it.class).collect()),
        roles: projections
            .iter()
            .map(|it| (it.stg.nodes().len(), it.stg.edges().len()))
            .collect(),
    }
}

/// The comparisons of a condition with constants, these shifted; comparisons of variables with each other stay.
fn shifted(term: Term, amount: i64, terms: &mut Terms) -> Term {
    let mut done: Vec<(Term, Term)> = Vec::new();
    for subterm in terms.postorder([term]) {
        let known = |done: &[(Term, Term)], it: Term| {
            let found = done.iter().find(|(old, _)| *old == it);
            found.map_or(it, |(_, new)| *new)
        };
        let comparison = match terms.kind(subterm) {
            TermKind::Apply(op, &[left, right])
                if op.opposite().is_some() && !matches!(op, Op::Not) =>
            {
                match terms.value(right) {
                    Some(Value::Int(value)) => Some((op, left, value.clone())),
                    _ => None,
                }
            }
            _ => None,
        };
        let new = match comparison {
            Some((op, left, value)) => {
                let right = terms.constant(Value::Int(value + amount));
                terms.compare(op, left, right)
            }
            None => terms.rebuild(subterm, |argument| known(&done, argument)),
        };
        done.push((subterm, new));
    }
    done.last().map_or(term, |(_, new)| *new)
}

fn shift(stg: &Stg, amount: i64, terms: &mut Terms) -> Stg {
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.nodes() {
        builder.node(node.label.clone());
    }
    for edge in stg.edges() {
        let guard = shifted(edge.guard, amount, terms);
        builder.edge(
            terms,
            Edge {
                guard,
                ..edge.clone()
            },
        );
    }
    for (index, node) in stg.nodes().iter().enumerate() {
        for termination in &node.terminations {
            let guard = shifted(termination.guard, amount, terms);
            builder.terminate(terms, NodeId(index as u32), guard, termination.origin);
        }
    }
    builder.finish_as_built(stg.initial())
}

#[test]
fn where_numbers_begin_does_not_matter() {
    let seed = seed_from_env();
    let (mut conditional, mut dead) = (0, 0);
    for round in 0..10 {
        let mut made = random(seed.wrapping_add(round));
        let terms = &mut made.terms;
        for (mode, amount) in Mode::ALL.into_iter().zip([1, -1_000, 7_654_321, -3]) {
            let other = shift(&made.stg, amount, terms);
            let (before, after) = (judge(&made.stg, mode, terms), judge(&other, mode, terms));
            assert_eq!(before, after, "seed {seed}, round {round}, {mode:?}");
            dead += before.dead.len();
        }
        let guarded = made.stg.edges().iter().filter(|it| it.guard != Term::TRUE);
        conditional += guarded.count();
    }
    // Otherwise the assertions above would have little to say.
    assert!(conditional > 20 && dead > 0, "{conditional} {dead}");
}

#[test]
fn names_of_roles_operations_and_variables_do_not_matter() {
    let seed = seed_from_env();
    for round in 0..8 {
        let mut made = random(seed.wrapping_add(100 + round));
        let terms = &mut made.terms;
        let mut renaming = Renaming::default();
        for (position, role) in made.stg.roles().into_iter().enumerate() {
            let name = terms.names.intern(&format!("z{}", 90 - position));
            renaming.roles.insert(role, Role(name));
        }
        for (operation, _, _) in made.stg.alphabet() {
            let name = format!("x{}", terms.names.text(operation.0));
            let name = terms.names.intern(&name);
            renaming.operations.insert(operation, Operation(name));
        }
        for (position, variable) in made.stg.variables(terms).into_iter().enumerate() {
            let name = terms.names.intern(&format!("v{}", 900 - position));
            let new = terms.variable(name, terms.variable_sort(variable));
            renaming.variables.insert(variable, new);
        }
        let other = rename(&made.stg, &renaming, terms);
        let mode = Mode::ALL[round as usize % 4];
        let (before, after) = (judge(&made.stg, mode, terms), judge(&other, mode, terms));
        assert_eq!(before, after, "seed {seed}, round {round}, {mode:?}");
    }
}
