//! What is saved and read back goes through the mirror structs of `choros-report`.
//!
//! A type that derives `Serialize` has promised its fields to the world; the waist and the
//! engines must stay free to change.

use super::{Finding, is_developer_crate};
use crate::Repository;
use crate::manifest::product_dependencies;
use crate::rust_code::{line_of, product_code, words};

const BORDER: &str = "choros-report";
/// May build, print or look into a JSON value, but make no type of their own readable.
const MAY_USE_VALUES: [&str; 7] = [
    "choros-bind",
    "choros-cli",
    "choros-drive",
    "choros-exec",
    "choros-lsp",
    "choros-suite",
    "choros-web",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (crate_name, manifest) in repository.manifests() {
        if crate_name == BORDER || is_developer_crate(crate_name) {
            continue;
        }
        for dependency in product_dependencies(&manifest.text) {
            let name = dependency.name.as_str();
            let is_serde = name == "serde" || name.starts_with("serde_") || name == "sonic-rs";
            let may = MAY_USE_VALUES.contains(&crate_name) && name == "serde_json";
            if is_serde && !may {
                let message = format!("`{name}` belongs to {BORDER}: use a mirror struct there");
                findings.push(Finding::new(&manifest.path, dependency.line, message));
            }
        }
    }
    for (crate_name, file) in repository.sources() {
        if crate_name == BORDER || is_developer_crate(crate_name) {
            continue;
        }
        let code = product_code(&file.text);
        for name in ["Serialize", "Deserialize"] {
            findings.extend(words(&code, name).map(|offset| {
                let message = format!("`{name}` belongs to {BORDER}: use a mirror struct there");
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
    fn serde_below_the_border() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-model/Cargo.toml",
                    "[dependencies]\nserde.workspace = true\n",
                ),
                (
                    "crates/choros-model/src/stg.rs",
                    "// Serialize\n#[derive(Debug, serde::Serialize)]\nstruct Stg;",
                ),
                (
                    "crates/choros-report/Cargo.toml",
                    "[dependencies]\nserde.workspace = true\n",
                ),
                (
                    "crates/choros-report/src/lib.rs",
                    "#[derive(Serialize)]\nstruct Report;",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-model/Cargo.toml:2: `serde` belongs to choros-report: use a mirror struct there",
                "crates/choros-model/src/stg.rs:2: `Serialize` belongs to choros-report: use a mirror struct there",
            ]
        );
    }

    #[test]
    fn the_shell_prints_but_does_not_derive() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-cli/Cargo.toml",
                    "[dependencies]\nserde_json.workspace = true\nserde.workspace = true\n",
                ),
                (
                    "crates/choros-cli/src/main.rs",
                    "#[derive(Deserialize)]\nstruct Config;",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-cli/Cargo.toml:3: `serde` belongs to choros-report: use a mirror struct there",
                "crates/choros-cli/src/main.rs:1: `Deserialize` belongs to choros-report: use a mirror struct there",
            ]
        );
    }
}
