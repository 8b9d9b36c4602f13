//! `choros fmt`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use choros::report::Block;
use choros::verbs;
use clap::Args;

use crate::options::{Inputs, Shared};
use crate::picture_file::PictureFile;

/// What is its one form? Formats files of the native language and g-choreographies
///
/// Four spaces, one statement per line; comments and single blank lines stay. A file is replaced only when what was
/// written reads as the same program, and one with mistakes in its syntax is left alone.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros fmt shop.chor                          formats the file in place
  choros fmt --check shop.chor market.chor      are they formatted? (for CI: exit code 1 if not)
  choros fmt smtp.gc --unfold 2 -o smtp2.gc     a g-choreography without loops, to be edited")]
pub(crate) struct Fmt {
    #[command(flatten)]
    inputs: Inputs,
    /// Shows a g-choreography with its loops written out, so many times each; the file stays as it is
    #[arg(long, value_name = "N", conflicts_with = "check")]
    unfold: Option<u32>,
    /// Writes what --unfold shows to a file, .gc
    #[arg(short, long, value_name = "FILE", requires = "unfold")]
    output: Option<PathBuf>,
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
        let (mut report, changed) = verbs::fmt(&mut project, &requests, self.check, self.unfold);
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
        if let Some(path) = &self.output
            && let Err(message) = PictureFile::asked(Some(path), &["gc"]).and_then(|file| {
                let model = requests.first().map_or("", |request| request.path.as_str());
                file.map_or(Ok(()), |file| {
                    file.write(model, &mut report, "its name", &shell)
                })
            })
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &project.sources)
    }
}
