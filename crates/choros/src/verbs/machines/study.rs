//! All that can be said about machines that talk: sizes, defects, compatibility.

use choros_model::cfsm::{Reduction, Survey, System, survey_with};
use choros_model::lts::Lts;
use choros_realize::{Breach, Compatibility, compatibility};
use choros_report::Semantics;

use super::findings::{Finding, bound_note, findings};
use crate::Settings;

/// What was found out about a system.
pub(super) struct Study {
    /// Its configurations.
    pub(super) found: Survey,
    /// Whether it is compatible within its bound, where that was asked and is defined.
    pub(super) compatible: Option<Compatibility>,
    /// What is wrong with it.
    pub(super) defects: Vec<Finding>,
}

/// Looks at all configurations, or at as many as find every dead one.
pub(super) fn study(system: &mut System<'_>, settings: &Settings) -> Study {
    let found = survey_with(system, settings.reduction, &settings.states());
    let compatible = match settings.reduction {
        Reduction::None => compatibility(system, &found),
        Reduction::Persistent => None,
    };
    let mut defects = findings(&found, system);
    // What nothing follows is the better example; these are for runs that go on for ever.
    // Where the bound was reached, they may come from the bound alone.
    let exact = defects.is_empty() && !found.bound_reached;
    if let (true, Some(compatible)) = (exact, &compatible) {
        let breaches = [&compatible.reception, &compatible.progress];
        defects.extend(breaches.into_iter().flatten().map(|breach| Finding {
            claim: breach.claim.clone(),
            state: breach.state,
        }));
    }
    Study {
        found,
        compatible,
        defects,
    }
}

impl Study {
    /// Whether nothing was left out, or nothing that matters for safety.
    pub(super) fn complete(&self) -> bool {
        let beyond = |it: &Compatibility| it.beyond_the_bound();
        self.found.complete() || self.compatible.as_ref().is_some_and(beyond)
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
        if let Some(stopped) = &self.found.stopped {
            notes.push(format!("`{path}`: {stopped} (raise it with --max-states)"));
        }
        if settings.reduction == Reduction::Persistent {
            notes.push(format!(
                "`{path}`: only as many orders of independent steps as find every dead configuration"
            ));
        }
        if let Some(compatible) = &self.compatible {
            notes.extend(self.compatibility_notes(path, compatible, system));
        }
        let beyond = |it: &Compatibility| it.beyond_the_bound();
        if self.found.bound_reached && !self.compatible.as_ref().is_some_and(beyond) {
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
            (true, None) if !self.found.bound_reached => notes.push(format!(
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
        if !self.found.bound_reached {
            return notes;
        }
        if compatible.beyond_the_bound() {
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
