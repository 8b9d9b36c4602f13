//! Random tests against naive twins, on small graphs of interactions without data (no solver is asked then).
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::BTreeSet;

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Renaming, Role, Stg, StgBuilder,
    rename,
};
use choros_smt::LazySolver;
use choros_testkit::{Random, seed_from_env};

use crate::outlook::Outlook;
use crate::roles::Roles;
use crate::{Mode, conditions, project, repair};

/// A graph whose nodes are all reached; nodes that nothing leaves terminate, others sometimes.
fn random_stg(seed: u64, terms: &mut Terms) -> Stg {
    let mut random = Random::new(seed);
    let roles: Vec<Role> = ["a", "b", "c", "d"]
        .iter()
        .take(3 + random.below(2))
        .map(|name| Role(terms.names.intern(name)))
        .collect();
    let operations: Vec<Operation> = ["m", "n", "o"]
        .iter()
        .map(|name| Operation(terms.names.intern(name)))
        .collect();
    let count = 3 + random.below(4);
    let mut builder = StgBuilder::new("random", Ending::Explicit);
    for number in 0..count {
        builder.node(number.to_string());
    }
    let mut leaves = vec![true; count];
    // A tree first, then a few more edges, which may make joins and loops.
    let mut ends: Vec<(usize, usize)> = (1..count).map(|to| (random.below(to), to)).collect();
    for _ in 0..random.below(3) {
        ends.push((random.below(count), random.below(count)));
    }
    for (source, target) in ends {
        leaves[source] = false;
        let from = *random.pick(&roles);
        let others: Vec<Role> = roles.iter().copied().filter(|&it| it != from).collect();
        let edge = Edge {
            source: NodeId(source as u32),
            target: NodeId(target as u32),
            guard: Term::TRUE,
            event: Event::Message(Message {
                operation: *random.pick(&operations),
                from,
                to: *random.pick(&others),
                direction: Direction::Interaction,
                fault: None,
                fields: Vec::new(),
            }),
            updates: Vec::new(),
            origin: None,
        };
        builder.edge(terms, edge);
    }
    for (number, leaf) in leaves.into_iter().enumerate() {
        if leaf || random.percent(15) {
            builder.terminate(terms, NodeId(number as u32), Term::TRUE, None);
        }
    }
    builder.finish_as_built(NodeId(0))
}

/// The sequences of what a role sees, up to a length, with a mark where it may end.
fn traces(
    stg: &Stg,
    own: impl Fn(&Edge) -> Option<String>,
    length: usize,
) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<(NodeId, Vec<String>)> = BTreeSet::new();
    let mut work = vec![(stg.initial(), Vec::new())];
    while let Some((node, trace)) = work.pop() {
        if !seen.insert((node, trace.clone())) {
            continue;
        }
        if !stg.node(node).terminations.is_empty() {
            let mut ended = trace.clone();
            ended.push("√".to_owned());
            found.insert(ended);
        }
        for (_, edge) in stg.outgoing(node) {
            let mut longer: Vec<String> = trace.clone();
            match own(edge) {
                None => {}
                Some(_) if trace.len() == length => continue,
                Some(event) => longer.push(event),
            }
            work.push((edge.target, longer));
        }
        found.insert(trace);
    }
    found
}

#[test]
fn projections_have_the_traces_of_the_choreography_and_guess_nothing() {
    let seed = seed_from_env();
    for round in 0..200 {
        let mut terms = Terms::new();
        let stg = random_stg(seed.wrapping_add(round), &mut terms);
        let budget = Budget::unlimited();
        let projections = project(
            &stg,
            Mode::Synchronous,
            &mut terms,
            &mut LazySolver::without_any(),
            &budget,
        )
        .expect("no data");
        for projection in &projections {
            let role = projection.role;
            let natural = traces(
                &stg,
                |edge| {
                    let message = edge.event.message()?;
                    let sign = match () {
                        () if message.from == role => "!",
                        () if message.to == role => "?",
                        () => return None,
                    };
                    Some(format!("{}{sign}", message.heading(&terms)))
                },
                4,
            );
            let local = traces(&projection.stg, |edge| Some(edge.event.text(&terms)), 4);
            assert_eq!(natural, local, "seed {seed}, round {round}");
            for node in projection.stg.node_ids() {
                let events: Vec<&Event> = projection
                    .stg
                    .outgoing(node)
                    .map(|(_, edge)| &edge.event)
                    .collect();
                for (index, event) in events.iter().enumerate() {
                    assert!(**event != Event::Silent, "seed {seed}, round {round}");
                    assert!(
                        !events[..index].contains(event),
                        "seed {seed}, round {round}: {} twice",
                        event.text(&terms)
                    );
                }
            }
        }
    }
}

/// What a role may do first, by walking: a reception, a sending, nothing.
fn first_events(stg: &Stg, from: NodeId, role: Role) -> (bool, bool, bool) {
    let (mut receives, mut sends, mut idles) = (false, false, false);
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        idles |= !stg.node(node).terminations.is_empty() || stg.outgoing(node).next().is_none();
        for (_, edge) in stg.outgoing(node) {
            match edge.event.message() {
                Some(message) if message.to == role => receives = true,
                Some(message) if message.from == role => sends = true,
                _ => work.push(edge.target),
            }
        }
    }
    (receives, sends, idles)
}

