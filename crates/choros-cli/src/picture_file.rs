//! Pictures that go to a file.

use std::path::{Path, PathBuf};

use choros::report::{Block, Report};
use choros::verbs::Picture;

use crate::shell::Shell;

/// The file of `-o`; its extension says in which form it is written.
pub(crate) struct PictureFile {
    path: PathBuf,
    /// The form.
    pub(crate) picture: Picture,
}

impl PictureFile {
    /// The file that was asked for, if any.
    pub(crate) fn asked(
        path: Option<&Path>,
        extensions: &[&str],
    ) -> Result<Option<PictureFile>, String> {
        path.map(|path| Self::new(path, extensions)).transpose()
    }

    /// The file, if its extension is one of `extensions`; otherwise what is wrong with it.
    fn new(path: &Path, extensions: &[&str]) -> Result<PictureFile, String> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let canonical = match extension {
            Some("gv") => Some("dot"),
            Some("mermaid") => Some("mmd"),
            other => other,
        };
        let picture = match canonical.filter(|extension| extensions.contains(extension)) {
            Some("svg") => Picture::Svg,
            Some("dot") => Picture::Dot,
            Some("mmd") => Picture::Mermaid,
            Some("stg") => Picture::Stg,
            Some("schora") => Picture::Schora,
            Some("chor") => Picture::Chor,
            Some("aut") => Picture::Aut,
            Some("fsa") => Picture::Fsa,
            Some("gc") => Picture::Gc,
            Some("txt" | "prop") => Picture::Text,
            _ => {
                let place = path.display();
                return Err(match extensions {
                    [only] => format!("cannot write `{place}`: its extension must be .{only}"),
                    _ => {
                        let extensions = extensions.join(", .");
                        match extension {
                            Some(other) => format!(
                                "cannot draw into `{place}`: {other} is not one of .{extensions}"
                            ),
                            None => format!(
                                "cannot draw into `{place}`: its extension must be one of .{extensions}"
                            ),
                        }
                    }
                });
            }
        };
        Ok(PictureFile {
            path: path.to_owned(),
            picture,
        })
    }

    /// Writes the pictures of a report, which then says where they are; `pick` tells how to ask for one of several.
    ///
    /// The model itself is never overwritten.
    pub(crate) fn write(
        &self,
        model: &str,
        report: &mut Report,
        pick: &str,
        shell: &Shell,
    ) -> Result<(), String> {
        let place = self.path.display();
        let is_model = std::fs::canonicalize(&self.path)
            .is_ok_and(|output| std::fs::canonicalize(model).is_ok_and(|input| input == output));
        if is_model {
            return Err(format!(
                "`{place}` is the model itself and is not overwritten"
            ));
        }
        let pictures: Vec<&str> = report
            .outcomes
            .iter()
            .flat_map(|outcome| &outcome.blocks)
            .filter_map(|block| match block {
                Block::Picture { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        if pictures.is_empty() {
            return Ok(());
        }
        let holds_several = matches!(
            self.picture,
            Picture::Dot | Picture::Text | Picture::Schora | Picture::Chor
        );
        if pictures.len() > 1 && !holds_several {
            let names: Vec<&str> = report.outcomes.iter().map(|it| it.name.as_str()).collect();
            return Err(format!(
                "such a file holds one graph; choose one of {} with {pick}",
                names.join(", ")
            ));
        }
        let whole = match self.picture {
            Picture::Schora => format!(
                "DECLARATIONS\n\n{}\nCOMMANDS\n\nshowTime\n",
                pictures.join("\n")
            ),
            _ => pictures.concat(),
        };
        let written = shell.write_file(&self.path, &whole);
        let fate = match written {
            Ok(()) => format!("written to {place}"),
            Err(error) => {
                report.world_failed = Some(format!("cannot write `{place}`: {error}"));
                "not written".to_owned()
            }
        };
        for outcome in &mut report.outcomes {
            let is_drawn = |block: &Block| matches!(block, Block::Picture { .. });
            if outcome.blocks.iter().any(is_drawn) {
                let line = format!("{}: {fate}", outcome.name);
                outcome.blocks = vec![Block::Line(line)];
            }
        }
        Ok(())
    }
}
