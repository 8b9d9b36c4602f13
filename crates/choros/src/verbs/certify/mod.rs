//! Does a certificate show what it claims?
//!
//! The models are read again, the graphs built again, and every part of the evidence is checked against them by
//! `choros-certify`; nothing is searched, and nothing that the certificate says is believed.

pub(super) mod conformance;
mod machines;
mod models;
pub(super) mod recall;

use choros_base::{Diagnostic, Span, has_errors};
use choros_certify::sides;
use choros_model::cfsm::{Channels, Discipline};
use choros_report::answers::{Answered, Certification, Run, Stop};
use choros_report::{SavedCertificate, SavedClaim, SavedProof, SavedQuestion};

use self::conformance::Mistake;
use self::models::{Given, read_models};
use super::conform::{ConformRequest, Rules, graphs};
use crate::diagnostics::{foreign_certificate, no_certificate, not_a_certificate, unreadable};
use crate::{FileKind, Model, Request, Settings, Workspace};

/// Which certificate, and what it is to be about.
#[derive(Debug, Clone, Default)]
pub struct CertifyRequest {
    /// The file of the certificate.
    pub certificate: String,
    /// The models, in any order.
    pub models: Vec<String>,
}

/// A step of a check costs about as much as a pair of states.
const STEPS_PER_STATE: u64 = 16;

/// Checks a certificate.
pub fn certify(
    workspace: &mut Workspace<'_>,
    request: &CertifyRequest,
    settings: &Settings,
) -> Answered<Certification> {
    let mut run = settings.run();
    run.semantics.relation = Some(RELATION.to_owned());
    let answer = answer(workspace, request, settings, &mut run);
    run.interrupted = settings.is_cancelled();
    Answered { answer, run }
}

/// The certificate of an answer of `conform`.
pub(super) fn of_conformance(
    workspace: &Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    proof: SavedProof,
) -> SavedCertificate {
    let name = |it: &Request| match &it.component {
        Some(component) => format!("{}#{component}", it.path),
        None => it.path.clone(),
    };
    SavedCertificate {
        schema: SavedCertificate::SCHEMA,
        tool: concat!("choros ", env!("CARGO_PKG_VERSION")).to_owned(),
        models: read_models(workspace),
        question: SavedQuestion::Conform {
            implementation: request.implementation.iter().map(name).collect(),
            specification: name(&request.specification),
            kind: request.specification.kind.map(|it| it.name().to_owned()),
            map: request.roles.clone(),
            share: request.rules.shared.clone(),
            allow_fixed: request.rules.allow_fixed,
            param: settings.parameters.clone(),
        },
        proof,
    }
}

/// The certificate of an answer of `check` about the machines of a file, or what is said where there is none.
pub fn check_certificate(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
) -> Result<SavedCertificate, Option<Box<Diagnostic>>> {
    let without = |reason: &str| Some(Box::new(no_certificate::diagnostic(&request.path, reason)));
    // Mistakes in the file have been reported.
    let loaded = workspace.load(request, settings, &mut Vec::new());
    let (_, model) = loaded.ok_or(None)?;
    let Model::Machines(found) = model else {
        return Err(without(
            "only answers about machines, and those of `conform`, have one",
        ));
    };
    let proof = machines::prove(&found, workspace, settings).map_err(|it| without(&it))?;
    Ok(SavedCertificate {
        schema: SavedCertificate::SCHEMA,
        tool: concat!("choros ", env!("CARGO_PKG_VERSION")).to_owned(),
        models: read_models(workspace),
        question: SavedQuestion::Check {
            model: request.path.clone(),
            kind: request.kind.map(|it| it.name().to_owned()),
            channels: settings.discipline.channels.word().to_owned(),
            bound: settings.discipline.bound,
        },
        proof,
    })
}

const RELATION: &str = "what the certificate shows, checked without searching";

fn answer(
    workspace: &mut Workspace<'_>,
    request: &CertifyRequest,
    settings: &Settings,
    run: &mut Run,
) -> Result<Certification, Stop> {
    let path = &request.certificate;
    let text = workspace.from.read(path).map_err(|error| {
        run.findings.push(unreadable::diagnostic(&error));
        Stop::Mistakes
    })?;
    let file = workspace.sources.add(path.clone(), text.clone());
    let certificate = SavedCertificate::of_json(&text).map_err(|error| {
        let offset = error.offset as u32;
        let place = Span::new(file, offset, offset);
        let found = not_a_certificate::diagnostic(path, &error.reason, Some(place));
        run.findings.push(found);
        Stop::Mistakes
    })?;
    let given = Given::read(workspace, &request.models, &mut run.findings);
    let given = given.ok_or(Stop::Mistakes)?;
    let checked = check(workspace, &certificate, &given, settings, run);
    let foreign = given.foreign(workspace, &certificate);
    let refused = |found| Refusal::Found(Box::new(found));
    let checked = match foreign {
        Some(reason) => Err(refused(foreign_certificate::diagnostic(path, &reason))),
        None => checked,
    };
    match checked {
        Ok(certification) => Ok(certification),
        Err(Refusal::Stop(stop)) => Err(stop),
        Err(Refusal::Found(found)) => {
            run.findings.push(*found);
            Err(Stop::Mistakes)
        }
        Err(Refusal::Mistake(mistake)) => Err(match mistake {
            Mistake::World(reason) => Stop::World(reason),
            Mistake::Malformed(reason) => {
                let found = not_a_certificate::diagnostic(path, &reason, None);
                run.findings.push(found);
                Stop::Mistakes
            }
            Mistake::Foreign(reason) => {
                run.findings
                    .push(foreign_certificate::diagnostic(path, &reason));
                Stop::Mistakes
            }
        }),
    }
}

