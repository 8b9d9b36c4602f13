//! What does it look like?

use choros_base::has_errors;
use choros_model::lts::{ExplicitLts, write_aut};
use choros_model::stg::{DotMarks, Stg, write_dot, write_stg};
use choros_report::{Block, GraphMarks, Outcome, Report, Style, graph_text};

use crate::{Model, Project, Request, Settings};

/// A way to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// A tree of text for people.
    Text(Style),
    /// For Graphviz.
    Dot,
    /// Our own text form, which reads back.
    Stg,
    /// A component of a SChorA script.
    Schora,
    /// Aldebaran's form; of systems of states only.
    Aut,
}

/// Draws every component that is asked for.
pub fn draw(
    project: &mut Project<'_>,
    request: &Request,
    picture: Picture,
    settings: &Settings,
) -> Report {
    let mut report = Report {
        verb: "draw",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    let Some((kind, model)) = project.load(request, settings, &mut report.diagnostics) else {
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
                let outcome = match &component.stg {
                    Ok(stg) => Outcome {
                        name: component.name.clone(),
                        blocks: vec![drawing(stg, project, picture)],
                        ..Outcome::default()
                    },
                    Err(reason) => super::explore::no_graph(component, reason, &mut report),
                };
                report.outcomes.push(outcome);
            }
        }
        Model::System(system) => report.outcomes.push(Outcome {
            name: request.path.clone(),
            blocks: vec![system_drawing(&system, picture)],
            ..Outcome::default()
        }),
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// A graph in some form.
pub(super) fn drawing(stg: &Stg, project: &Project<'_>, picture: Picture) -> Block {
    let terms = &project.terms;
    match picture {
        Picture::Text(style) => Block::Picture {
            format: "text",
            text: graph_text(stg, terms, &GraphMarks::default(), &style),
        },
        Picture::Dot => Block::Picture {
            format: "dot",
            text: write_dot(stg, &DotMarks::default(), terms),
        },
        Picture::Schora => Block::Picture {
            format: "schora",
            text: choros_lang::write_component(stg, terms),
        },
        Picture::Stg | Picture::Aut => Block::Picture {
            format: "stg",
            text: write_stg(stg, terms),
        },
    }
}

fn system_drawing(system: &ExplicitLts, _: Picture) -> Block {
    Block::Picture {
        format: "aut",
        text: write_aut(system),
    }
}
