//! `choros explore`

use std::process::ExitCode;

use choros::verbs;
use clap::Args;

use crate::options::{ChannelsOption, Inputs, Shared};

/// How big is it? States, transitions, messages, deadlocks
///
/// Counts what a model has. Termination counts as a transition to one more state where the language makes it a step
/// (SChorA's chorD), and not in graphs that are written as graphs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros explore shop.schora                    all components of a script
  choros explore shop.schora#services           one of them
  choros explore order.pact --traces            how many sequences of messages are there?
  choros explore system.aut                     a labelled transition system
  choros explore atm.fsa --bound 2              machines over queues with two places")]
pub(crate) struct Explore {
    #[command(flatten)]
    inputs: Inputs,
    /// Counts the distinct sequences of messages from the start to an end, without listing them
    #[arg(long)]
    traces: bool,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    shared: Shared,
}

impl Explore {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        let mut project = shell.project();
        settings.traces = self.traces;
        let report = verbs::explore(&mut project, &self.inputs.requests(), &settings);
        shell.finish(&report, &project.sources)
    }
}
