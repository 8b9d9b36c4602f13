//! `choros certify`

use choros::report::ExitStatus;
use choros::verbs::{self, CertifyRequest};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::options::Shared;

/// Does this certificate show what it claims?
///
/// Reads the models again and checks every part of a certificate that `--certificate` wrote, without searching: a
/// certificate may come from anybody. *Holds* means that its claim is true of these models, also where the claim is that
/// something fails; *fails* names the first part that is not as it should be.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros conform tss.schora#tss_services tss.schora#tss --certificate tss.json
                                                    an answer and what it rests on,
  choros certify tss.json tss.schora                and the check")]
pub(crate) struct Certify {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    certificate: String,
    /// The models that it is about, in any order; they are recognised by their digests
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
