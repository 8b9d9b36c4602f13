//! What is written as text of the native language reads back as the same graph.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::BTreeMap;

use choros_base::{Budget, SourceMap};
use choros_data::{Op, Sort, SortKind, Term, Terms, Var};
use choros_lang::chor;
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};
use choros_realize::{Mode, project};
use choros_testkit::{Random, Shape, random_choreography, seed_from_env};

/// Writes graphs and reads them again.
fn written_and_read(graphs: &[&Stg], terms: &mut Terms) -> (String, Vec<Stg>) {
    let text = match chor::write_graphs(graphs, terms) {
        Ok(text) => text,
        Err(reason) => panic!("{reason:?}"),
    };
    let mut sources = SourceMap::new();
    let file = sources.add("written.chor", text.as_str());
    let (model, findings) = chor::read(file, &text, terms);
    let errors: Vec<String> = findings
        .iter()
        .filter(|finding| finding.severity == choros_base::Severity::Error)
        .map(|finding| format!("{} {}", finding.code.code, finding.message))
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let ids: Vec<_> = model.ids().collect();
    let read = ids
        .into_iter()
        .map(|id| match model.lower(id, terms, &Budget::unlimited()) {
            Ok(lowered) => lowered.stg,
            Err(reason) => panic!("{reason}\n{text}"),
        })
        .collect();
    (text, read)
}

/// Classes of states that behave alike, of two graphs together: plain partition refinement.
fn alike(a: &Stg, b: &Stg, terms: &Terms) -> (bool, usize) {
    let states: Vec<(&Stg, NodeId)> = [a, b]
        .into_iter()
        .flat_map(|stg| stg.node_ids().map(move |node| (stg, node)))
        .collect();
    let offset = |stg: &Stg| {
        if std::ptr::eq(stg, a) {
            0
        } else {
            a.nodes().len()
        }
    };
    let mut classes = vec![0; states.len()];
    loop {
        let mut numbers: BTreeMap<(usize, Vec<String>), usize> = BTreeMap::new();
        let refined: Vec<usize> = states
            .iter()
            .enumerate()
            .map(|(index, &(stg, node))| {
                let mut does: Vec<String> = stg
                    .outgoing(node)
                    .map(|(_, edge)| {
                        let target = classes[offset(stg) + edge.target.index()];
                        format!("{} -> {target}", edge.label_text(terms))
                    })
                    .collect();
                let ends = &stg.node(node).terminations;
                does.extend(ends.iter().map(|end| terms.print(end.guard)));
                does.sort();
                does.dedup();
                let next = numbers.len();
                *numbers.entry((classes[index], does)).or_insert(next)
            })
            .collect();
        let before = classes
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len();
        classes = refined;
        if numbers.len() == before {
            let start = |stg: &Stg| classes[offset(stg) + stg.initial().index()];
            return (start(a) == start(b), numbers.len());
        }
    }
}

/// A graph of one kind of event with joins, loops, conditions, values of several sorts and assignments.
fn random_stg(random: &mut Random, terms: &mut Terms) -> Stg {
    let role = |terms: &mut Terms, name: &str| Role(terms.names.intern(name));
    let roles: Vec<Role> = ["a", "b", "c"].iter().map(|it| role(terms, it)).collect();
    let status = {
        let name = terms.names.intern("Status");
        let constructors = ["OK", "KO"]
            .iter()
            .map(|it| terms.names.intern(it))
            .collect();
        terms.sort(SortKind::Enumeration { name, constructors })
    };
    let card = {
        let name = terms.names.intern("Card");
        terms.sort(SortKind::Uninterpreted(name))
    };
    let mut variable = |name: &str, sort: Sort| {
        let name = terms.names.intern(name);
        terms.variable(name, sort)
    };
    // Parameters have values from the start, so that every guard may read them.
    let numbers: Vec<Var> = vec![variable("x", Sort::INT), variable("y@a", Sort::INT)];
    let others: Vec<Var> = vec![variable("s", status), variable("c", card)];
    let global = random.percent(50);
    let own = roles[0];
    let count = 2 + random.below(6);
    let mut builder = StgBuilder::new("a", Ending::Explicit);
    for number in 0..count {
        builder.node(number.to_string());
    }
    let guard = |random: &mut Random, terms: &mut Terms| {
        if random.percent(50) {
            return Term::TRUE;
        }
        let left = terms.var(*random.pick(&numbers));
        let right = terms.int(random.between(-2, 2));
        let op = *random.pick(&[Op::Less, Op::GreaterEqual, Op::Equal]);
        terms.compare(op, left, right)
    };
    let mut leaves = vec![true; count];
    let mut ends: Vec<(usize, usize)> = (1..count).map(|to| (random.below(to), to)).collect();
    for _ in 0..random.below(5) {
        ends.push((random.below(count), random.below(count)));
    }
    for (source, target) in ends {
        leaves[source] = false;
        let partner = roles[1 + random.below(2)];
        let sends = random.percent(50);
        let (from, to) = if sends {
            (own, partner)
        } else {
            (partner, own)
        };
        // The number of fields belongs to the operation.
        let arity = random.below(3);
        let mut fields = Vec::new();
        for position in 0..arity {
            let pool = if position == 0 { &numbers } else { &others };
            let bound = *random.pick(&pool[..1]);
            let label = (arity > 1).then(|| terms.names.intern(&format!("f{position}")));
            let value = if random.percent(70) || (!global && !sends) {
                FieldValue::Bind(bound)
            } else {
                FieldValue::Free(terms.var(bound))
            };
            fields.push(Field { label, value });
        }
        let updates = if random.percent(30) {
            let (from, one) = (terms.var(numbers[0]), terms.int(1));
            let value = terms.arithmetic(Op::Add, from, one);
            vec![Update {
                variable: numbers[1],
                value,
            }]
        } else {
            Vec::new()
        };
        let edge = Edge {
            source: NodeId(source as u32),
            target: NodeId(target as u32),
            guard: guard(random, terms),
            event: Event::Message(Message {
                operation: Operation(terms.names.intern(&format!("m{arity}"))),
                from,
                to,
                direction: match (global, sends) {
                    (true, _) => Direction::Interaction,
                    (false, true) => Direction::Send,
                    (false, false) => Direction::Receive,
                },
                fault: None,
                fields,
            }),
            updates,
            origin: None,
        };
        builder.edge(terms, edge);
    }
    for (node, leaf) in leaves.into_iter().enumerate() {
        if leaf || random.percent(20) {
            let guard = if random.percent(70) {
                Term::TRUE
            } else {
                guard(random, terms)
            };
            builder.terminate(terms, NodeId(node as u32), guard, None);
        }
    }
    builder.finish(NodeId(0))
}

