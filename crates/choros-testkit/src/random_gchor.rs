//! Random g-choreographies.

use choros_base::{Name, Names};
use choros_model::gchor::{Form, Gchor, Interaction, NodeId};

use crate::Random;

/// What a random g-choreography may have.
#[derive(Debug, Clone, Copy)]
pub struct GchorShape {
    /// Participants, at least two.
    pub roles: usize,
    /// Different messages.
    pub messages: usize,
    /// Interactions, about.
    pub interactions: usize,
    /// Whether something is repeated.
    pub loops: bool,
}

impl GchorShape {
    /// Small enough for a listing of all its words.
    pub fn small() -> GchorShape {
        GchorShape {
            roles: 3,
            messages: 3,
            interactions: 5,
            loops: false,
        }
    }
}

/// Any g-choreography: most are not well-formed.
pub fn random_gchor(random: &mut Random, shape: GchorShape, names: &mut Names) -> Gchor {
    let mut work = Work::new(shape, names);
    work.any(random, shape.interactions.max(1));
    work.gchor
}

/// A g-choreography that is well-branched by construction, and mostly well-forked and well-sequenced: the one that received
/// last continues, choices are begun by one participant with different messages, and told to all others in turn.
pub fn random_formed_gchor(random: &mut Random, shape: GchorShape, names: &mut Names) -> Gchor {
    let mut work = Work::new(shape, names);
    let start = random.below(work.roles.len());
    work.formed(random, shape.interactions.max(1), start);
    work.gchor
}

struct Work<'n> {
    shape: GchorShape,
    roles: Vec<Name>,
    messages: Vec<Name>,
    names: &'n mut Names,
    fresh: usize,
    gchor: Gchor,
}

