//! Small random graphs of every kind, with an oracle that knows which edges can be taken.
//!
//! Unlike the trees of [`crate::random_choreography()`] they have loops, joins, variables that are bound again and
//! again, updates, silent steps and parameters.
//! Every variable stays in a small domain, so that trying everything is possible: Booleans and enumerations have few
//! values, and an integer is taken modulo [`GraphShape::modulus`] by an update on the edge that binds it.
//! A first silent step does the same to the parameters.

use choros_data::{Assignment, Op, Sort, SortKind, Term, Terms, Value, Var};
use choros_model::stg::{
    Direction, Edge, EdgeId, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role,
    Stg, StgBuilder, Update,
};

use crate::Random;

/// What a random graph looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphShape {
    /// Number of nodes, not counting the initial one; at least 1.
    pub nodes: usize,
    /// Number of edges, not counting the first step; equal ones are made once.
    pub edges: usize,
    /// Number of variables; with *m* of them and domains of *k* values the oracle visits at most *k*ᵐ values a node.
    pub variables: usize,
    /// Number of values of an integer variable, at least 2.
    pub modulus: i64,
}

#[derive(Debug)]
pub struct RandomGraph {
    /// The store of its terms.
    pub terms: Terms,
    /// The graph.
    pub stg: Stg,
    /// Its variables, each with the values it may have after the first step.
    ///
    /// For an integer these are also enough values to try where it is bound: others come to the same.
    pub domains: Vec<(Var, Vec<Value>)>,
}

/// Makes one; the same shape and seed always make the same.
///
/// # Panics
///
/// If the shape is impossible: no nodes, or fewer than two values.
pub fn random_graph(shape: GraphShape, seed: u64) -> RandomGraph {
    assert!(
        shape.nodes > 0 && shape.modulus > 1,
        "{shape:?} is impossible"
    );
    let mut terms = Terms::new();
    let mut random = Random::new(seed);
    let domains = declare(&mut terms, &mut random, shape);
    let mut maker = Maker {
        terms,
        random,
        domains,
        modulus: shape.modulus,
    };
    let mut builder = StgBuilder::new("random", Ending::Sinks);
    let initial = builder.node("start");
    let nodes: Vec<NodeId> = (0..shape.nodes)
        .map(|node| builder.node(node.to_string()))
        .collect();
    let first = maker.first_step(initial, nodes[0]);
    builder.edge(&mut maker.terms, first);
    // Mostly nodes that something leads to, so that it is the guards that decide what can be taken.
    let mut reached = vec![nodes[0]];
    for _ in 0..shape.edges {
        let sources = if maker.random.percent(90) {
            &reached
        } else {
            &nodes
        };
        let edge = maker.edge(sources, &nodes);
        reached.push(edge.target);
        builder.edge(&mut maker.terms, edge);
    }
    RandomGraph {
        stg: builder.finish(initial),
        terms: maker.terms,
        domains: maker.domains,
    }
}

impl RandomGraph {
    /// The edges that some run takes, found by trying all values: the oracle for everything cleverer.
    pub fn live_edges(&self) -> Vec<EdgeId> {
        let mut live: Vec<EdgeId> = self.run().0.into_iter().map(|it| it.0).collect();
        live.sort_unstable();
        live.dedup();
        live
    }

    /// Every edge that some run takes with the values before it, found by trying all values.
    pub fn firings(&self) -> Vec<(EdgeId, Assignment)> {
        self.run().0
    }

    /// The nodes in which some run can do nothing more and has not ended, found by trying all values.
    pub fn stuck_nodes(&self) -> Vec<NodeId> {
        self.run().1
    }

