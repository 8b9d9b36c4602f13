//! Whatever is fed with damaged texts by a test is fed for longer by `scripts/fuzz.sh`, too.

use super::{DEVELOPER_CRATES, Finding};
use crate::Repository;
use crate::repository::File;
use crate::rust_code::{line_of, words};

const SCRIPT: &str = "scripts/fuzz.sh";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let Some(script) = repository.file(SCRIPT) else {
        return Vec::new();
    };
    let runs: Vec<Vec<&str>> = script
        .text
        .lines()
        .filter_map(|line| line.split_once("run choros-").map(|(_, rest)| rest))
        .map(|rest| rest.split_whitespace().collect())
        .collect();
    let mut findings = Vec::new();
    for file in repository.files() {
        let Some(target) = Target::of(file) else {
            continue;
        };
        let calls = words(&file.text, "fuzz").filter(|at| file.text[at + 4..].starts_with('('));
        if let Some(call) = calls.into_iter().next()
            && !runs.iter().any(|run| target.is_of(run))
        {
            let message = format!("fed with damaged texts, but not by {SCRIPT}");
            findings.push(Finding::new(&file.path, line_of(&file.text, call), message));
        }
    }
    findings
}

/// The tests that a file belongs to.
struct Target<'f> {
    /// Without `choros-`.
    package: &'f str,
    /// None: those within the library.
    test: Option<&'f str>,
}

impl<'f> Target<'f> {
    fn of(file: &'f File) -> Option<Target<'f>> {
        let (package, inner) = file.path.strip_prefix("crates/")?.split_once('/')?;
        if DEVELOPER_CRATES.contains(&package) {
            return None;
        }
        let inner = inner.strip_suffix(".rs")?;
        let test = match inner.strip_prefix("tests/") {
            Some(inside) => Some(inside.split('/').next().unwrap_or(inside)),
            None if inner.starts_with("src/") => None,
            None => return None,
        };
        let package = package.strip_prefix("choros-")?;
        Some(Target { package, test })
    }

    /// Whether a line of the script, as words after `run choros-`, runs it.
    fn is_of(&self, run: &[&str]) -> bool {
        run.first() == Some(&self.package)
            && match self.test {
                None => run.contains(&"--lib"),
                Some(test) => run.windows(2).any(|pair| pair == ["--test", test]),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn a_reader_that_is_fed_by_no_script() {
        let found = findings(
            check,
            [
                (
                    "scripts/fuzz.sh",
                    "run choros-xml --test bad_input -- rubbish\nFEW=1 run choros-exec --lib\n",
                ),
                ("crates/choros-xml/tests/bad_input.rs", "fuzz(1, 2, &[]);"),
                ("crates/choros-exec/src/wire.rs", "    fuzz(1, 2, &[]);"),
                ("crates/choros-xml/src/pattern.rs", "\n    fuzz(1, 2, &[]);"),
                ("crates/choros-xml/tests/fuzz.rs", "use fuzz;\nfuzz(3);"),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-xml/src/pattern.rs:2: fed with damaged texts, but not by scripts/fuzz.sh",
                "crates/choros-xml/tests/fuzz.rs:2: fed with damaged texts, but not by scripts/fuzz.sh",
            ]
        );
    }
}
