//! Configurations of machines as they are saved.

use choros_base::{Name, Names};
use choros_certify::{JointState, MachineProof, Machines, WaitingForever};
use choros_model::cfsm::{Cfsm, Discipline};

use super::{ProofMistake, malformed};
use crate::certificate_file::{SavedClaim, SavedEvidence, SavedJoint, SavedProof, SavedWaits};

impl SavedProof {
    /// A proof about machines.
    pub fn of_machines(
        proof: &MachineProof,
        machines: &[Cfsm],
        discipline: Discipline,
        names: &Names,
    ) -> SavedProof {
        let form = Form::new(machines, discipline, names);
        match proof {
            MachineProof::Safe(all) => SavedProof {
                claim: SavedClaim::Holds,
                evidence: SavedEvidence::Configurations {
                    all: form.saved(all),
                },
            },
            MachineProof::Unsafe { run, waits, after } => SavedProof {
                claim: SavedClaim::Fails,
                evidence: SavedEvidence::Stranded {
                    run: form.saved(run),
                    waits: form.saved_waits(*waits),
                    after: form.saved(after),
                },
            },
        }
    }

    /// The proof about these machines.
    pub fn machines(
        &self,
        machines: &[Cfsm],
        discipline: Discipline,
        names: &Names,
    ) -> Result<MachineProof, ProofMistake> {
        let form = Form::new(machines, discipline, names);
        match (&self.claim, &self.evidence) {
            (SavedClaim::Holds, SavedEvidence::Configurations { all }) => {
                Ok(MachineProof::Safe(form.read(all)?))
            }
            (SavedClaim::Fails, SavedEvidence::Stranded { run, waits, after }) => {
                Ok(MachineProof::Unsafe {
                    run: form.read(run)?,
                    waits: form.read_waits(waits)?,
                    after: form.read(after)?,
                })
            }
            _ => Err(malformed(
                "its evidence does not support this claim about machines",
            )),
        }
    }
}

/// Configurations as they are saved: machines by position, channels and messages by name.
struct Form<'a> {
    machines: &'a [Cfsm],
    checker: Machines<'a>,
    names: &'a Names,
}

impl<'a> Form<'a> {
    fn new(machines: &'a [Cfsm], discipline: Discipline, names: &'a Names) -> Form<'a> {
        Form {
            machines,
            checker: Machines::new(machines, discipline),
            names,
        }
    }

    fn saved(&self, all: &[JointState]) -> Vec<SavedJoint> {
        all.iter().map(|it| self.saved_joint(it)).collect()
    }

    fn saved_joint(&self, joint: &JointState) -> SavedJoint {
        let text = |name: Name| self.names.text(name).to_owned();
        let channels = self.checker.channels().iter().zip(&joint.contents);
        SavedJoint {
            states: joint.states.clone(),
            channels: channels
                .filter(|(_, contents)| !contents.is_empty())
                .map(|(&(from, to), contents)| {
                    let contents = contents.iter().map(|&it| text(it)).collect();
                    (text(from), text(to), contents)
                })
                .collect(),
        }
    }

    fn saved_waits(&self, waits: WaitingForever) -> SavedWaits {
        let text = |name: Name| self.names.text(name).to_owned();
        match waits {
            WaitingForever::Machine(machine) => SavedWaits::Machine {
                participant: text(self.machines[machine].participant()),
            },
            WaitingForever::Message(channel, message) => {
                let (from, to) = self.checker.channels()[channel];
                SavedWaits::Message {
                    from: text(from),
                    to: text(to),
                    message: text(message),
                }
            }
        }
    }

    fn read(&self, all: &[SavedJoint]) -> Result<Vec<JointState>, ProofMistake> {
        all.iter().map(|it| self.read_joint(it)).collect()
    }

    fn read_joint(&self, saved: &SavedJoint) -> Result<JointState, ProofMistake> {
        let mut contents = vec![Vec::new(); self.checker.channels().len()];
        for (from, to, waiting) in &saved.channels {
            let channel = self.channel(from, to)?;
            let waiting: Result<Vec<Name>, ProofMistake> =
                waiting.iter().map(|it| self.name(it)).collect();
            contents[channel] = self.checker.sorted(waiting?);
        }
        Ok(JointState {
            states: saved.states.clone(),
            contents,
        })
    }

    fn read_waits(&self, saved: &SavedWaits) -> Result<WaitingForever, ProofMistake> {
        match saved {
            SavedWaits::Machine { participant } => {
                let name = self.name(participant)?;
                let mut machines = self.machines.iter();
                let machine = machines.position(|it| it.participant() == name);
                let missing = || malformed(format!("there is no machine `{participant}`"));
                machine.map(WaitingForever::Machine).ok_or_else(missing)
            }
            SavedWaits::Message { from, to, message } => Ok(WaitingForever::Message(
                self.channel(from, to)?,
                self.name(message)?,
            )),
        }
    }

    fn channel(&self, from: &str, to: &str) -> Result<usize, ProofMistake> {
        let ends = (self.name(from)?, self.name(to)?);
        let found = self.checker.channels().iter().position(|&it| it == ends);
        found.ok_or_else(|| malformed(format!("there is no channel from `{from}` to `{to}`")))
    }

    fn name(&self, text: &str) -> Result<Name, ProofMistake> {
        let found = self.names.get(text);
        found.ok_or_else(|| malformed(format!("the machines have no message `{text}`")))
    }
}
