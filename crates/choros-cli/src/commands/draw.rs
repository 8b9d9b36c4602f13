//! `choros draw`

use std::path::PathBuf;
use std::process::ExitCode;

use choros::report::Block;
use choros::verbs::{self, Picture};
use choros::{FileKind, Request};
use clap::Args;

use crate::options::{Shared, kind};

/// What does it look like? Text in the terminal, or a picture in a file
///
/// Draws each component. Free variables stand in braces behind a state; guards stand in brackets before an event.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros draw shop.schora#shop                  in the terminal
  choros draw shop.schora#shop -o shop.svg      a picture
  choros draw shop.schora#shop -o shop.mmd      for Mermaid, in Markdown documents for example
  choros draw shop.schora#shop -o shop.dot      for Graphviz
  choros draw shop.schora#shop -o shop.stg      as a graph that Choros reads back")]
pub(crate) struct Draw {
    /// The model: FILE, or FILE#COMPONENT
    #[arg(value_name = "FILE[#NAME]")]
    file: String,
    /// Reads the file as this kind, whatever its extension
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// Writes the picture to a file; its extension says in which form: .svg, .dot, .mmd, .txt, .stg, .aut
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

impl Draw {
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
                Some("aut") => Picture::Aut,
                Some("txt") => Picture::Text,
                other => {
                    let other = other.unwrap_or("no extension");
                    return shell.usage_error(&format!(
                        "cannot draw into `{}`: {other} is none of .svg, .dot, .mmd, .txt, .stg, .aut",
                        path.display()
                    ));
                }
            },
        };
        let request = Request::parse(&self.file, self.kind);
        let mut report = verbs::draw(&mut project, &request, picture, &settings);
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
        if pictures.len() > 1 && !matches!(picture, Picture::Dot | Picture::Text) {
            let names: Vec<&str> = report.outcomes.iter().map(|it| it.name.as_str()).collect();
            return shell.usage_error(&format!(
                "one file holds one graph; pick one of {} with `{}#NAME`",
                names.join(", "),
                request.path
            ));
        }
        if !pictures.is_empty() {
            if let Err(error) = shell.write_file(path, &pictures.concat()) {
                report.world_failed = Some(format!("cannot write `{}`: {error}", path.display()));
            }
            for outcome in &mut report.outcomes {
                outcome.blocks = vec![Block::Line(format!(
                    "{}: written to {}",
                    outcome.name,
                    path.display()
                ))];
            }
        }
        shell.finish(&report, &project.sources)
    }
}
