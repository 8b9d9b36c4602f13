//! When a test has succeeded (Definitions 3.8 and 3.9 of Coto's thesis).

use choros_base::Name;
use choros_model::cfsm::{Cfsm, LocalState};

use crate::SplitMachine;

/// Success states for each participant: `Ω(·, τ)` for one sub-tree `τ` of the choreography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Oracle {
    /// The states that nothing leaves, found in each machine of a test by itself: `τ` is the whole choreography.
    FinalStates,
    /// These states of the participants' machines.
    States {
        /// What success means, in words: the sub-tree's text, or the file it was read from.
        about: String,
        /// For each participant its states; one that is missing here has none.
        states: Vec<(Name, Vec<LocalState>)>,
    },
}

/// The states that nothing leaves.
pub fn final_states(machine: &Cfsm) -> Vec<LocalState> {
    machine
        .states()
        .filter(|&state| machine.is_final(state))
        .collect()
}

impl Oracle {
    /// The success states of a machine of a test.
    ///
    /// States of the projection are found again in the split machine by their origins.
    pub fn success(&self, split: &SplitMachine) -> Vec<LocalState> {
        let machine = &split.machine;
        match self {
            Oracle::FinalStates => final_states(machine),
            Oracle::States { states, .. } => {
                let own = states
                    .iter()
                    .find(|(participant, _)| *participant == machine.participant());
                let wanted = own.map_or(&[][..], |(_, states)| states);
                machine
                    .states()
                    .filter(|state| wanted.contains(&split.origins[state.index()]))
                    .collect()
            }
        }
    }

    /// What success means, where it is not the end of everything.
    pub fn about(&self) -> Option<&str> {
        match self {
            Oracle::FinalStates => None,
            Oracle::States { about, .. } => Some(about),
        }
    }
}
