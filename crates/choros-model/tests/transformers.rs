//! Restriction, hiding, renaming, pruning and fixing of parameters.

mod support;

use choros_data::{Assignment, Op, Sort, Term, Terms, Value};
use choros_model::stg::run::{self, RunStep};
use choros_model::stg::{
    Alphabet, Edge, Ending, NodeId, Operation, Renaming, Role, Stg, StgBuilder, Update,
    fix_parameter, hide, prune, rename, restrict,
};
use support::{L, act, choice, event, lines, seq, var, when};

fn compare(terms: &mut Terms, op: Op, name: &str, value: i64) -> Term {
    let variable = var(terms, name);
    let variable = terms.var(variable);
    let value = terms.int(value);
    terms.compare(op, variable, value)
}

fn alphabet(messages: &[(&str, &str, &str)], terms: &mut Terms) -> Alphabet {
    let mut name = |text: &str| terms.names.intern(text);
    messages
        .iter()
        .map(|&(operation, from, to)| {
            (Operation(name(operation)), Role(name(from)), Role(name(to)))
        })
        .collect()
}

fn names(variables: &[choros_data::Var], terms: &Terms) -> Vec<String> {
    variables
        .iter()
        .map(|&variable| terms.variable_text(variable).to_owned())
        .collect()
}

/// Example 5 of the thesis: a telephone call whose datum decides.
fn with_call(terms: &mut Terms) -> Stg {
    let t = terms;
    let dear = compare(t, Op::GreaterEqual, "y1", 5);
    let cheap = compare(t, Op::Less, "y1", 5);
    let refused = compare(t, Op::GreaterEqual, "y", 10);
    let agreed = compare(t, Op::Less, "y", 10);
    let outcome = choice(when(refused, act(t, "Abort[v,b]")), when(agreed, L::Skip));
    let call = when(dear, seq([act(t, "Tel[b,v].<y>"), outcome]));
    let confirm = when(cheap, act(t, "Confirm[v,b]"));
    seq([act(t, "Request[b,v].<y1>"), choice(call, confirm)]).graph("impl", t)
}

#[test]
fn what_a_hidden_message_bound_becomes_a_parameter() {
    let mut terms = Terms::new();
    let stg = with_call(&mut terms);
    assert_eq!(names(&stg.parameters(&terms), &terms), Vec::<String>::new());
    let seen = alphabet(
        &[
            ("Request", "b", "v"),
            ("Abort", "v", "b"),
            ("Confirm", "v", "b"),
        ],
        &mut terms,
    );
    let restricted = restrict(&stg, &seen, &mut terms);
    assert_eq!(
        lines(&restricted, &terms),
        [
            "1 -Request[b,v].<y1>-> 2",
            "2 -[y1 >= 5] tau-> 3",
            "2 -[y1 < 5] Confirm[v,b]-> 4",
            "3 -[y >= 10] Abort[v,b]-> 4",
            "3 -[y < 10] end",
            "4 -end",
        ]
    );
    assert_eq!(names(&restricted.parameters(&terms), &terms), ["y"]);
    let hidden = alphabet(&[("Tel", "b", "v")], &mut terms);
    let hidden = hide(&stg, &hidden, &mut terms);
    assert_eq!(lines(&hidden, &terms), lines(&restricted, &terms));
}

