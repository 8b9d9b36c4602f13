//! Which names of the model become which names of the program.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use choros_base::{Name, Names};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Transition};
use choros_testgen::TestMachine;

use super::types::sort;
use super::{Payload, SessionTests};
use crate::{Identifiers, TargetLanguage};

/// Everything named.
pub(super) struct Plan<'a> {
    pub tests: &'a SessionTests<'a>,
    /// Participants and their types, in the order of the machines.
    pub participants: Vec<(Name, String)>,
    /// Messages and their types, in alphabetical order.
    pub messages: Vec<(Name, String)>,
    pub machines: Vec<MachinePlan<'a>>,
    by_name: HashMap<Name, String>,
    message_names: HashMap<Name, String>,
}

/// One machine with names.
pub(super) struct MachinePlan<'a> {
    pub machine: &'a Cfsm,
    /// The type of its participant.
    pub participant: String,
    /// What its states are called in names of methods.
    pub states: Vec<String>,
    /// The types of its states.
    pub types: Vec<String>,
    /// Another name of the type of its first state.
    pub session: String,
    /// The type of the machine itself.
    pub class: String,
    pub transitions: Vec<TransitionPlan>,
}

/// One transition with the method that takes it.
pub(super) struct TransitionPlan {
    pub source: LocalState,
    pub action: LocalAction,
    pub target: LocalState,
    /// `_<source>_<message>_<send or recv>_<target>`
    pub method: String,
}

impl<'a> Plan<'a> {
    /// Names everything; `reserved` are the words that the emitted files use themselves.
    pub(super) fn new(
        tests: &'a SessionTests<'a>,
        language: TargetLanguage,
        reserved: &[&str],
    ) -> Self {
        let text = |name: Name| tests.names.text(name);
        let mut identifiers = Identifiers::new(language);
        identifiers.reserve(reserved);
        let mut participants: Vec<(Name, String)> = Vec::new();
        let mut messages: BTreeMap<&str, Name> = BTreeMap::new();
        let owners = tests.suite.machines.iter().map(Cfsm::participant);
        let partners = tests.suite.machines.iter().flat_map(Cfsm::partners);
        for name in owners.chain(partners) {
            if !participants.iter().any(|(known, _)| *known == name) {
                let identifier = identifiers.fresh(&as_written(text(name), language));
                participants.push((name, identifier));
            }
        }
        for (_, transition) in tests.suite.machines.iter().flat_map(Cfsm::transitions) {
            let message = transition.action.message;
            messages.insert(text(message), message);
        }
        let messages: Vec<(Name, String)> = messages
            .into_iter()
            .map(|(text, name)| (name, identifiers.fresh(&as_written(text, language))))
            .collect();
        let by_name: HashMap<Name, String> = participants.iter().cloned().collect();
        let message_names: HashMap<Name, String> = messages.iter().cloned().collect();
        let mut plan = Plan {
            tests,
            participants,
            messages,
            machines: Vec::new(),
            by_name,
            message_names,
        };
        plan.machines = tests
            .suite
            .machines
            .iter()
            .map(|it| plan.machine(it, &mut identifiers))
            .collect();
        plan
    }

    /// The type of a participant.
    pub(super) fn participant(&self, name: Name) -> &str {
        self.by_name.get(&name).map_or("", String::as_str)
    }

    /// The type of a message.
    pub(super) fn message(&self, name: Name) -> &str {
        self.message_names.get(&name).map_or("", String::as_str)
    }

    /// What a message carries.
    pub(super) fn payload(&self, message: Name) -> Payload {
        self.tests.payloads.of(self.tests.names.text(message))
    }

    /// The machine of a role.
    pub(super) fn machine_of(&self, role: Name) -> Option<&MachinePlan<'a>> {
        self.machines
            .iter()
            .find(|it| it.machine.participant() == role)
    }

    fn machine(&self, machine: &'a Cfsm, identifiers: &mut Identifiers) -> MachinePlan<'a> {
        let names = self.tests.names;
        let mut taken = BTreeSet::new();
        let states: Vec<String> = machine
            .states()
            .map(|state| unique(&word(&machine.state_text(state, names)), &mut taken))
            .collect();
        let mut methods = BTreeSet::new();
        let mut transitions = Vec::new();
        for source in machine.states() {
            let mut own: Vec<Transition> = machine.outgoing(source).to_vec();
            sort(&mut own, names);
            for transition in own {
                let action = transition.action;
                let verb = if action.is_output() { "send" } else { "recv" };
                let method = format!(
                    "_{}_{}_{verb}_{}",
                    states[source.index()],
                    word(names.text(action.message)),
                    states[transition.target.index()]
                );
                transitions.push(TransitionPlan {
                    source,
                    action,
                    target: transition.target,
                    method: unique(&method, &mut methods),
                });
            }
        }
        let participant = self.participant(machine.participant()).to_owned();
        let session = identifiers.fresh(&format!("{participant}Session"));
        let class = identifiers.fresh(&format!("{participant}Machine"));
        let types = states
            .iter()
            .map(|state| identifiers.fresh(&format!("{participant}{state}")))
            .collect();
        MachinePlan {
            machine,
            participant,
            states,
            types,
            session,
            class,
            transitions,
        }
    }
}

impl MachinePlan<'_> {
    /// What a state is called.
    pub(super) fn state(&self, state: LocalState) -> &str {
        &self.states[state.index()]
    }

    /// The type of a state.
    pub(super) fn type_of(&self, state: LocalState) -> &str {
        &self.types[state.index()]
    }

    /// The methods of the transitions that a smaller machine does not have.
    pub(super) fn left_out(&self, smaller: &Cfsm, names: &Names) -> Vec<&str> {
        self.transitions
            .iter()
            .filter(|own| {
                let source = self.machine.state_text(own.source, names);
                let target = self.machine.state_text(own.target, names);
                // States are compared by name: a trimmed machine numbers them again.
                let Some(state) = smaller.state_called(&source, names) else {
                    return true;
                };
                !smaller.outgoing(state).iter().any(|it| {
                    it.action == own.action && smaller.state_text(it.target, names) == target
                })
            })
            .map(|own| own.method.as_str())
            .collect()
    }

    /// The success states in a test, where these are not the final states of the machine.
    pub(super) fn other_success(&self, played: &TestMachine, names: &Names) -> Option<Vec<&str>> {
        let states = |keep: &dyn Fn(LocalState) -> bool| -> Vec<&str> {
            let states = self.machine.states().filter(|&state| keep(state));
            states.map(|state| self.state(state)).collect()
        };
        let texts: Vec<String> = played
            .success
            .iter()
            .map(|&state| played.machine.state_text(state, names))
            .collect();
        let own = states(&|state| texts.contains(&self.machine.state_text(state, names)));
        let usual = states(&|state| self.machine.is_final(state));
        (own != usual).then_some(own)
    }
}

/// A name of the model as it stands, if the language allows; messages are to be recognised in types.
fn as_written(text: &str, language: TargetLanguage) -> String {
    let word = word(text);
    let starts_well = word.starts_with(|first: char| first.is_ascii_alphabetic());
    let word = if starts_well {
        word
    } else {
        format!("M{word}")
    };
    match language {
        TargetLanguage::Python => word,
        TargetLanguage::Rust => Identifiers::new(language).name(crate::NamingCase::Camel, &word),
    }
}

/// Letters, digits and underscores.
fn word(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '_'
            }
        })
        .collect()
}

pub(super) fn unique(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut count = 1;
    while !taken.insert(name.clone()) {
        count += 1;
        name = format!("{wanted}_{count}");
    }
    name
}
