//! Runs a suite about suites, with a shell as the program under test.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites");
    choros_testkit::run_suites(Path::new("/bin/sh"), &[root], None)
}