/// The rule of `hidden.rs`, case by case: which hidden bindings are chosen, and which are parameters.
#[test]
fn what_a_hidden_message_may_bind_again_is_chosen_each_time() {
    let hidden = |text: &str, terms: &mut Terms| -> Vec<String> {
        let mut sources = choros_base::SourceMap::new();
        let text = format!("stg g explicit\ninitial 0\n{text}\n");
        let file = sources.add("g.stg", text.as_str());
        let (stg, diagnostics) = choros_model::stg::read_stg(file, &text, terms);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let seen = alphabet(&[("m", "a", "b")], terms);
        let stg = restrict(&stg, &seen, terms);
        let mut found = names(&stg.parameters(terms), terms);
        found.extend(
            stg.edges()
                .iter()
                .filter(|edge| edge.event.is_silent())
                .map(|edge| edge.event.text(terms)),
        );
        found
    };
    let cases: [(&str, &[&str]); 9] = [
        // Once.
        ("0 -> 1: h[a,b].<x>\n1 -> 2: [x > 0] m[a,b]", &["x", "tau"]),
        // Once in each of two runs.
        (
            "0 -> 1: h[a,b].<x>\n0 -> 1: i[a,b].<x>\n1 -> 2: [x > 0] m[a,b]",
            &["x", "tau"],
        ),
        // Round a loop.
        ("0 -> 1: h[a,b].<x>\n1 -> 0: [x > 0] m[a,b]", &["tau.<x>"]),
        // Twice in a row, hidden.
        (
            "0 -> 1: h[a,b].<x>\n1 -> 2: [x > 0] h[a,b].<x>\n2 -> 3: [x > 0] m[a,b]",
            &["tau.<x>", "tau.<x>"],
        ),
        // After a visible message, and before one.
        (
            "0 -> 1: m[a,b].<x>\n1 -> 2: h[a,b].<x>\n2 -> 3: [x > 0] m[a,b].x",
            &["tau.<x>"],
        ),
        (
            "0 -> 1: h[a,b].<x>\n1 -> 2: [x > 0] m[a,b].<x>\n2 -> 3: [x > 0] m[a,b].x",
            &["tau.<x>"],
        ),
        // After an assignment, and after the variable was read as a parameter.
        (
            "0 -> 1: m[a,b].1 / x := 0\n1 -> 2: h[a,b].<x>\n2 -> 3: [x > 0] m[a,b].x",
            &["tau.<x>"],
        ),
        (
            "0 -> 1: [x > 0] m[a,b].x\n1 -> 2: h[a,b].<x>\n2 -> 3: [x > 0] m[a,b].x",
            &["x", "tau.<x>"],
        ),
        // What nothing reads need not be chosen.
        ("0 -> 1: h[a,b].<x>\n1 -> 0: m[a,b].1", &["tau"]),
    ];
    for (text, expected) in cases {
        let mut terms = Terms::new();
        assert_eq!(hidden(text, &mut terms), expected, "{text}");
    }
}

#[test]
fn hiding_keeps_updates_and_merges_what_became_equal() {
    let mut terms = Terms::new();
    let mut builder = StgBuilder::new("g", Ending::Sinks);
    for label in ["0", "1"] {
        builder.node(label);
    }
    let x = var(&mut terms, "x");
    let y = var(&mut terms, "y");
    for text in ["m[a,b].<x>", "n[a,b].<x>"] {
        let edge = Edge {
            source: NodeId(0),
            target: NodeId(1),
            guard: Term::TRUE,
            event: event(&mut terms, text),
            updates: vec![Update {
                variable: y,
                value: terms.var(x),
            }],
            origin: None,
        };
        builder.edge(&mut terms, edge);
    }
    let stg = builder.finish(NodeId(0));
    let nothing = restrict(&stg, &Alphabet::default(), &mut terms);
    assert_eq!(lines(&nothing, &terms), ["0 -tau / y := x-> 1", "1 -end"]);
    assert_eq!(names(&nothing.parameters(&terms), &terms), ["x"]);
}

#[test]
fn renaming_is_simultaneous() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let guard = compare(t, Op::Less, "x", 3);
    let stg = seq([act(t, "m[a,b].<x>"), when(guard, act(t, "n[b,a].y"))]).graph("g", t);
    let mut renaming = Renaming::default();
    let (x, y) = (var(t, "x"), var(t, "y"));
    renaming.variables.extend([(x, y), (y, x)]);
    let [m, n, a, b] = ["m", "n", "a", "b"].map(|text| t.names.intern(text));
    renaming.operations.insert(Operation(m), Operation(n));
    renaming
        .roles
        .extend([(Role(a), Role(b)), (Role(b), Role(a))]);
    let renamed = rename(&stg, &renaming, t);
    assert_eq!(
        lines(&renamed, &terms),
        ["1 -n[b,a].<y>-> 2", "2 -[y < 3] n[a,b].x-> 3", "3 -end"]
    );
    let back = rename(&renamed, &renaming, &mut terms);
    assert_eq!(
        lines(&back, &terms),
        ["1 -n[a,b].<x>-> 2", "2 -[x < 3] n[b,a].y-> 3", "3 -end"]
    );
}

