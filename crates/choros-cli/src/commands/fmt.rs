//! `choros fmt`

use std::path::{Path, PathBuf};

use choros::report::answers::{self, FormattingResult};
use choros::report::{Block, ExitStatus};
use choros::verbs::{self, FmtRequest};
use clap::Args;

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::options::{Inputs, Shared};
use crate::picture_file::PictureFile;

/// What is the standard layout? Formats files in place; translates them with --as
///
/// Formats .chor, .pact, .gc, .cows, .socl, .abs, .prop, .tp and .contract files: one statement per line; comments and
/// single blank lines stay. A file is replaced only if the result means the same; a file with syntax errors is left
/// alone.
///
/// With --as, a file is translated and left unchanged: .gc to chor and .chor without data to gc (where `;` is weaker:
/// see the report); .schora, .pact, .stg, .dot and .stga to chor.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros fmt rfq.chor                               formats the file in place
  choros fmt --check rfq.chor market.chor           are they formatted? (for CI: 1 if not)
  choros fmt smtp.gc --unfold 2 -o smtp2.gc         a g-choreography without loops, to be edited
  choros fmt atm.gc --as chor -o atm.chor           a g-choreography in the native language
  choros fmt tss.schora --as chor                   a SChorA script in the native language
  choros fmt --as prop p.xml -o p.prop              properties in XML as text")]
pub(crate) struct Fmt {
    #[command(flatten)]
    inputs: Inputs,
    /// Shows a g-choreography with each loop written out N times; the file is left unchanged
    #[arg(long, value_name = "N", conflicts_with = "check")]
    unfold: Option<u32>,
    /// Writes the result to a file: an unfolded g-choreography (.gc), properties from XML (.prop), a translation
    /// (.chor, .gc)
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    output: Option<PathBuf>,
    /// Changes nothing; fails if a file is not formatted
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "fmt",
    models: &["files"],
    parts: Parts::AsTheVerbSays,
    always: &["unfold", "output", "check"],
    some: &[NO_PARAMETERS],
};

impl Fmt {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut workspace = shell.workspace();
        let settings = self.shared.settings(&shell);
        let request = FmtRequest {
            files: self.inputs.requests(),
            check_only: self.check,
            unfold: self.unfold,
        };
        let answered = verbs::fmt(&mut workspace, &request, &settings);
        let mut changed: Vec<(String, String)> = Vec::new();
        let mut forms: Vec<&str> = Vec::new();
        for file in answered.answer.iter().flat_map(answers::Parts::answers) {
            match &file.form {
                FormattingResult::Changed(text) => changed.push((file.path.clone(), text.clone())),
                // What is shown is in one language, and the extension has to say so.
                FormattingResult::Shown { format, .. } if forms.is_empty() => forms.push(format),
                _ => {}
            }
        }
        let mut report = answered.report(&workspace.terms);
        if self.output.is_some() && forms.is_empty() && report.diagnostics.is_empty() {
            return shell.usage_error(
                "-o is for what --unfold and --as show, and for properties in XML; other files are formatted in place",
            );
        }
        for (path, text) in &changed {
            if let Err(error) = shell.write_file(Path::new(path), text) {
                let failure = format!("cannot write `{path}`: {error}");
                for outcome in report.outcomes.iter_mut().filter(|it| it.name == *path) {
                    outcome.blocks = vec![Block::Line("not written".to_owned())];
                }
                report.world_failed = Some(failure);
            }
        }
        if let Some(path) = self.output.as_ref().filter(|_| !forms.is_empty())
            && let Err(message) = PictureFile::asked(Some(path), &forms).and_then(|file| {
                let model = request
                    .files
                    .first()
                    .map_or("", |request| request.path.as_str());
                file.map_or(Ok(()), |file| {
                    file.write(model, &mut report, "its name", &shell)
                })
            })
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &workspace.sources)
    }
}
