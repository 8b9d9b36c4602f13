//! Does every configuration come home?
//!
//! A configuration is *home* if nothing is under way in it and no machine has to wait there, or if it is the first one
//! and every machine that has to wait there acts at some time.
//!
//! **Claim.** If home can be reached from every configuration, no message and no machine waits forever anywhere.
//! Let `s` lead to `t`, which is home.
//! A channel that is not empty in `s` is empty in `t`, so all that is in it in `s`, the head of a queue and every
//! message of a multiset, is taken on the way.
//! Let a machine have to wait in `s`, which is a matter of its local state alone.
//! If it does not have to in `t`, its local state is another one there, so it acted on the way.
//! If it does, `t` is the first configuration, and every configuration can be reached from it, so also one where the
//! machine acts.
//!
//! Going backwards once for each channel and machine would answer the same, and needs all steps in memory, which take
//! ten times the room of the configurations.
//! Here one search goes forwards, and looks at no further step of a configuration as soon as one leads home.
//! It is Tarjan's search for strongly connected components with one observation: from each configuration that was
//! entered and is not known to come home, steps lead to the end of the path on which the search stands.
//! So when that end has a step home, all of them come home; and when a component is complete without one, none of its
//! configurations ever does.
//! The naive twin is [`super::Waiting`], which also says who waits where not all come home.

use choros_model::cfsm::{DeadKind, MachineId, Move, Survey, System};
use choros_model::lts::StateId;

use super::waiting::has_to_wait;

/// Whether home can be reached from every configuration of a survey, which must be complete and not reduced, without
/// channels that were full.
pub(crate) fn all_come_home(system: &mut System<'_>, found: &Survey) -> bool {
    let ended = found.dead.iter().all(|it| it.kind == DeadKind::Ended);
    if found.bound_reached || !ended || !first_is_home(system, found.states) {
        return false;
    }
    let mut search = Search {
        marks: vec![UNSEEN; found.states],
        entered: Vec::new(),
        path: Vec::new(),
        moves: Vec::new(),
    };
    search.marks[0] = HOME;
    for dead in &found.dead {
        search.marks[dead.state.index()] = HOME;
    }
    (0..found.states as u32).all(|state| search.comes_home(state, system))
}

/// Whether every machine that has to wait in the first configuration is in another local state somewhere.
fn first_is_home(system: &System<'_>, states: usize) -> bool {
    system.machine_ids().all(|machine| {
        let local = |state: u32| system.local_state(StateId(state), machine);
        !has_to_wait(system, StateId(0), machine)
            || (1..states as u32).any(|state| local(state) != local(0))
    })
}

const UNSEEN: u32 = 0;
const HOME: u32 = u32::MAX;

struct Search {
    /// For each configuration, [`UNSEEN`], [`HOME`], or its place in `entered`, counted from 1.
    marks: Vec<u32>,
    /// What was entered and is not known to come home.
    entered: Vec<u32>,
    path: Vec<Stop>,
    moves: Vec<Move>,
}

/// A configuration on the path.
struct Stop {
    state: u32,
    /// The machine whose steps come next.
    machine: u32,
    /// The one of its steps that comes next.
    step: u32,
    /// The first place in `entered` that is known to be reached from here.
    low: u32,
}

impl Search {
    /// Whether a configuration can reach home; where it can, it and all that were met on the way are marked.
    fn comes_home(&mut self, state: u32, system: &mut System<'_>) -> bool {
        if self.marks[state as usize] == UNSEEN {
            self.enter(state);
        }
        while let Some(stop) = self.path.last() {
            let (machine, step) = (stop.machine, stop.step);
            if machine as usize == system.machines().len() {
                if !self.leave() {
                    return false;
                }
                continue;
            }
            self.moves.clear();
            let id = MachineId(machine);
            system.moves_of(StateId(stop.state), id, &mut self.moves);
            if self.moves.iter().any(|it| self.is_home(it.target)) {
                self.all_entered_come_home();
                continue;
            }
            self.follow(machine, step);
        }
        true
    }

    /// Takes the next step of a machine to a configuration that was not entered yet, if it has one.
    fn follow(&mut self, machine: u32, step: u32) {
        let Some(stop) = self.path.last_mut() else {
            return;
        };
        for (at, next) in self.moves.iter().enumerate().skip(step as usize) {
            let mark = self.marks[next.target.index()];
            if mark == UNSEEN {
                (stop.machine, stop.step) = (machine, at as u32 + 1);
                self.enter(next.target.0);
                return;
            }
            stop.low = stop.low.min(mark);
        }
        (stop.machine, stop.step) = (machine + 1, 0);
    }

    fn enter(&mut self, state: u32) {
        self.entered.push(state);
        let place = self.entered.len() as u32;
        self.marks[state as usize] = place;
        self.path.push(Stop {
            state,
            machine: 0,
            step: 0,
            low: place,
        });
    }

    /// Goes back from a configuration all steps of which were followed; false where it can reach nothing before it, and
    /// so never comes home.
    fn leave(&mut self) -> bool {
        let Some(stop) = self.path.pop() else {
            return true;
        };
        match self.path.last_mut() {
            Some(before) if stop.low < self.marks[stop.state as usize] => {
                before.low = before.low.min(stop.low);
                true
            }
            _ => false,
        }
    }

    fn is_home(&self, state: StateId) -> bool {
        self.marks[state.index()] == HOME
    }

    fn all_entered_come_home(&mut self) {
        for state in self.entered.drain(..) {
            self.marks[state as usize] = HOME;
        }
        self.path.clear();
    }
}
