//! A choreography without silent steps: ticks and certain receptions can be seen.
//!
//! A tick of `r` becomes a message of `r` to itself, and the reception of a message `m` becomes a message `m?` of its
//! own.
//! Where one reception of a message is a step of its own, all receptions of that message are, because an observer of the
//! composition cannot tell which of them a role does.
//! So where the choreography has such a message as one step, it is sent there, and received at any later time, before
//! its receiver does anything else: a node is a node of the choreography and the receptions that are still to come.

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms};
use choros_model::stg::{
    Direction, Edge, Event, Message, NodeId, Operation, Role, Stg, StgBuilder,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which message it is.
pub(super) type Kind = (Operation, Role, Role);

/// So many receptions may be still to come.
const MAX_WAITING: usize = 4;

/// The messages of which a reception is a step of its own.
pub(super) fn received_kinds(stg: &Stg) -> FxHashSet<Kind> {
    stg.messages()
        .filter(|message| message.direction == Direction::Receive)
        .map(|message| (message.operation, message.from, message.to))
        .collect()
}

/// The reception of a message as it is seen.
pub(super) fn taken((operation, from, to): Kind, terms: &mut Terms) -> Event {
    let text = format!("{}?", terms.names.text(operation.0));
    Event::Message(Message {
        operation: Operation(terms.names.intern(&text)),
        from,
        to,
        direction: Direction::Interaction,
        fault: None,
        fields: Vec::new(),
    })
}

/// A tick as it is seen.
fn tick(role: Role, terms: &mut Terms) -> Event {
    Event::Message(Message {
        operation: Operation(terms.names.intern("tick?")),
        from: role,
        to: role,
        direction: Direction::Interaction,
        fault: None,
        fields: Vec::new(),
    })
}

/// Whether an event is one of those that are seen here only.
pub(super) fn is_ghost(event: &Event, terms: &Terms) -> bool {
    event
        .message()
        .is_some_and(|it| terms.names.text(it.operation.0).ends_with('?'))
}

/// The graph in which ticks are messages.
pub(super) fn with_visible_ticks(stg: &Stg, terms: &mut Terms) -> Stg {
    let seen = |terms: &mut Terms, edge: &Edge| Edge {
        event: match edge.event {
            Event::TickOf(role) => tick(role, terms),
            ref other => other.clone(),
        },
        ..edge.clone()
    };
    stg.map(terms, seen, |_, guard| guard)
}

/// The choreography as it is compared.
pub(super) fn specification(
    stg: &Stg,
    shown: &FxHashSet<Kind>,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Stg, StopReason> {
    let mut states = States {
        builder: StgBuilder::new(stg.name(), stg.ending()),
        numbers: FxHashMap::default(),
        all: Vec::new(),
    };
    states.number(stg, stg.initial(), Vec::new(), budget)?;
    let mut next = 0;
    while next < states.all.len() {
        let source = NodeId(next as u32);
        let (node, waiting) = states.all[next].clone();
        next += 1;
        if waiting.is_empty() {
            for termination in &stg.node(node).terminations {
                let (guard, origin) = (termination.guard, termination.origin);
                states.builder.terminate(terms, source, guard, origin);
            }
        }
        let mut first: Vec<Role> = Vec::new();
        for (place, &kind) in waiting.iter().enumerate() {
            if first.contains(&kind.2) {
                continue;
            }
            first.push(kind.2);
            let mut fewer = waiting.clone();
            fewer.remove(place);
            let target = states.number(stg, node, fewer, budget)?;
            let edge = Edge {
                source,
                target,
                guard: Term::TRUE,
                event: taken(kind, terms),
                updates: Vec::new(),
                origin: None,
            };
            states.builder.edge(terms, edge);
        }
        let busy = |role: Role| waiting.iter().any(|it| it.2 == role);
        for (_, edge) in stg.outgoing(node) {
            let mut later = waiting.clone();
            let event = match &edge.event {
                Event::TickOf(role) if busy(*role) => continue,
                Event::TickOf(role) => tick(*role, terms),
                Event::Message(message) => {
                    let kind = (message.operation, message.from, message.to);
                    let acts = match message.direction {
                        Direction::Receive => message.to,
                        Direction::Interaction | Direction::Send => message.from,
                    };
                    if busy(acts) {
                        continue;
                    }
                    match message.direction {
                        Direction::Receive => taken(kind, terms),
                        Direction::Interaction | Direction::Send => {
                            if message.direction == Direction::Interaction && shown.contains(&kind)
                            {
                                if later.len() >= MAX_WAITING {
                                    continue;
                                }
                                later.push(kind);
                            }
                            Event::Message(Message {
                                direction: Direction::Interaction,
                                ..message.clone()
                            })
                        }
                    }
                }
                other => other.clone(),
            };
            let target = states.number(stg, edge.target, later, budget)?;
            let edge = Edge {
                source,
                target,
                event,
                ..edge.clone()
            };
            states.builder.edge(terms, edge);
        }
    }
    Ok(states.builder.finish_as_built(NodeId(0)))
}

struct States {
    builder: StgBuilder,
    numbers: FxHashMap<(NodeId, Vec<Kind>), NodeId>,
    all: Vec<(NodeId, Vec<Kind>)>,
}

impl States {
    fn number(
        &mut self,
        stg: &Stg,
        node: NodeId,
        waiting: Vec<Kind>,
        budget: &Budget,
    ) -> Result<NodeId, StopReason> {
        let state = (node, waiting);
        if let Some(&known) = self.numbers.get(&state) {
            return Ok(known);
        }
        budget.spend()?;
        let id = self.builder.node(stg.node(node).label.clone());
        self.numbers.insert(state.clone(), id);
        self.all.push(state);
        Ok(id)
    }
}
