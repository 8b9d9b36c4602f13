//! `choros explore`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::Request;
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
  choros explore order.pact --traces            how many sequences of messages are there?
  choros explore system.aut                     a labelled transition system
  choros explore atm.fsa --bound 2              machines over queues with two places
  choros explore test_1.fsa --cut atm.fsa#A -o run.dot
                                                the run of a test, with what is stuck filled
  choros explore atm.gc                         the machines of a g-choreography together
  choros explore atm.gc --pomsets -o atm.svg    its pomsets, counted and drawn")]
pub(crate) struct Explore {
    #[command(flatten)]
    inputs: Inputs,
    /// Machines: puts this component in the place of the machine with its name: FILE, or FILE#PARTICIPANT
    #[arg(long, value_name = "MACHINE")]
    cut: Option<String>,
    /// Machines: draws all configurations, those that are stuck filled, or with --pomsets the pomsets: .svg, .dot,
    /// .mmd, .txt, .aut
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Counts the distinct sequences of messages from the start to an end, without listing them
    #[arg(long)]
    traces: bool,
    #[command(flatten)]
    channels: ChannelsOption,
    /// Of a g-choreography: counts its pomsets, linearisations and prefixes
    #[arg(long, conflicts_with = "cut")]
    pomsets: bool,
    /// Of a g-choreography: lets loops go round up to so many times
    #[arg(long, value_name = "N", requires = "pomsets")]
    unfold: Option<u32>,
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
        let mut project = shell.project();
        let requests = self.inputs.requests();
        settings.traces = self.traces;
        if self.cut.is_none() && self.output.is_none() {
            let report = verbs::explore(&mut project, &requests, &settings);
            return shell.finish(&report, &project.sources);
        }
        let [request] = &requests[..] else {
            return shell.usage_error("--cut and -o are about one file");
        };
        let forms = ["svg", "dot", "mmd", "txt", "aut"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        let cut = self.cut.as_deref().map(|it| Request::parse(it, None));
        let picture = output.as_ref().map(|file| file.picture);
        settings.picture = picture.unwrap_or(Picture::Report);
        let mut report = match self.pomsets {
            true => verbs::explore(&mut project, &requests, &settings),
            false => verbs::explore_system(&mut project, request, cut.as_ref(), picture, &settings),
        };
        if let Some(file) = &output
            && let Err(message) = file.write(&request.path, &mut report, "one file", &shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &project.sources)
    }
}
