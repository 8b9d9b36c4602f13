//! Do the machines of a g-choreography realise it?

use choros_model::cfsm::{Channels, Discipline, System};
use choros_realize::Criterion;
use choros_realize::gchor::{ample_bound, project_all, realises, words_of_both};
use choros_report::answers::{GchorRealizability, Realizability, RunNotes, Stop, unsequenced_note};

use super::{form, load};
use crate::verbs::realize::RealizeRequest;
use crate::{Request, Settings, Workspace};

/// Decides Definition 3.3 for each discipline that is asked for, or the form with `--criterion conditions`.
pub(in crate::verbs) fn realize(
    workspace: &mut Workspace<'_>,
    files: &[Request],
    request: &RealizeRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Realizability, Stop>> {
    let criterion = match request.rules.criterion() {
        Criterion::Conditions => "well-branched and well-forked",
        Criterion::Semantic => {
            "every run of the machines is one of the choreography, and none gets stuck"
        }
    };
    run.semantics.relation = Some(format!("realizability: {criterion}"));
    let disciplines = match request.channels {
        Some(one) => vec![one],
        None => vec![Channels::Fifo, Channels::Bag],
    };
    let words: Vec<&str> = disciplines.iter().map(|it| it.word()).collect();
    run.semantics.channels = Some(words.join(" and "));
    let mut parts = Vec::new();
    for file in files {
        match judge(workspace, file, request, &disciplines, settings, run) {
            Ok(answers) => parts.extend(answers.into_iter().map(|mut answer| {
                if files.len() > 1 {
                    answer.name = format!("{}: {}", file.path, answer.name);
                }
                Ok(Realizability::Gchor(Box::new(answer)))
            })),
            Err(stop) => parts.push(Err(stop)),
        }
    }
    parts
}

/// One answer for each discipline.
fn judge(
    workspace: &mut Workspace<'_>,
    file: &Request,
    request: &RealizeRequest,
    disciplines: &[Channels],
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Vec<GchorRealizability>, Stop> {
    let gchor = load(workspace, file, settings, run)?;
    let path = &file.path;
    settings.events.doing(format!("judging `{path}`"));
    let unsettled = |spent: choros_base::StopReason| Stop::Unsettled {
        name: path.clone(),
        reason: spent.to_string(),
    };
    let form = form(&gchor, settings).map_err(unsettled)?;
    run.findings
        .extend(unsequenced_note(&form, &gchor, &workspace.terms.names));
    let machines = project_all(&gchor, &settings.states()).map_err(unsettled)?;
    let bound = ample_bound(&gchor).unwrap_or(request.rules.bound.max(1) as u32);
    if gchor.has_loops() {
        let bound = ("bound".to_owned(), u64::from(bound));
        run.semantics.bounds.extend([bound]);
    }
    let judged = disciplines.iter().map(|&channels| {
        let discipline = Discipline { channels, bound };
        let mut system = System::new(&machines, discipline, &workspace.terms);
        let runs = realises(&gchor, &mut system, &settings.states());
        let words = match runs.stopped {
            None => words_of_both(&gchor, &mut system, &settings.until_cancelled()),
            Some(_) => None,
        };
        GchorRealizability {
            name: channels.word().to_owned(),
            gchor: gchor.clone(),
            form: form.clone(),
            discipline,
            runs,
            words,
            criterion: request.rules.criterion(),
            compares_criteria: request.rules.criterion.is_some(),
            is_about_nothing: false,
        }
    });
    Ok(judged.collect())
}
