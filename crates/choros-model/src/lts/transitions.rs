//! Systems that are written down transition by transition.

use choros_data::Terms;

use super::{ActionId, ExplicitLts, ExplicitLtsBuilder, StateId};

/// A system under construction, whose states and labels have names.
///
/// The first transition leaves the initial state.
///
/// ```
/// use choros_model::lts::{Lts, StateId, Transitions};
///
/// let mut shop = Transitions::new()
///     .step("waiting", "order", "asked")
///     .step("asked", "answer", "waiting")
///     .build();
/// assert_eq!(shop.initial(), StateId(0));
/// ```
#[derive(Debug, Default)]
pub struct Transitions {
    terms: Terms,
    builder: ExplicitLtsBuilder,
    /// The states by name, each with what leaves it.
    states: Vec<(String, Vec<(ActionId, StateId)>)>,
}

impl Transitions {
    /// A system without transitions.
    pub fn new() -> Transitions {
        Transitions::default()
    }

    /// One more transition.
    #[must_use]
    pub fn step(mut self, from: &str, label: &str, to: &str) -> Transitions {
        let (from, to) = (self.state(from), self.state(to));
        let label = self.terms.names.intern(label);
        let action = self.builder.named_action(label);
        self.states[from].1.push((action, StateId(to as u32)));
        self
    }

    /// The system.
    pub fn build(mut self) -> ExplicitLts {
        for (_, leaving) in self.states {
            self.builder.state(leaving, &[], false);
        }
        self.builder.finish(StateId(0), self.terms)
    }

    fn state(&mut self, name: &str) -> usize {
        let known = self.states.iter().position(|(it, _)| it == name);
        known.unwrap_or_else(|| {
            self.states.push((name.to_owned(), Vec::new()));
            self.states.len() - 1
        })
    }
}
