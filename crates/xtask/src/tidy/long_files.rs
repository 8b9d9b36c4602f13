//! One concept per file: a long file holds several.

use super::Finding;
use crate::Repository;

const MAX_LINES: usize = 600;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file) in repository.sources() {
        let lines = file.text.lines().count();
        if lines > MAX_LINES {
            let message =
                format!("{lines} lines, and {MAX_LINES} are the limit: split the file by subject");
            findings.push(Finding::new(&file.path, 0, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn a_file_with_several_subjects() {
        let long = "// a line\n".repeat(601);
        let fits = "// a line\n".repeat(600);
        let found = findings(
            check,
            [
                ("crates/choros-data/src/long.rs", long.as_str()),
                ("crates/choros-data/src/fits.rs", fits.as_str()),
                ("crates/choros-data/tests/long.rs", long.as_str()),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-data/src/long.rs: 601 lines, and 600 are the limit: split the file by subject"
            ]
        );
    }
}
