//! The evidence of a saved report, drawn.

use choros_base::{has_errors, nearest};
use choros_report::SavedResult;
use choros_report::answers::{Drawn, Stop};

use super::{Found, Pen};
use crate::diagnostics::{no_such_component, no_such_form};
use crate::verbs::replay;

impl Pen<'_, '_> {
    pub(super) fn evidence(&mut self) -> Found {
        let path = &self.file.path;
        let saved = replay::load(self.workspace, path, &mut self.run.findings);
        let saved = saved.ok_or(Stop::Mistakes)?;
        let input = (path.clone(), "report".to_owned());
        self.run.semantics.inputs.extend([input]);
        let wanted = |result: &SavedResult| match &self.file.component {
            Some(name) => result.name == *name,
            None => true,
        };
        if let Some(name) = &self.file.component
            && !saved.results.iter().any(wanted)
        {
            let similar = nearest(name, saved.results.iter().map(|it| it.name.as_str()));
            let finding = no_such_component::diagnostic(path, name, similar);
            self.run.findings.push(finding);
        }
        let mut drawn = Vec::new();
        for result in saved.results.into_iter().filter(wanted) {
            let Some(evidence) = result.evidence else {
                continue;
            };
            let what = format!("evidence of kind {}", evidence.kind());
            match self.form.picture.draw_evidence(evidence) {
                Ok(block) => drawn.push(Ok(Drawn {
                    name: result.name,
                    picture: vec![block],
                    is_cut: false,
                })),
                Err(form) => {
                    let finding = no_such_form::diagnostic(&result.name, &what, form);
                    self.run.findings.push(finding);
                }
            }
        }
        if drawn.is_empty() && !has_errors(&self.run.findings) {
            let (name, reason) = (
                path.clone(),
                "the report has no evidence to draw".to_owned(),
            );
            return Err(Stop::Unsettled { name, reason });
        }
        Ok(drawn)
    }
}
