//! What does it look like?

use choros_base::{Diagnostic, has_errors, nearest};
use choros_data::Terms;
use choros_model::Evidence;
use choros_model::lts::{ExplicitLts, write_aut};
use choros_model::stg::{DotMarks, Ending, Stg, write_graph_aut, write_stg};
use choros_report::{
    Block, GraphDrawing, Outcome, Report, SavedResult, Style, evidence_svg, evidence_text,
    graph_mermaid, graph_svg, graph_text, trace_mermaid,
};

use crate::diagnostics::{no_such_component, no_such_form, not_writable, too_large_to_draw};
use crate::{Model, Picture, Request, Settings, Workspace};

/// Draws every component that is asked for.
pub fn draw(
    workspace: &mut Workspace<'_>,
    request: &Request,
    picture: Picture,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("draw");
    if request.kind.is_none() && request.path.ends_with(".json") {
        draw_evidence(workspace, request, picture, &mut report);
        return report;
    }
    let Some((kind, model)) = workspace.load(request, settings, &mut report.diagnostics) else {
        return report;
    };
    report
        .semantics
        .inputs
        .insert(request.path.clone(), kind.name().to_owned());
    if has_errors(&report.diagnostics) {
        return report;
    }
    match model {
        Model::Graphs(components, _) => {
            for component in &components {
                settings
                    .progress
                    .show(format!("drawing `{}`", component.name));
                let outcome = match &component.stg {
                    Ok(stg) => Outcome {
                        name: component.name.clone(),
                        blocks: graph_block(
                            stg,
                            &mut workspace.terms,
                            picture,
                            &mut report.diagnostics,
                        ),
                        ..Outcome::default()
                    },
                    Err(reason) => super::no_graph::no_graph(component, reason, &mut report),
                };
                report.outcomes.push(outcome);
            }
        }
        Model::Service(service) => {
            super::services::draw(&request.path, &service, picture, settings, &mut report);
        }
        Model::Machines(machines) => {
            super::machines::draw(request, &machines, picture, &workspace.terms, &mut report);
        }
        Model::Gchor(gchor) => super::gchor::draw(request, &gchor, picture, workspace, &mut report),
        Model::System(system) => {
            let outcome = Outcome {
                name: request.path.clone(),
                blocks: system_block(&request.path, &system, picture, &mut report.diagnostics),
                ..Outcome::default()
            };
            report.outcomes.push(outcome);
        }
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// Draws the evidence of a saved report.
fn draw_evidence(
    workspace: &mut Workspace<'_>,
    request: &Request,
    picture: Picture,
    report: &mut Report,
) {
    let Some(saved) = super::replay::load(workspace, &request.path, &mut report.diagnostics) else {
        return;
    };
    report
        .semantics
        .inputs
        .insert(request.path.clone(), "report".to_owned());
    let wanted = |result: &SavedResult| match &request.component {
        Some(name) => result.name == *name,
        None => true,
    };
    if let Some(name) = &request.component
        && !saved.results.iter().any(wanted)
    {
        let similar = nearest(name, saved.results.iter().map(|it| it.name.as_str()));
        let finding = no_such_component::diagnostic(&request.path, name, similar);
        report.diagnostics.push(finding);
    }
    for result in saved.results.into_iter().filter(wanted) {
        let Some(evidence) = result.evidence else {
            continue;
        };
        let nowhere = choros_base::SourceMap::new();
        let block = match (picture, &evidence) {
            (Picture::Report, _) => Block::Evidence(Box::new(evidence)),
            (Picture::Svg, _) => Block::Picture {
                format: "svg",
                text: evidence_svg(&evidence, &nowhere),
            },
            (Picture::Text, _) => Block::Picture {
                format: "text",
                text: evidence_text(&evidence, &nowhere, &Style::PLAIN),
            },
            (Picture::Mermaid, Evidence::Trace(trace)) => Block::Picture {
                format: "mermaid",
                text: trace_mermaid(trace),
            },
            (
                Picture::Mermaid
                | Picture::Dot
                | Picture::Stg
                | Picture::Schora
                | Picture::Chor
                | Picture::Aut
                | Picture::Fsa
                | Picture::Gc,
                _,
            ) => {
                let finding = no_such_form::diagnostic(
                    &result.name,
                    &format!("evidence of kind {}", evidence.kind()),
                    match picture {
                        Picture::Mermaid => ".mmd",
                        Picture::Dot => ".dot",
                        Picture::Stg => ".stg",
                        Picture::Schora => ".schora",
                        Picture::Chor => ".chor",
                        Picture::Fsa => ".fsa",
                        Picture::Gc => ".gc",
                        _ => ".aut",
                    },
                );
                report.diagnostics.push(finding);
                continue;
            }
        };
        report.outcomes.push(Outcome {
            name: result.name,
            blocks: vec![block],
            ..Outcome::default()
        });
    }
}

/// A graph, for a report to draw.
pub(super) fn drawing(stg: &Stg, terms: &Terms) -> Block {
    let drawing = GraphDrawing::of_stg(stg, &DotMarks::default(), terms);
    Block::Graph(Box::new(drawing))
}

/// A graph in some form; what it has no form for is told.
pub(super) fn graph_block(
    stg: &Stg,
    terms: &mut Terms,
    picture: Picture,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let (format, text) = match picture {
        Picture::Stg => ("stg", write_stg(stg, terms)),
        Picture::Schora => ("schora", choros_lang::write_component(stg, terms)),
        Picture::Chor => match choros_lang::chor::write_graphs(&[stg], terms) {
            Ok(text) => ("chor", text),
            Err(reason) => {
                diagnostics.push(not_writable::diagnostic(stg.name(), &reason));
                return Vec::new();
            }
        },
        // Of orchestrations, as the thesis drew them: conditions are part of the labels.
        Picture::Aut if stg.ending() == Ending::Stopped => ("aut", write_graph_aut(stg, terms)),
        Picture::Aut | Picture::Fsa | Picture::Gc => {
            let form = match picture {
                Picture::Fsa => ".fsa",
                Picture::Gc => ".gc",
                _ => ".aut",
            };
            let what = "a graph with conditions";
            diagnostics.push(no_such_form::diagnostic(stg.name(), what, form));
            return Vec::new();
        }
        other => {
            let drawing = GraphDrawing::of_stg(stg, &DotMarks::default(), terms);
            return drawing_block(drawing, other, diagnostics);
        }
    };
    vec![Block::Picture { format, text }]
}

pub(super) fn system_block(
    name: &str,
    system: &ExplicitLts,
    picture: Picture,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let form = match picture {
        Picture::Aut => {
            return vec![Block::Picture {
                format: "aut",
                text: write_aut(system),
            }];
        }
        Picture::Stg => ".stg",
        Picture::Schora => ".schora",
        Picture::Chor => ".chor",
        Picture::Fsa => ".fsa",
        Picture::Gc => ".gc",
        other => return drawing_block(GraphDrawing::of_lts(name, system), other, diagnostics),
    };
    diagnostics.push(no_such_form::diagnostic(name, "a system of states", form));
    Vec::new()
}

pub(super) fn drawing_block(
    drawing: GraphDrawing,
    picture: Picture,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let (format, text) = match picture {
        Picture::Svg => match graph_svg(&drawing) {
            Ok(svg) => ("svg", svg),
            Err(refusal) => {
                diagnostics.push(too_large_to_draw::diagnostic(&drawing.name, &refusal));
                return Vec::new();
            }
        },
        Picture::Dot => ("dot", drawing.dot),
        Picture::Mermaid => ("mermaid", graph_mermaid(&drawing)),
        Picture::Text => ("text", graph_text(&drawing, &Style::PLAIN)),
        Picture::Report
        | Picture::Stg
        | Picture::Schora
        | Picture::Chor
        | Picture::Aut
        | Picture::Fsa
        | Picture::Gc => {
            return vec![Block::Graph(Box::new(drawing))];
        }
    };
    vec![Block::Picture { format, text }]
}
