//! Nothing in the repository depends on the machine it was written on.

use super::Finding;
use crate::Repository;
use crate::rust_code::line_of;

/// Folders of people and machines. They count only where a path begins.
///
/// Spelt in two parts, here and below, so that this file does not contain what it forbids.
const FOLDERS: [&str; 5] = [
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/wo", "rk/"),
    concat!("/Us", "ers/"),
    concat!("../sha", "red"),
];

/// Mirrors and registries belong to the configuration of a machine, not of a project.
const REGISTRIES: [&str; 4] = [
    concat!("spar", "se+"),
    concat!("index", "-url"),
    concat!("index", ".crates.io"),
    concat!("static", ".crates.io"),
];

/// The same, in configuration files; elsewhere these are ordinary words.
const SETTINGS: [&str; 3] = ["replace-with", "[source.", "[registries."];

/// The one registry that the lock file may name: Cargo's name for the default one.
const DEFAULT_REGISTRY: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in repository.files() {
        for folder in FOLDERS {
            findings.extend(
                file.text
                    .match_indices(folder)
                    .filter(|(offset, _)| begins_a_path(&file.text[..*offset]))
                    .map(|(offset, _)| {
                        let message = format!("`{folder}` is a path of one machine");
                        Finding::new(&file.path, line_of(&file.text, offset), message)
                    }),
            );
        }
        let settings: &[&str] = if file.path.ends_with(".toml") {
            &SETTINGS
        } else {
            &[]
        };
        for registry in REGISTRIES.iter().chain(settings) {
            findings.extend(file.text.match_indices(*registry).map(|(offset, _)| {
                let message = format!("`{registry}` belongs to the configuration of a machine");
                Finding::new(&file.path, line_of(&file.text, offset), message)
            }));
        }
        if file.path == "Cargo.lock" {
            findings.extend(foreign_sources(&file.path, &file.text));
        }
    }
    findings
}

/// Whether a path may begin after this text: not inside a longer path or word.
fn begins_a_path(before: &str) -> bool {
    !before
        .chars()
        .next_back()
        .is_some_and(|character| character.is_alphanumeric() || "._-~/}*".contains(character))
}

fn foreign_sources(path: &str, lock: &str) -> Vec<Finding> {
    lock.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let source = line.strip_prefix("source = ")?;
            (source != DEFAULT_REGISTRY).then(|| {
                let message = format!("{source} is not the default registry");
                Finding::new(path, index + 1, message)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::{FOLDERS, check};

    #[test]
    fn paths_of_a_machine() {
        let bad = format!("see {}ann/choros\nand {}/x", FOLDERS[1], FOLDERS[4]);
        let good = format!("frame{0}x, ${{HOME}}{1}x, ~{0}x", FOLDERS[2], FOLDERS[1]);
        let found = findings(
            check,
            [("README.md", bad.as_str()), ("docs/a.md", good.as_str())],
        );
        assert_eq!(
            found,
            [
                format!("README.md:1: `{}` is a path of one machine", FOLDERS[1]),
                format!("README.md:2: `{}` is a path of one machine", FOLDERS[4]),
            ]
        );
    }

    #[test]
    fn registries() {
        let lock = "[[package]]\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
                    source = \"git+https://example.org/x\"\n";
        let found = findings(
            check,
            [
                (".cargo/config.toml", "[source.mirror]\n"),
                ("Cargo.lock", lock),
            ],
        );
        assert_eq!(
            found,
            [
                ".cargo/config.toml:1: `[source.` belongs to the configuration of a machine",
                "Cargo.lock:3: \"git+https://example.org/x\" is not the default registry",
            ]
        );
    }
}
