//! Systematic mistakes in a machine (Table 3.2 of Coto's thesis, and more).
//!
//! The table says what an operator does, and not always where; this is the reading under which the published score is
//! reproduced:
//!
//! | operator | at | does |
//! |---|---|---|
//! | `RMO` | each state whose only transition is an output | removes it |
//! | `CML` | each transition | renames its message to one that no one else uses |
//! | `CIT` | each input, and each output that is its state's only output | turns it round: `AB!m` becomes `BA?m` |
//! | `RST` | each state with transitions | removes all of them |
//! | `RTR` | each transition | does it twice, with a state in between |
//! | `MBR` | each transition of a state with several | removes it |
//! | `SWP` | two transitions in a row with nothing else at the state between | swaps their actions |
//! | `WPA` | each transition, and each other partner of the machine | talks to that one instead |
//! | `DUP` | each output | is perhaps sent twice |
//!
//! The last four are not in the table.

use choros_base::Names;
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Polarity, Transition};

/// A kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `RMO`: an output is missing.
    RemoveOutput,
    /// `CML`: a message has another name.
    ChangeMessage,
    /// `CIT`: what was sent is awaited, or the other way round.
    ChangeInteraction,
    /// `RST`: a state has lost all that leaves it.
    RemoveState,
    /// `RTR`: something is done twice.
    RepeatTransition,
    /// `MBR`: one branch of several is missing.
    MissingBranch,
    /// `SWP`: two actions come in the wrong order.
    SwappedOrder,
    /// `WPA`: the partner is another one.
    WrongPartner,
    /// `DUP`: a message may be sent twice.
    DuplicatedSend,
}

/// A machine with one mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The kind.
    pub operator: Operator,
    pub machine: Cfsm,
    /// Where the mistake is.
    pub state: LocalState,
    /// The action it is about, where it is about one.
    pub action: Option<LocalAction>,
    /// The mistake in words: `RTR AC?bye at 4`.
    pub name: String,
}

impl Operator {
    /// The five of the table.
    pub const TABLE: [Operator; 5] = [
        Operator::RemoveOutput,
        Operator::ChangeMessage,
        Operator::ChangeInteraction,
        Operator::RemoveState,
        Operator::RepeatTransition,
    ];

    /// Those that are asked for by name.
    pub const FURTHER: [Operator; 4] = [
        Operator::MissingBranch,
        Operator::SwappedOrder,
        Operator::WrongPartner,
        Operator::DuplicatedSend,
    ];

    /// The abbreviation.
    pub fn code(self) -> &'static str {
        match self {
            Operator::RemoveOutput => "RMO",
            Operator::ChangeMessage => "CML",
            Operator::ChangeInteraction => "CIT",
            Operator::RemoveState => "RST",
            Operator::RepeatTransition => "RTR",
            Operator::MissingBranch => "MBR",
            Operator::SwappedOrder => "SWP",
            Operator::WrongPartner => "WPA",
            Operator::DuplicatedSend => "DUP",
        }
    }

    /// The operator with an abbreviation, whatever the case.
    pub fn named(code: &str) -> Option<Operator> {
        Self::TABLE
            .into_iter()
            .chain(Self::FURTHER)
            .find(|operator| operator.code().eq_ignore_ascii_case(code))
    }

    /// What it does, in words.
    pub fn words(self) -> &'static str {
        match self {
            Operator::RemoveOutput => "an output is missing",
            Operator::ChangeMessage => "a message has another name",
            Operator::ChangeInteraction => "what was sent is awaited, or the other way round",
            Operator::RemoveState => "nothing leaves a state any more",
            Operator::RepeatTransition => "something is done twice",
            Operator::MissingBranch => "one branch of several is missing",
            Operator::SwappedOrder => "two actions come in the wrong order",
            Operator::WrongPartner => "the partner is another one",
            Operator::DuplicatedSend => "a message may be sent twice",
        }
    }
}

/// All mutants of a machine by some operators, operator by operator and state by state.
pub fn mutants(machine: &Cfsm, operators: &[Operator], names: &mut Names) -> Vec<Mutant> {
    let mut all = Vec::new();
    for &operator in operators {
        for state in machine.states() {
            at_state(machine, operator, state, names, &mut all);
        }
    }
    all
}

