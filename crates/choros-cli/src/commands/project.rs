//! `choros project`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::report::Block;
use choros::verbs::{self, Picture, Projecting};
use choros::{FileKind, Request};
use clap::Args;

use crate::options::{ModeOption, Shared, kind};

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
  choros project shop.schora#shop -o roles.schora     all roles, as a SChorA script")]
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
    /// Writes to a file; its extension says in which form: .stg, .dot, .schora, .svg, .mmd, .txt
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
        let picture = match &self.output {
            None => Picture::Report,
            Some(path) => match path.extension().and_then(|extension| extension.to_str()) {
                Some("svg") => Picture::Svg,
                Some("dot" | "gv") => Picture::Dot,
                Some("mmd" | "mermaid") => Picture::Mermaid,
                Some("stg") => Picture::Stg,
                Some("schora") => Picture::Schora,
                Some("txt") => Picture::Text,
                other => {
                    let other = other.unwrap_or("no extension");
                    return shell.usage_error(&format!(
                        "cannot write into `{}`: {other} is none of .stg, .dot, .schora, .svg, .mmd, .txt",
                        path.display()
                    ));
                }
            },
        };
        let request = Request::parse(&self.file, self.kind);
        let asked = Projecting {
            role: self.role.clone(),
            mode: self.mode.mode(),
            repair: self.repair,
        };
        let mut report = verbs::project(&mut project, &request, &asked, picture, &settings);
        let Some(path) = &self.output else {
            return shell.finish(&report, &project.sources);
        };
        if std::fs::canonicalize(path).ok().is_some_and(|output| {
            std::fs::canonicalize(&request.path).is_ok_and(|input| input == output)
        }) {
            return shell.usage_error(&format!(
                "`{}` is the model itself; it is not overwritten",
                path.display()
            ));
        }
        let pictures: Vec<String> = report
            .outcomes
            .iter()
            .flat_map(|outcome| &outcome.blocks)
            .filter_map(|block| match block {
                Block::Picture { text, .. } => Some(text.clone()),
                Block::Line(_) | Block::Graph(_) | Block::Evidence(_) => None,
            })
            .collect();
        if pictures.len() > 1 && matches!(picture, Picture::Stg | Picture::Svg | Picture::Mermaid) {
            let names: Vec<&str> = report.outcomes.iter().map(|it| it.name.as_str()).collect();
            return shell.usage_error(&format!(
                "one such file holds one graph; pick one of {} with --role",
                names.join(", ")
            ));
        }
        if !pictures.is_empty() {
            let whole = match picture {
                Picture::Schora => format!(
                    "DECLARATIONS\n\n{}\nCOMMANDS\n\nshowTime\n",
                    pictures.join("\n")
                ),
                _ => pictures.concat(),
            };
            if let Err(error) = shell.write_file(path, &whole) {
                report.world_failed = Some(format!("cannot write `{}`: {error}", path.display()));
            }
            for outcome in &mut report.outcomes {
                if outcome.rejected.is_none() {
                    outcome.blocks = vec![Block::Line(format!(
                        "{}: written to {}",
                        outcome.name,
                        path.display()
                    ))];
                }
            }
        }
        shell.finish(&report, &project.sources)
    }
}