    /// Tries everything.
    fn run(&self) -> (Vec<(EdgeId, Assignment)>, Vec<NodeId>) {
        let mut firings = Vec::new();
        let mut stuck: Vec<NodeId> = Vec::new();
        let mut seen: Vec<(NodeId, Vec<Value>)> = Vec::new();
        let mut work: Vec<(NodeId, Vec<Value>)> = self
            .all_values(&self.domains)
            .into_iter()
            .map(|values| (self.stg.initial(), values))
            .collect();
        while let Some(configuration) = work.pop() {
            if seen.contains(&configuration) {
                continue;
            }
            let (node, values) = &configuration;
            let terminations = self.stg.node(*node).terminations.iter();
            let own = self.assignment(values);
            let mut guards = terminations
                .map(|it| it.guard)
                .chain(self.stg.outgoing(*node).map(|(_, edge)| edge.guard));
            let goes_on = guards.any(|it| self.terms.evaluate_guard(it, &own) == Ok(true));
            if !goes_on && !stuck.contains(node) {
                stuck.push(*node);
            }
            for (id, edge) in self.stg.outgoing(*node) {
                let before = self.assignment(values);
                if self.terms.evaluate_guard(edge.guard, &before) != Ok(true) {
                    continue;
                }
                firings.push((id, before.clone()));
                let bound: Vec<(Var, Vec<Value>)> = self
                    .domains
                    .iter()
                    .filter(|(variable, _)| edge.event.bound_variables().any(|it| it == *variable))
                    .cloned()
                    .collect();
                for brought in self.all_values(&bound) {
                    let mut after = before.clone();
                    after.extend(bound.iter().map(|(variable, _)| *variable).zip(brought));
                    work.push((edge.target, self.updated(edge, after)));
                }
            }
            seen.push(configuration);
        }
        stuck.sort_unstable();
        (firings, stuck)
    }

    /// Carries out the updates one after the other.
    fn updated(&self, edge: &Edge, mut values: Assignment) -> Vec<Value> {
        for update in &edge.updates {
            let value = self.terms.evaluate(update.value, &values);
            values.insert(
                update.variable,
                value.expect("updates of random graphs are total"),
            );
        }
        self.domains
            .iter()
            .map(|(variable, _)| values[variable].clone())
            .collect()
    }

    fn assignment(&self, values: &[Value]) -> Assignment {
        let variables = self.domains.iter().map(|(variable, _)| *variable);
        variables.zip(values.iter().cloned()).collect()
    }

    /// All combinations of values of the given variables.
    fn all_values(&self, domains: &[(Var, Vec<Value>)]) -> Vec<Vec<Value>> {
        let mut combinations = vec![Vec::new()];
        for (_, domain) in domains {
            combinations = combinations
                .iter()
                .flat_map(|start| {
                    domain
                        .iter()
                        .map(move |value| start.iter().cloned().chain([value.clone()]).collect())
                })
                .collect();
        }
        combinations
    }
}

fn declare(terms: &mut Terms, random: &mut Random, shape: GraphShape) -> Vec<(Var, Vec<Value>)> {
    let name = terms.names.intern("Colour");
    let constructors = ["red", "green", "blue"]
        .map(|name| terms.names.intern(name))
        .to_vec();
    let count = constructors.len() as u32;
    let colour = terms.sort(SortKind::Enumeration { name, constructors });
    (0..shape.variables)
        .map(|number| {
            let (letter, sort, domain) = match random.below(4) {
                0 => ("b", Sort::BOOL, vec![Value::Bool(false), Value::Bool(true)]),
                1 => (
                    "c",
                    colour,
                    (0..count)
                        .map(|index| Value::Constructor {
                            sort: colour,
                            index,
                        })
                        .collect(),
                ),
                _ => ("x", Sort::INT, (0..shape.modulus).map(Value::int).collect()),
            };
            let name = terms.names.intern(&format!("{letter}{number}"));
            (terms.variable(name, sort), domain)
        })
        .collect()
}

struct Maker {
    terms: Terms,
    random: Random,
    domains: Vec<(Var, Vec<Value>)>,
    modulus: i64,
}

impl Maker {
    /// Brings the parameters into their domains.
    fn first_step(&mut self, source: NodeId, target: NodeId) -> Edge {
        let variables: Vec<Var> = self.domains.iter().map(|(variable, _)| *variable).collect();
        let updates = variables
            .into_iter()
            .filter_map(|variable| self.reduction(variable))
            .collect();
        Edge {
            source,
            target,
            guard: Term::TRUE,
            event: Event::Silent,
            updates,
            origin: None,
        }
    }

