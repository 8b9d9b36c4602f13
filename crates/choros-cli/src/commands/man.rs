//! `choros man`

use std::io;
use std::path::PathBuf;

use choros::report::ExitStatus;
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::shell::Shell;

/// Prints the manual page, or writes one page per verb into a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros man | man -l -
  choros man -o ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Writes choros.1 and a page for each verb into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "man",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["output"],
    some: &[],
};

impl Man {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = Shell::plain(caller);
        let written = match &self.output {
            None => page(crate::CommandLine::whole()).map(|text| shell.print(&text)),
            Some(folder) => std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(crate::CommandLine::whole(), folder)),
        };
        match written {
            Ok(()) => ExitStatus::Success,
            Err(error) => {
                shell.complain(&format!("error: cannot write manual pages: {error}"));
                ExitStatus::World
            }
        }
    }
}

fn page(command: clap::Command) -> io::Result<String> {
    let mut text: Vec<u8> = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
