//! All tests of a model (equation 3.2 of Coto's thesis).
//!
//! ```text
//! tests(G, A) = { (⟨M_B, Ω(B, τ)⟩) for B ≠ A | τ ∈ T(G), M_B ∈ split(G↓B) }
//! ```

use choros_base::{Budget, Name, Names, StopReason};
use choros_model::cfsm::{Cfsm, LocalState};

use crate::combine::Combinations;
use crate::{Oracle, Pick, SplitMachine, TestCase, TestMachine, split, split_all, split_fair};

/// The tests of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSuite {
    /// The machines from which the tests were made, one for each participant.
    pub machines: Vec<Cfsm>,
    /// The tests, component by component.
    pub tests: Vec<TestCase>,
}

/// How tests are made.
#[derive(Debug, Clone)]
pub struct Generation {
    /// The components to be tested; all participants where none is named.
    pub roles: Vec<Name>,
    /// How machines are split.
    pub splitting: Splitting,
    /// Success, once for each sub-tree that is asked for.
    pub oracles: Vec<Oracle>,
}

/// How machines are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Splitting {
    /// Every decision once (Theorem 3.12).
    Once,
    /// The same, without states that a decision made unreachable; machines that are then isomorphic are kept once.
    Trimmed,
    /// Every order in which states can be decided, with repetitions.
    All,
    /// Every decision once, but none to which a run can come back.
    Fair,
}

/// There are more tests than allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooManyTests {
    /// Why the work stopped.
    pub spent: StopReason,
    /// Whose machine or tests were too many.
    pub participant: Name,
    /// The tests that were made until then.
    pub tests: Vec<TestCase>,
}

/// All tests; the budget is spent by the machine and by the test.
pub fn generate(
    machines: &[Cfsm],
    generation: &Generation,
    names: &mut Names,
    budget: &Budget,
) -> Result<TestSuite, TooManyTests> {
    let mut tests = Vec::new();
    let mut splits: Vec<Option<Vec<SplitMachine>>> = vec![None; machines.len()];
    for (at, machine) in machines.iter().enumerate() {
        let role = machine.participant();
        if !generation.roles.is_empty() && !generation.roles.contains(&role) {
            continue;
        }
        for (other, machine) in machines.iter().enumerate() {
            if other != at && splits[other].is_none() {
                let participant = machine.participant();
                match machines_of(machine, generation.splitting, names, budget) {
                    Ok(own) => splits[other] = Some(own),
                    Err(spent) => {
                        return Err(TooManyTests {
                            spent,
                            participant,
                            tests,
                        });
                    }
                }
            }
        }
        let players: Vec<&[SplitMachine]> = splits
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != at)
            .filter_map(|(_, own)| own.as_deref())
            .collect();
        let sizes: Vec<usize> = players.iter().map(|own| own.len()).collect();
        let mut number = 0;
        for oracle in &generation.oracles {
            for combination in Combinations::new(&sizes) {
                if let Err(spent) = budget.spend() {
                    return Err(TooManyTests {
                        spent,
                        participant: role,
                        tests,
                    });
                }
                number += 1;
                tests.push(TestCase {
                    name: format!("{}/test_{number}", names.text(role)),
                    under_test: role,
                    about: oracle.about().map(str::to_owned),
                    machines: players
                        .iter()
                        .zip(&combination)
                        .map(|(own, &at)| test_machine(&own[at], oracle, names))
                        .collect(),
                });
            }
        }
    }
    Ok(TestSuite {
        machines: machines.to_vec(),
        tests,
    })
}

fn machines_of(
    machine: &Cfsm,
    splitting: Splitting,
    names: &mut Names,
    budget: &Budget,
) -> Result<Vec<SplitMachine>, StopReason> {
    match splitting {
        Splitting::Once => split(machine, budget),
        Splitting::Fair => split_fair(machine, budget),
        Splitting::All => Ok(split_all(machine, budget)?
            .into_iter()
            .map(|split| SplitMachine {
                picks: decided(machine, &split),
                origins: machine.states().collect(),
                machine: split,
            })
            .collect()),
        Splitting::Trimmed => {
            let mut seen = Vec::new();
            let mut all = Vec::new();
            for split in split(machine, budget)? {
                let (trimmed, numbers) = split.machine.trimmed(names);
                let text = trimmed.canonical_text(names);
                if seen.contains(&text) {
                    continue;
                }
                seen.push(text);
                let renumbered = |pick: &Pick| {
                    let state = numbers[pick.state.index()]?;
                    Some(Pick { state, ..*pick })
                };
                all.push(SplitMachine {
                    picks: split.picks.iter().filter_map(renumbered).collect(),
                    origins: split
                        .machine
                        .states()
                        .filter(|state| numbers[state.index()].is_some())
                        .collect(),
                    machine: trimmed,
                });
            }
            Ok(all)
        }
    }
}

/// What was decided on the way from a machine to one of its splits.
fn decided(machine: &Cfsm, split: &Cfsm) -> Vec<Pick> {
    machine
        .states()
        .filter(|&state| machine.outgoing(state).len() > split.outgoing(state).len())
        .flat_map(|state| {
            let own = split.outgoing(state).iter();
            own.map(move |one| Pick {
                state,
                action: one.action,
            })
        })
        .collect()
}

fn test_machine(split: &SplitMachine, oracle: &Oracle, names: &Names) -> TestMachine {
    let reachable = split.machine.reachable();
    let reached = |state: LocalState| reachable[state.index()];
    TestMachine {
        success: oracle.success(split),
        // What cannot be reached any more was decided too, but tells nothing.
        picks: split
            .picks
            .iter()
            .filter(|pick| reached(pick.state) && pick.action.is_output())
            .map(|pick| names.text(pick.action.message).to_owned())
            .collect(),
        machine: split.machine.clone(),
    }
}

impl TestSuite {
    /// The machine of a participant from which tests were made.
    pub fn machine(&self, participant: Name) -> Option<&Cfsm> {
        self.machines
            .iter()
            .find(|machine| machine.participant() == participant)
    }

    /// The tests of one component.
    pub fn tests_of(&self, role: Name) -> impl Iterator<Item = &TestCase> {
        self.tests
            .iter()
            .filter(move |test| test.under_test == role)
    }
}
