//! Processes are started in `choros-smt` (solvers), in `choros-web` (the command itself), in `choros-cli` (what users name)
//! and by developers' crates; only the shell ends its own.

use super::{Finding, is_developer_crate};
use crate::Repository;
use crate::rust_code::{line_of, product_code, words};

const MAY_START: [&str; 3] = ["choros-smt", "choros-web", "choros-cli"];
const MAY_END: &str = "choros-cli";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (crate_name, file) in repository.sources() {
        if is_developer_crate(crate_name) {
            continue;
        }
        let code = product_code(&file.text);
        for offset in words(&code, "process") {
            let line = line_of(&code, offset);
            let used = used_items(&code[offset + "process".len()..]);
            if !MAY_START.contains(&crate_name) && used.contains(&"Command") {
                let message =
                    "only choros-smt, choros-web and choros-cli start processes".to_owned();
                findings.push(Finding::new(&file.path, line, message));
            }
            if crate_name != MAY_END && (used.contains(&"exit") || used.contains(&"abort")) {
                let message = format!("only {MAY_END} ends the process; return instead");
                findings.push(Finding::new(&file.path, line, message));
            }
        }
    }
    findings
}

/// The names after `process`: one in `::Command`, several in `::{Command, Stdio}`.
fn used_items(after: &str) -> Vec<&str> {
    let Some(path) = after.strip_prefix("::") else {
        return Vec::new();
    };
    let items = match path.strip_prefix('{') {
        Some(group) => group.split('}').next().unwrap_or_default(),
        None => path
            .split(|character: char| !(character.is_alphanumeric() || character == '_'))
            .next()
            .unwrap_or_default(),
    };
    items
        .split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|item| !item.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn starting_a_process_elsewhere() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-lang/src/lib.rs",
                    "use std::process::{Stdio, Command};",
                ),
                (
                    "crates/choros-model/src/lib.rs",
                    "fn f() { std::process::Command::new(\"dot\"); }",
                ),
                (
                    "crates/choros-smt/src/pipe.rs",
                    "use std::process::Command;",
                ),
                ("crates/xtask/src/lib.rs", "use std::process::Command;"),
                (
                    "crates/choros-cli/src/main.rs",
                    "use clap::Command;\nuse std::process::ExitCode;",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-lang/src/lib.rs:1: only choros-smt, choros-web and choros-cli start processes",
                "crates/choros-model/src/lib.rs:1: only choros-smt, choros-web and choros-cli start processes",
            ]
        );
    }

    #[test]
    fn ending_the_process_in_a_library() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-realize/src/lib.rs",
                    "\nfn f() { std::process::exit(1) }",
                ),
                (
                    "crates/choros-cli/src/main.rs",
                    "fn f() { std::process::exit(130) }",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-realize/src/lib.rs:2: only choros-cli ends the process; return instead"
            ]
        );
    }
}
