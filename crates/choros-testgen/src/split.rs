//! Splitting a machine into deterministic ones (Coto's thesis, section 3.2).
//!
//! ```text
//! nds(M)     = states with two different transitions whose labels are equal, or one of which is an output
//! split(M)   = {M}                                              if nds(M) = ∅
//!            = ⋃ over q ∈ nds(M) of split(M, q)                 otherwise
//! split(M,q) = ⋃ over outputs q –o→ q' of split(M − M(q) + q –o→ q')                  if M(q) has outputs
//!            = ⋃ over q –AB?m→ q' ≠ q –AB?m→ q'' of split(M − q –AB?m→ q')            otherwise
//! ```
//!
//! By Theorem 3.12 the order in which states are split does not matter, so it is enough to decide every state once:
//! an output of a state that has outputs, and one target for each label of a state that only receives.
//! The decisions are independent, so `split(M)` is their product, and [`split`] writes it down without recursion.
//! States that an earlier decision made unreachable are decided too, as in the definition.

use choros_base::{Budget, StopReason};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Transition};

use crate::combine::Combinations;

/// One of the deterministic machines of a split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMachine {
    /// The machine: the same states, fewer transitions.
    pub machine: Cfsm,
    /// What was decided, state by state.
    pub picks: Vec<Pick>,
    /// For each state, which state of the machine it was.
    pub origins: Vec<LocalState>,
}

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// Where.
    pub state: LocalState,
    /// For what.
    pub action: LocalAction,
}

/// The states in which a machine is not decided, in their order.
pub fn non_deterministic_states(machine: &Cfsm) -> Vec<LocalState> {
    machine
        .states()
        .filter(|&state| conflicts(machine.outgoing(state)) > 0)
        .collect()
}

/// All deterministic machines of a machine, each once; the budget is spent by the machine.
pub fn split(machine: &Cfsm, budget: &Budget) -> Result<Vec<SplitMachine>, StopReason> {
    split_states(machine, non_deterministic_states(machine), budget)
}

/// The same, but choices to which a run can come back are left open: who is fair does not always decide alike.
pub fn split_fair(machine: &Cfsm, budget: &Budget) -> Result<Vec<SplitMachine>, StopReason> {
    let cycles = crate::loops::on_cycles(machine);
    let mut states = non_deterministic_states(machine);
    states.retain(|state| !cycles[state.index()]);
    split_states(machine, states, budget)
}

fn split_states(
    machine: &Cfsm,
    states: Vec<LocalState>,
    budget: &Budget,
) -> Result<Vec<SplitMachine>, StopReason> {
    let choices: Vec<Vec<Vec<Transition>>> = states
        .iter()
        .map(|&state| alternatives(machine.outgoing(state), budget))
        .collect::<Result<_, _>>()?;
    let sizes: Vec<usize> = choices.iter().map(Vec::len).collect();
    let mut all = Vec::new();
    for combination in Combinations::new(&sizes) {
        budget.spend()?;
        let mut split = machine.clone();
        let mut picks = Vec::new();
        for ((&state, own), &at) in states.iter().zip(&choices).zip(&combination) {
            split.set_outgoing(state, own[at].clone());
            picks.extend(own[at].iter().map(|one| Pick {
                state,
                action: one.action,
            }));
        }
        all.push(SplitMachine {
            machine: split,
            picks,
            origins: machine.states().collect(),
        });
    }
    Ok(all)
}

/// What a state may be left with: one output, or one target for each input.
fn alternatives(own: &[Transition], budget: &Budget) -> Result<Vec<Vec<Transition>>, StopReason> {
    let outputs: Vec<&Transition> = own.iter().filter(|it| it.action.is_output()).collect();
    if !outputs.is_empty() {
        return Ok(outputs.into_iter().map(|&it| vec![it]).collect());
    }
    let mut groups: Vec<Vec<Transition>> = Vec::new();
    for &one in own {
        match groups
            .iter_mut()
            .find(|group| group[0].action == one.action)
        {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    let mut all = Vec::new();
    for combination in Combinations::new(&sizes) {
        budget.spend()?;
        let picked = groups.iter().zip(&combination);
        all.push(picked.map(|(group, &at)| group[at]).collect());
    }
    Ok(all)
}

/// How many unordered pairs of transitions exclude each other.
fn conflicts(own: &[Transition]) -> usize {
    let mut count = 0;
    for (at, one) in own.iter().enumerate() {
        for other in &own[..at] {
            let decided =
                one.action != other.action && !one.action.is_output() && !other.action.is_output();
            count += usize::from(!decided);
        }
    }
    count
}

/// The enumeration without Theorem 3.12: every order in which states can be decided, with repetitions, and a state once
/// for each pair of transitions that exclude each other.
///
/// This is how the test generation was measured before it was optimised: 89 tests of the automated teller machine
/// where [`split`] gives 19.
pub fn split_all(machine: &Cfsm, budget: &Budget) -> Result<Vec<Cfsm>, StopReason> {
    unfold(machine, budget, conflicts)
}

/// The definition as it stands, one entry for each state: the naive twin of [`split`].
pub fn split_naive(machine: &Cfsm, budget: &Budget) -> Result<Vec<Cfsm>, StopReason> {
    unfold(machine, budget, |own| usize::from(conflicts(own) > 0))
}

/// The definition, with a stack of its own instead of recursion; a state is decided as often as `entries` says.
fn unfold(
    machine: &Cfsm,
    budget: &Budget,
    entries: impl Fn(&[Transition]) -> usize,
) -> Result<Vec<Cfsm>, StopReason> {
    let mut done = Vec::new();
    let mut open = vec![machine.clone()];
    while let Some(machine) = open.pop() {
        budget.spend()?;
        let mut next = Vec::new();
        for state in machine.states() {
            let own = machine.outgoing(state);
            for _ in 0..entries(own) {
                for rest in reductions(own) {
                    let mut smaller = machine.clone();
                    smaller.set_outgoing(state, rest);
                    next.push(smaller);
                }
            }
        }
        if next.is_empty() {
            done.push(machine)
        } else {
            // The stack is taken from its end.
            open.extend(next.into_iter().rev())
        }
    }
    Ok(done)
}

/// What one step of the definition leaves of a state's transitions.
fn reductions(own: &[Transition]) -> Vec<Vec<Transition>> {
    let outputs: Vec<&Transition> = own.iter().filter(|it| it.action.is_output()).collect();
    if !outputs.is_empty() {
        return outputs.into_iter().map(|&it| vec![it]).collect();
    }
    let doubled = |at: usize| {
        own.iter()
            .enumerate()
            .any(|(other, it)| other != at && it.action == own[at].action)
    };
    (0..own.len())
        .filter(|&at| doubled(at))
        .map(|at| {
            let mut rest = own.to_vec();
            rest.remove(at);
            rest
        })
        .collect()
}
