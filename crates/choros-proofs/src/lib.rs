#![doc = include_str!("../README.md")]

mod all_data;
mod answering;
mod answers;
mod comparison;
mod kept;
mod models;
mod proof;
mod question;
mod recall;
mod seated;
mod sessions;

use choros_base::Span;
use choros_codes::diagnostics::{foreign_certificate, not_a_certificate, unreadable};
use choros_report::answers::{Certification, Parts, RunNotes, Stop};
use choros_report::{ProofMistake, SavedCertificate};
use choros_workspace::{Settings, Workspace};

pub use self::answers::answered_questions;
pub use self::comparison::{NO_PROOF, compare, compare_sessions, not_shared};
use self::models::Given;
pub use self::proof::{
    check_certificate, of_conformance, prove_conformance, realize_certificate, verify_certificate,
};
use self::recall::{CacheEntry, keep, key, recall};
use self::seated::pair_for_all;
pub use self::seated::{Served, seated};

/// Checks the certificate of a file about models, which may come in any order: an answer for each claim.
pub fn check_file(
    workspace: &mut Workspace<'_>,
    path: &str,
    models: &[String],
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Parts<Certification>, Stop> {
    let text = workspace.from.read(path).map_err(|error| {
        run.findings.push(unreadable::diagnostic(&error));
        Stop::Mistakes
    })?;
    let file = workspace.sources.add(path.to_owned(), text.clone());
    let certificate = SavedCertificate::of_json(&text).map_err(|error| {
        let offset = error.offset as u32;
        let place = Span::new(file, offset, offset);
        let found = not_a_certificate::diagnostic(path, &error.reason, Some(place));
        run.findings.push(found);
        Stop::Mistakes
    })?;
    let given = Given::read(workspace, models, &mut run.findings);
    let given = given.ok_or(Stop::Mistakes)?;
    let mut parts = Vec::new();
    let mut wrong = None;
    for (index, answer) in certificate.answers().enumerate() {
        match question::check(workspace, &certificate, answer, &given, settings, run) {
            Ok(part) => parts.push(Ok(Certification {
                number: (!certificate.also.is_empty()).then_some(index + 1),
                ..part
            })),
            // What is wrong with the file is wrong with all of it.
            Err(refusal @ (Refusal::Mistake(_) | Refusal::Stop(Stop::Mistakes))) => {
                wrong = Some(refusal);
                break;
            }
            Err(Refusal::Stop(stop)) => parts.push(Err(stop)),
        }
    }
    // Texts that the certificate does not know explain whatever else is wrong.
    if let Some(reason) = given.foreign(workspace, &certificate) {
        wrong = Some(Refusal::Mistake(ProofMistake::Foreign(reason)));
    }
    match wrong {
        Some(refusal) => Err(told(refusal, path, run)),
        None => Ok(Parts(parts)),
    }
}

/// Says why a certificate is not checked to its end.
fn told(refusal: Refusal, path: &str, run: &mut RunNotes) -> Stop {
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
}

/// A step of a check costs about as much as a pair of states.
const STEPS_PER_STATE: u64 = 16;

/// Why a certificate is not checked to its end.
enum Refusal {
    Stop(Stop),
    Mistake(ProofMistake),
}

fn malformed(text: String) -> Refusal {
    Refusal::Mistake(ProofMistake::Malformed(text))
}
