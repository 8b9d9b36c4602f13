//! What may be visible first after a step that a full queue forbade.
//!
//! An abstraction that lets the roles do more than they can: it forgets guards, and the order of messages in a queue
//! unless an observer sees the first of them taken.
//! So what it does not find cannot come.

use choros_conform::{FirstVisible, OpenEnds};
use choros_model::stg::{Alphabet, Direction, Event, Message, NodeId, Operation, Stg};
use rustc_hash::FxHashSet;

use crate::Mode;
use crate::composition::Composition;

/// For each node in which something was not sent: what an observer of the choreography may see first after it.
pub(crate) fn beyond(composition: &Composition, choreography: &Stg, mode: Mode) -> OpenEnds {
    let look = Look {
        composition,
        alphabet: choreography.alphabet().into_iter().collect(),
        mode,
    };
    let refused = composition.refused.iter();
    OpenEnds {
        first: refused.map(|&node| (node, look.first(node))).collect(),
    }
}

struct Look<'a> {
    composition: &'a Composition,
    /// What an observer knows.
    alphabet: Alphabet,
    mode: Mode,
}

impl Look<'_> {
    fn is_known(&self, message: &Message) -> bool {
        let label = (message.operation, message.from, message.to);
        self.alphabet.contains(&label)
    }

    /// Whether an observer sees a step.
    fn is_seen(&self, message: &Message) -> bool {
        self.is_known(message)
            && match message.direction {
                Direction::Send => self.mode != Mode::Receiver,
                Direction::Receive => self.mode == Mode::Receiver,
                Direction::Interaction => true,
            }
    }

    fn first(&self, node: NodeId) -> FirstVisible {
        let refused = self.refused(node);
        if refused.iter().all(|message| self.is_seen(message)) {
            let labels = refused.iter().map(|it| (it.operation, it.from, it.to));
            return (labels.collect(), false);
        }
        let channels = &self.composition.channels;
        let waiting: Vec<Vec<Operation>> = (0..channels.len())
            .map(|channel| self.composition.waiting(node, channel).collect())
            .collect();
        // A message that an observer sees taken stays at the head until then.
        let stays = |channel: usize| {
            let (from, to) = channels[channel];
            self.mode == Mode::Receiver
                && waiting[channel]
                    .first()
                    .is_some_and(|&head| self.alphabet.contains(&(head, from, to)))
        };
        let mut there: Vec<FxHashSet<Operation>> = (0..channels.len())
            .map(|channel| {
                if stays(channel) {
                    waiting[channel].iter().copied().take(1).collect()
                } else {
                    waiting[channel].iter().copied().collect()
                }
            })
            .collect();
        let parts = &self.composition.parts;
        let mut reached: Vec<Vec<bool>> = Vec::new();
        for (role, part) in parts.iter().enumerate() {
            let mut own = vec![false; part.stg.nodes().len()];
            own[self.composition.place(node, role).index()] = true;
            reached.push(own);
        }
        let mut labels = Vec::new();
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (part, reached) in parts.iter().zip(&mut reached) {
                for edge in part.stg.edges() {
                    if !reached[edge.source.index()] {
                        continue;
                    }
                    match &edge.event {
                        Event::Tick => continue,
                        Event::Message(message) => {
                            let channel = self.channel(message);
                            let there = channel.map(|it| &mut there[it]);
                            let comes = match (message.direction, there) {
                                (Direction::Receive, Some(there)) => {
                                    there.contains(&message.operation)
                                }
                                (Direction::Receive, None) => false,
                                (Direction::Send, Some(there)) => {
                                    // What comes later does not pass the head.
                                    if !channel.is_some_and(stays) && !self.is_seen(message) {
                                        grown |= there.insert(message.operation);
                                    }
                                    true
                                }
                                _ => true,
                            };
                            if !comes {
                                continue;
                            }
                            if self.is_seen(message) {
                                let label = (message.operation, message.from, message.to);
                                if !labels.contains(&label) {
                                    labels.push(label);
                                }
                                continue;
                            }
                        }
                        _ => {}
                    }
                    let target = &mut reached[edge.target.index()];
                    grown |= !std::mem::replace(target, true);
                }
            }
        }
        // What was sent has to be taken before the end, and no one takes in silence what an observer sees taken.
        let hides = parts
            .iter()
            .flat_map(|part| part.stg.messages())
            .any(|message| !self.is_known(message));
        let blocked = (0..channels.len()).any(stays);
        let ends = match self.mode {
            Mode::Receiver => hides && !blocked,
            _ => true,
        };
        (labels, ends)
    }

    /// The messages that a full queue forbade.
    fn refused(&self, node: NodeId) -> Vec<&Message> {
        let parts = self.composition.parts.iter().enumerate();
        parts
            .flat_map(|(role, part)| {
                let place = self.composition.place(node, role);
                part.stg.outgoing(place)
            })
            .filter_map(|(_, edge)| edge.event.message())
            .filter(|message| message.direction == Direction::Send)
            .filter(|message| {
                self.channel(message).is_some_and(|channel| {
                    self.composition.waiting(node, channel).count() >= self.composition.bound
                })
            })
            .collect()
    }

    fn channel(&self, message: &Message) -> Option<usize> {
        let ends = (message.from, message.to);
        self.composition.channels.iter().position(|&it| it == ends)
    }
}
