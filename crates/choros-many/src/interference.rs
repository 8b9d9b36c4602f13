//! Conformance of one session that others disturb, which is enough for any number of them.
//!
//! The others may change what is shared at any time, to anything.
//! So one session is compared in an environment that does so by a visible step, and shows what it has written itself.
//! The README has the argument that sessions that conform in it conform side by side, whatever their messages.
//! What fails in it may be the environment's fault, of which nothing follows.

use choros_base::Name;
use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Sessions,
    Stg, StgBuilder,
};

/// Both sides, disturbed; or why nothing follows from comparing them.
pub(crate) fn disturbed(
    (implementation, specification): (&Stg, &Stg),
    sessions: &Sessions,
    terms: &mut Terms,
) -> Result<(Stg, Stg), String> {
    let both = [implementation, specification];
    if both
        .iter()
        .any(|it| it.edges().iter().any(|it| it.event.is_tick()))
    {
        return Err("roles measure time".to_owned());
    }
    let [own, other] = both.map(|it| written(it, sessions, terms));
    let names = |of: &[Var], terms: &Terms| -> Vec<(String, Sort)> {
        let one = |&it: &Var| (terms.variable_text(it).to_owned(), terms.variable_sort(it));
        let mut found: Vec<(String, Sort)> = of.iter().map(one).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    };
    if names(&own, terms) != names(&other, terms) {
        return Err("the two sides do not share the same variables".to_owned());
    }
    let seen: Vec<&Message> = specification.messages().collect();
    let is_seen = |edge: &Edge| {
        let message = edge.event.message();
        message.is_some_and(|it| seen.iter().any(|known| is_same(it, known)))
    };
    let writes = |edge: &Edge, shared: &[Var]| {
        let mut bound = edge.event.bound_variables();
        let mut updates = edge.updates.iter();
        bound.any(|it| shared.contains(&it)) || updates.any(|it| shared.contains(&it.variable))
    };
    for (stg, shared) in [(implementation, &own), (specification, &other)] {
        let mut edges = stg.edges().iter();
        if edges.any(|it| writes(it, shared) && !is_seen(it)) {
            return Err("a step that is not seen writes what all sessions share".to_owned());
        }
    }
    // What one side writes with a message is shown on both.
    let mut telling: Vec<Message> = Vec::new();
    for (stg, shared) in [(implementation, &own), (specification, &other)] {
        for edge in stg.edges().iter().filter(|it| writes(it, shared)) {
            telling.extend(edge.event.message().cloned());
        }
    }
    let environment = Environment::new(both, terms);
    let [left, right] = [(implementation, own), (specification, other)].map(|(stg, mut shared)| {
        shared.sort_by(|a, b| terms.variable_text(*a).cmp(terms.variable_text(*b)));
        environment.around(stg, &shared, &telling, terms)
    });
    Ok((left, right))
}

fn is_same(one: &Message, other: &Message) -> bool {
    (one.operation, one.from, one.to) == (other.operation, other.from, other.to)
}

/// The variables that all sessions share and some step writes.
fn written(stg: &Stg, sessions: &Sessions, terms: &Terms) -> Vec<Var> {
    let mut found = sessions.shared_variables(stg, terms);
    found.retain(|variable| {
        stg.edges().iter().any(|edge| {
            let mut updates = edge.updates.iter();
            edge.event.bound_variables().any(|it| it == *variable)
                || updates.any(|it| it.variable == *variable)
        })
    });
    found
}

/// Those who change what is shared, and see what a session has written.
struct Environment {
    change: Operation,
    show: Operation,
    roles: [Role; 2],
}

impl Environment {
    /// One of which neither side speaks.
    fn new(both: [&Stg; 2], terms: &mut Terms) -> Environment {
        let operations = both.iter().flat_map(|it| it.messages());
        let mut used: Vec<Name> = operations.map(|it| it.operation.0).collect();
        used.extend(both.iter().flat_map(|it| it.roles()).map(|it| it.0));
        let mut new = |text: &str| {
            let mut text = text.to_owned();
            loop {
                let name = terms.names.intern(&text);
                if !used.contains(&name) {
                    used.push(name);
                    return name;
                }
                text.push('_');
            }
        };
        Environment {
            change: Operation(new("Others")),
            show: Operation(new("Shared")),
            roles: [Role(new("others")), Role(new("shared"))],
        }
    }

    fn event(&self, operation: Operation, fields: Vec<Field>) -> Event {
        Event::Message(Message {
            operation,
            from: self.roles[0],
            to: self.roles[1],
            direction: Direction::Interaction,
            fault: None,
            fields,
        })
    }

    /// A graph in it: at each node the others may change what is shared, and a step that may have written it shows it.
    fn around(&self, stg: &Stg, shared: &[Var], telling: &[Message], terms: &mut Terms) -> Stg {
        let labels: Vec<Name> = shared
            .iter()
            .map(|&it| {
                let name = terms.variable_text(it).to_owned();
                terms.names.intern(&name)
            })
            .collect();
        let fields = |value: &mut dyn FnMut(Var) -> FieldValue| -> Vec<Field> {
            let each = labels.iter().zip(shared);
            each.map(|(&label, &variable)| Field {
                label: Some(label),
                value: value(variable),
            })
            .collect()
        };
        let change = self.event(self.change, fields(&mut FieldValue::Bind));
        let show = self.event(self.show, fields(&mut |it| FieldValue::Free(terms.var(it))));
        // With the others, no node is one that nothing leaves.
        let mut builder = StgBuilder::new(stg.name(), Ending::Explicit);
        for node in stg.node_ids() {
            let new = builder.node(stg.node(node).label.clone());
            for end in &stg.node(node).terminations {
                builder.terminate(terms, new, end.guard, end.origin);
            }
        }
        let silent = |source: NodeId, target: NodeId, event: &Event| Edge {
            source,
            target,
            guard: Term::TRUE,
            event: event.clone(),
            updates: Vec::new(),
            origin: None,
        };
        if !shared.is_empty() {
            for node in stg.node_ids() {
                builder.edge(terms, silent(node, node, &change));
            }
        }
        for edge in stg.edges() {
            let message = edge.event.message();
            let tells = message.is_some_and(|it| telling.iter().any(|known| is_same(it, known)));
            if !tells {
                builder.edge(terms, edge.clone());
                continue;
            }
            let between = builder.node(format!("{}, written", stg.node(edge.target).label));
            let first = Edge {
                target: between,
                ..edge.clone()
            };
            builder.edge(terms, first);
            builder.edge(terms, silent(between, edge.target, &show));
        }
        builder.finish_as_built(stg.initial())
    }
}
