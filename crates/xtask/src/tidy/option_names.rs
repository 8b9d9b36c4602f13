//! Options are words of the command line: languages, engines and the waist speak of bounds as types.
//!
//! Advice in diagnostics is written for people at the command line; it stands in files of its own.

use super::{Finding, is_developer_crate};
use crate::Repository;
use crate::rust_code::{line_of, product_literals};

/// They face the user, or start programs that have options themselves.
const MAY: [&str; 8] = [
    "choros-cli",
    "choros-lsp",
    "choros-report",
    "choros-exec",
    "choros-drive",
    "choros-suite",
    "choros-emit",
    "choros",
];
/// Starts `cvc5 --incremental`.
const PROGRAMS: [&str; 1] = ["crates/choros-smt/src/pipe.rs"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (crate_name, file) in repository.sources() {
        let path = file.path.as_str();
        let may = MAY.contains(&crate_name) || is_developer_crate(crate_name);
        if may || path.contains("/diagnostics/") || PROGRAMS.contains(&path) {
            continue;
        }
        let literals = product_literals(&file.text);
        findings.extend(options(&literals).map(|(offset, option)| {
            let message = format!(
                "`{option}` is a word of the command line: say which bound it is with a type"
            );
            Finding::new(path, line_of(&literals, offset), message)
        }));
    }
    findings
}

/// `--` at the beginning of a word, with at least two letters after it.
fn options(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("--").filter_map(|(offset, _)| {
        let rest = &text[offset + 2..];
        let length = rest
            .find(|it: char| !it.is_ascii_lowercase() && it != '-')
            .unwrap_or(rest.len());
        let begins = text[..offset]
            .chars()
            .next_back()
            .is_none_or(|it| it.is_whitespace() || "\"'`(".contains(it));
        let is_word = rest.starts_with(|it: char| it.is_ascii_lowercase()) && length >= 2;
        (begins && is_word).then(|| (offset, &text[offset..offset + 2 + length]))
    })
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn an_engine_that_knows_the_command_line() {
        let text =
            "/// Not `--depth`.\nfn f() { let x = -1; give_up(\"raise --max-states\", a--b) }\n";
        let found = findings(
            check,
            [
                ("crates/choros-check/src/a.rs", text),
                ("crates/choros-check/src/diagnostics/b.rs", text),
                ("crates/choros-cli/src/c.rs", text),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-check/src/a.rs:2: `--max-states` is a word of the command line: say which bound it is \
                 with a type"
            ]
        );
    }
}
