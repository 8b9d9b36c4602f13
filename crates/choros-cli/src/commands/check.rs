//! `choros check`

use std::process::ExitCode;

use choros::verbs;
use clap::Args;

use crate::options::{ChannelsOption, Inputs, Shared};

/// Is it sound? Mistakes, sorts, parameters, steps that can never happen
///
/// Reads models, infers the sorts of their data, lists their parameters, and looks for transitions that can never
/// fire, whatever the data. A mistake in the text ends with exit code 2; a transition that can never fire is a warning.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros check shop.schora                      all components of a script
  choros check shop.schora#vendor               one of them
  choros check shop.schora --deny warnings      fail on warnings too (for CI)
  choros check atm.fsa --channels bag           machines over channels in which messages overtake
  choros check atm.gc --strict                  the form of a g-choreography
  choros check shop.schora --format json        for programs")]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: Inputs,
    /// Of a g-choreography: what does not wait for what is written before it breaks the form
    #[arg(long)]
    strict: bool,
    /// Of a g-choreography: who does the same in all branches need not know which was chosen
    #[arg(long)]
    tolerate_equal_branches: bool,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    shared: Shared,
}

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        settings.gchor.strict = self.strict;
        settings.gchor.tolerate_equal_branches = self.tolerate_equal_branches;
        let mut project = shell.project();
        let report = verbs::check(&mut project, &self.inputs.requests(), &settings);
        shell.finish(&report, &project.sources)
    }
}
