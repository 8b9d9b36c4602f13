//! `cargo xtask <chore>`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::{
    Counting, Repository, bench, bless, grammars, instructions, new_codes, tidy, write_book,
};

const USAGE: &str = "usage: cargo xtask <chore>

  tidy     check crate arrows, sockets, statics, serde, diagnostic codes, grammars, coverage, links
  new-code print the next free diagnostic code of each range
  grammars write the grammars for editors from the lexicons of the languages
  book CHOROS FOLDER
           write the sources of the book into a folder, with a page per verb, option and diagnostic of that binary
  bless    rewrite the expected outputs of snapshot and transcript tests
  bench    run the benchmarks and print their tables
  instructions [--bless]
           count the instructions of some commands and compare them with those committed, or write them";

fn main() -> ExitCode {
    let chore = std::env::args().nth(1);
    // The workspace this program was built in, wherever it is called from.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let outcome = match chore.as_deref() {
        Some("tidy") => run_tidy(&root),
        Some("new-code") => run_new_code(&root),
        Some("grammars") => run_grammars(&root),
        Some("book") => match (std::env::args().nth(2), std::env::args().nth(3)) {
            (Some(choros), Some(folder)) => {
                let (choros, folder) = (PathBuf::from(choros), PathBuf::from(folder));
                write_book(&root, &choros, &folder).map_err(|error| error.to_string())
            }
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        Some("bless") => bless(&root).map_err(|error| error.to_string()),
        Some("bench") => bench(&root).map_err(|error| error.to_string()),
        Some("instructions") => {
            let counting = match std::env::args().nth(2).as_deref() {
                None => Counting::Compare,
                Some("--bless") => Counting::Bless,
                Some(_) => {
                    eprintln!("{USAGE}");
                    return ExitCode::from(2);
                }
            };
            instructions(&root, counting, &|line| println!("{line}"))
                .map_err(|error| error.to_string())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run_new_code(root: &Path) -> Result<(), String> {
    let repository = Repository::read(root).map_err(|error| error.to_string())?;
    for code in new_codes(&repository) {
        println!("{code}");
    }
    Ok(())
}

fn run_grammars(root: &Path) -> Result<(), String> {
    let repository = Repository::read(root).map_err(|error| error.to_string())?;
    for (path, text) in grammars(&repository).map_err(|error| error.to_string())? {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn run_tidy(root: &Path) -> Result<(), String> {
    let repository = Repository::read(root).map_err(|error| error.to_string())?;
    let findings = tidy(&repository);
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files, nothing to say", repository.files().len());
        Ok(())
    } else {
        Err(format!("tidy: {} findings", findings.len()))
    }
}
