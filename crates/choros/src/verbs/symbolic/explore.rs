//! How big is the product of a model and a purpose?

use choros_base::has_errors;
use choros_report::{Block, NamedResult, Report, Sizes, Stat, Stats};
use choros_symex::{Graph, PurposeActions, product, prune};

use super::drawing::{graph_aut, graph_drawing};
use super::load::{Service, load_orchestration, load_purpose};
use crate::verbs::Picture;
use crate::verbs::draw::drawing_block;
use crate::{Request, Settings, Workspace};

/// Counts states and transitions of the product with a purpose, before and after pruning.
pub fn explore_product(
    workspace: &mut Workspace<'_>,
    request: &Request,
    purpose: &str,
    actions: PurposeActions,
    picture: Option<Picture>,
    settings: &Settings,
) -> Report {
    let mut report = Report {
        verb: "explore",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    report.semantics.relation = Some("product with a test purpose".to_owned());
    let service = Service::default();
    let loaded = load_orchestration(workspace, request, &service, settings, &mut report);
    let Some(mut orchestration) = loaded else {
        return report;
    };
    let loaded = load_purpose(workspace, purpose, &mut orchestration, &mut report);
    let Some(purpose) = loaded.filter(|_| !has_errors(&report.diagnostics)) else {
        return report;
    };
    let model = Graph::of_model(&orchestration.stg, &mut workspace.terms);
    let whole = product(&model, &purpose, actions, &mut workspace.terms);
    let pruned = prune(&whole);
    let mut kept = NamedResult {
        name: format!("{} after pruning", whole.name),
        sizes: sizes(pruned.as_ref()),
        ..NamedResult::default()
    };
    match (&pruned, picture) {
        (None, _) => kept.blocks.push(Block::Line(
            "no path contains `#`: the product is empty".to_owned(),
        )),
        (Some(graph), Some(Picture::Aut)) => kept.blocks.push(Block::Picture {
            format: "aut",
            text: graph_aut(graph, &workspace.terms),
        }),
        (Some(graph), Some(picture)) => {
            let drawing = graph_drawing(graph, &workspace.terms);
            kept.blocks = drawing_block(drawing, picture, &mut report.diagnostics);
        }
        (Some(_), None) => {}
    }
    report.outcomes = vec![
        NamedResult {
            name: whole.name.clone(),
            sizes: sizes(Some(&whole)),
            ..NamedResult::default()
        },
        kept,
    ];
    report
}

fn sizes(graph: Option<&Graph>) -> Sizes {
    let counts = graph.map(Graph::counts).unwrap_or_default();
    Sizes {
        stats: Stats::default()
            .with(Stat::States, counts.states)
            .with(Stat::Transitions, counts.transitions),
        complete: true,
    }
}
