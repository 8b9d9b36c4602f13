//! The command `choros`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(choros_cli::run(std::env::args_os()).code())
}