    /// `x := x mod k` for an integer.
    fn reduction(&mut self, variable: Var) -> Option<Update> {
        let term = self.terms.var(variable);
        (self.terms.sort_of(term) == Sort::INT).then(|| Update {
            variable,
            value: self.reduced(term),
        })
    }

    fn reduced(&mut self, term: Term) -> Term {
        let modulus = self.terms.int(self.modulus);
        self.terms.arithmetic(Op::Modulo, term, modulus)
    }

    fn edge(&mut self, sources: &[NodeId], targets: &[NodeId]) -> Edge {
        let source = *self.random.pick(sources);
        let target = *self.random.pick(targets);
        let guard = self.guard();
        let mut updates = Vec::new();
        let event = if self.random.percent(25) {
            Event::Silent
        } else {
            self.message(&mut updates)
        };
        while !self.domains.is_empty() && self.random.percent(30) {
            let (variable, _) = *self.random.pick(&self.domains.clone());
            let sort = self.sort_of(variable);
            let value = self.value_of_sort(sort);
            updates.push(Update { variable, value });
        }
        Edge {
            source,
            target,
            guard,
            event,
            updates,
            origin: None,
        }
    }

    /// A message that binds a variable, passes one on, or carries nothing.
    fn message(&mut self, updates: &mut Vec<Update>) -> Event {
        let mut fields = Vec::new();
        if !self.domains.is_empty() && self.random.percent(80) {
            let (variable, _) = *self.random.pick(&self.domains.clone());
            let value = if self.random.percent(60) {
                updates.extend(self.reduction(variable));
                FieldValue::Bind(variable)
            } else {
                FieldValue::Free(self.terms.var(variable))
            };
            fields.push(Field { label: None, value });
        }
        let operation = ["ask", "tell", "end"][self.random.below(3)];
        let (from, to) = [("a", "b"), ("b", "a"), ("b", "c")][self.random.below(3)];
        let names = &mut self.terms.names;
        Event::Message(Message {
            operation: Operation(names.intern(operation)),
            from: Role(names.intern(from)),
            to: Role(names.intern(to)),
            direction: Direction::Interaction,
            fault: None,
            fields,
        })
    }

    /// *true*, a comparison, or a small combination of comparisons.
    fn guard(&mut self) -> Term {
        if self.domains.is_empty() || self.random.percent(20) {
            return Term::TRUE;
        }
        let first = self.atom();
        match self.random.below(4) {
            0 => {
                let second = self.atom();
                self.terms.and([first, second])
            }
            1 => {
                let second = self.atom();
                self.terms.or([first, second])
            }
            2 => self.terms.not(first),
            _ => first,
        }
    }

    fn atom(&mut self) -> Term {
        let (variable, _) = *self.random.pick(&self.domains.clone());
        let sort = self.sort_of(variable);
        let left = self.terms.var(variable);
        let right = self.value_of_sort(sort);
        let ops: &[Op] = if sort == Sort::INT {
            &[Op::Equal, Op::NotEqual, Op::Less, Op::GreaterEqual]
        } else {
            &[Op::Equal, Op::NotEqual]
        };
        let op = *self.random.pick(ops);
        self.terms.compare(op, left, right)
    }

    /// A constant, a variable, or a small term over one, within the domain of its sort.
    fn value_of_sort(&mut self, sort: Sort) -> Term {
        let known: Vec<(Var, Vec<Value>)> = self
            .domains
            .iter()
            .filter(|(variable, _)| self.sort_of(*variable) == sort)
            .cloned()
            .collect();
        let (variable, domain) = self.random.pick(&known).clone();
        let term = self.terms.var(variable);
        match (self.random.below(3), sort) {
            (0, _) => term,
            (1, Sort::INT) => {
                let amount = self.terms.int(1);
                let sum = self.terms.arithmetic(Op::Add, term, amount);
                self.reduced(sum)
            }
            (1, Sort::BOOL) => self.terms.not(term),
            _ => {
                let value = self.random.pick(&domain).clone();
                self.terms.constant(value)
            }
        }
    }

