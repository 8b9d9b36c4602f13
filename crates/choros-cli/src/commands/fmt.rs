//! `choros fmt`

use std::path::Path;
use std::process::ExitCode;

use choros::report::Block;
use choros::verbs;
use clap::Args;

use crate::options::{Inputs, Shared};

/// What is its one form? Formats files of the native language
///
/// Four spaces, one statement per line; comments and single blank lines stay. A file is replaced only when what was
/// written reads as the same program, and one with mistakes in its syntax is left alone.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros fmt shop.chor                          formats the file in place
  choros fmt --check shop.chor market.chor      are they formatted? (for CI: exit code 1 if not)")]
pub(crate) struct Fmt {
    #[command(flatten)]
    inputs: Inputs,
    /// Changes nothing, and fails if a file would change
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    shared: Shared,
}

impl Fmt {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let mut project = shell.project();
        let requests = self.inputs.requests();
        let (mut report, changed) = verbs::fmt(&mut project, &requests, self.check);
        if !self.check {
            for file in &changed {
                if let Err(error) = shell.write_file(Path::new(&file.path), &file.text) {
                    let failure = format!("cannot write `{}`: {error}", file.path);
                    for outcome in report.outcomes.iter_mut().filter(|it| it.name == file.path) {
                        outcome.blocks = vec![Block::Line("not written".to_owned())];
                    }
                    report.world_failed = Some(failure);
                }
            }
        }
        shell.finish(&report, &project.sources)
    }
}
