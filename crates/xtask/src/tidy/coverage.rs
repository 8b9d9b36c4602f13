//! `docs/coverage.md` has no empty cell, and what it calls done is shown by a spec that exists.

use super::Finding;
use crate::Repository;

const DOCUMENT: &str = "docs/coverage.md";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let Some(document) = repository.file(DOCUMENT) else {
        return match repository.manifests().next() {
            Some(_) => vec![Finding::new(DOCUMENT, 0, "is missing")],
            None => Vec::new(),
        };
    };
    let mut findings = Vec::new();
    for (index, line) in document.text.lines().enumerate() {
        let Some(cells) = row(line) else {
            continue;
        };
        let mut found = |message: String| {
            findings.push(Finding::new(DOCUMENT, index + 1, message));
        };
        if cells.iter().any(|cell| cell.is_empty()) {
            found("a cell is empty".to_owned());
        }
        let [.., specs, status] = cells.as_slice() else {
            found("a row needs a spec and a status".to_owned());
            continue;
        };
        if !is_status(status) {
            found(format!(
                "`{status}` is not a status: write `done`, `left out, because …` or `planned: …`"
            ));
        }
        let specs: Vec<&str> = named_specs(specs).collect();
        if status.starts_with("done") && specs.is_empty() {
            found("done, but no spec shows it".to_owned());
        }
        for spec in specs {
            if !repository.has(spec) {
                found(format!("`{spec}` does not exist"));
            }
        }
    }
    findings
}

/// The cells of a table row; `None` for other lines, headings and the line below them.
fn row(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inside.split('|').map(str::trim).collect();
    let is_ruler = cells
        .iter()
        .all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':')));
    let is_heading = cells.last() == Some(&"status");
    (!is_ruler && !is_heading).then_some(cells)
}

/// A partly done row says after `done` what is missing.
fn is_status(status: &str) -> bool {
    let because = |prefix: &str| {
        status
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.trim().is_empty())
    };
    status == "done"
        || because("done in part:")
        || because("left out, because")
        || because("planned:")
}

fn named_specs(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(|character: char| {
        character.is_whitespace() || matches!(character, '`' | ',' | '(' | ')' | '[' | ']')
    })
    .map(|word| word.trim_start_matches("../"))
    .filter(|word| word.starts_with("specs/"))
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::{DOCUMENT, check};

    const SPEC: (&str, &str) = ("specs/schora/language.md", "");

    fn of_rows(rows: &str) -> Vec<String> {
        let table = format!("| row | command | spec | status |\n|---|---|:--|---|\n{rows}\n");
        findings(check, [(DOCUMENT, &table), SPEC])
    }

    #[test]
    fn good_rows_pass() {
        let rows = "| F1 events | `check` | `specs/schora/language.md` | done |\n\
                    | F8 SBBC | `conform` | – | planned: not in this version yet |\n\
                    | F36 | – | `specs/schora/language.md` | done in part: trees only |\n\
                    | GUI | – | – | left out, because the page replaces it |";
        assert_eq!(of_rows(rows), [""; 0]);
    }

    #[test]
    fn empty_cells() {
        assert_eq!(
            of_rows("| F1 |  | `specs/schora/language.md` | done |"),
            ["docs/coverage.md:3: a cell is empty"]
        );
    }

    #[test]
    fn specs_that_are_not_there() {
        assert_eq!(
            of_rows("| F1 | `check` | `specs/schora/lost.md` | done |"),
            ["docs/coverage.md:3: `specs/schora/lost.md` does not exist"]
        );
        assert_eq!(
            of_rows("| F1 | `check` | – | done |"),
            ["docs/coverage.md:3: done, but no spec shows it"]
        );
    }

    #[test]
    fn excuses_need_a_reason() {
        for status in ["soon", "left out", "left out, because ", "planned:"] {
            let found = of_rows(&format!("| F1 | `check` | – | {status} |"));
            assert_eq!(found.len(), 1, "{status}: {found:?}");
            assert!(found[0].contains("is not a status"), "{found:?}");
        }
    }

    #[test]
    fn a_repository_with_crates_needs_the_document() {
        assert_eq!(
            findings(check, [("crates/choros-base/Cargo.toml", "")]),
            ["docs/coverage.md: is missing"]
        );
    }
}
