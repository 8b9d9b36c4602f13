//! Clocks, files, the environment and threads belong to what talks to the world; all else is pure.

use super::{Finding, is_developer_crate};
use crate::Repository;
use crate::rust_code::{line_of, product_code, words};

/// `choros-smt` finds, starts and watches solvers; the others serve people and services.
const MAY: [&str; 7] = [
    "choros-exec",
    "choros-drive",
    "choros-smt",
    "choros-cli",
    "choros-lsp",
    "choros-web",
    "choros-python",
];
const NAMES: [(&str, &str); 6] = [
    ("std::fs", "files"),
    ("std::env", "environment variables"),
    ("std::thread", "threads"),
    ("thread::spawn", "threads"),
    ("Instant", "clocks"),
    ("SystemTime", "clocks"),
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (crate_name, file) in repository.sources() {
        let is_test = file.path.ends_with("/tests.rs");
        if MAY.contains(&crate_name) || is_developer_crate(crate_name) || is_test {
            continue;
        }
        let code = product_code(&file.text);
        for (name, what) in NAMES {
            findings.extend(words(&code, name).map(|offset| {
                let message =
                    format!("`{name}`: {what} belong to choros-exec, choros-drive and the shells");
                Finding::new(&file.path, line_of(&code, offset), message)
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn a_clock_in_an_engine() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-check/src/lib.rs",
                    "// std::fs\nfn f() {\n    let now = std::time::Instant::now();\n}\n",
                ),
                ("crates/choros-exec/src/lib.rs", "use std::time::Instant;"),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-check/src/lib.rs:3: `Instant`: clocks belong to choros-exec, choros-drive and the shells"
            ]
        );
    }
}
