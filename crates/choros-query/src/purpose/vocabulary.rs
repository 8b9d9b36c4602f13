//! What a purpose may speak of: the variables and events of a model.

use choros_base::Name;
use choros_data::{Sort, Terms, Var};
use choros_model::interface::{Interface, MessageType, Side, Signature};
use choros_model::stg::{Direction, Event, FieldValue, Message, Role, Stg};

use super::model::MessageHead;

/// The variables and events of a model.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// V_B.
    pub variables: Vec<Var>,
    /// The messages, in order of first occurrence.
    pub messages: Vec<MessageShape>,
    /// The faults that are raised.
    pub faults: Vec<Name>,
}

/// A message of the model.
#[derive(Debug, Clone)]
pub struct MessageShape {
    /// Which one.
    pub head: MessageHead,
    /// The labels and sorts of its fields.
    pub fields: Vec<(Option<Name>, Sort)>,
    /// The variables that the model writes in the same step.
    pub written: Vec<Var>,
}

impl Vocabulary {
    /// The vocabulary of a graph of one role.
    pub fn of(stg: &Stg, terms: &Terms) -> Vocabulary {
        let mut vocabulary = Vocabulary {
            variables: stg.variables(terms),
            ..Vocabulary::default()
        };
        for edge in stg.edges() {
            match &edge.event {
                Event::Message(message) => {
                    let head = MessageHead::of(message);
                    let written = edge
                        .event
                        .bound_variables()
                        .chain(edge.updates.iter().map(|update| update.variable));
                    let known = vocabulary.messages.iter().position(|it| it.head == head);
                    let position = known.unwrap_or_else(|| {
                        vocabulary.messages.push(MessageShape {
                            head,
                            fields: shape(message, terms),
                            written: Vec::new(),
                        });
                        vocabulary.messages.len() - 1
                    });
                    let shape = &mut vocabulary.messages[position];
                    for variable in written {
                        if !shape.written.contains(&variable) {
                            shape.written.push(variable);
                        }
                    }
                }
                Event::Raise(fault) if !vocabulary.faults.contains(fault) => {
                    vocabulary.faults.push(*fault);
                }
                Event::Raise(_)
                | Event::Silent
                | Event::Choose(_)
                | Event::Tick
                | Event::TickOf(_)
                | Event::Disturbance(_) => {}
            }
        }
        vocabulary
    }

    /// A message of the model.
    pub fn message(&self, head: MessageHead) -> Option<&MessageShape> {
        self.messages.iter().find(|shape| shape.head == head)
    }
}

fn shape(message: &Message, terms: &Terms) -> Vec<(Option<Name>, Sort)> {
    message
        .fields
        .iter()
        .map(|field| {
            let sort = match field.value {
                FieldValue::Free(term) => terms.sort_of(term),
                FieldValue::Bind(variable) => terms.variable_sort(variable),
            };
            (field.label, sort)
        })
        .collect()
}

/// The interface that a graph of one role shows, for models whose language has none.
///
/// The orchestrator is the role on whose side all messages are; none where there is no such role.
/// An operation on which both directions occur is offered by the orchestrator if the user is its partner, and by the
/// partner otherwise; one with a single direction is offered by its receiver.
/// What a message carries is its only unnamed datum, or a record of its fields.
pub fn interface_of(stg: &Stg, user: Option<Role>, terms: &mut Terms) -> Option<Interface> {
    let first = stg.messages().next()?;
    let candidates = match first.direction {
        Direction::Interaction => return None,
        Direction::Send => first.from,
        Direction::Receive => first.to,
    };
    let own = |message: &Message| match message.direction {
        Direction::Interaction => None,
        Direction::Send => Some(message.from),
        Direction::Receive => Some(message.to),
    };
    if stg
        .messages()
        .any(|message| own(message) != Some(candidates))
    {
        return None;
    }
    let partners: Vec<Role> = stg
        .roles()
        .into_iter()
        .filter(|&role| role != candidates)
        .collect();
    let conventional = terms.names.intern("USER");
    let user = match user {
        Some(user) => user,
        None => *partners
            .iter()
            .find(|role| role.0 == conventional)
            .or(partners.first())?,
    };
    let vocabulary = Vocabulary::of(stg, terms);
    let mut operations: Vec<Signature> = Vec::new();
    for shape in &vocabulary.messages {
        let head = shape.head;
        let known = operations
            .iter()
            .any(|one| one.partner == head.partner && one.operation == head.operation);
        if known {
            continue;
        }
        let mut carried = |direction| {
            let head = MessageHead {
                direction,
                fault: None,
                ..head
            };
            let shape = vocabulary.message(head)?;
            Some(carries(shape, terms))
        };
        let (sent, received) = (carried(Direction::Send), carried(Direction::Receive));
        let (side, input, output) = match (sent, received) {
            (Some(sent), Some(received)) if head.partner == user => {
                (Side::Provided, received, Some(sent))
            }
            (Some(sent), Some(received)) => (Side::Used, sent, Some(received)),
            (Some(sent), None) => (Side::Used, sent, None),
            (None, Some(received)) => (Side::Provided, received, None),
            // Faults alone: the call itself is nowhere.
            (None, None) => continue,
        };
        let faults = vocabulary
            .messages
            .iter()
            .filter(|it| it.head.partner == head.partner && it.head.operation == head.operation)
            .filter_map(|it| Some((it.head.fault?, carries(it, terms))))
            .collect();
        operations.push(Signature {
            partner: head.partner,
            operation: head.operation,
            side,
            input,
            output,
            faults,
            contract: None,
        });
    }
    Some(Interface {
        orchestrator: candidates,
        user,
        operations,
        list_bound: None,
        unfollowed: Vec::new(),
        misread: false,
        transports: Vec::new(),
    })
}

fn carries(shape: &MessageShape, terms: &mut Terms) -> MessageType {
    let sort = match &shape.fields[..] {
        [(None, only)] => *only,
        fields => {
            let fields = fields
                .iter()
                .enumerate()
                .map(|(position, &(label, sort))| {
                    let label = label
                        .unwrap_or_else(|| terms.names.intern(&format!("part{}", position + 1)));
                    (label, sort)
                })
                .collect();
            terms.sort(choros_data::SortKind::Record(fields))
        }
    };
    MessageType {
        name: shape.head.operation.0,
        sort,
        constraint: None,
    }
}
