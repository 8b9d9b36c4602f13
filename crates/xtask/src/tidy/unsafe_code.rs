//! `unsafe` is the business of `choros-smt`, which calls a C library; of no one else.
//!
//! The lint `unsafe_code` denies it too, but a lint can be allowed in one line.

use super::Finding;
use crate::Repository;
use crate::rust_code::{line_of, product_code, words};

const MAY: &str = "choros-smt";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in repository.files() {
        let is_rust = file.path.starts_with("crates/") && file.path.ends_with(".rs");
        if !is_rust || file.path.starts_with(&format!("crates/{MAY}/")) {
            continue;
        }
        let code = product_code(&file.text);
        findings.extend(words(&code, "unsafe").map(|offset| {
            let message = format!("`unsafe` belongs to {MAY}");
            Finding::new(&file.path, line_of(&code, offset), message)
        }));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn unsafe_elsewhere() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-data/src/term.rs",
                    "// unsafe\nfn f() { unsafe { g() } }",
                ),
                (
                    "crates/choros-data/tests/laws.rs",
                    "const UNSAFE: &str = \"unsafe\";\nunsafe fn g() {}",
                ),
                ("crates/choros-smt/src/z3.rs", "unsafe fn f() {}"),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-data/src/term.rs:2: `unsafe` belongs to choros-smt",
                "crates/choros-data/tests/laws.rs:2: `unsafe` belongs to choros-smt",
            ]
        );
    }
}
