//! Test cases (Definition 3.5 of Coto's thesis).

use choros_base::{Name, Names};
use choros_model::cfsm::{Cfsm, LocalState};

/// A machine that takes part in a test, and where it is content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestMachine {
    pub machine: Cfsm,
    /// Its success states, in their order.
    pub success: Vec<LocalState>,
    /// Which of its choices it makes, in words; empty where it has none.
    pub picks: Vec<String>,
}

/// A test of one component: machines that play all the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// What it is called: the component under test and a number.
    pub name: String,
    /// The component under test.
    pub under_test: Name,
    /// What the test is about, where that is not the whole model.
    pub about: Option<String>,
    /// The machines, in the order of the model's participants.
    pub machines: Vec<TestMachine>,
}

/// Why something is not a test case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestDefect {
    /// A machine plays the component under test (condition 1).
    PlaysTheComponent,
    /// A state offers an output and something else, or two targets for one label (condition 2).
    Undecided {
        /// Whose state.
        participant: Name,
        /// Which.
        state: LocalState,
    },
    /// Two machines have the same subject (condition 3).
    PlayedTwice {
        /// Whose machines.
        participant: Name,
    },
    /// A success state that the machine does not have.
    NoSuchState {
        /// Whose state.
        participant: Name,
        /// Which.
        state: LocalState,
    },
}

/// What keeps machines from being a test case for a component; nothing if they are one.
pub fn breaches(under_test: Name, machines: &[TestMachine]) -> Vec<TestDefect> {
    let mut found = Vec::new();
    let subjects: Vec<Name> = machines.iter().map(|it| it.machine.participant()).collect();
    for (at, test) in machines.iter().enumerate() {
        let participant = subjects[at];
        if participant == under_test {
            found.push(TestDefect::PlaysTheComponent);
        }
        if subjects[..at].contains(&participant) {
            found.push(TestDefect::PlayedTwice { participant });
        }
        for state in crate::non_deterministic_states(&test.machine) {
            found.push(TestDefect::Undecided { participant, state });
        }
        for &state in &test.success {
            if state.index() >= test.machine.state_count() {
                found.push(TestDefect::NoSuchState { participant, state });
            }
        }
    }
    found
}

impl TestMachine {
    /// Whether the machine is content in a state.
    pub fn succeeds(&self, state: LocalState) -> bool {
        self.success.contains(&state)
    }
}

impl TestCase {
    /// What the machines decide, in words: `B granted, allow; C quit`.
    pub fn picks_text(&self, names: &Names) -> String {
        let decided: Vec<String> = self
            .machines
            .iter()
            .filter(|it| !it.picks.is_empty())
            .map(|it| {
                let participant = names.text(it.machine.participant());
                format!("{participant} {}", it.picks.join(", "))
            })
            .collect();
        decided.join("; ")
    }
}

impl TestDefect {
    /// The breach in one sentence.
    pub fn text(&self, machines: &[TestMachine], names: &Names) -> String {
        let state_text = |participant: Name, state: LocalState| {
            let own = machines
                .iter()
                .map(|it| &it.machine)
                .find(|it| it.participant() == participant && state.index() < it.state_count());
            own.map_or_else(|| state.0.to_string(), |it| it.state_text(state, names))
        };
        match *self {
            TestDefect::PlaysTheComponent => {
                "a machine plays the component under test (condition 1)".to_owned()
            }
            TestDefect::Undecided { participant, state } => format!(
                "`{}` is not determined in state {}: an output must be the only transition, and each label leads to one state (condition 2)",
                names.text(participant),
                state_text(participant, state)
            ),
            TestDefect::PlayedTwice { participant } => format!(
                "`{}` is played by two machines (condition 3)",
                names.text(participant)
            ),
            TestDefect::NoSuchState { participant, state } => {
                format!("`{}` has no state {}", names.text(participant), state.0)
            }
        }
    }
}

/// A machine that is given as it is: a success state is one that is named, nothing is decided.
impl From<(Cfsm, Vec<LocalState>)> for TestMachine {
    fn from((machine, success): (Cfsm, Vec<LocalState>)) -> Self {
        Self {
            machine,
            success,
            picks: Vec::new(),
        }
    }
}
