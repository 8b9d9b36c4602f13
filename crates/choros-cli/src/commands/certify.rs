//! `choros certify`

use choros::report::ExitStatus;
use choros::verbs::{self, CertifyRequest};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::options::Shared;

/// Does this certificate show what it claims?
///
/// Reads the models again and checks every part of a certificate written with `--certificate`. It does not search and
/// does not trust: a certificate may come from anyone. *Holds* means the claim is true for these models, even if the
/// claim is that something fails; *fails* names the first part that is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros conform tss.schora#tss_services tss.schora#tss --certificate tss.json
                                                    an answer and its proof,
  choros certify tss.json tss.schora                and the check")]
pub(crate) struct Certify {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    certificate: String,
    /// The models it is about, in any order; they are recognised by their digests
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<String>,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "certify",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["certificate", "models", "parameters"],
    some: &[],
};

impl Certify {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let mut workspace = shell.workspace();
        let request = CertifyRequest {
            certificate: self.certificate,
            models: self.models,
        };
        let report = verbs::certify(&mut workspace, &request, &settings).report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}
