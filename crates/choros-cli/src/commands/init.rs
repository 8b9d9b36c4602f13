//! `choros init`

use std::path::{Path, PathBuf};

use choros::base::FileFate;
use choros::report::{ExitStatus, GeneratedFile, Report};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::shell::Shell;

/// Where do I start? A small project that works: model, binding, service, CI
///
/// Writes a conversation between a client and a shop, the settings of `choros check`, a service that follows the model,
/// the binding between messages and HTTP, a workflow for continuous integration, and a README that explains them. A file
/// that exists is never replaced.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros init                                       in this folder
  choros init orders                                in a new folder")]
pub(crate) struct Init {
    /// The folder, which is made where it does not exist
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "init",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["folder"],
    some: &[],
};

/// The files, by their paths in the project.
const STARTER: [(&str, &str); 6] = [
    (
        ".github/workflows/choros.yml",
        include_str!("../../starter/choros.yml"),
    ),
    ("README.md", include_str!("../../starter/README.md")),
    ("choros.toml", include_str!("../../starter/choros.toml")),
    (
        "orders.bind.toml",
        include_str!("../../starter/orders.bind.toml"),
    ),
    ("orders.chor", include_str!("../../starter/orders.chor")),
    ("shop.py", include_str!("../../starter/shop.py")),
];

impl Init {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = Shell::plain(caller);
        let mut report = Report {
            verb: "init",
            ..Report::default()
        };
        match write_missing(&self.folder, &mut report, &shell) {
            Ok(()) => report.semantics.notes.push(match self.folder.to_str() {
                Some(".") => "next: choros check".to_owned(),
                _ => format!("next: cd {} && choros check", self.folder.display()),
            }),
            Err(failure) => report.world_failed = Some(failure),
        }
        shell.finish(&report, &shell.workspace().sources)
    }
}

/// Writes the files that are not there, and says in the report what became of each.
fn write_missing(folder: &Path, report: &mut Report, shell: &Shell) -> Result<(), String> {
    for (name, text) in STARTER {
        let path = folder.join(name);
        let shown = path
            .strip_prefix(".")
            .unwrap_or(&path)
            .display()
            .to_string();
        let fate = match path.symlink_metadata() {
            Ok(_) => FileFate::Foreign,
            Err(_) => FileFate::Written,
        };
        if fate == FileFate::Written {
            path.parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| shell.write_file(&path, text))
                .map_err(|error| format!("cannot write `{shown}`: {error}"))?;
        }
        report.files.push(GeneratedFile {
            path: shown,
            fate: fate.word(),
        });
    }
    Ok(())
}
