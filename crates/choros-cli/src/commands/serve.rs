//! `choros serve`

use std::path::PathBuf;

use choros::report::ExitStatus;
use choros_web::Page;
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::gallery::GALLERY;
use crate::shell::Shell;
use crate::verb_forms::verb_forms;

/// Can I see it? A page to edit, ask, step and watch in a browser
///
/// Serves a page on this computer alone. It shows the files of a folder with an editor, pictures and answers; every
/// verb can be asked there, and models can be stepped through. The printed address holds a token: anyone who
/// knows it can run what you could type, so do not share it.
///
/// Every question is answered by this command in a process of its own, with a bound on its memory. Closing a window
/// stops what it asked; Ctrl-C ends the page.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros serve                                      the models here; open the address it prints
  choros serve saga --port 8123                     another folder, at a port of your choice")]
pub(crate) struct Serve {
    /// The folder whose files are shown
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Listens on this port of the loopback address; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Limits the memory of each answer, and of the editor of each window, to about this much, unless its form says
    /// otherwise
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    max_memory: String,
    /// Works on this many answers at a time
    #[arg(long, value_name = "N", default_value_t = 4)]
    at_a_time: usize,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "serve",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["folder", "port", "max_memory", "at_a_time"],
    some: &[],
};

impl Serve {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = Shell::plain(caller);
        if let Err(reason) = crate::options::size(&self.max_memory) {
            return shell.usage_error(&format!("--max-memory: {reason}"));
        }
        if !self.folder.is_dir() {
            let folder = self.folder.display();
            return shell.usage_error(&format!("`{folder}` is not a folder"));
        }
        let Some(command) = own_path() else {
            shell.complain("error: this command cannot find itself; start it as `choros serve`");
            return ExitStatus::World;
        };
        let folder = self.folder.display().to_string();
        let page = Page {
            folder: self.folder,
            command,
            forms: verb_forms(&crate::CommandLine::whole()),
            gallery: GALLERY,
            language_words: vec![format!("--max-memory={}", self.max_memory)],
            defaults: vec![("max-memory".to_owned(), self.max_memory)],
            at_a_time: self.at_a_time,
        };
        let served = choros_web::serve(page, self.port, &shell.cancel, |address, token| {
            shell.print(&format!(
                "http://{address}/{token}/\nshows the files of `{folder}` to anyone who has this address; Ctrl-C stops it\n"
            ));
        });
        match served {
            Ok(()) => ExitStatus::Success,
            Err(error) => {
                shell.complain(&format!("error: `{folder}` cannot be served: {error}"));
                ExitStatus::World
            }
        }
    }
}

/// Where this command is: the program, or the script of the Python package that runs it.
fn own_path() -> Option<PathBuf> {
    let words = std::env::args_os().map(PathBuf::from);
    let program = std::env::current_exe().ok();
    let is_it =
        |path: &PathBuf| path.file_stem().is_some_and(|it| it == "choros") && path.is_file();
    let found = program.into_iter().chain(words).find(is_it)?;
    found.canonicalize().ok()
}
