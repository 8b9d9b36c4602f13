//! Certificates of the safety of machines: written from what the engine found, and checked without it.

use choros_base::{Name, Names};
use choros_certify::{Joint, MachineClaim, Machines, Waits};
use choros_model::cfsm::{Cfsm, Discipline, Reduction, System};
use choros_model::evidence::Tree;
use choros_model::{Evidence, Verdict};
use choros_realize::{MachineProof, machine_proof, safety};
use choros_report::{SavedClaim, SavedEvidence, SavedJoint, SavedProof, SavedWaits};

use super::conformance::Mistake;
use crate::{Settings, Workspace};

/// What a certificate of an answer of `check` holds, or why there is none.
pub(super) fn prove(
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    settings: &Settings,
) -> Result<SavedProof, String> {
    let terms = &workspace.terms;
    if settings.reduction != Reduction::None {
        return Err("a reduced search does not see all configurations".to_owned());
    }
    let mut system = System::new(machines, settings.discipline, terms);
    let found = safety(&mut system, settings.reduction, &settings.states());
    let proof = machine_proof(machines, &mut system, &found)?;
    let form = Form {
        machines,
        checker: Machines::new(machines, settings.discipline),
        names: &terms.names,
    };
    Ok(match proof {
        MachineProof::Safe(all) => SavedProof {
            claim: SavedClaim::Holds,
            evidence: SavedEvidence::Configurations {
                all: form.saved(&all),
            },
        },
        MachineProof::Unsafe { run, waits, after } => SavedProof {
            claim: SavedClaim::Fails,
            evidence: SavedEvidence::Stranded {
                run: form.saved(&run),
                waits: form.saved_waits(waits),
                after: form.saved(&after),
            },
        },
    })
}

/// Whether a certificate shows what it claims about machines.
pub(super) fn check(
    proof: &SavedProof,
    machines: &[Cfsm],
    discipline: Discipline,
    names: &Names,
) -> Result<Verdict, Mistake> {
    let form = Form {
        machines,
        checker: Machines::new(machines, discipline),
        names,
    };
    let checked = match (&proof.claim, &proof.evidence) {
        (SavedClaim::Holds, SavedEvidence::Configurations { all }) => {
            let all = form.read(all)?;
            form.checker.check(MachineClaim::Safe(&all))
        }
        (SavedClaim::Fails, SavedEvidence::Stranded { run, waits, after }) => {
            let (run, after) = (form.read(run)?, form.read(after)?);
            let waits = form.read_waits(waits)?;
            let (run, after) = (&run[..], &after[..]);
            form.checker
                .check(MachineClaim::Unsafe { run, waits, after })
        }
        _ => {
            let reason = "its evidence is none for this claim about machines".to_owned();
            return Err(Mistake::Malformed(reason));
        }
    };
    let tree = |claim: String| {
        Evidence::Tree(Tree {
            claim,
            origin: None,
            evidence: None,
            because: Vec::new(),
        })
    };
    Ok(match checked {
        Ok(()) => Verdict::Holds(tree("every configuration was looked at".to_owned())),
        Err(reason) => Verdict::Fails(tree(reason)),
    })
}

/// Configurations as they are saved: machines by position, channels and messages by name.
struct Form<'a> {
    machines: &'a [Cfsm],
    checker: Machines<'a>,
    names: &'a Names,
}

impl Form<'_> {
    fn saved(&self, all: &[Joint]) -> Vec<SavedJoint> {
        all.iter().map(|it| self.saved_joint(it)).collect()
    }

    fn saved_joint(&self, joint: &Joint) -> SavedJoint {
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

    fn saved_waits(&self, waits: Waits) -> SavedWaits {
        let text = |name: Name| self.names.text(name).to_owned();
        match waits {
            Waits::Machine(machine) => SavedWaits::Machine {
                participant: text(self.machines[machine].participant()),
            },
            Waits::Message(channel, message) => {
                let (from, to) = self.checker.channels()[channel];
                SavedWaits::Message {
                    from: text(from),
                    to: text(to),
                    message: text(message),
                }
            }
        }
    }

    fn read(&self, all: &[SavedJoint]) -> Result<Vec<Joint>, Mistake> {
        all.iter().map(|it| self.read_joint(it)).collect()
    }

    fn read_joint(&self, saved: &SavedJoint) -> Result<Joint, Mistake> {
        let mut contents = vec![Vec::new(); self.checker.channels().len()];
        for (from, to, waiting) in &saved.channels {
            let channel = self.channel(from, to)?;
            let waiting: Result<Vec<Name>, Mistake> =
                waiting.iter().map(|it| self.name(it)).collect();
            contents[channel] = self.checker.sorted(waiting?);
        }
        Ok(Joint {
            states: saved.states.clone(),
            contents,
        })
    }

    fn read_waits(&self, saved: &SavedWaits) -> Result<Waits, Mistake> {
        match saved {
            SavedWaits::Machine { participant } => {
                let name = self.name(participant)?;
                let mut machines = self.machines.iter();
                let machine = machines.position(|it| it.participant() == name);
                let missing = || Mistake::Malformed(format!("there is no machine `{participant}`"));
                machine.map(Waits::Machine).ok_or_else(missing)
            }
            SavedWaits::Message { from, to, message } => {
                Ok(Waits::Message(self.channel(from, to)?, self.name(message)?))
            }
        }
    }

    fn channel(&self, from: &str, to: &str) -> Result<usize, Mistake> {
        let ends = (self.name(from)?, self.name(to)?);
        let found = self.checker.channels().iter().position(|&it| it == ends);
        found.ok_or_else(|| {
            Mistake::Malformed(format!("there is no channel from `{from}` to `{to}`"))
        })
    }

    fn name(&self, text: &str) -> Result<Name, Mistake> {
        let found = self.names.get(text);
        found.ok_or_else(|| Mistake::Malformed(format!("the machines know no `{text}`")))
    }
}
