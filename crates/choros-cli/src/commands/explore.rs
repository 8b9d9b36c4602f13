//! `choros explore`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::verbs::{self, Picture};
use clap::Args;

use crate::options::{ChannelsOption, Inputs, Shared};
use crate::picture_file::PictureFile;

/// How big is it? States, transitions, messages, deadlocks
///
/// Counts what a model has. Termination counts as a transition to one more state where the language makes it a step
/// (SChorA's chorD), and not in graphs that are written as graphs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros explore shop.schora                    all components of a script
  choros explore shop.schora#services           one of them
  choros explore system.aut                     a labelled transition system
  choros explore atm.fsa --bound 2              machines over queues with two places
  choros explore atm.gc                         the machines of a g-choreography together
  choros explore atm.gc --pomsets -o atm.svg    its pomsets, counted and drawn")]
pub(crate) struct Explore {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    channels: ChannelsOption,
    /// Of a g-choreography: counts its pomsets, linearisations and prefixes
    #[arg(long)]
    pomsets: bool,
    /// Of a g-choreography: lets loops go round up to so many times
    #[arg(long, value_name = "N", requires = "pomsets")]
    unfold: Option<u32>,
    /// Of a g-choreography: draws what was explored into a file, .svg, .dot, .mmd or .txt
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

impl Explore {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        settings.gchor.pomsets = self.pomsets;
        settings.gchor.unfold = self.unfold;
        let forms = ["svg", "dot", "mmd", "txt"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        settings.picture = output.as_ref().map_or(Picture::Report, |file| file.picture);
        let mut project = shell.project();
        let requests = self.inputs.requests();
        let mut report = verbs::explore(&mut project, &requests, &settings);
        if let (Some(file), Some(request)) = (&output, requests.first())
            && let Err(message) = file.write(&request.path, &mut report, "its name", &shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &project.sources)
    }
}
