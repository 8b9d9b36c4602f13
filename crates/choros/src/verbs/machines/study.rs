//! All that can be said about machines that talk: sizes, defects, compatibility.

use choros_model::cfsm::{Reduction, System};
use choros_model::lts::Lts;
use choros_realize::{Breach, Compatibility, Gap, Proof, Safety, safety};
use choros_report::{MachineSafety, Semantics};

use super::findings::{Finding, bound_note, findings};
use crate::Settings;

/// What was found out about a system.
pub(super) struct Study {
    /// Its configurations, its compatibility, and why it is safe.
    pub(super) safety: Safety,
    /// What is wrong with it.
    pub(super) defects: Vec<Finding>,
}

/// Looks at all configurations, or at as many as find every dead one.
pub(super) fn study(system: &mut System<'_>, settings: &Settings) -> Study {
    let safety = safety(system, settings.reduction, &settings.states());
    let mut defects = findings(&safety.found, system);
    // What nothing follows is the better example; these are for runs that go on for ever.
    if defects.is_empty() {
        defects.extend(safety.waiting.iter().map(|breach| Finding {
            claim: breach.claim.clone(),
            state: breach.state,
        }));
    }
    Study { safety, defects }
}

impl Study {
    /// Whether nothing was left out, or nothing that matters for safety.
    pub(super) fn complete(&self) -> bool {
        self.safety.found.complete() || self.safety.proof.is_ok()
    }

    /// Why it is not known whether the machines are safe.
    pub(super) fn gap(&self, settings: &Settings) -> Option<String> {
        match self.safety.proof.as_ref().err()? {
            Gap::Unsafe => None,
            Gap::Stopped(stopped) => Some(format!("{stopped} (raise it with --max-states)")),
            Gap::Bound => Some(bound_note(settings)),
            Gap::Endless => Some(
                "some runs never end, and a reduced search does not see what waits for ever meanwhile (leave out \
                 --reduce)"
                    .to_owned(),
            ),
        }
    }

    /// The same for programs that read the report.
    pub(super) fn mirror(&self, settings: &Settings) -> MachineSafety {
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
    pub(super) fn tell(
        &self,
        path: &str,
        system: &System<'_>,
        settings: &Settings,
        semantics: &mut Semantics,
    ) {
        for note in self.notes(path, system, settings) {
            if !semantics.notes.contains(&note) {
                semantics.notes.push(note);
            }
        }
    }

    fn notes(&self, path: &str, system: &System<'_>, settings: &Settings) -> Vec<String> {
        let mut notes = Vec::new();
        let found = &self.safety.found;
        if let Some(stopped) = &found.stopped {
            notes.push(format!("`{path}`: {stopped} (raise it with --max-states)"));
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
            notes.push(bound_note(settings));
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
