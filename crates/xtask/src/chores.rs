//! Chores that run cargo.

use std::path::Path;
use std::process::Command;

use crate::RepositoryError;
use crate::repository::Repository;

/// Runs the tests with `CHOROS_BLESS=1`: snapshots and transcripts that differ are rewritten
/// instead of failing. What changed is to be read with `git diff` before it is committed.
pub fn bless(root: &Path) -> Result<(), RepositoryError> {
    let mut command = cargo(root);
    command.args(["test", "--workspace", "--locked", "--no-fail-fast"]);
    run(command.env("CHOROS_BLESS", "1"))
}

/// Runs the benchmarks of every crate that has some; they print their own tables.
pub fn bench(root: &Path) -> Result<(), RepositoryError> {
    let repository = Repository::read(root)?;
    let crates = crates_with_benches(&repository);
    if crates.is_empty() {
        return Err(RepositoryError::new("no crate has benchmarks"));
    }
    // One command for all: what they share is built once, with the same features. A table that fails must not keep the
    // others from being printed. Without `--bench` the unit tests of the libraries would be built and run too.
    let mut command = cargo(root);
    command.args(["bench", "--locked", "--no-fail-fast", "--bench", "*"]);
    for name in &crates {
        command.args(["--package", name]);
    }
    run(&mut command)
}

fn crates_with_benches(repository: &Repository) -> Vec<String> {
    repository
        .manifests()
        .map(|(name, _)| name)
        .filter(|name| repository.has(&format!("crates/{name}/benches")))
        .map(str::to_owned)
        .collect()
}

fn cargo(root: &Path) -> Command {
    // Cargo tells its children which cargo it is.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

fn run(command: &mut Command) -> Result<(), RepositoryError> {
    let status = command
        .status()
        .map_err(|error| RepositoryError::new(format!("cannot run cargo: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(RepositoryError::new(format!("failed: {command:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_crates_with_benches() {
        let repository = Repository::from_texts([
            ("crates/choros-smt/Cargo.toml", ""),
            ("crates/choros-smt/benches/queries.rs", ""),
            ("crates/choros-base/Cargo.toml", ""),
        ]);
        assert_eq!(crates_with_benches(&repository), ["choros-smt"]);
    }
}
