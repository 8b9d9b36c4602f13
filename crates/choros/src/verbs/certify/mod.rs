//! Does a certificate show what it claims?
//!
//! The models are read again, the graphs built again, and every part of the evidence is checked against them by
//! `choros-certify`; nothing is searched, and nothing that the certificate says is believed.

mod models;
mod proof;
mod question;
pub(super) mod recall;

use choros_base::Span;
use choros_report::answers::{Answered, Certification, Run, Stop};
use choros_report::{ProofMistake, SavedCertificate};

use self::models::Given;
pub use self::proof::{check_certificate, realize_certificate, verify_certificate};
pub(super) use self::proof::{of_conformance, prove_conformance};
use crate::diagnostics::{foreign_certificate, not_a_certificate, unreadable};
use crate::{Settings, Workspace};

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

const RELATION: &str = "what the certificate shows, checked without searching";

/// Why a certificate is not checked to its end.
enum Refusal {
    Stop(Stop),
    Mistake(ProofMistake),
}

fn malformed(text: String) -> Refusal {
    Refusal::Mistake(ProofMistake::Malformed(text))
}

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
    let checked = question::check(workspace, &certificate, &given, settings, run);
    let checked = match given.foreign(workspace, &certificate) {
        Some(reason) => Err(Refusal::Mistake(ProofMistake::Foreign(reason))),
        None => checked,
    };
    checked.map_err(|refusal| {
        let found = match refusal {
            Refusal::Stop(stop) => return stop,
            Refusal::Mistake(ProofMistake::Malformed(reason)) => {
                not_a_certificate::diagnostic(path, &reason, None)
            }
            Refusal::Mistake(ProofMistake::Foreign(reason)) => {
                foreign_certificate::diagnostic(path, &reason)
            }
        };
        run.findings.push(found);
        Stop::Mistakes
    })
}
