//! `choros project`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::verbs::{self, Picture, Projecting};
use choros::{FileKind, Request};
use clap::Args;

use crate::options::{ModeOption, Shared, kind};
use crate::picture_file::PictureFile;

/// What does each role do? Its part of the choreography, without silent steps
///
/// Projects a choreography on its roles. Guards stay where a role decides by data and go where it decides by the event
/// it sees; silent steps are absorbed, so that no role has to guess one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros project shop.schora#shop                     all roles, as trees
  choros project shop.schora#shop --role v            the vendor
  choros project shop.schora#shop --role v -o v.stg   as a graph that Choros reads back
  choros project shop.schora#shop -o roles.schora     all roles, as a SChorA script
  choros project atm.gc -o atm.fsa                    the machines of a g-choreography")]
pub(crate) struct ProjectVerb {
    /// The choreography: FILE, or FILE#COMPONENT
    #[arg(value_name = "FILE[#NAME]")]
    file: String,
    /// Reads the file as this kind, whatever its extension
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// The role; all where none is named
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    #[command(flatten)]
    mode: ModeOption,
    /// Adds the messages that `realize --repair` proposes first
    #[arg(long)]
    repair: bool,
    /// Writes to a file; its extension says in which form: .stg, .dot, .schora, .svg, .mmd, .txt; .fsa for the machines
    /// of a g-choreography
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

impl ProjectVerb {
    pub(crate) fn run(self) -> ExitCode {
        let shell = self.shared.shell();
        let settings = self.shared.settings(&shell);
        let mut project = shell.project();
        let forms = ["stg", "dot", "schora", "svg", "mmd", "txt", "fsa"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        let picture = output.as_ref().map_or(Picture::Report, |file| file.picture);
        let request = Request::parse(&self.file, self.kind);
        let asked = Projecting {
            role: self.role.clone(),
            mode: self.mode.mode(),
            repair: self.repair,
        };
        let mut report = verbs::project(&mut project, &request, &asked, picture, &settings);
        if let Some(file) = &output
            && let Err(message) = file.write(&request.path, &mut report, "--role", &shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &project.sources)
    }
}
