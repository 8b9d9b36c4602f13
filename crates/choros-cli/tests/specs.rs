//! Every document under `specs/`, the tutorial and the chapters of the book are suites of transcripts; each section is a test.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let documents: Vec<PathBuf> = ["specs", "README.md", "docs/book", "docs/language.md"]
        .map(|document| root.join(document))
        .into();
    choros_testkit::run_suites(
        Path::new(env!("CARGO_BIN_EXE_choros")),
        &documents,
        Some(&root.join("examples")),
    )
}
