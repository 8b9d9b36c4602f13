//! Small random choreographies over truth values and three colours: guards, values that are passed on, bound again and
//! assigned.

use choros_data::{Op, Sort, SortKind, Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};
use choros_testkit::Random;

use super::ground_part::values_of;
use super::random_graph::role;

/// A choreography in which everything that is read has been bound; nodes that nothing leaves end.
pub(crate) fn random_data(random: &mut Random, most_nodes: usize, terms: &mut Terms) -> Stg {
    let mut made = Maker::new(random, most_nodes, terms);
    made.decide(random, terms);
    made.stg(random, terms)
}

struct Maker {
    variables: Vec<Var>,
    nodes: usize,
    edges: Vec<Edge>,
}

impl Maker {
    /// Messages, and the values that they bring.
    fn new(random: &mut Random, most_nodes: usize, terms: &mut Terms) -> Maker {
        let name = terms.names.intern("Colour");
        let constructors = ["red", "green", "blue"]
            .map(|name| terms.names.intern(name))
            .to_vec();
        let colour = terms.sort(SortKind::Enumeration { name, constructors });
        let variables: Vec<Var> = (0..1 + random.below(2))
            .map(|number| {
                let sort = [Sort::BOOL, colour][random.below(2)];
                let name = terms.names.intern(&format!("x{number}"));
                terms.variable(name, sort)
            })
            .collect();
        let roles = 2 + random.below(2);
        let nodes = 2 + random.below(most_nodes - 1);
        let mut ends: Vec<(usize, usize)> = (1..nodes)
            .map(|to| {
                if random.percent(60) {
                    (to - 1, to)
                } else {
                    (random.below(to), to)
                }
            })
            .collect();
        for _ in 0..random.below(3) {
            ends.push((random.below(nodes), random.below(nodes)));
        }
        ends.sort_unstable();
        let mut edges: Vec<Edge> = Vec::new();
        for (source, target) in ends {
            let source = NodeId(source as u32);
            let before = edges.iter().find(|it| it.target == source);
            let beside = edges.iter().find(|it| it.source == source);
            let sender = |edge: &Edge| edge.event.message().expect("all are messages").from;
            let receiver = |edge: &Edge| edge.event.message().expect("all are messages").to;
            // Most choreographies that mean something continue where a message arrived.
            let from = match (beside, before) {
                (Some(beside), _) if random.percent(75) => sender(beside),
                (None, Some(before)) if random.percent(75) => receiver(before),
                _ => role(random.below(roles), terms),
            };
            let others: Vec<Role> = (0..roles)
                .map(|it| role(it, terms))
                .filter(|&it| it != from)
                .collect();
            let to = *random.pick(&others);
            let (kind, fields) = if random.percent(60) {
                let variable = *random.pick(&variables);
                let sort = terms.variable_sort(variable);
                let kind = if sort == Sort::BOOL { "t" } else { "c" };
                let value = FieldValue::Bind(variable);
                (kind, vec![Field { label: None, value }])
            } else {
                ("m", Vec::new())
            };
            let name = format!("{kind}{}", random.below(3));
            edges.push(Edge {
                source,
                target: NodeId(target as u32),
                guard: Term::TRUE,
                event: Event::Message(Message {
                    operation: Operation(terms.names.intern(&name)),
                    from,
                    to,
                    direction: Direction::Interaction,
                    fault: None,
                    fields,
                }),
                updates: Vec::new(),
                origin: None,
            });
        }
        Maker {
            variables,
            nodes,
            edges,
        }
    }

    /// For each node, what has been bound on all ways to it.
    fn bound(&self) -> Vec<Vec<Var>> {
        let mut bound = vec![self.variables.clone(); self.nodes];
        bound[0].clear();
        loop {
            let mut changed = false;
            for edge in &self.edges {
                let mut after = bound[edge.source.index()].clone();
                after.extend(edge.event.bound_variables());
                let target = &mut bound[edge.target.index()];
                let before = target.len();
                target.retain(|it| after.contains(it));
                changed |= target.len() != before;
            }
            if !changed {
                return bound;
            }
        }
    }

