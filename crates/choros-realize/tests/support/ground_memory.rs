//! What a role could know if it forgot nothing: all situations of the choreography that it cannot tell apart.
//!
//! From the definition, and from the choreography alone: after what a role has sent and received, it takes every
//! situation for possible to which a run leads in which it has sent and received the same.

use choros_data::{Assignment, Terms, Value};
use choros_model::stg::{Edge, Role, Stg};

use super::ground_part::{Half, Label, Part, Stand, label};

/// A choreography that roles remember.
pub(crate) struct Memory<'a> {
    choreography: Part<'a>,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(choreography: &'a Stg, terms: &'a Terms) -> Memory<'a> {
        Memory {
            choreography: Part::new(choreography, terms),
        }
    }

    /// What a role takes for possible before it has done anything.
    pub(crate) fn first(&self, role: Role) -> Vec<Stand> {
        let initial = self.choreography.stg.initial();
        let stand = self.choreography.stand(initial, &Assignment::default());
        self.meanwhile(vec![stand], role)
    }

    /// What it takes for possible after it has sent or received a message.
    ///
    /// Who sends knows whether the value was chosen or had been there before; who receives sees the value.
    pub(crate) fn after(
        &self,
        before: &[Stand],
        role: Role,
        (sent, is_open, values): (Label, bool, &[Value]),
    ) -> Vec<Stand> {
        let mut after = Vec::new();
        for stand in before {
            for half in self.choreography.steps(stand) {
                let chosen_alike = role == sent.2 || half.open == is_open;
                if label(half.edge).0 == sent && chosen_alike {
                    let fits = half.outcomes.into_iter().filter(|it| it.0 == values);
                    after.extend(fits.map(|it| it.1));
                }
            }
        }
        self.meanwhile(after, role)
    }

    pub(crate) fn ends(&self, possible: &[Stand]) -> bool {
        possible.iter().any(|stand| self.choreography.ends(stand))
    }

    /// Whether a message may come.
    pub(crate) fn listens(&self, possible: &[Stand], role: Role) -> bool {
        possible.iter().any(|stand| {
            let mut steps = self.choreography.steps(stand).into_iter();
            steps.any(|half| label(half.edge).0.2 == role)
        })
    }

    /// With all that the others may do without the role.
    fn meanwhile(&self, mut reached: Vec<Stand>, role: Role) -> Vec<Stand> {
        let takes_part = |edge: &Edge| {
            let (_, from, to) = label(edge).0;
            from == role || to == role
        };
        let mut next = 0;
        while let Some(stand) = reached.get(next).cloned() {
            next += 1;
            let steps = self.choreography.steps(&stand).into_iter();
            for half in steps.filter(|half| !takes_part(half.edge)) {
                let Half { outcomes, .. } = half;
                for (_, after) in outcomes {
                    if !reached.contains(&after) {
                        reached.push(after);
                    }
                }
            }
        }
        reached.sort_by_cached_key(|stand| format!("{stand:?}"));
        reached.dedup();
        reached
    }
}