#[test]
fn any_graph_reads_back() {
    let seed = seed_from_env();
    for round in 0..1000 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        let stg = random_stg(&mut random, &mut terms);
        let (text, read) = written_and_read(&[&stg], &mut terms);
        let (same, _) = alike(&stg, &read[0], &terms);
        assert!(same, "seed {seed}, round {round}\n{text}");
        assert!(
            read[0].nodes().len() <= stg.nodes().len(),
            "seed {seed}, round {round}: {} states became {}\n{text}",
            stg.nodes().len(),
            read[0].nodes().len()
        );
    }
}

/// Projections have no two states that behave alike, so that what is read is the same state by state.
#[test]
fn projections_read_back_state_by_state() {
    let seed = seed_from_env();
    for round in 0..12 {
        // A solver knows one store of terms.
        let mut solver = match choros_smt::find() {
            Ok(solver) => solver,
            Err(reason) => {
                panic!("the tests need a solver: run scripts/setup-solvers.sh: {reason}")
            }
        };
        let shape = Shape {
            states: 20,
            branches: 2 + round as usize % 3,
            roles: 3,
            operations: 6,
            data_level: 1 + round as usize % 3,
            contradictions: 0,
        };
        let mut random = random_choreography(shape, seed.wrapping_add(round));
        let terms = &mut random.terms;
        let budget = Budget::unlimited();
        let projected = project(&random.stg, Mode::Synchronous, terms, &mut *solver, &budget);
        let Ok(projections) = projected else {
            panic!("seed {seed}, round {round}: {projected:?}");
        };
        for projection in &projections {
            let projection = projection.at_a_glance(terms);
            let (text, read) = written_and_read(&[&projection.stg], terms);
            let (same, classes) = alike(&projection.stg, &read[0], terms);
            assert!(same, "seed {seed}, round {round}\n{text}");
            assert_eq!(
                classes,
                projection.stg.nodes().len(),
                "seed {seed}, round {round}"
            );
            assert_eq!(
                read[0].nodes().len(),
                classes,
                "seed {seed}, round {round}\n{text}"
            );
        }
    }
}

/// A variable whose name is a word of the language gets another; one of a role or an operation cannot.
#[test]
fn names_that_are_words() {
    let mut terms = Terms::new();
    let mut names = |text: &str| terms.names.intern(text);
    let (a, b, word, operation) = (names("a"), names("b"), names("when"), names("m"));
    let variable = terms.variable(word, Sort::INT);
    let graph = |operation: choros_base::Name, terms: &mut Terms| {
        let mut builder = StgBuilder::new("a", Ending::Explicit);
        let (one, two) = (builder.node("1"), builder.node("2"));
        let edge = Edge {
            source: one,
            target: two,
            guard: Term::TRUE,
            event: Event::Message(Message {
                operation: Operation(operation),
                from: Role(a),
                to: Role(b),
                direction: Direction::Send,
                fault: None,
                fields: vec![Field {
                    label: None,
                    value: FieldValue::Bind(variable),
                }],
            }),
            updates: Vec::new(),
            origin: None,
        };
        builder.edge(terms, edge);
        builder.terminate(terms, two, Term::TRUE, None);
        builder.finish(one)
    };
    let stg = graph(operation, &mut terms);
    let (text, _) = written_and_read(&[&stg], &mut terms);
    assert_eq!(text, "role a[b] {\n    -> b: m(v_when: Int)\n}\n");
    let stg = graph(word, &mut terms);
    let refused = chor::write_graphs(&[&stg], &mut terms);
    let reason = refused.map_err(|reason| reason.reason);
    assert_eq!(reason, Err("`when` is not a valid name in it".to_owned()));
}