fn at_state(
    machine: &Cfsm,
    operator: Operator,
    state: LocalState,
    names: &mut Names,
    all: &mut Vec<Mutant>,
) {
    let own = machine.outgoing(state).to_vec();
    if operator == Operator::RemoveState {
        if !own.is_empty() {
            let mut mutant = machine.clone();
            mutant.set_outgoing(state, Vec::new());
            let name = format!("RST at {}", machine.state_text(state, names));
            all.push(Mutant {
                operator,
                machine: mutant,
                state,
                action: None,
                name,
            });
        }
        return;
    }
    let outputs = own.iter().filter(|one| one.action.is_output()).count();
    for (at, one) in own.iter().enumerate() {
        let replaced = |action: LocalAction| {
            let mut mutant = machine.clone();
            let mut rest = own.clone();
            rest[at] = Transition { action, ..*one };
            mutant.set_outgoing(state, rest);
            mutant
        };
        let mut found: Vec<(Cfsm, String)> = Vec::new();
        match operator {
            Operator::RemoveState => {}
            Operator::RemoveOutput => {
                if own.len() == 1 && outputs == 1 {
                    found.push((without(machine, state, at), String::new()));
                }
            }
            Operator::MissingBranch => {
                if own.len() > 1 {
                    found.push((without(machine, state, at), String::new()));
                }
            }
            Operator::ChangeMessage => {
                let text = names.text(one.action.message).to_owned();
                let message = names.fresh(&text);
                found.push((
                    replaced(LocalAction {
                        message,
                        ..one.action
                    }),
                    String::new(),
                ));
            }
            Operator::ChangeInteraction => {
                if !one.action.is_output() || outputs == 1 {
                    let polarity = match one.action.polarity {
                        Polarity::Output => Polarity::Input,
                        Polarity::Input => Polarity::Output,
                    };
                    found.push((
                        replaced(LocalAction {
                            polarity,
                            ..one.action
                        }),
                        String::new(),
                    ));
                }
            }
            Operator::RepeatTransition => {
                found.push((repeated(machine, state, at), String::new()));
            }
            Operator::SwappedOrder => {
                if let [next] = machine.outgoing(one.target)
                    && one.target != state
                    && next.action != one.action
                    && entered_once(machine, one.target)
                {
                    let mut mutant = replaced(next.action);
                    let second = Transition {
                        action: one.action,
                        ..*next
                    };
                    mutant.set_outgoing(one.target, vec![second]);
                    let with = next.action.text(machine.participant(), names);
                    found.push((mutant, format!(" with {with}")));
                }
            }
            Operator::WrongPartner => {
                for partner in machine.partners() {
                    if partner != one.action.partner {
                        let mutant = replaced(LocalAction {
                            partner,
                            ..one.action
                        });
                        found.push((mutant, format!(" to {}", names.text(partner))));
                    }
                }
            }
            Operator::DuplicatedSend => {
                if one.action.is_output() {
                    let mut mutant = machine.clone();
                    let between = mutant.add_state();
                    mutant.add(state, one.action, between, one.origin);
                    mutant.add(between, one.action, one.target, one.origin);
                    found.push((mutant, String::new()));
                }
            }
        }
        for (mutant, further) in found {
            let action = one.action.text(machine.participant(), names);
            let place = machine.state_text(state, names);
            all.push(Mutant {
                operator,
                machine: mutant,
                state,
                action: Some(one.action),
                name: format!("{} {action}{further} at {place}", operator.code()),
            });
        }
    }
}

fn without(machine: &Cfsm, state: LocalState, at: usize) -> Cfsm {
    let mut mutant = machine.clone();
    let mut rest = machine.outgoing(state).to_vec();
    rest.remove(at);
    mutant.set_outgoing(state, rest);
    mutant
}

fn repeated(machine: &Cfsm, state: LocalState, at: usize) -> Cfsm {
    let mut mutant = machine.clone();
    let between = mutant.add_state();
    let mut own = machine.outgoing(state).to_vec();
    let again = own[at];
    own[at].target = between;
    mutant.set_outgoing(state, own);
    mutant.set_outgoing(between, vec![again]);
    mutant
}

/// Whether only one transition leads to a state, and runs do not start there.
fn entered_once(machine: &Cfsm, state: LocalState) -> bool {
    machine.initial() != state
        && machine
            .transitions()
            .filter(|(_, one)| one.target == state)
            .count()
            == 1
}
