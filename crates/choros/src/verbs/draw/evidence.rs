//! The evidence of a saved report, drawn.

use choros_base::{SourceMap, nearest};
use choros_model::Evidence;
use choros_report::answers::{Drawn, Stop};
use choros_report::{Block, SavedResult, Style, evidence_svg, evidence_text, trace_mermaid};

use super::{Found, Pen};
use crate::Picture;
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
            match block(evidence, self.picture) {
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
        Ok(drawn)
    }
}

/// Evidence in some form, or the form that it does not have.
fn block(evidence: Evidence, picture: Picture) -> Result<Block, &'static str> {
    let nowhere = SourceMap::new();
    let (format, text) = match (picture, &evidence) {
        (Picture::Report, _) => return Ok(Block::Evidence(Box::new(evidence))),
        (Picture::Svg, _) => ("svg", evidence_svg(&evidence, &nowhere)),
        (Picture::Text, _) => ("text", evidence_text(&evidence, &nowhere, &Style::PLAIN)),
        (Picture::Mermaid, Evidence::Trace(trace)) => ("mermaid", trace_mermaid(trace)),
        (Picture::Mermaid, _) => return Err(".mmd"),
        (Picture::Dot, _) => return Err(".dot"),
        (other, _) => return Err(other.language().unwrap_or(".aut")),
    };
    Ok(Block::Picture { format, text })
}
