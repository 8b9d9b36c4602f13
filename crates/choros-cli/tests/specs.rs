//! Every document under `specs/` and the tutorial are suites of transcripts; each section is a test.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let documents: Vec<PathBuf> = vec![root.join("specs"), root.join("README.md")];
    choros_testkit::run_suites(Path::new(env!("CARGO_BIN_EXE_choros")), &documents)
}
