//! `choros tests`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::verbs::{self, TestForm};
use choros::{FileKind, Request};
use clap::{Args, ValueEnum};

use crate::options::{ChannelsOption, Shared, kind};
use crate::output_folder::write_files;
use crate::test_options::TestOptions;

/// Which tests does the model imply? One for each combination of decisions of the other participants
///
/// For a component under test, all other participants are played by machines that decide every choice once. The test
/// succeeds where all of them have ended and no message is under way. Every test is checked: the model's own machine
/// of the component passes it, or a warning says why not.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros tests atm.fsa                              the tests of every participant
  choros tests atm.fsa --role A --trim              those of A, without decisions that cannot be reached
  choros tests atm.fsa --emit json -o suite         a suite that `choros comply` reads
  choros tests atm.fsa --emit fsa -o atm_tests      machines and oracles, a folder for each test
  choros tests pingpong.fsa --loops up-to:2         loops at most twice, and every decision to leave")]
pub(crate) struct Tests {
    /// The model
    #[arg(value_name = "MODEL")]
    file: String,
    /// Reads the file as this kind, whatever its extension
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// The component under test; all participants where none is named
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    #[command(flatten)]
    options: TestOptions,
    /// Writes the tests to the folder of -o
    #[arg(long, value_enum, value_name = "FORM", requires = "output")]
    emit: Option<FormName>,
    /// The folder for the tests; files in it that were not generated are never overwritten
    #[arg(short, long, value_name = "FOLDER", requires = "emit")]
    output: Option<PathBuf>,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormName {
    /// One file, suite.json
    Json,
    /// Machines and an oracle for each test
    Fsa,
}

impl Tests {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        let mut project = shell.project();
        let request = Request::parse(&self.file, self.kind);
        let form = self.emit.map(|form| match form {
            FormName::Json => TestForm::Json,
            FormName::Fsa => TestForm::Fsa,
        });
        let asked = self.options.testing(self.role.clone());
        let (mut report, files) = verbs::tests(&mut project, &request, &asked, form, &settings);
        if let Some(folder) = &self.output {
            write_files(folder, &files, &mut report, &shell);
        }
        shell.finish(&report, &project.sources)
    }
}
