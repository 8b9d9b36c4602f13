//! Models in the forms of pictures; a finding says what has no such form.

use choros_base::Diagnostic;
use choros_codes::diagnostics::{no_such_form, not_writable, nothing_around, too_large_to_draw};
use choros_data::Terms;
use choros_model::diagram::Diagram;
use choros_model::lts::{ExplicitLts, write_aut};
use choros_model::stg::{DotMarks, Ending, Stg, write_graph_aut, write_stg};
use choros_report::{Block, Form, GraphDrawing, NothingThere, Picture, diagram_part};

/// A graph in some form.
pub fn graph_block(
    stg: &Stg,
    terms: &mut Terms,
    form: impl Into<Form>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let form = form.into();
    let (format, text) = match form.picture {
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
        _ => {
            let drawing = GraphDrawing::of_stg(stg, &DotMarks::default(), terms);
            return plain_block(drawing, "a graph with conditions", form, findings);
        }
    };
    vec![Block::Picture { format, text }]
}

/// A system of states in some form.
pub fn system_block(
    name: &str,
    system: &ExplicitLts,
    form: impl Into<Form>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let form = form.into();
    if form.picture == Picture::Aut {
        return vec![Block::Picture {
            format: "aut",
            text: write_aut(system),
        }];
    }
    let drawing = GraphDrawing::of_lts(name, system);
    plain_block(drawing, "a system of states", form, findings)
}

/// A drawing of something that no language can write.
pub fn plain_block(
    drawing: GraphDrawing,
    what: &str,
    form: impl Into<Form>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let form = form.into();
    match form.picture.language() {
        Some(extension) => {
            findings.push(no_such_form::diagnostic(&drawing.name, what, extension));
            Vec::new()
        }
        None => drawing_block(drawing, form, findings),
    }
}

/// A drawing in the form of a picture.
pub fn drawing_block(
    drawing: GraphDrawing,
    form: impl Into<Form>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let (form, name) = (form.into(), drawing.name.clone());
    let drawing = match drawing.part(&form.part) {
        Ok(drawing) => drawing,
        Err(missing) => {
            findings.push(nothing_there(&name, &missing));
            return Vec::new();
        }
    };
    match form.picture.draw(drawing) {
        Ok(block) => vec![block],
        Err(refusal) => {
            findings.push(too_large_to_draw::diagnostic(&name, &refusal.to_string()));
            Vec::new()
        }
    }
}

/// A sequence diagram in some form; `None` where the form is one of graphs.
pub fn diagram_block(
    diagram: &Diagram,
    form: &Form,
    findings: &mut Vec<Diagnostic>,
) -> Option<Vec<Block>> {
    match diagram_part(diagram, &form.part) {
        Ok(diagram) => Some(vec![form.picture.draw_diagram(&diagram)?]),
        Err(missing) => {
            findings.push(nothing_there(&diagram.name, &missing));
            Some(Vec::new())
        }
    }
}

fn nothing_there(drawn: &str, missing: &NothingThere) -> Diagnostic {
    nothing_around::diagnostic(
        drawn,
        &missing.name,
        missing.similar.as_deref(),
        &missing.known,
    )
}
