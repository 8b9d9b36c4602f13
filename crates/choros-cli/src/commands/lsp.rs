//! `choros lsp`

use std::sync::Arc;
use std::time::Duration;

use choros::report::ExitStatus;
use choros_lsp::MemoryLimit;
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::inside::AllVerbs;
use crate::watchdog::{LEAST_MEMORY, resident_memory};

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
    /// Stops work in the background that takes more memory than this, and ends the server if that does not help
    #[arg(long, value_name = "SIZE", value_parser = crate::options::size, default_value = "4G")]
    max_memory: u64,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "lsp",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["stdio", "max_memory"],
    some: &[],
};

impl Lsp {
    pub(crate) fn run(self, _: &Caller) -> ExitStatus {
        let most = self.max_memory.max(LEAST_MEMORY);
        end_beyond(most.saturating_add(most / 2));
        let memory = MemoryLimit {
            most,
            in_use: Arc::new(resident_memory),
        };
        // The protocol asks for these codes: 1 if the editor goes away without taking leave.
        if choros_lsp::serve_stdio(Some(Arc::new(AllVerbs)), Some(memory)) {
            ExitStatus::Success
        } else {
            ExitStatus::Fails
        }
    }
}

/// How often memory is measured.
const BEAT: Duration = Duration::from_millis(50);

/// Ends the process once it holds so much memory: engines that do not listen cannot be stopped otherwise.
///
/// Editors start a server again that ended.
fn end_beyond(most: u64) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(BEAT);
            if resident_memory().is_some_and(|it| it > most) {
                choros::leave(ExitStatus::World.code());
            }
        }
    });
}
