//! All that can be said about machines that talk: sizes, defects, compatibility.

use choros_model::cfsm::{Cfsm, Reduction, System};
use choros_model::lts::Lts;
use choros_model::{Bound, Unknown};
use choros_realize::{Breach, Compatibility, Defect, Gap, Proof, Safety, safety};
use choros_report::answers::Run;
use choros_report::{MachineSafety, Stat, Stats, with_advice};

use super::findings::full_channel;
use crate::Settings;

/// What was found out about a system.
pub(in crate::verbs) struct Study {
    /// Its configurations, its compatibility, and why it is safe.
    pub(in crate::verbs) safety: Safety,
    /// What is wrong with it.
    pub(in crate::verbs) defects: Vec<Defect>,
}

/// Looks at all configurations, or at as many as find every dead one.
pub(in crate::verbs) fn study(system: &mut System<'_>, settings: &Settings) -> Study {
    let safety = safety(system, settings.reduction, &settings.states());
    let defects = safety.defects(system);
    Study { safety, defects }
}

impl Study {
    /// Whether nothing was left out, or nothing that matters for safety.
    pub(in crate::verbs) fn complete(&self) -> bool {
        self.safety.found.complete() || self.safety.proof.is_ok()
    }

    /// How many configurations there are, and how many are unsafe.
    pub(in crate::verbs) fn stats(&self, machines: &[Cfsm]) -> Stats {
        let found = &self.safety.found;
        Stats::default()
            .with(Stat::States, found.states)
            .with(Stat::Transitions, found.transitions)
            .with(Stat::Deadlocks, found.unsafe_count())
            .with(Stat::Roles, machines.len())
    }

    /// Why it is not known whether the machines are safe.
    pub(in crate::verbs) fn gap(&self, settings: &Settings) -> Option<Unknown> {
        let (reason, bound) = match self.safety.proof.as_ref().err()? {
            Gap::Unsafe => return None,
            Gap::Stopped(stopped) => (stopped.clone(), Some(Bound::States(None))),
            Gap::Bound => (full_channel(settings), Some(Bound::Places(None))),
            Gap::Endless => (
                "some runs never end, and a reduced search does not see what waits for ever meanwhile (leave out \
                 --reduce)"
                    .to_owned(),
                None,
            ),
        };
        Some(Unknown {
            reason,
            bound,
            evidence: None,
        })
    }

    /// The same for programs that read the report.
    pub(in crate::verbs) fn mirror(&self, settings: &Settings) -> MachineSafety {
        let compatible = self.safety.compatible.as_ref();
        MachineSafety {
            bound: u64::from(settings.discipline.bound),
            safe: compatible.map(Compatibility::is_safe),
            exhaustive: compatible.map(Compatibility::is_exhaustive),
            directed: compatible.map(|it| it.directed),
            proof: self.safety.proof.as_ref().ok().map(|it| it.word()),
        }
    }

    /// Tells the reader of a report what should be known, once.
    pub(in crate::verbs) fn tell(
        &self,
        path: &str,
        system: &System<'_>,
        settings: &Settings,
        run: &mut Run,
    ) {
        for note in self.notes(path, system, settings) {
            run.note(note);
        }
    }

    fn notes(&self, path: &str, system: &System<'_>, settings: &Settings) -> Vec<String> {
        let mut notes = Vec::new();
        let found = &self.safety.found;
        if let Some(stopped) = &found.stopped {
            let stopped = with_advice(stopped, Some(Bound::States(None)));
            notes.push(format!("`{path}`: {stopped}"));
        }
        if settings.reduction == Reduction::Persistent {
            notes.push(format!(
                "`{path}`: only as many orders of independent steps as find every dead configuration"
            ));
        }
        if let Some(compatible) = &self.safety.compatible {
            notes.extend(self.compatibility_notes(path, compatible, system));
        }
        if found.bound_reached && self.safety.proof != Ok(Proof::Exhaustive) {
            notes.push(with_advice(
                &full_channel(settings),
                Some(Bound::Places(None)),
            ));
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
        let place =
            |breach: &Breach| format!("{} ({})", breach.claim, system.describe(breach.state));
        let mut notes = Vec::new();
        match (compatible.is_safe(), &compatible.exhaustivity) {
            (true, None) if !self.safety.found.bound_reached => notes.push(format!(
                "no queue was ever full: {bound}-safe, {bound}-exhaustive, and the same with more places"
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
            let further = [
                &compatible.output_independence,
                &compatible.input_independence,
            ];
            let text = match further.into_iter().flatten().next() {
                Some(breach) => place(breach),
                None => "but its choices do not depend on this bound".to_owned(),
            };
            notes.push(format!(
                "`{path}` has machines that are not directed: {text}"
            ));
        }
        notes
    }
}
