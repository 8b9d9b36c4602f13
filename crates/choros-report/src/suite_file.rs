//! Test suites as JSON, as `docs/schema/suite.schema.json` describes them.
//!
//! Plain text and numbers that need no store to be read; states are called by their names.

use choros_base::Names;
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Polarity};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSuite {
    /// The version of the form.
    pub schema: u32,
    /// The model from which the tests were made.
    pub model: String,
    /// The machines of the model, one for each participant.
    pub machines: Vec<SavedMachine>,
    /// In the order in which they are run.
    pub tests: Vec<SavedTest>,
}

/// A test of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTest {
    /// What it is called.
    pub name: String,
    /// The component under test.
    pub role: String,
    /// What success means, where that is not the end of everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Whether the model's own machine of the component passes; absent where that was not decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suitable: Option<bool>,
    /// What is assumed about infinite runs: `none` or `fair`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<String>,
    /// Channels `[sender, receiver]` that must be empty in the end; all, where there is no such list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channels: Option<Vec<(String, String)>>,
    /// The machines of the others.
    pub machines: Vec<SavedTestMachine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTestMachine {
    #[serde(flatten)]
    pub machine: SavedMachine,
    /// Its success states.
    pub success: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decides: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedMachine {
    /// Whose machine it is.
    pub participant: String,
    /// Where runs start.
    pub initial: String,
    pub states: Vec<String>,
    pub transitions: Vec<SavedTransition>,
}

/// A transition of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTransition {
    /// Where it begins.
    pub source: String,
    /// `send` or `receive`.
    pub action: String,
    /// To whom, or from whom.
    pub partner: String,
    /// What is sent, by name.
    pub message: String,
    /// Where it leads.
    pub target: String,
}

/// Why a text is not a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotASuite {
    /// What is wrong, in words.
    pub reason: String,
}

impl SavedSuite {
    /// The version of the form that is written.
    pub const SCHEMA: u32 = 1;

    /// The suite as JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        match serde_json::to_string_pretty(self) {
            Ok(text) => text + "\n",
            // Strings, numbers and lists cannot fail to serialise.
            Err(error) => unreachable!("a suite is plain data: {error}"),
        }
    }

    /// Reads a suite.
    pub fn of_json(text: &str) -> Result<SavedSuite, NotASuite> {
        let suite: SavedSuite = serde_json::from_str(text).map_err(|error| NotASuite {
            reason: error.to_string(),
        })?;
        match suite.schema {
            Self::SCHEMA => Ok(suite),
            other => Err(NotASuite {
                reason: format!("it has format version {other}, but only version 1 is supported"),
            }),
        }
    }
}

impl SavedMachine {
    /// A machine in words.
    pub fn of(machine: &Cfsm, names: &Names) -> SavedMachine {
        let state = |state| machine.state_text(state, names);
        SavedMachine {
            participant: names.text(machine.participant()).to_owned(),
            initial: state(machine.initial()),
            states: machine.states().map(state).collect(),
            transitions: machine
                .transitions()
                .map(|(source, one)| SavedTransition {
                    source: state(source),
                    action: match one.action.polarity {
                        Polarity::Output => "send".to_owned(),
                        Polarity::Input => "receive".to_owned(),
                    },
                    partner: names.text(one.action.partner).to_owned(),
                    message: names.text(one.action.message).to_owned(),
                    target: state(one.target),
                })
                .collect(),
        }
    }

    /// The machine after the words.
    pub fn machine(&self, names: &mut Names) -> Result<Cfsm, NotASuite> {
        let mut machine = Cfsm::new(names.intern(&self.participant));
        machine.ensure_states(self.states.len());
        for (at, text) in self.states.iter().enumerate() {
            if *text != at.to_string() {
                machine.set_label(LocalState(at as u32), names.intern(text));
            }
        }
        let find = |text: &str| self.state(text);
        for one in &self.transitions {
            let (partner, message) = (names.intern(&one.partner), names.intern(&one.message));
            let action = match one.action.as_str() {
                "send" => LocalAction::output(partner, message),
                "receive" => LocalAction::input(partner, message),
                other => {
                    let reason = format!("`{other}` is neither send nor receive");
                    return Err(NotASuite { reason });
                }
            };
            if one.partner == self.participant {
                let reason = format!("`{}` talks to itself", self.participant);
                return Err(NotASuite { reason });
            }
            machine.add(find(&one.source)?, action, find(&one.target)?, None);
        }
        machine.set_initial(find(&self.initial)?);
        Ok(machine)
    }

    /// The state with a name.
    pub fn state(&self, text: &str) -> Result<LocalState, NotASuite> {
        match self.states.iter().position(|it| it == text) {
            Some(at) => Ok(LocalState(at as u32)),
            None => Err(NotASuite {
                reason: format!(
                    "the machine of `{}` has no state `{text}`",
                    self.participant
                ),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_read_back() {
        let mut names = Names::new();
        let (a, b, m) = (names.intern("A"), names.intern("B"), names.intern("m"));
        let mut machine = Cfsm::new(a);
        machine.ensure_states(2);
        machine.set_label(LocalState(1), names.intern("done"));
        machine.add(
            LocalState(0),
            LocalAction::output(b, m),
            LocalState(1),
            None,
        );
        let saved = SavedMachine::of(&machine, &names);
        assert_eq!(saved.machine(&mut names), Ok(machine));
    }

    #[test]
    fn rubbish_is_no_suite() {
        assert!(SavedSuite::of_json("{}").is_err());
        let text = r#"{"schema": 7, "model": "", "machines": [], "tests": []}"#;
        assert!(SavedSuite::of_json(text).is_err_and(|it| it.reason.contains("version 7")));
    }
}
