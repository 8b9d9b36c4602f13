//! `choros check`

use std::process::ExitCode;

use choros::{Request, verbs};
use clap::Args;

use crate::options::{ChannelsOption, Inputs, ProcessOption, ReduceOption, Shared};

/// Is it sound? Mistakes, sorts, parameters, steps that can never happen
///
/// Reads models, infers the sorts of their data, lists their parameters, and looks for transitions that can never
/// fire, whatever the data. A mistake in the text ends with exit code 2; a transition that can never fire is a warning.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros check online-shopping.schora               all components of a script
  choros check online-shopping.chor#shop            one of them
  choros check online-shopping.chor#order --deny warnings
                                                    fail on warnings too (for CI)
  choros check atm.fsa --channels bag               machines whose messages overtake
  choros check atm.gc --strict                      the form of a g-choreography
  choros check xloan/xloan.bpel                     a process with its WSDL and schemas
  choros check online-shopping.chor --format json   for programs
  choros check shipping/s.prop --model shipping/sq.stg
                                                    do the properties fit the model of a service?
  choros check xloan/select.tp --model xloan/xloan.bpel
                                                    can the service reach the test purpose?
  choros check bank.socl                            formulas, and the rules that they name")]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: Inputs,
    /// Asks whether properties are correct for this model (no run of it fails, and some run passes), whether it can
    /// reach a test purpose, or whether contracts are about operations that it uses
    #[arg(long, value_name = "FILE[#NAME]")]
    model: Option<String>,
    /// Follows no run of that model beyond so many messages
    #[arg(long, value_name = "N", default_value_t = 16, requires = "model")]
    depth: usize,
    /// Of a g-choreography: what does not wait for what is written before it breaks the form
    #[arg(long)]
    strict: bool,
    /// Of a g-choreography: who does the same in all branches need not know which was chosen
    #[arg(long)]
    tolerate_equal_branches: bool,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    reduce: ReduceOption,
    #[command(flatten)]
    process: ProcessOption,
    #[command(flatten)]
    shared: Shared,
}

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        self.process.apply(&mut settings);
        self.reduce.apply(&mut settings);
        settings.gchor.strict = self.strict;
        settings.gchor.tolerate_equal_branches = self.tolerate_equal_branches;
        let mut project = shell.project();
        let requests = self.inputs.requests();
        let model = self.model.as_deref().map(|text| Request::parse(text, None));
        let report = verbs::check_files(
            &mut project,
            &requests,
            model.as_ref(),
            self.depth,
            &settings,
        );
        shell.finish(&report, &project.sources)
    }
}