impl<'n> Work<'n> {
    fn new(shape: GchorShape, names: &'n mut Names) -> Work<'n> {
        let roles = (0..shape.roles.max(2))
            .map(|number| {
                let letter = char::from(b'A' + (number % 26) as u8);
                match number / 26 {
                    0 => names.intern(&letter.to_string()),
                    more => names.intern(&format!("{letter}{more}")),
                }
            })
            .collect();
        let messages = (0..shape.messages.max(1))
            .map(|number| names.intern(&format!("m{number}")))
            .collect();
        Work {
            shape,
            roles,
            messages,
            names,
            fresh: 0,
            gchor: Gchor::new(),
        }
    }

    fn any(&mut self, random: &mut Random, size: usize) -> NodeId {
        if size <= 1 {
            if random.percent(4) {
                return self.gchor.add(Form::Empty, None);
            }
            let from = random.below(self.roles.len());
            let other = random.below(self.roles.len() - 1);
            let to = if other >= from { other + 1 } else { other };
            let message = *random.pick(&self.messages);
            return self.interaction(from, to, message);
        }
        if self.shape.loops && random.percent(12) {
            let body = self.any(random, size - 1);
            let form = Form::Repeat {
                controller: None,
                body,
            };
            return self.gchor.add(form, None);
        }
        let left = 1 + random.below(size - 1);
        let parts = vec![self.any(random, left), self.any(random, size - left)];
        let form = match random.below(10) {
            0..=4 => Form::Sequence(parts),
            5..=6 => Form::Fork(parts),
            _ => Form::Choice {
                decider: None,
                branches: parts,
            },
        };
        self.gchor.add(form, None)
    }

    /// Begun by `start`; answers the node and who receives last.
    fn formed(&mut self, random: &mut Random, size: usize, start: usize) -> (NodeId, usize) {
        if size <= 1 {
            let to = self.other(random, start);
            let message = self.message(random);
            return (self.interaction(start, to, message), to);
        }
        if size >= 4 && random.percent(35) {
            return self.formed_choice(random, size, start);
        }
        if size >= 3 && self.shape.loops && random.percent(20) {
            return self.formed_loop(random, size, start);
        }
        if size >= 4 && random.percent(20) {
            return self.formed_fork(random, size, start);
        }
        let left = 1 + random.below(size - 1);
        let (first, middle) = self.formed(random, left, start);
        let (second, last) = self.formed(random, size - left, middle);
        let sequence = self.gchor.add(Form::Sequence(vec![first, second]), None);
        (sequence, last)
    }

    /// Every branch goes round all participants first, so everyone knows; then on; then back to `start`.
    fn formed_choice(&mut self, random: &mut Random, size: usize, start: usize) -> (NodeId, usize) {
        let mut branches = Vec::new();
        for _ in 0..2 + random.below(2) {
            let round = self.round(start);
            let branch = if random.percent(50) {
                let (more, last) = self.formed(random, (size / 2).max(1), start);
                let mut parts = vec![round, more];
                if last != start {
                    let message = self.fresh_message();
                    parts.push(self.interaction(last, start, message));
                }
                self.gchor.add(Form::Sequence(parts), None)
            } else {
                round
            };
            branches.push(branch);
        }
        let form = Form::Choice {
            decider: Some(self.roles[start]),
            branches,
        };
        (self.gchor.add(form, None), start)
    }

    fn formed_loop(&mut self, random: &mut Random, size: usize, start: usize) -> (NodeId, usize) {
        let round = self.round(start);
        let (more, last) = self.formed(random, size - 1, start);
        let mut parts = vec![round, more];
        if last != start {
            let message = self.fresh_message();
            parts.push(self.interaction(last, start, message));
        }
        let body = self.gchor.add(Form::Sequence(parts), None);
        let form = Form::Repeat {
            controller: Some(self.roles[start]),
            body,
        };
        let repeat = self.gchor.add(form, None);
        let leave = self.round(start);
        let whole = self.gchor.add(Form::Sequence(vec![repeat, leave]), None);
        (whole, start)
    }

    /// Two threads that `start` begins and ends, with messages of their own.
    fn formed_fork(&mut self, random: &mut Random, size: usize, start: usize) -> (NodeId, usize) {
        let mut threads = Vec::new();
        for _ in 0..2 {
            let to = self.other(random, start);
            let (there, back) = (self.fresh_message(), self.fresh_message());
            let mut parts = vec![self.interaction(start, to, there)];
            if random.percent(50) && size >= 6 {
                let third = self.other(random, to);
                if third != start {
                    let message = self.fresh_message();
                    parts.push(self.interaction(to, third, message));
                    parts.push(self.interaction(third, start, back));
                    threads.push(self.gchor.add(Form::Sequence(parts), None));
                    continue;
                }
            }
            parts.push(self.interaction(to, start, back));
            threads.push(self.gchor.add(Form::Sequence(parts), None));
        }
        (self.gchor.add(Form::Fork(threads), None), start)
    }

    /// A message that goes from one participant to the next until it is back.
    fn round(&mut self, start: usize) -> NodeId {
        let message = self.fresh_message();
        let count = self.roles.len();
        let parts = (0..count)
            .map(|step| {
                self.interaction((start + step) % count, (start + step + 1) % count, message)
            })
            .collect();
        self.gchor.add(Form::Sequence(parts), None)
    }

    fn interaction(&mut self, from: usize, to: usize, message: Name) -> NodeId {
        let interaction = Interaction {
            from: self.roles[from],
            to: self.roles[to],
            message,
        };
        self.gchor.add(Form::Interaction(interaction), None)
    }

    fn other(&self, random: &mut Random, than: usize) -> usize {
        let other = random.below(self.roles.len() - 1);
        if other >= than { other + 1 } else { other }
    }

    fn message(&mut self, random: &mut Random) -> Name {
        *random.pick(&self.messages)
    }

    fn fresh_message(&mut self) -> Name {
        self.fresh += 1;
        self.names.intern(&format!("n{}", self.fresh))
    }
}
