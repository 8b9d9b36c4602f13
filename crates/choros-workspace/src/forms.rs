//! Models in the forms of pictures; what has no such form is told.

use choros_base::Diagnostic;
use choros_codes::diagnostics::{no_such_form, not_writable, too_large_to_draw};
use choros_data::Terms;
use choros_model::lts::{ExplicitLts, write_aut};
use choros_model::stg::{DotMarks, Ending, Stg, write_graph_aut, write_stg};
use choros_report::{Block, GraphDrawing, Notation, Picture};

/// A graph in some form.
pub fn graph_block(
    stg: &Stg,
    terms: &mut Terms,
    (picture, notation): (Picture, Notation),
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let (format, text) = match picture {
        Picture::Stg => ("stg", write_stg(stg, terms)),
        Picture::Schora => ("schora", choros_lang::write_component(stg, terms)),
        Picture::Chor => match choros_lang::chor::write_graphs(&[stg], terms) {
            Ok(text) => ("chor", text),
            Err(reason) => {
                findings.push(not_writable::diagnostic(stg.name(), &reason.reason));
                return Vec::new();
            }
        },
        // Of orchestrations, as the thesis drew them: conditions are part of the labels.
        Picture::Aut if stg.ending() == Ending::Stopped => ("aut", write_graph_aut(stg, terms)),
        other => {
            let drawing = GraphDrawing::of_stg(stg, notation, &DotMarks::default(), terms);
            return plain_block(drawing, "a graph with conditions", other, findings);
        }
    };
    vec![Block::Picture { format, text }]
}

/// A system of states in some form.
pub fn system_block(
    name: &str,
    system: &ExplicitLts,
    picture: Picture,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    if picture == Picture::Aut {
        return vec![Block::Picture {
            format: "aut",
            text: write_aut(system),
        }];
    }
    let drawing = GraphDrawing::of_lts(name, system);
    plain_block(drawing, "a system of states", picture, findings)
}

/// A drawing of something that no language can write.
pub fn plain_block(
    drawing: GraphDrawing,
    what: &str,
    picture: Picture,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    match picture.language() {
        Some(form) => {
            findings.push(no_such_form::diagnostic(&drawing.name, what, form));
            Vec::new()
        }
        None => drawing_block(drawing, picture, findings),
    }
}

/// A drawing in the form of a picture.
pub fn drawing_block(
    drawing: GraphDrawing,
    picture: Picture,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let name = drawing.name.clone();
    match picture.draw(drawing) {
        Ok(block) => vec![block],
        Err(refusal) => {
            findings.push(too_large_to_draw::diagnostic(&name, &refusal.to_string()));
            Vec::new()
        }
    }
}
