//! `choros draw`

use std::path::PathBuf;

use choros::Content;
use choros::report::ExitStatus;
use choros::verbs::{self, DrawRequest, Form, Part, Picture, PictureStyle};
use clap::Args;

use crate::applicability::{ONE_WHOLE, PARAMETERS, PROCESSES, Parts, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::options::{KindOption, ProcessOption, Shared};
use crate::picture_file::PictureFile;

/// What does it look like? Text in the terminal, or a picture in a file
///
/// Draws a choreography as a sequence diagram, anything else as a graph. In graphs, free variables follow a state in
/// braces; guards precede an event in brackets.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros draw online-shopping.schora#shop           in the terminal
  choros draw online-shopping.schora#shop -o shop.svg
                                                    a picture
  choros draw saga/saga.chor --around Charge        only what is near a message
  choros draw online-shopping.schora#shop -o shop.mmd
                                                    for Mermaid, in Markdown for example
  choros draw online-shopping.schora#shop -o shop.dot
                                                    for Graphviz
  choros draw online-shopping.schora#shop -o shop.stg
                                                    as a graph that Choros reads back
  choros draw xloan/xloan.bpel -o loan.aut          a process, with its conditions in the labels")]
pub(crate) struct Draw {
    /// The model: FILE, or FILE#COMPONENT
    #[arg(value_name = "FILE[#NAME]")]
    file: String,
    #[command(flatten)]
    kind: KindOption,
    /// Writes the picture to a file; the extension sets the format: .svg, .dot, .mmd, .txt, .stg, .aut
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draws a choreography as a sequence diagram or as a graph of its states
    #[arg(long, value_name = "LOOK", value_parser = choice::<PictureStyle>())]
    style: Option<PictureStyle>,
    /// Draws only what is near a message, a role or a state, and counts what is left out
    #[arg(long, value_name = "NAME")]
    around: Option<String>,
    /// Draws every state and message, however many there are; otherwise large pictures are folded
    #[arg(long, conflicts_with = "around")]
    whole: bool,
    #[command(flatten)]
    process: ProcessOption,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "draw",
    models: &["file"],
    parts: Parts::Of(
        &[Content::Graphs, Content::Process, Content::Machines],
        ONE_WHOLE,
    ),
    always: &["output", "style", "around", "whole"],
    some: &[PROCESSES, PARAMETERS],
};

impl Draw {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.process.apply(&mut settings);
        let mut workspace = shell.workspace();
        let forms = ["svg", "dot", "mmd", "txt", "stg", "aut"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        let request = DrawRequest {
            file: self.kind.request(&self.file),
            form: Form {
                picture: output.as_ref().map_or(Picture::Report, |file| file.picture),
                part: match (self.around, self.whole) {
                    (Some(name), _) => Part::Around(name),
                    (None, true) => Part::Whole,
                    (None, false) => Part::Folded,
                },
            },
            style: self.style.unwrap_or_default(),
        };
        let answered = verbs::draw(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(file) = &output {
            let path = &request.file.path;
            let pick = format!("`{path}#NAME`");
            if let Err(message) = file.write(path, &mut report, &pick, &shell) {
                return shell.usage_error(&message);
            }
        }
        shell.finish(&report, &workspace.sources)
    }
}
