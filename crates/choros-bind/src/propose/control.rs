//! The order of messages that a model allows, without data.

use std::collections::BTreeSet;

use choros_base::Name;
use choros_model::stg::{Event, Stg};

use crate::Vocabulary;

/// The messages of a model in their order; everything else is a silent step.
#[derive(Debug, Clone, Default)]
pub struct Control {
    initial: usize,
    /// From each node: a message of the vocabulary, by its number, or a silent step; and where it leads.
    steps: Vec<Vec<(Option<usize>, usize)>>,
    ends: Vec<bool>,
}

/// Which messages begin an exchange, and which answer which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exchanges {
    /// By the number of the message: it is a request where it comes.
    pub(super) requests: BTreeSet<usize>,
    /// The request, and what answers it.
    pub(super) answers: BTreeSet<(usize, usize)>,
}

impl Control {
    /// The order that a graph allows; messages are numbered as in the vocabulary, by name, sender and receiver.
    pub fn of(stg: &Stg, vocabulary: &Vocabulary, text: &dyn Fn(Name) -> String) -> Control {
        let mut control = Control {
            initial: stg.initial().0 as usize,
            steps: vec![Vec::new(); stg.nodes().len()],
            ends: Vec::new(),
        };
        for edge in stg.edges() {
            let message = match &edge.event {
                Event::Message(message) => {
                    let (name, from, to) = (
                        text(message.operation.0),
                        text(message.from.0),
                        text(message.to.0),
                    );
                    let is_it = |it: &crate::KnownMessage| {
                        it.name == name && it.from == from && it.to == to
                    };
                    vocabulary.messages.iter().position(is_it)
                }
                _ => None,
            };
            let source = edge.source.0 as usize;
            control.steps[source].push((message, edge.target.0 as usize));
        }
        for (at, node) in stg.nodes().iter().enumerate() {
            control
                .ends
                .push(!node.terminations.is_empty() || control.steps[at].is_empty());
        }
        control
    }

    /// A graph by its steps, for tests.
    #[cfg(test)]
    pub(super) fn by_hand(steps: Vec<Vec<(Option<usize>, usize)>>) -> Control {
        let ends = steps.iter().map(Vec::is_empty).collect();
        Control {
            initial: 0,
            steps,
            ends,
        }
    }

    fn close(&self, nodes: &mut BTreeSet<usize>, is_seen: &dyn Fn(usize) -> bool) {
        let mut pending: Vec<usize> = nodes.iter().copied().collect();
        while let Some(node) = pending.pop() {
            for (message, target) in &self.steps[node] {
                let is_silent = message.is_none_or(|message| !is_seen(message));
                if is_silent && nodes.insert(*target) {
                    pending.push(*target);
                }
            }
        }
    }

    /// How far a role's messages follow the model: whether all of them do, and whether the model may end then.
    ///
    /// `is_seen` tells the messages of the role; all others may happen unseen.
    pub(super) fn follows(
        &self,
        messages: &[usize],
        is_seen: &dyn Fn(usize) -> bool,
    ) -> (bool, bool) {
        if self.steps.is_empty() {
            return (true, true);
        }
        let mut nodes = BTreeSet::from([self.initial]);
        self.close(&mut nodes, is_seen);
        for wanted in messages {
            let next = nodes.iter().flat_map(|node| &self.steps[*node]);
            let next = next.filter(|(message, _)| *message == Some(*wanted));
            nodes = next.map(|(_, target)| *target).collect();
            if nodes.is_empty() {
                return (false, false);
            }
            self.close(&mut nodes, is_seen);
        }
        (true, nodes.iter().any(|node| self.ends[*node]))
    }

    /// Which messages are requests and which are answers, if every request is answered by who received it.
    pub(super) fn exchanges(&self, vocabulary: &Vocabulary) -> Exchanges {
        /// More states than this say nothing new about a model that people wrote.
        const MOST_STATES: usize = 20_000;
        let mut found = Exchanges::default();
        let mut seen: BTreeSet<(usize, Vec<usize>)> = BTreeSet::new();
        let mut pending = vec![(self.initial, Vec::new())];
        while let Some((node, open)) = pending.pop() {
            if seen.len() >= MOST_STATES || !seen.insert((node, open.clone())) {
                continue;
            }
            for (message, target) in self.steps.get(node).map_or(&[][..], |it| it) {
                let mut open = open.clone();
                if let Some(message) = *message {
                    let this = &vocabulary.messages[message];
                    let asked = open.iter().rposition(|request| {
                        let request = &vocabulary.messages[*request];
                        request.from == this.to && request.to == this.from
                    });
                    match asked {
                        Some(at) => {
                            found.answers.insert((open.remove(at), message));
                        }
                        None => {
                            found.requests.insert(message);
                            // A message that is never answered is asked again and again.
                            open.retain(|it| *it != message);
                            open.push(message);
                        }
                    }
                }
                pending.push((*target, open));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Control;
    use crate::{KnownMessage, Vocabulary};

    fn message(name: &str, from: &str, to: &str) -> KnownMessage {
        KnownMessage {
            name: name.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            fields: Vec::new(),
        }
    }

    #[test]
    fn requests_and_answers() {
        let vocabulary = Vocabulary {
            roles: Vec::new(),
            messages: vec![
                message("Ask", "c", "s"),
                message("Fetch", "s", "d"),
                message("Found", "d", "s"),
                message("Yes", "s", "c"),
                message("No", "s", "c"),
            ],
        };
        let control = Control::by_hand(vec![
            vec![(Some(0), 1)],
            vec![(Some(1), 2), (Some(4), 4)],
            vec![(Some(2), 3)],
            vec![(Some(3), 4), (None, 1)],
            vec![],
        ]);
        let found = control.exchanges(&vocabulary);
        assert_eq!(found.requests.into_iter().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(
            found.answers.into_iter().collect::<Vec<_>>(),
            [(0, 3), (0, 4), (1, 2)]
        );
        let all = |_: usize| true;
        assert_eq!(control.follows(&[0, 1, 2, 3], &all), (true, true));
        assert_eq!(control.follows(&[0, 1], &all), (true, false));
        assert_eq!(control.follows(&[0, 3], &all), (false, false));
        let client = |it: usize| [0, 3, 4].contains(&it);
        assert_eq!(control.follows(&[0, 3], &client), (true, true));
    }
}
