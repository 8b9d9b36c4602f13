//! Restriction to an alphabet (Definition 2 of Nguyen's thesis) and its complement, hiding.
//!
//! An event outside the alphabet becomes `τ`; guards and updates stay.
//! What a hidden message bound becomes a parameter, or is chosen at each such step where it may be bound again; the
//! rule stands in `hidden.rs`.
//!
//! `χ` and raised faults are not messages: they stay.

use choros_data::Terms;
use rustc_hash::FxHashSet;

use super::hidden::{Unseen, silence};
use super::{Edge, Operation, Role, Stg};

/// The messages a graph is restricted to, or that are hidden in it.
pub type Alphabet = FxHashSet<(Operation, Role, Role)>;

/// The graph in which messages outside `alphabet` are silent.
pub fn restrict(stg: &Stg, alphabet: &Alphabet, terms: &mut Terms) -> Stg {
    let hidden = |edge: &Edge| message(edge).is_some_and(|it| !alphabet.contains(&it));
    silence(stg, &hidden, Unseen::ParameterOrChosen, terms)
}

/// The graph in which messages of `alphabet` are silent.
pub fn hide(stg: &Stg, alphabet: &Alphabet, terms: &mut Terms) -> Stg {
    let hidden = |edge: &Edge| message(edge).is_some_and(|it| alphabet.contains(&it));
    silence(stg, &hidden, Unseen::ParameterOrChosen, terms)
}

fn message(edge: &Edge) -> Option<(Operation, Role, Role)> {
    let message = edge.event.message()?;
    Some((message.operation, message.from, message.to))
}
