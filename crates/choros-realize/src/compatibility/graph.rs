//! All steps between the configurations of a system, to be followed backwards.

use choros_model::cfsm::{Move, System};
use choros_model::lts::{ActionId, StateId};

/// A step without its source.
#[derive(Debug, Clone, Copy)]
pub(super) struct BackwardStep {
    pub(super) machine: u32,
    pub(super) channel: u32,
    pub(super) action: ActionId,
    pub(super) sends: bool,
    target: u32,
}

/// All steps, source by source, and for each configuration the steps that lead to it.
pub(crate) struct Steps {
    /// `steps[first[s]..first[s + 1]]` leave configuration `s`.
    first: Vec<u32>,
    steps: Vec<BackwardStep>,
    /// `back[first_back[s]..first_back[s + 1]]` are the steps that lead to `s`, each with its source.
    first_back: Vec<u32>,
    back: Vec<(u32, u32)>,
}

impl Steps {
    /// The steps between the first `states` configurations, which must be all that the system reaches.
    pub(crate) fn of(system: &mut System<'_>, states: usize) -> Steps {
        let mut first = Vec::with_capacity(states + 1);
        let mut steps: Vec<BackwardStep> = Vec::new();
        let mut incoming = vec![0_u32; states + 1];
        let mut moves: Vec<Move> = Vec::new();
        for state in 0..states as u32 {
            first.push(steps.len() as u32);
            moves.clear();
            system.moves(StateId(state), &mut moves);
            for step in &moves {
                incoming[step.target.index()] += 1;
                steps.push(BackwardStep {
                    machine: step.machine.0,
                    channel: step.channel as u32,
                    action: step.action,
                    sends: step.sends,
                    target: step.target.0,
                });
            }
        }
        first.push(steps.len() as u32);
        let mut first_back = Vec::with_capacity(states + 1);
        let mut sum = 0;
        for count in &incoming[..states] {
            first_back.push(sum);
            sum += count;
        }
        first_back.push(sum);
        let mut next = first_back.clone();
        let mut back = vec![(0, 0); steps.len()];
        for source in 0..states {
            for at in first[source]..first[source + 1] {
                let place = &mut next[steps[at as usize].target as usize];
                back[*place as usize] = (source as u32, at);
                *place += 1;
            }
        }
        Steps {
            first,
            steps,
            first_back,
            back,
        }
    }

    pub(super) fn states(&self) -> usize {
        self.first.len() - 1
    }

    pub(super) fn from(&self, state: StateId) -> impl Iterator<Item = &BackwardStep> {
        let at = state.index();
        self.steps[self.first[at] as usize..self.first[at + 1] as usize].iter()
    }

    /// The configurations from which a wanted step can be reached, without steps of one machine on the way.
    pub(super) fn leading_to(
        &self,
        wanted: impl Fn(&BackwardStep) -> bool,
        without: Option<u32>,
    ) -> Vec<bool> {
        let goals = (0..self.states() as u32)
            .map(|state| self.from(StateId(state)).any(&wanted))
            .collect();
        self.backwards(goals, without)
    }

    /// The configurations from which a goal can be reached, without steps of one machine on the way.
    pub(super) fn backwards(&self, goals: Vec<bool>, without: Option<u32>) -> Vec<bool> {
        let mut reached = goals;
        let mut open: Vec<u32> = (0..reached.len() as u32)
            .filter(|&state| reached[state as usize])
            .collect();
        while let Some(state) = open.pop() {
            let at = state as usize;
            let range = self.first_back[at] as usize..self.first_back[at + 1] as usize;
            for &(source, step) in &self.back[range] {
                if Some(self.steps[step as usize].machine) != without
                    && !std::mem::replace(&mut reached[source as usize], true)
                {
                    open.push(source);
                }
            }
        }
        reached
    }
}
