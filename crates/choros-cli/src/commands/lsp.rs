//! `choros lsp`

use std::sync::Arc;

use choros::report::ExitStatus;
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::inside::AllVerbs;

/// What is wrong here, while I type? A language server for editors
///
/// Speaks the Language Server Protocol over standard input and output, for every language that Choros reads. Editors
/// start it; the folder `editors` of the repository has the settings for each.
///
/// The editor shows what the command line reports for the same text. Longer work runs in the background, and the next
/// keystroke cancels it.
#[derive(Args)]
#[command(after_help = "\
Examples, as an editor calls it:
  choros lsp                                        and talk over its input and output")]
pub(crate) struct Lsp {
    /// Has no effect; some editors pass it to every server
    #[arg(long, hide = true)]
    stdio: bool,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "lsp",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["stdio"],
    some: &[],
};

impl Lsp {
    pub(crate) fn run(self, _: &Caller) -> ExitStatus {
        // The protocol asks for these codes: 1 if the editor goes away without taking leave.
        if choros_lsp::serve_stdio(Some(Arc::new(AllVerbs))) {
            ExitStatus::Success
        } else {
            ExitStatus::Fails
        }
    }
}