#[test]
fn the_outlook_is_what_walking_finds() {
    let seed = seed_from_env();
    for round in 0..200 {
        let mut terms = Terms::new();
        let stg = random_stg(seed.wrapping_add(round), &mut terms);
        let roles = Roles::of(&stg);
        let outlook = Outlook::of(&stg, &roles);
        for edge in stg.edges() {
            let Some(message) = edge.event.message() else {
                continue;
            };
            for &role in roles.all() {
                let (receives, sends, idles) = match role {
                    role if role == message.to => (true, false, false),
                    role if role == message.from => (false, true, false),
                    _ => first_events(&stg, edge.target, role),
                };
                assert_eq!(
                    outlook.starts_with_reception(edge, role, &roles),
                    receives && !sends && !idles,
                    "seed {seed}, round {round}"
                );
            }
        }
    }
}

#[test]
fn repaired_choreographies_meet_the_conditions_and_keep_their_messages() {
    let seed = seed_from_env();
    let (mut repaired, mut additions) = (0, 0);
    for round in 0..60 {
        for mode in Mode::ALL {
            if let Some(added) = repaired_as_promised(seed.wrapping_add(round), mode) {
                repaired += usize::from(added > 0);
                additions += added;
            }
        }
    }
    // Otherwise the assertions would have nothing to say.
    assert!(repaired > 100, "only {repaired} were repaired");
    assert!(additions > repaired, "only {additions} additions");
}

/// Here two roles can start as many branches as each other; who decides must not depend on where the states of the
/// graph are numbered, or taking additions out again would leave other broken conditions than there were.
#[test]
fn equal_initiators_are_told_apart_at_their_branching() {
    for mode in Mode::ALL {
        repaired_as_promised(2_508, mode);
    }
}

/// Repairs a random choreography and checks what came of it; the number of additions, or `None` without a repair.
fn repaired_as_promised(seed: u64, mode: Mode) -> Option<usize> {
    let mut terms = Terms::new();
    let stg = random_stg(seed, &mut terms);
    let budget = Budget::unlimited();
    let found = conditions(
        &stg,
        mode,
        &mut terms,
        &mut LazySolver::without_any(),
        &budget,
    )
    .expect("no data");
    let mended = repair(
        &stg,
        mode,
        &found,
        &mut terms,
        &mut LazySolver::without_any(),
        &budget,
    );
    let mended = mended.expect("no data")?;
    assert_eq!(
        found.violations.is_empty(),
        mended.additions.is_empty(),
        "seed {seed}, {mode:?}"
    );
    if !found.interleaves {
        let after = conditions(
            &mended.stg,
            mode,
            &mut terms,
            &mut LazySolver::without_any(),
            &budget,
        );
        let after = after.expect("no data");
        assert!(
            after.violations.is_empty(),
            "seed {seed}, {mode:?}: {:?}",
            after.violations
        );
    }
    let none = mended.only(&[], &mut terms).stg;
    assert_eq!(none.edges().len(), stg.edges().len(), "seed {seed}");
    let again = conditions(
        &none,
        mode,
        &mut terms,
        &mut LazySolver::without_any(),
        &budget,
    );
    assert_eq!(
        again.expect("no data").violations.len(),
        found.violations.len(),
        "seed {seed}, {mode:?}: without its additions it is what it was"
    );
    Some(mended.additions.len())
}

#[test]
fn names_do_not_matter() {
    let seed = seed_from_env();
    for round in 0..12 {
        let mut terms = Terms::new();
        let stg = random_stg(seed.wrapping_add(round), &mut terms);
        let mut renaming = Renaming::default();
        for (position, role) in stg.roles().into_iter().enumerate() {
            let name = terms.names.intern(&format!("z{}", 9 - position));
            renaming.roles.insert(role, Role(name));
        }
        for (operation, _, _) in stg.alphabet() {
            let name = format!("x{}", terms.names.text(operation.0));
            let name = terms.names.intern(&name);
            renaming.operations.insert(operation, Operation(name));
        }
        let other = rename(&stg, &renaming, &mut terms);
        for mode in Mode::ALL {
            let judge = |stg: &Stg, terms: &mut Terms| {
                let budget = Budget::unlimited();
                let found = conditions(stg, mode, terms, &mut LazySolver::without_any(), &budget)
                    .expect("no data");
                let mended = repair(
                    stg,
                    mode,
                    &found,
                    terms,
                    &mut LazySolver::without_any(),
                    &budget,
                );
                let additions = mended.expect("no data").map(|it| it.additions.len());
                (found.violations.len(), additions)
            };
            assert_eq!(
                judge(&stg, &mut terms),
                judge(&other, &mut terms),
                "seed {seed}, round {round}, {mode:?}"
            );
        }
    }
}