    fn sort_of(&self, variable: Var) -> Sort {
        self.terms.variable_sort(variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed_from_env;

    const SHAPE: GraphShape = GraphShape {
        nodes: 5,
        edges: 10,
        variables: 3,
        modulus: 3,
    };

    #[test]
    fn the_shape_is_kept() {
        let seed = seed_from_env();
        for shape in [
            SHAPE,
            GraphShape {
                variables: 0,
                ..SHAPE
            },
            GraphShape {
                edges: 0,
                nodes: 1,
                ..SHAPE
            },
        ] {
            let graph = random_graph(shape, seed);
            assert_eq!(graph.stg.nodes().len(), shape.nodes + 1);
            assert!(graph.stg.edges().len() <= shape.edges + 1);
            assert_eq!(graph.domains.len(), shape.variables);
            assert_eq!(
                graph.live_edges().first(),
                Some(&EdgeId(0)),
                "the first step is always possible"
            );
        }
    }

    /// Over some seeds every feature comes up, and there is something dead and something live to find.
    #[test]
    fn graphs_are_of_every_kind() {
        let graphs: Vec<RandomGraph> = (0..50).map(|offset| random_graph(SHAPE, offset)).collect();
        let edges = || graphs.iter().flat_map(|graph| graph.stg.edges());
        assert!(edges().any(|edge| edge.source == edge.target));
        assert!(edges().any(|edge| edge.event == Event::Silent && edge.guard != Term::TRUE));
        assert!(edges().any(|edge| edge.event.bound_variables().next().is_some()));
        assert!(edges().any(|edge| edge.event.free_terms().next().is_some()));
        assert!(edges().any(|edge| edge.updates.len() > 1));
        assert!(
            graphs
                .iter()
                .any(|graph| graph.live_edges().len() == graph.stg.edges().len())
        );
        let reached = |graph: &RandomGraph| {
            // Edges that start where a live edge ends but are dead themselves: the guard is what cuts them.
            let live = graph.live_edges();
            graph.stg.edges().iter().enumerate().any(|(index, edge)| {
                !live.contains(&EdgeId(index as u32))
                    && live
                        .iter()
                        .any(|&id| graph.stg.edge(id).target == edge.source)
            })
        };
        assert!(graphs.iter().any(reached));
    }

    #[test]
    fn the_same_seed_makes_the_same() {
        let seed = seed_from_env();
        let shown = |seed| {
            let graph = random_graph(SHAPE, seed);
            let edges: Vec<String> = graph
                .stg
                .edges()
                .iter()
                .map(|edge| {
                    format!(
                        "{:?} {} {}",
                        edge.target,
                        graph.terms.print(edge.guard),
                        edge.event.text(&graph.terms)
                    )
                })
                .collect();
            edges.join("\n")
        };
        assert_eq!(shown(seed), shown(seed));
    }

    /// A graph small enough to see: `a` is bound to anything, then needs to be 1 and not 1.
    #[test]
    fn the_oracle_is_right_about_a_graph_made_by_hand() {
        let mut terms = Terms::new();
        let name = terms.names.intern("x");
        let x = terms.variable(name, Sort::INT);
        let term = terms.var(x);
        let one = terms.int(1);
        let is_one = terms.equal(term, one);
        let is_not = terms.not(is_one);
        let mut builder = StgBuilder::new("made", Ending::Sinks);
        let nodes: Vec<NodeId> = (0..4).map(|node| builder.node(node.to_string())).collect();
        let edge = |source: usize, target: usize, guard: Term, update: Option<Term>| Edge {
            source: nodes[source],
            target: nodes[target],
            guard,
            event: Event::Silent,
            updates: update
                .map(|value| Update { variable: x, value })
                .into_iter()
                .collect(),
            origin: None,
        };
        for edge in [
            edge(0, 1, is_one, None),
            edge(1, 2, is_not, None),
            edge(1, 3, is_one, Some(terms.int(2))),
            edge(3, 2, is_not, None),
            edge(3, 1, is_one, None),
        ] {
            builder.edge(&mut terms, edge);
        }
        let graph = RandomGraph {
            stg: builder.finish(nodes[0]),
            terms,
            domains: vec![(x, (0..3).map(Value::int).collect())],
        };
        assert_eq!(graph.live_edges(), [EdgeId(0), EdgeId(2), EdgeId(3)]);
    }
}
