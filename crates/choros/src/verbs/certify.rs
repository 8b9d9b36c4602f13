//! Does a certificate show what it claims?
//!
//! The models are read again, the graphs built again, and every part of the evidence is checked against them by
//! `choros-certify`; nothing is searched, and nothing that the certificate says is believed.

use choros_proofs::check_file;
use choros_report::answers::{Answered, Certification, Parts};

use crate::{Settings, Workspace};

/// Which certificate, and what it is to be about.
#[derive(Debug, Clone, Default)]
pub struct CertifyRequest {
    /// The file of the certificate.
    pub certificate: String,
    /// The models, in any order.
    pub models: Vec<String>,
}

/// Checks a certificate.
pub fn certify(
    workspace: &mut Workspace<'_>,
    request: &CertifyRequest,
    settings: &Settings,
) -> Answered<Parts<Certification>> {
    settings.answered(|run| {
        run.semantics.relation = Some(RELATION.to_owned());
        let CertifyRequest {
            certificate,
            models,
        } = request;
        check_file(workspace, certificate, models, settings, run)
    })
}

const RELATION: &str = "what the certificate shows, checked without searching";
