//! All that can be said about machines that talk: sizes, defects, compatibility.

use choros_model::cfsm::{Cfsm, Discipline, Reduction, System};
use choros_model::evidence::Tree;
use choros_model::lts::Lts;
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_realize::{Compatibility, Defect, Gap, IncompatibleConfiguration, Proof, Safety};

use super::RunNotes;
use crate::{MachineSafety, Stat, Stats, with_advice};

/// What was found out about a system of machines.
#[derive(Debug)]
pub struct MachineStudy {
    /// Its configurations, its compatibility, and why it is safe.
    pub safety: Safety,
    /// What is wrong with it.
    pub defects: Vec<Defect>,
    /// How messages travel.
    pub discipline: Discipline,
    /// Which orders of independent steps were examined.
    pub reduction: Reduction,
}

impl MachineStudy {
    /// Whether nothing was left out, or nothing that matters for safety.
    pub fn complete(&self) -> bool {
        self.safety.found.complete() || self.safety.proof.is_ok()
    }

    /// How many configurations there are, and how many are unsafe.
    pub fn stats(&self, machines: &[Cfsm]) -> Stats {
        let found = &self.safety.found;
        Stats::default()
            .with(Stat::States, found.states)
            .with(Stat::Transitions, found.transitions)
            .with(Stat::Deadlocks, found.unsafe_count())
            .with(Stat::Roles, machines.len())
    }

    /// Why it is not known whether the machines are safe.
    fn gap(&self) -> Option<Unknown> {
        let (reason, bound) = match self.safety.proof.as_ref().err()? {
            Gap::Unsafe => return None,
            Gap::Stopped(stopped) => (stopped.clone(), Some(Bound::States(None))),
            Gap::Bound => (self.full_channel(), Some(Bound::Places(None))),
            Gap::Endless => (
                "some runs never end, and a reduced search misses machines that wait forever meanwhile (run without --reduce)"
                    .to_owned(),
                None,
            ),
        };
        Some(Unknown {
            reason,
            help: bound.into(),
            evidence: None,
        })
    }

    /// The same for programs that read the report.
    pub fn mirror(&self) -> MachineSafety {
        let compatible = self.safety.compatible.as_ref();
        MachineSafety {
            bound: u64::from(self.discipline.bound),
            safe: compatible.map(Compatibility::is_safe),
            exhaustive: compatible.map(Compatibility::is_exhaustive),
            directed: compatible.map(|it| it.directed),
            proof: self.safety.proof.as_ref().ok().map(|it| it.word()),
        }
    }

    /// Tells the reader of a report what should be known, once.
    pub fn tell(&self, path: &str, system: &System<'_>, run: &mut RunNotes) {
        for note in self.notes(path, system) {
            run.note(note);
        }
    }

    fn notes(&self, path: &str, system: &System<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        let found = &self.safety.found;
        if let Some(stopped) = &found.stopped {
            let stopped = with_advice(stopped, Some(Bound::States(None)));
            notes.push(format!("`{path}`: {stopped}"));
        }
        if self.reduction == Reduction::Persistent {
            notes.push(format!(
                "`{path}`: only as many orders of independent steps as finding every deadlock takes"
            ));
        }
        if let Some(compatible) = &self.safety.compatible {
            notes.extend(self.compatibility_notes(path, compatible, system));
        }
        if found.bound_reached && self.safety.proof != Ok(Proof::Exhaustive) {
            notes.push(with_advice(&self.full_channel(), Some(Bound::Places(None))));
        }
        notes
    }

    fn compatibility_notes(
        &self,
        path: &str,
        compatible: &Compatibility,
        system: &System<'_>,
    ) -> Vec<String> {
        let bound = compatible.bound;
        let place = |breach: &IncompatibleConfiguration| {
            format!("{} ({})", breach.claim, system.describe(breach.state))
        };
        let mut notes = Vec::new();
        match (compatible.is_safe(), &compatible.exhaustivity) {
            (true, None) if !self.safety.found.bound_reached => notes.push(format!(
                "no queue was ever full: {bound}-safe, {bound}-exhaustive, and the same for larger queues"
            )),
            (true, None) => notes.push(format!("`{path}` is {bound}-safe and {bound}-exhaustive")),
            (false, None) => {
                notes.push(format!(
                    "`{path}` is {bound}-exhaustive and not {bound}-safe"
                ));
            }
            (safe, Some(breach)) => {
                let not = if safe { "" } else { "not " };
                notes.push(format!(
                    "`{path}` is {not}{bound}-safe and not {bound}-exhaustive: {}",
                    place(breach)
                ));
            }
        }
        if !self.safety.found.bound_reached {
            return notes;
        }
        if self.safety.proof == Ok(Proof::Exhaustive) {
            notes.push(format!(
                "`{path}` has deterministic directed machines, so it is safe whatever the bound (Lange and Yoshida 2019)"
            ));
        } else if compatible.is_safe() && compatible.is_exhaustive() {
            let further = compatible.independence.iter();
            let mut further = further.flat_map(|it| [&it.output, &it.input]).flatten();
            let text = match further.next() {
                Some(breach) => place(breach),
                None => "but its choices do not depend on this bound".to_owned(),
            };
            notes.push(format!(
                "`{path}` has machines that are not directed: {text}"
            ));
        }
        notes
    }

    /// Whether no configuration is unsafe, and what shows it.
    pub fn verdict(&self, system: &mut System<'_>) -> Verdict {
        let found = &self.safety.found;
        let gap = self.gap();
        let claim = match (self.defects.is_empty(), self.reduction) {
            (false, _) => format!(
                "{} of {} configurations are dead and unsafe",
                found.unsafe_count(),
                found.states
            ),
            (true, _) if gap.is_some() => format!(
                "{} configurations explored, none of them stuck",
                found.states
            ),
            (true, Reduction::None) => format!(
                "{} configurations, all safe: every run continues, or ends with all machines done and all channels empty",
                found.states
            ),
            (true, Reduction::Persistent) => format!(
                "{} configurations suffice to find every end of a run; all runs end, and all ends are safe",
                found.states
            ),
        };
        let defects = self.defects.iter();
        let evidence = Evidence::Tree(Tree {
            claim,
            origin: None,
            evidence: None,
            because: defects.map(|it| it.evidence(found, system)).collect(),
        });
        match (&self.safety.proof, gap) {
            (Ok(_), _) => Verdict::Holds(evidence),
            (Err(_), None) => Verdict::Fails(evidence),
            (Err(_), Some(gap)) => Verdict::Unknown(Unknown {
                evidence: Some(evidence),
                ..gap
            }),
        }
    }

    /// What a bound means that was reached.
    fn full_channel(&self) -> String {
        format!(
            "a channel was full: with room for more than {} messages the machines may do more",
            self.discipline.bound
        )
    }
}