#[test]
fn pruning_drops_what_cannot_be_reached_and_makes_nothing_terminate() {
    let mut terms = Terms::new();
    let mut builder = StgBuilder::new("g", Ending::Sinks);
    for label in ["a", "b", "c", "d"] {
        builder.node(label);
    }
    for (source, target) in [(0, 1), (1, 2), (0, 3), (3, 2)] {
        let edge = Edge {
            source: NodeId(source),
            target: NodeId(target),
            guard: Term::TRUE,
            event: event(&mut terms, "tau"),
            updates: vec![],
            origin: None,
        };
        builder.edge(&mut terms, edge);
    }
    let stg = builder.finish(NodeId(0));
    let cut: Vec<usize> = stg
        .edges()
        .iter()
        .enumerate()
        .filter(|(_, edge)| edge.source == NodeId(3) || edge.target == NodeId(1))
        .map(|(index, _)| index)
        .collect();
    let pruned = prune(
        &stg,
        &mut terms,
        |edge| !cut.contains(&edge.index()),
        |_, _| true,
    );
    // b and c are gone; d has lost its only edge and is stuck.
    assert_eq!(lines(&pruned, &terms), ["a -tau-> d"]);
    let untouched = prune(&stg, &mut terms, |_| true, |_, _| true);
    assert_eq!(lines(&untouched, &terms), lines(&stg, &terms));
    let endless = prune(&stg, &mut terms, |_| true, |_, _| false);
    assert_eq!(endless.node(NodeId(2)).terminations, vec![]);
}

fn fixed(stg: &Stg, name: &str, value: i64, terms: &mut Terms) -> Stg {
    let parameter = var(terms, name);
    let value = terms.int(value);
    fix_parameter(stg, parameter, value, terms)
}

#[test]
fn a_fixed_parameter_is_replaced_where_it_still_has_its_value() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let [before, after] = [(); 2].map(|()| compare(t, Op::Less, "y", 3));
    let all = seq([
        when(before, act(t, "m[a,b].y")),
        act(t, "n[a,b].<y>"),
        when(after, act(t, "o[a,b].y")),
    ]);
    let stg = all.graph("g", t);
    let fixed = fixed(&stg, "y", 7, t);
    assert_eq!(
        lines(&fixed, &terms),
        [
            "1 -[7 < 3] m[a,b].7-> 2",
            "2 -n[a,b].<y>-> 3",
            "3 -[y < 3] o[a,b].y-> 4",
            "4 -end",
        ]
    );
    assert_eq!(fixed.parameters(&terms), vec![]);
}

#[test]
fn a_fixed_parameter_is_assigned_where_runs_meet_and_kept_out_of_loops() {
    let mut terms = Terms::new();
    let mut builder = StgBuilder::new("g", Ending::Explicit);
    for label in ["0", "1"] {
        builder.node(label);
    }
    for (source, text, target) in [(0, "m[a,b].y", 1), (1, "n[a,b].<y>", 0), (1, "o[a,b].y", 1)] {
        let edge = Edge {
            source: NodeId(source),
            target: NodeId(target),
            guard: Term::TRUE,
            event: event(&mut terms, text),
            updates: vec![],
            origin: None,
        };
        builder.edge(&mut terms, edge);
    }
    let stg = builder.finish(NodeId(0));
    let fixed = fixed(&stg, "y", 7, &mut terms);
    assert_eq!(fixed.initial(), NodeId(2));
    assert_eq!(
        lines(&fixed, &terms),
        [
            "0 -m[a,b].y-> 1",
            "1 -n[a,b].<y>-> 0",
            "1 -o[a,b].y-> 1",
            "0 -m[a,b].7 / y := 7-> 1",
        ]
    );
    assert_eq!(fixed.parameters(&terms), vec![]);
}

