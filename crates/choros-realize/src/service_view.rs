//! How a service and the part of its role are laid side by side: which messages are seen, and under which labels.

use choros_data::{Term, Terms};
use choros_model::stg::{
    Alphabet, Direction, Edge, Event, Field, FieldValue, Message, Role, Stg, StgBuilder,
};

/// What the service sees of the choreography.
///
/// A message that the choreography does not have is hidden, as conformance does it, but for one that the service would
/// receive from a partner: it never comes.
pub(crate) fn visible(service: &Stg, choreography: &Stg) -> Alphabet {
    let partners = choreography.roles();
    let never = service
        .messages()
        .filter(|it| it.direction == Direction::Receive && partners.contains(&it.from))
        .map(|it| (it.operation, it.from, it.to));
    choreography.alphabet().into_iter().chain(never).collect()
}

/// The part, with messages of the role that no run of the choreography has: at a place that is never reached.
///
/// They are messages of the choreography all the same, so a service that sends one is wrong: what the part does not
/// have at all would be hidden.
pub(crate) fn with_never_sent(
    part: Stg,
    (role, choreography): (Role, &Stg),
    terms: &mut Terms,
) -> Stg {
    let known: Alphabet = part.alphabet().into_iter().collect();
    let mut seen = Alphabet::default();
    let never: Vec<Message> = choreography
        .messages()
        .filter(|it| it.from == role)
        .filter(|it| {
            let message = (it.operation, it.from, it.to);
            !known.contains(&message) && seen.insert(message)
        })
        .cloned()
        .collect();
    if never.is_empty() {
        return part;
    }
    let mut builder = StgBuilder::new(part.name(), part.ending());
    for node in part.nodes() {
        let new = builder.node(node.label.clone());
        for termination in &node.terminations {
            builder.terminate(terms, new, termination.guard, termination.origin);
        }
    }
    for edge in part.edges() {
        builder.edge(terms, edge.clone());
    }
    let place = builder.node("never");
    for mut message in never {
        message.direction = Direction::Send;
        let edge = Edge {
            source: place,
            target: place,
            guard: Term::TRUE,
            event: Event::Message(message),
            updates: Vec::new(),
            origin: None,
        };
        builder.edge(terms, edge);
    }
    builder.finish_as_built(part.initial())
}

/// A message of the service with a value that it knows, where the graph of beliefs has only *any value*.
pub(crate) fn fixed_among<'a>(absorbed: &Alphabet, service: &'a Stg) -> Option<&'a Message> {
    service.messages().find(|it| {
        let is_known = |field: &Field| matches!(field.value, FieldValue::Free(_));
        absorbed.contains(&(it.operation, it.from, it.to)) && it.fields.iter().any(is_known)
    })
}

/// The service with the labels of the part where one side has none: there fields are distinguished by their places.
pub(crate) fn relabelled(service: &Stg, part: &Stg, terms: &mut Terms) -> Stg {
    let labelled = |message: &Message| message.fields.iter().all(|field| field.label.is_some());
    let relabel = |_: &mut Terms, edge: &Edge| {
        let mut edge = edge.clone();
        if let Event::Message(own) = &mut edge.event {
            let like = part.messages().find(|it| {
                (it.operation, it.from, it.to, it.fault)
                    == (own.operation, own.from, own.to, own.fault)
                    && it.fields.len() == own.fields.len()
            });
            if let Some(like) = like.filter(|like| !(labelled(like) && labelled(own))) {
                for (field, other) in own.fields.iter_mut().zip(&like.fields) {
                    field.label = other.label;
                }
            }
        }
        edge
    };
    service.map(terms, relabel, |_, guard| guard)
}
