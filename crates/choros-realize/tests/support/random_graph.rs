//! Small random choreographies without data, for the engine and for its naive twin.

use choros_data::{Term, Terms};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder,
};
use choros_testkit::Random;

use super::naive::{Graph, Label};

/// A graph whose nodes are all reached; nodes that nothing leaves end, or the graph goes round.
pub(crate) fn random_graph(random: &mut Random, most_nodes: usize) -> Graph {
    let roles = 2 + random.below(3);
    let count = 2 + random.below(most_nodes - 1);
    let operations = 2 + random.below(4);
    let mut ends: Vec<(usize, usize)> = (1..count)
        .map(|to| {
            // Long chains are as likely as wide trees.
            let from = if random.percent(60) {
                to - 1
            } else {
                random.below(to)
            };
            (from, to)
        })
        .collect();
    for _ in 0..random.below(3) {
        ends.push((random.below(count), random.below(count)));
    }
    let mut leaves = vec![true; count];
    let mut edges = Vec::new();
    for (source, target) in ends {
        leaves[source] = false;
        let from = random.below(roles);
        let to = (from + 1 + random.below(roles - 1)) % roles;
        let edge = (source, (random.below(operations), from, to), target, false);
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    let ends = leaves
        .into_iter()
        .map(|leaf| leaf || random.percent(10))
        .collect();
    Graph { roles, ends, edges }
}

/// A graph that is rather like what people write: who received continues, and one role decides.
pub(crate) fn conversation(random: &mut Random, most_nodes: usize) -> Graph {
    let roles = 2 + random.below(3);
    let count = 2 + random.below(most_nodes - 1);
    let operations = 2 + random.below(6);
    let mut ways: Vec<(usize, usize)> = (1..count)
        .map(|to| {
            if random.percent(55) {
                (to - 1, to)
            } else {
                (random.below(to), to)
            }
        })
        .collect();
    for _ in 0..random.below(3) {
        ways.push((random.below(count), random.below(count)));
    }
    ways.sort_unstable();
    let mut edges: Vec<(usize, Label, usize, bool)> = Vec::new();
    for (source, target) in ways {
        let beside = edges.iter().find(|it| it.0 == source);
        let before = edges.iter().find(|it| it.2 == source);
        let from = match (beside, before) {
            (Some(&(_, (_, from, _), ..)), _) if random.percent(80) => from,
            (None, Some(&(_, (_, from, to), ..))) if random.percent(80) => {
                *random.pick(&[from, to, to])
            }
            _ => random.below(roles),
        };
        let to = (from + 1 + random.below(roles - 1)) % roles;
        let edge = (source, (random.below(operations), from, to), target, false);
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    let ends = (0..count)
        .map(|node| !edges.iter().any(|it| it.0 == node) || random.percent(8))
        .collect();
    Graph { roles, ends, edges }
}

/// The same as the engine knows it; roles are `a`, `b`, …, operations `m0`, `m1`, ….
pub(crate) fn stg(graph: &Graph, terms: &mut Terms) -> Stg {
    let mut builder = StgBuilder::new("random", Ending::Explicit);
    for (number, &may) in graph.ends.iter().enumerate() {
        let node = builder.node(number.to_string());
        if may {
            builder.terminate(terms, node, Term::TRUE, None);
        }
    }
    for &(source, (operation, from, to), target, _) in &graph.edges {
        let edge = Edge {
            source: NodeId(source as u32),
            target: NodeId(target as u32),
            guard: Term::TRUE,
            event: Event::Message(Message {
                operation: Operation(terms.names.intern(&format!("m{operation}"))),
                from: role(from, terms),
                to: role(to, terms),
                direction: Direction::Interaction,
                fault: None,
                fields: Vec::new(),
            }),
            updates: Vec::new(),
            origin: None,
        };
        builder.edge(terms, edge);
    }
    builder.finish_as_built(NodeId(0))
}

pub(crate) fn role(number: usize, terms: &mut Terms) -> Role {
    let name = ["a", "b", "c", "d", "e", "f", "g", "h"][number];
    Role(terms.names.intern(name))
}
