//! What does a g-choreography look like?

use choros_base::Diagnostic;
use choros_model::gchor::Gchor;
use choros_report::{Block, GraphDrawing, Outcome, Report, Style, graph_text};

use crate::diagnostics::no_such_form;
use crate::verbs::Picture;
use crate::verbs::draw::drawing_block;
use crate::{Request, Workspace};

/// Draws a g-choreography.
pub(in crate::verbs) fn draw(
    request: &Request,
    gchor: &Gchor,
    picture: Picture,
    workspace: &Workspace<'_>,
    report: &mut Report,
) {
    let drawing = GraphDrawing::of_gchor(&request.path, gchor, &workspace.terms.names);
    let blocks = blocks(
        drawing,
        "a g-choreography",
        picture,
        &mut report.diagnostics,
    );
    report.outcomes.push(Outcome {
        name: request.path.clone(),
        blocks,
        ..Outcome::default()
    });
}

/// A drawing in some form; what it has no form for is told.
pub(in crate::verbs) fn blocks(
    drawing: GraphDrawing,
    what: &str,
    picture: Picture,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let form = match picture {
        Picture::Stg => ".stg",
        Picture::Schora => ".schora",
        Picture::Chor => ".chor",
        Picture::Aut => ".aut",
        Picture::Fsa => ".fsa",
        Picture::Gc => ".gc",
        Picture::Text => {
            return vec![Block::Picture {
                format: "text",
                text: graph_text(&drawing, &Style::PLAIN),
            }];
        }
        other => return drawing_block(drawing, other, findings),
    };
    let finding = no_such_form::diagnostic(&drawing.name, what, form);
    findings.push(finding);
    Vec::new()
}