enum Refusal {
    Stop(Stop),
    Found(Box<Diagnostic>),
    Mistake(Mistake),
}

fn check(
    workspace: &mut Workspace<'_>,
    certificate: &SavedCertificate,
    given: &Given,
    settings: &Settings,
    run: &mut Run,
) -> Result<Certification, Refusal> {
    let proof = &certificate.proof;
    match &certificate.question {
        SavedQuestion::Conform {
            implementation,
            specification,
            kind,
            map,
            share,
            allow_fixed,
            param,
        } => {
            let kind = named_kind(kind.as_deref())?;
            let find = |text: &String| {
                let found = given.request(text, kind, certificate);
                found.map_err(|reason| Refusal::Mistake(Mistake::Foreign(reason)))
            };
            let services: Result<Vec<_>, _> = implementation.iter().map(find).collect();
            let request = ConformRequest {
                implementation: services?,
                specification: find(specification)?,
                roles: map.clone(),
                role: None,
                rules: Rules {
                    shared: share.clone(),
                    allow_fixed: *allow_fixed,
                    ..Rules::default()
                },
            };
            let settings = Settings {
                parameters: param.clone(),
                ..settings.clone()
            };
            conform(workspace, &request, proof, &settings, run)
        }
        SavedQuestion::Check {
            model,
            kind,
            channels,
            bound,
        } => {
            let kind = named_kind(kind.as_deref())?;
            let request = given
                .request(model, kind, certificate)
                .map_err(|reason| Refusal::Mistake(Mistake::Foreign(reason)))?;
            let channels = Channels::named(channels).ok_or_else(|| {
                let text = format!("there are no channels called `{channels}`");
                Refusal::Mistake(Mistake::Malformed(text))
            })?;
            let bound = *bound;
            let discipline = Discipline { channels, bound };
            safety(workspace, &request, discipline, proof, settings, run)
        }
    }
}

fn named_kind(name: Option<&str>) -> Result<Option<FileKind>, Refusal> {
    let Some(name) = name else {
        return Ok(None);
    };
    FileKind::named(name).map(Some).ok_or_else(|| {
        let text = format!("there is no kind of file called `{name}`");
        Refusal::Mistake(Mistake::Malformed(text))
    })
}

fn safety(
    workspace: &mut Workspace<'_>,
    request: &Request,
    discipline: Discipline,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut Run,
) -> Result<Certification, Refusal> {
    let loaded = workspace.load(request, settings, &mut run.findings);
    let model = match loaded {
        Some((_, Model::Machines(model))) if !has_errors(&run.findings) => model,
        Some((_, Model::Machines(_))) | None => return Err(Refusal::Stop(Stop::Mistakes)),
        Some(_) => {
            let text = format!("there are no machines in `{}`", request.path);
            return Err(Refusal::Mistake(Mistake::Foreign(text)));
        }
    };
    let not = match proof.claim {
        SavedClaim::Fails => "not ",
        _ => "",
    };
    let claim = format!(
        "the machines of `{}` are {not}safe ({discipline})",
        request.path
    );
    let names = &workspace.terms.names;
    match machines::check(proof, &model, discipline, names) {
        Ok(verdict) => Ok(Certification { claim, verdict }),
        Err(mistake) => Err(Refusal::Mistake(mistake)),
    }
}

fn conform(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut Run,
) -> Result<Certification, Refusal> {
    let (implementation, specification) =
        graphs(workspace, request, settings, run).map_err(Refusal::Stop)?;
    if has_errors(&run.findings) {
        return Err(Refusal::Stop(Stop::Mistakes));
    }
    let (name, other) = (implementation.name(), specification.name());
    let claim = match &proof.claim {
        SavedClaim::Holds => format!("`{name}` conforms to `{other}`"),
        SavedClaim::Conditional { condition } => {
            format!("`{name}` conforms to `{other}` if {condition}")
        }
        SavedClaim::Fails => format!("`{name}` does not conform to `{other}`"),
    };
    settings.events.doing("checking the certificate");
    let terms = &mut workspace.terms;
    let sides = sides(
        &implementation,
        &specification,
        &request.rules.shared,
        terms,
    );
    let mut solver = settings.solver();
    let budget = settings.steps(STEPS_PER_STATE);
    let fixed = request.rules.allow_fixed;
    let verdict = conformance::check(proof, &sides, fixed, terms, &mut solver, &budget);
    settings.name_solver(&solver, &mut run.semantics);
    if matches!(proof.claim, SavedClaim::Conditional { .. }) {
        run.note("that the condition is the weakest one is not part of the claim");
    }
    let open =
        !sides.left.parameters(terms).is_empty() || !sides.right.parameters(terms).is_empty();
    if open && matches!(proof.claim, SavedClaim::Fails) {
        run.note("the claim is about the values of the parameters with which the attack starts");
    }
    match verdict {
        Ok(verdict) => Ok(Certification { claim, verdict }),
        Err(mistake) => Err(Refusal::Mistake(mistake)),
    }
}
