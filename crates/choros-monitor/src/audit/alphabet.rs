//! The messages a model speaks of: everything else is dropped before it is judged (Definition 9 of Nguyen's thesis).

use choros_base::Name;
use choros_data::{Notation, Terms};
use choros_model::observation::Observation;
use choros_model::stg::{Direction, Stg};
use rustc_hash::FxHashMap;

/// Position of a message in its [`Alphabet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LetterId(pub(crate) u32);

choros_base::indices!(LetterId);

/// An operation between two roles.
#[derive(Debug, Clone)]
pub(crate) struct Letter {
    pub(crate) operation: Name,
    pub(crate) from: Name,
    pub(crate) to: Name,
    /// Whether it carries data somewhere in the model.
    pub(crate) carries: bool,
    /// No step of the model is this message: it refuses one that is (`outside.rs`).
    pub(crate) is_refusal: bool,
}

/// The messages of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Alphabet {
    letters: Vec<Letter>,
    ids: FxHashMap<(Name, Name, Name), LetterId>,
}

impl Alphabet {
    /// The messages of a graph, in order of first occurrence.
    pub(crate) fn of(stg: &Stg) -> Alphabet {
        let mut alphabet = Alphabet::default();
        for message in stg.messages() {
            let key = (message.operation.0, message.from.0, message.to.0);
            let id = alphabet.admit(key, false);
            alphabet.letters[id.index()].carries |= !message.fields.is_empty();
        }
        alphabet
    }

    /// The number of a message, which may be new.
    pub(crate) fn admit(&mut self, key: (Name, Name, Name), is_refusal: bool) -> LetterId {
        let next = LetterId(self.letters.len() as u32);
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.letters.push(Letter {
                operation: key.0,
                from: key.1,
                to: key.2,
                carries: false,
                is_refusal,
            });
        }
        id
    }

    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    pub(crate) fn letter(&self, id: LetterId) -> &Letter {
        &self.letters[id.index()]
    }

    pub(crate) fn id(&self, operation: Name, from: Name, to: Name) -> Option<LetterId> {
        self.ids.get(&(operation, from, to)).copied()
    }

    /// The message that a role saw, if the model speaks of it; a role sees what it sends itself and what reaches it.
    pub(crate) fn of_observation(
        &self,
        observation: &Observation<'_>,
        role: &str,
        terms: &Terms,
    ) -> Option<LetterId> {
        let end = match observation.direction {
            Direction::Send => &observation.from,
            Direction::Receive => &observation.to,
            Direction::Interaction => return None,
        };
        if *end != role {
            return None;
        }
        self.id(
            terms.names.get(&observation.operation)?,
            terms.names.get(&observation.from)?,
            terms.names.get(&observation.to)?,
        )
    }

    /// `Request[c,s]`, or `c -> s: Request`.
    pub(crate) fn text(&self, id: LetterId, terms: &Terms) -> String {
        let letter = self.letter(id);
        let names = [letter.operation, letter.from, letter.to];
        let [operation, from, to] = names.map(|it| terms.names.text(it));
        match terms.notation {
            Notation::Calculus => format!("{operation}[{from},{to}]"),
            Notation::Native => format!("{from} -> {to}: {operation}"),
        }
    }
}
