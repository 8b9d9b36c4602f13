//! Restriction to an alphabet (Definition 2 of Nguyen's thesis) and its complement, hiding.
//!
//! An event outside the alphabet becomes `τ`; guards and updates stay.
//! What a hidden message bound is bound no longer, so its variable becomes free, that is a parameter, wherever it is
//! read later: *for which values of the unseen data* is just the question that conformance answers.
//! Two limits follow. A hidden binding inside a loop no longer brings a new value in each round, and a variable that
//! visible messages bind too keeps its old value over a hidden binding.
//!
//! `χ` and raised faults are no messages: they stay.

use choros_data::Terms;
use rustc_hash::FxHashSet;

use super::{Edge, Event, Operation, Role, Stg};

/// The messages a graph is restricted to, or that are hidden in it.
pub type Alphabet = FxHashSet<(Operation, Role, Role)>;

/// The graph in which messages outside `alphabet` are silent.
pub fn restrict(stg: &Stg, alphabet: &Alphabet, terms: &mut Terms) -> Stg {
    silence(stg, terms, |message| !alphabet.contains(message))
}

/// The graph in which messages of `alphabet` are silent.
pub fn hide(stg: &Stg, alphabet: &Alphabet, terms: &mut Terms) -> Stg {
    silence(stg, terms, |message| alphabet.contains(message))
}

fn silence(stg: &Stg, terms: &mut Terms, silent: impl Fn(&(Operation, Role, Role)) -> bool) -> Stg {
    stg.map(
        terms,
        |_, edge| {
            let event = match &edge.event {
                Event::Message(message)
                    if silent(&(message.operation, message.from, message.to)) =>
                {
                    Event::Silent
                }
                other => other.clone(),
            };
            Edge {
                event,
                ..edge.clone()
            }
        },
        |_, guard| guard,
    )
}
