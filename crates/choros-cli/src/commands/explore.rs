//! `choros explore`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::Request;
use choros::verbs;
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
  choros explore test_1.fsa --cut atm.fsa#A -o run.dot
                                                the run of a test, with what is stuck filled")]
pub(crate) struct Explore {
    #[command(flatten)]
    inputs: Inputs,
    /// Machines: puts this component in the place of the machine with its name: FILE, or FILE#PARTICIPANT
    #[arg(long, value_name = "MACHINE")]
    cut: Option<String>,
    /// Machines: draws all configurations, those that are stuck filled: .svg, .dot, .mmd, .txt, .aut
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
        let requests = self.inputs.requests();
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
        let mut report =
            verbs::explore_system(&mut project, request, cut.as_ref(), picture, &settings);
        if let Some(file) = &output
            && let Err(message) = file.write(&request.path, &mut report, "one file", &shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &project.sources)
    }
}
