//! Random specifications over truth values and three colours, and implementations made from them by small changes.

use choros_data::{Op, Sort, SortKind, Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Renaming, Role,
    Stg, StgBuilder, Update, rename,
};
use choros_testkit::Random;

pub(crate) struct Maker {
    pub(crate) terms: Terms,
    random: Random,
    variables: Vec<Var>,
    /// How many of a hundred hidden messages bring data.
    pub(crate) hidden_data: u32,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Maker {
        let mut terms = Terms::new();
        let mut random = Random::new(seed);
        let name = terms.names.intern("Colour");
        let constructors = ["red", "green", "blue"]
            .map(|name| terms.names.intern(name))
            .to_vec();
        let colour = terms.sort(SortKind::Enumeration { name, constructors });
        let count = 1 + random.below(2);
        let variables = (0..count)
            .map(|number| {
                let sort = [Sort::BOOL, colour][random.below(2)];
                let name = terms.names.intern(&format!("x{number}"));
                terms.variable(name, sort)
            })
            .collect();
        Maker {
            terms,
            random,
            variables,
            hidden_data: 0,
        }
    }

    /// A specification: no silent steps.
    pub(crate) fn specification(&mut self) -> Stg {
        let nodes = 2 + self.random.below(3);
        let edges = 2 + self.random.below(5);
        let mut builder = StgBuilder::new("spec", Ending::Explicit);
        let nodes: Vec<NodeId> = (0..nodes)
            .map(|node| builder.node(node.to_string()))
            .collect();
        for position in 0..edges {
            // The first ones make a path, so that there is something to reach.
            let source = if position < nodes.len() - 1 {
                nodes[position]
            } else {
                *self.random.pick(&nodes)
            };
            let target = if position < nodes.len() - 1 {
                nodes[position + 1]
            } else {
                *self.random.pick(&nodes)
            };
            let edge = Edge {
                source,
                target,
                guard: self.guard(),
                event: self.message(),
                updates: self.updates(),
                origin: None,
            };
            builder.edge(&mut self.terms, edge);
        }
        for &node in &nodes {
            if self.random.percent(40) {
                let guard = self.guard();
                builder.terminate(&mut self.terms, node, guard, None);
            }
        }
        builder.finish_as_built(nodes[0])
    }

    /// A copy with variables of its own and a few changes.
    pub(crate) fn implementation(&mut self, specification: &Stg) -> Stg {
        let mut nodes: Vec<String> = specification
            .nodes()
            .iter()
            .map(|node| node.label.clone())
            .collect();
        let mut edges: Vec<Edge> = specification.edges().to_vec();
        let mut terminations: Vec<(NodeId, Term)> = specification
            .node_ids()
            .flat_map(|node| {
                let all = &specification.node(node).terminations;
                all.iter().map(move |it| (node, it.guard))
            })
            .collect();
        for _ in 0..self.random.below(4) {
            let position = self.random.below(edges.len());
            match self.random.below(8) {
                0 => edges[position].guard = self.guard(),
                1 => {
                    let extra = self.guard();
                    edges[position].guard = self.terms.and([edges[position].guard, extra]);
                }
                2 | 3 => {
                    // A hidden step before or after it.
                    let middle = NodeId(nodes.len() as u32);
                    nodes.push(format!("h{}", nodes.len()));
                    let mut hidden = edges[position].clone();
                    hidden.event = self.hidden();
                    if self.random.percent(50) {
                        hidden.updates = Vec::new();
                        hidden.target = middle;
                        edges[position].source = middle;
                    } else {
                        hidden.guard = Term::TRUE;
                        hidden.updates = Vec::new();
                        hidden.source = middle;
                        edges[position].target = middle;
                    }
                    edges.push(hidden);
                }
                4 => {
                    let event = self.hidden();
                    let updates = self.updates();
                    let (source, target) = (edges[position].source, edges[position].target);
                    let target = if self.random.percent(50) {
                        source
                    } else {
                        target
                    };
                    edges.push(Edge {
                        source,
                        target,
                        guard: self.guard(),
                        event,
                        updates,
                        origin: None,
                    });
                }
                5 => edges[position].event = self.message(),
                6 => edges[position].updates = self.updates(),
                _ => {
                    if !terminations.is_empty() {
                        let which = self.random.below(terminations.len());
                        terminations[which].1 = self.guard();
                    }
                }
            }
        }
        let mut builder = StgBuilder::new("impl", Ending::Explicit);
        for label in nodes {
            builder.node(label);
        }
        for edge in edges {
            builder.edge(&mut self.terms, edge);
        }
        for (node, guard) in terminations {
            builder.terminate(&mut self.terms, node, guard, None);
        }
        let made = builder.finish_as_built(specification.initial());
        let mut renaming = Renaming::default();
        for &variable in &self.variables.clone() {
            let text = self.terms.variable_text(variable).replace('x', "y");
            let name = self.terms.names.intern(&text);
            let new = self
                .terms
                .variable(name, self.terms.variable_sort(variable));
            renaming.variables.insert(variable, new);
        }
        rename(&made, &renaming, &mut self.terms)
    }

    /// A message that the specification does not have; most bind something, and often again.
    fn hidden(&mut self) -> Event {
        let mut fields = Vec::new();
        if self.random.percent(self.hidden_data) {
            let variable = *self.random.pick(&self.variables.clone());
            let value = FieldValue::Bind(variable);
            fields.push(Field { label: None, value });
        }
        self.named("ping", fields)
    }

    fn message(&mut self) -> Event {
        let mut fields = Vec::new();
        if self.random.percent(70) {
            let variable = *self.random.pick(&self.variables.clone());
            let value = if self.random.percent(60) {
                FieldValue::Bind(variable)
            } else {
                FieldValue::Free(self.terms.var(variable))
            };
            fields.push(Field { label: None, value });
        }
        let operation = ["ask", "tell", "say"][self.random.below(3)];
        self.named(operation, fields)
    }

    fn named(&mut self, operation: &str, fields: Vec<Field>) -> Event {
        let names = &mut self.terms.names;
        Event::Message(Message {
            operation: Operation(names.intern(operation)),
            from: Role(names.intern("a")),
            to: Role(names.intern("b")),
            direction: Direction::Interaction,
            fault: None,
            fields,
        })
    }

    fn updates(&mut self) -> Vec<Update> {
        let mut updates = Vec::new();
        while self.random.percent(20) {
            let variable = *self.random.pick(&self.variables.clone());
            let value = self.value(self.terms.variable_sort(variable));
            updates.push(Update { variable, value });
        }
        updates
    }

    fn guard(&mut self) -> Term {
        if self.random.percent(40) {
            return Term::TRUE;
        }
        let variable = *self.random.pick(&self.variables.clone());
        let left = self.terms.var(variable);
        let right = self.value(self.terms.variable_sort(variable));
        let op = [Op::Equal, Op::NotEqual][self.random.below(2)];
        self.terms.compare(op, left, right)
    }

    fn value(&mut self, sort: Sort) -> Term {
        let alike: Vec<Var> = self
            .variables
            .iter()
            .copied()
            .filter(|&variable| self.terms.variable_sort(variable) == sort)
            .collect();
        if self.random.percent(30) {
            let variable = *self.random.pick(&alike);
            return self.terms.var(variable);
        }
        let values = super::ground::values_of(alike[0], &self.terms);
        let value = self.random.pick(&values).clone();
        self.terms.constant(value)
    }
}
