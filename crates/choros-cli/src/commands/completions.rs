//! `choros completions`

use choros::report::ExitStatus;
use clap::Args;
use clap_complete::Shell as Language;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::shell::Shell;

/// Prints a script that completes verbs and options in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros completions bash > ~/.local/share/bash-completion/completions/choros
  choros completions zsh > ~/.zfunc/_choros
  choros completions fish > ~/.config/fish/completions/choros.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Language,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "completions",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["shell"],
    some: &[],
};

impl Completions {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let mut script: Vec<u8> = Vec::new();
        let mut command = crate::CommandLine::whole();
        clap_complete::generate(self.shell, &mut command, "choros", &mut script);
        Shell::plain(caller).print(&String::from_utf8_lossy(&script));
        ExitStatus::Success
    }
}