    /// Guards, values that are passed on and assignments, of what has been bound.
    fn decide(&mut self, random: &mut Random, terms: &mut Terms) {
        let bound = self.bound();
        let edges = self.edges.clone();
        for (index, edge) in edges.iter().enumerate() {
            let known = &bound[edge.source.index()];
            if known.is_empty() {
                continue;
            }
            let beside = edges[..index]
                .iter()
                .position(|it| it.source == edge.source);
            self.edges[index].guard = match beside {
                // What the other is not decided by is decided by no one.
                Some(other) if random.percent(60) => terms.not(self.edges[other].guard),
                _ if random.percent(45) => condition(known, random, terms),
                _ => Term::TRUE,
            };
            if self.edges[index].guard == Term::FALSE {
                self.edges[index].guard = Term::TRUE;
            }
            if let Event::Message(message) = &mut self.edges[index].event
                && let Some(field) = message.fields.first_mut()
                && let FieldValue::Bind(variable) = field.value
                && bound[0].is_empty()
                && random.percent(45)
                && known.contains(&variable)
                && !only_binding(&edges, index, variable)
            {
                field.value = FieldValue::Free(terms.var(variable));
            }
            if random.percent(10) {
                let variable = *random.pick(known);
                let value = constant(variable, random, terms);
                self.edges[index].updates.push(Update { variable, value });
            }
        }
    }

    /// When no step leaves a node, where data may say so.
    fn otherwise(&self, node: NodeId, terms: &mut Terms) -> Option<Term> {
        let leaving = self.edges.iter().filter(|it| it.source == node);
        let some = terms.or(leaving.map(|it| it.guard).collect::<Vec<_>>());
        (some != Term::TRUE).then(|| terms.not(some))
    }

    fn stg(self, random: &mut Random, terms: &mut Terms) -> Stg {
        let bound = self.bound();
        let mut builder = StgBuilder::new("random", Ending::Explicit);
        for number in 0..self.nodes {
            builder.node(number.to_string());
        }
        for (number, known) in bound.iter().enumerate() {
            let node = NodeId(number as u32);
            if !self.edges.iter().any(|it| it.source == node) {
                builder.terminate(terms, node, Term::TRUE, None);
            } else if let Some(otherwise) = self.otherwise(node, terms)
                && random.percent(60)
            {
                // What data do not ask for is left out, and those who know them know that.
                builder.terminate(terms, node, otherwise, None);
            } else if random.percent(12) {
                let guard = if known.is_empty() || random.percent(50) {
                    Term::TRUE
                } else {
                    condition(known, random, terms)
                };
                builder.terminate(terms, node, guard, None);
            }
        }
        for edge in self.edges {
            builder.edge(terms, edge);
        }
        builder.finish_as_built(NodeId(0))
    }
}

/// Whether nothing else binds the variable: then it has to stay bound here.
fn only_binding(edges: &[Edge], index: usize, variable: Var) -> bool {
    let others = edges.iter().enumerate().filter(|it| it.0 != index);
    !others
        .flat_map(|it| it.1.event.bound_variables())
        .any(|it| it == variable)
}

fn condition(known: &[Var], random: &mut Random, terms: &mut Terms) -> Term {
    let variable = *random.pick(known);
    let left = terms.var(variable);
    let alike = known
        .iter()
        .find(|&&it| it != variable && terms.variable_sort(it) == terms.variable_sort(variable));
    let right = match alike {
        Some(&other) if random.percent(30) => terms.var(other),
        _ => constant(variable, random, terms),
    };
    let op = [Op::Equal, Op::NotEqual][random.below(2)];
    terms.compare(op, left, right)
}

fn constant(variable: Var, random: &mut Random, terms: &mut Terms) -> Term {
    let value = random.pick(&values_of(variable, terms)).clone();
    terms.constant(value)
}
