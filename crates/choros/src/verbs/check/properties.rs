//! Do properties fit a model? (`check PROPERTIES --model M`)

use choros_base::has_errors;
use choros_model::stg::Stg;
use choros_monitor::correctness::{self, CorrectnessBounds, reading_of};
use choros_query::property::{MessageSchema, Properties};
use choros_report::answers::{RunNotes, Soundness, SoundnessKind, Stop};

use super::Found;
use crate::diagnostics::nothing_declared;
use crate::{Component, Model, Request, Settings, Workspace};

/// Checks that properties can be read and, with a model, whether they are correct for it.
pub(super) fn check_properties(
    workspace: &mut Workspace<'_>,
    paths: &[String],
    model: Option<&Request>,
    depth: usize,
    settings: &Settings,
    run: &mut RunNotes,
) -> Found {
    let components = match model {
        None => Vec::new(),
        Some(request) => graphs(workspace, request, settings, run)?,
    };
    let graphs = components.iter().filter_map(|it| it.stg.as_ref().ok());
    let graphs: Vec<&Stg> = graphs.collect();
    let reading = match model {
        None => MessageSchema::default(),
        Some(_) => reading_of(&graphs, &workspace.terms),
    };
    let properties = workspace.properties(paths, &reading, &mut run.findings);
    let inputs = paths.iter().map(|path| (path.clone(), "prop".to_owned()));
    run.semantics.inputs.extend(inputs);
    if properties.local.is_empty() && properties.global.is_empty() {
        let nothing = paths.iter().map(|path| nothing_declared::diagnostic(path));
        run.findings.extend(nothing);
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    if model.is_none() {
        return alone(&properties, run);
    }
    run.semantics.relation = Some("correctness of properties for all data".to_owned());
    let bound = ("depth".to_owned(), depth as u64);
    run.semantics.bounds.extend([bound]);
    let mut solver = settings.solver();
    let bounds = CorrectnessBounds {
        depth,
        budget: settings.steps(100),
    };
    let terms = &mut workspace.terms;
    let verdicts = correctness::check_properties(&properties, &graphs, &bounds, terms, &mut solver);
    let judged = verdicts.into_iter().map(|(name, verdict)| {
        let verdict = verdict.map_err(|error| Stop::World(error.to_string()))?;
        Ok(Soundness::new(name, SoundnessKind::Judged(verdict)))
    });
    let parts = judged.collect();
    settings.name_solver(&solver, &mut run.semantics);
    run.interrupted = settings.is_cancelled();
    Ok(parts)
}

/// The graphs of the model.
fn graphs(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Vec<Component>, Stop> {
    match workspace.model(request, settings, run) {
        Some((_, Model::Graphs(components, _))) => Ok(components),
        Some(_) => {
            let path = &request.path;
            Err(Stop::World(format!(
                "`{path}` has no graph with data to compare with"
            )))
        }
        None => Err(Stop::Mistakes),
    }
}

/// Properties for which no model was named.
fn alone(properties: &Properties, run: &mut RunNotes) -> Found {
    run.semantics.relation = Some("syntax and sorts of properties".to_owned());
    let local = properties.local.iter().map(|it| it.name.clone());
    let names = local.chain(properties.global.iter().map(|it| it.name.clone()));
    let parts: Vec<_> = names
        .map(|name| Ok(Soundness::new(name, SoundnessKind::Read)))
        .collect();
    run.note(
        "the properties have no mistakes; `--model FILE` asks whether they fit the model of a service",
    );
    Ok(parts)
}