/// All labels with values of runs of some length, all bound fields being 1.
fn runs(stg: &Stg, parameters: Assignment, depth: usize, terms: &Terms) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut work = vec![(run::start(stg, parameters), Vec::<String>::new())];
    while let Some((situation, trace)) = work.pop() {
        if trace.len() < depth {
            for edge in run::enabled(stg, &situation, terms).expect("values for all") {
                let brought = vec![Value::int(1); stg.edge(edge).event.bound_variables().count()];
                let choice = RunStep {
                    edge,
                    bound_values: brought,
                };
                let fired = run::fire(stg, &situation, &choice, terms).expect("enabled");
                let carried: Vec<String> = fired
                    .carried
                    .iter()
                    .map(|value| terms.print_value(value))
                    .collect();
                let mut longer = trace.clone();
                longer.push(format!(
                    "{}:{}",
                    edge_text(stg, edge, terms),
                    carried.join(",")
                ));
                work.push((fired.state, longer));
            }
        }
        found.push(trace);
    }
    found.sort();
    // Two edges may have become one.
    found.dedup();
    found
}

fn edge_text(stg: &Stg, edge: choros_model::stg::EdgeId, terms: &Terms) -> String {
    match stg.edge(edge).event.message() {
        Some(message) => message.heading(terms),
        None => "tau".to_owned(),
    }
}

mod fixing_is_starting_with_the_value {
    use proptest::prelude::*;

    use super::*;

    /// Source, target, what the event is, what is assigned.
    type EdgePlan = (u32, u32, u32, Option<(bool, i64)>);

    fn build(plan: &[EdgePlan], terms: &mut Terms) -> Stg {
        let mut builder = StgBuilder::new("g", Ending::Explicit);
        for node in 0..3 {
            builder.node(node.to_string());
        }
        let (x, y) = (var(terms, "x"), var(terms, "y"));
        for &(source, target, kind, assigned) in plan {
            let guard = match kind {
                0 => compare(terms, Op::Less, "y", 3),
                1 => compare(terms, Op::GreaterEqual, "y", 3),
                _ => Term::TRUE,
            };
            let text = ["m[a,b].y", "n[a,b].x", "o[a,b].<y>", "p[a,b].<x>"][kind as usize];
            let updates = match assigned {
                None => vec![],
                Some((true, offset)) => {
                    let (read, offset) = (terms.var(y), terms.int(offset));
                    vec![Update {
                        variable: x,
                        value: terms.arithmetic(Op::Add, read, offset),
                    }]
                }
                Some((false, value)) => vec![Update {
                    variable: y,
                    value: terms.int(value),
                }],
            };
            let edge = Edge {
                source: NodeId(source),
                target: NodeId(target),
                guard,
                event: event(terms, text),
                updates,
                origin: None,
            };
            builder.edge(terms, edge);
        }
        builder.finish(NodeId(0))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn on_random_graphs(
            plan in prop::collection::vec(
                (0..3u32, 0..3u32, 0..4u32, prop::option::of((any::<bool>(), 0..5i64))),
                1..7,
            ),
            value in 0..5i64,
        ) {
            let mut terms = Terms::new();
            let stg = build(&plan, &mut terms);
            let fixed = fixed(&stg, "y", value, &mut terms);
            let name = terms.names.get("y").expect("interned");
            let y = terms.variable(name, Sort::INT);
            prop_assert!(!fixed.parameters(&terms).contains(&y));
            let x = var(&mut terms, "x");
            let start: Assignment = [(x, Value::int(0)), (y, Value::int(value))].into_iter().collect();
            let mut elsewhere = start.clone();
            elsewhere.insert(y, Value::int(-100));
            prop_assert_eq!(
                runs(&stg, start, 4, &terms),
                runs(&fixed, elsewhere, 4, &terms)
            );
        }
    }
}
