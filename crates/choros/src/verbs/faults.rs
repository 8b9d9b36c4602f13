//! Do roles survive faults?

use choros_model::Verdict;
use choros_model::stg::Role;
use choros_realize::Closing;
use choros_report::answers::{
    Conformance, Realizability, RunNotes, Soundness, SoundnessKind, Stop, Survived,
};
use choros_workspace::{cast_of, casts, compared_components, survived};

use crate::verbs::{ConformRequest, RealizeRequest};
use crate::{Request, Settings, Workspace};

/// One answer for each choreography or system.
fn all(
    workspace: &mut Workspace<'_>,
    (files, bound): (&[Request], usize),
    closing: Option<&Closing>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Survived, Stop>> {
    let mut found = Vec::new();
    for file in files {
        for cast in casts(workspace, file, closing, settings, run) {
            found.push(cast.and_then(|it| survived(&it, bound, workspace, settings, run)));
        }
    }
    // What is wrong with a file is among the findings.
    found.retain(|it| !matches!(it, Err(Stop::Mistakes)));
    found
}

pub(super) fn check(
    workspace: &mut Workspace<'_>,
    files: &[Request],
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Soundness, Stop>> {
    let bound = settings.discipline.bound as usize;
    let found = all(workspace, (files, bound), None, settings, run);
    let sound = |it: Survived| {
        let name = it.name.clone();
        Soundness::new(name, SoundnessKind::Survived(Box::new(it)))
    };
    found.into_iter().map(|it| it.map(sound)).collect()
}

pub(super) fn realize(
    workspace: &mut Workspace<'_>,
    request: &RealizeRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Realizability, Stop>> {
    let rules = &request.rules;
    let names = &mut workspace.terms.names;
    let services = rules.services.iter().map(|it| Role(names.intern(it)));
    let closing = if rules.joint_ending {
        Closing::Together
    } else {
        Closing::Alone {
            services: services.collect(),
        }
    };
    let named = rules.joint_ending || !rules.services.is_empty();
    let files = (&request.files[..], rules.bound);
    let found = all(workspace, files, named.then_some(&closing), settings, run);
    let judged = |it| Realizability::Survived(Box::new(it));
    found.into_iter().map(|it| it.map(judged)).collect()
}

pub(super) fn conform(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Conformance, Stop> {
    let (services, allowed) = compared_components(workspace, request, settings, run)?;
    let specification = allowed.name().to_owned();
    let cast = cast_of(services, allowed, workspace)?;
    let bound = settings.discipline.bound as usize;
    let found = survived(&cast, bound, workspace, settings, run)?;
    let holds = matches!(found.verdict, Verdict::Holds(_));
    Ok(Conformance {
        implementation: found.name,
        specification,
        verdict: found.verdict,
        stats: found.stats,
        equations: Vec::new(),
        script: None,
        proof: None,
        certificate: None,
        proviso: Some(found.proviso).filter(|it| holds && !it.is_empty()),
        drawings: Vec::new(),
    })
}
