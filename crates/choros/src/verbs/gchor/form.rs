//! The form of a g-choreography, for reports.

use choros_base::{Diagnostic, Names, SourceMap};
use choros_model::evidence::Tree;
use choros_model::gchor::{Form, Gchor};
use choros_realize::gchor::{Strictness, Violation, WellFormedness, well_formedness};
use choros_report::Violation as ViolationMirror;

use crate::Settings;

/// What was found, and which of it counts.
pub(super) struct Judged {
    pub(super) found: WellFormedness,
    /// What breaks the form; with `--strict`, what does not wait as well.
    pub(super) violations: Vec<Violation>,
}

/// Checks the form.
pub(super) fn judge(gchor: &Gchor, settings: &Settings) -> Result<Judged, choros_base::Spent> {
    let strictness = Strictness {
        tolerate_equal_branches: settings.gchor.tolerate_equal_branches,
    };
    let found = well_formedness(gchor, strictness, &settings.steps(10))?;
    let mut violations = found.violations.clone();
    if settings.gchor.strict {
        violations.extend(found.unsequenced.iter().cloned());
    }
    Ok(Judged { found, violations })
}

impl Judged {
    /// What breaks the form, with the reasons.
    pub(super) fn tree(&self, gchor: &Gchor, names: &Names) -> Tree {
        let claim = match self.violations.len() {
            0 => "well-branched and well-forked".to_owned(),
            1 => "one condition is broken".to_owned(),
            count => format!("{count} conditions are broken"),
        };
        Tree {
            claim,
            origin: None,
            evidence: None,
            because: self
                .violations
                .iter()
                .map(|violation| violation.tree(gchor, names))
                .collect(),
        }
    }

    /// Whether somebody is said to decide who does not.
    pub(super) fn misleads(&self) -> bool {
        let mut all = self.violations.iter();
        all.any(|it| matches!(it, Violation::WrongDecider { .. }))
    }

    /// Who decides what, one line each.
    pub(super) fn decisions(
        &self,
        gchor: &Gchor,
        names: &Names,
        sources: &SourceMap,
    ) -> Vec<String> {
        self.found
            .decisions
            .iter()
            .map(|(id, decider)| {
                let what = match gchor.form(*id) {
                    Form::Repeat { .. } => "loop",
                    _ => "choice",
                };
                let place = gchor.node(*id).origin.map(|span| sources.locate(span));
                let decider = decider.map_or("nobody", |it| names.text(it));
                let place = place.unwrap_or_else(|| "?".to_owned());
                format!("{what} at {place}: {decider} decides")
            })
            .collect()
    }

    /// The violations as the JSON form has them.
    pub(super) fn mirrors(&self, gchor: &Gchor, names: &Names) -> Vec<ViolationMirror> {
        self.violations
            .iter()
            .map(|violation| ViolationMirror {
                code: violation.code().code,
                condition: violation.condition(),
                roles: violation
                    .roles()
                    .iter()
                    .map(|&it| names.text(it).to_owned())
                    .collect(),
                transitions: violation.places(gchor, names),
                message: violation.message(gchor, names),
                reason: violation.suggestion(gchor, names),
            })
            .collect()
    }

    /// What does not wait, in one note: the first place, and how many more there are.
    pub(super) fn note(
        &self,
        gchor: &Gchor,
        names: &Names,
        settings: &Settings,
    ) -> Option<Diagnostic> {
        let first = match settings.gchor.strict {
            true => None,
            false => self.found.unsequenced.first(),
        }?;
        let mut note = Diagnostic::without_place(first.code(), first.message(gchor, names));
        for (text, origin) in first.places(gchor, names).into_iter().skip(1).rev() {
            if let Some(span) = origin {
                note = note.label(span, format!("`{text}`"));
            }
        }
        let more = self.found.unsequenced.len() - 1;
        if more > 0 {
            let places = if more == 1 { "place" } else { "places" };
            note = note.note(format!("so it is in {more} more {places}"));
        }
        Some(note.note(
            "`;` orders only what the same participant does; `--strict` makes this a violation",
        ))
    }
}
