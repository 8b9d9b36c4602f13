//! How big is the product of a model and a purpose?

use choros_base::has_errors;
use choros_report::answers::{Answered, Exploration, Parts, RunNotes, Stop};
use choros_report::{Block, Stat, Stats};
use choros_suite::{SymbolicTestOptions, graph_aut, graph_drawing};
use choros_symex::{Graph, PurposeActions, product, prune};
use choros_workspace::drawing_block;

use super::load::{load_orchestration, load_purpose};
use crate::verbs::Picture;
use crate::{Request, Settings, Workspace};

/// A model and a purpose whose product is counted.
#[derive(Debug, Clone, Default)]
pub struct ProductRequest {
    pub model: Request,
    /// The file of the purpose.
    pub purpose: String,
    /// Whose actions come first where both take a step together.
    pub actions: PurposeActions,
    /// The form in which the product is drawn.
    pub picture: Option<Picture>,
}

/// Counts states and transitions of the product with a purpose, before and after pruning.
pub fn explore_product(
    workspace: &mut Workspace<'_>,
    request: &ProductRequest,
    settings: &Settings,
) -> Answered<Parts<Exploration>> {
    let mut run = settings.run();
    run.semantics.relation = Some("product with a test purpose".to_owned());
    let answer = explored(workspace, request, settings, &mut run);
    Answered { answer, run }
}

fn explored(
    workspace: &mut Workspace<'_>,
    request: &ProductRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Parts<Exploration>, Stop> {
    let asked = SymbolicTestOptions::default();
    let mut orchestration = load_orchestration(workspace, &request.model, &asked, settings, run)?;
    let purpose = load_purpose(workspace, (&request.purpose, None), &mut orchestration, run)?;
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let terms = &mut workspace.terms;
    let model = Graph::of_model(&orchestration.stg, terms);
    let whole = product(&model, &purpose, request.actions, terms);
    let pruned = prune(&whole);
    let pictures = match (&pruned, request.picture) {
        (None, _) => vec![Block::Line(
            "no path contains `#`: the product is empty".to_owned(),
        )],
        (Some(graph), Some(Picture::Aut)) => vec![Block::Picture {
            format: "aut",
            text: graph_aut(graph, terms),
        }],
        (Some(graph), Some(picture)) => {
            drawing_block(graph_drawing(graph, terms), picture, &mut run.findings)
        }
        (Some(_), None) => Vec::new(),
    };
    let kept = Exploration {
        name: format!("{} after pruning", whole.name),
        stats: stats(pruned.as_ref()),
        pictures,
        ..Exploration::default()
    };
    let all = Exploration {
        name: whole.name.clone(),
        stats: stats(Some(&whole)),
        ..Exploration::default()
    };
    Ok(Parts(vec![Ok(all), Ok(kept)]))
}

fn stats(graph: Option<&Graph>) -> Stats {
    let counts = graph.map(Graph::counts).unwrap_or_default();
    Stats::default()
        .with(Stat::States, counts.states)
        .with(Stat::Transitions, counts.transitions)
}
