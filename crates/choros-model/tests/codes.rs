//! Every code is documented in the same way, and none is used twice.

use choros_model::CODES;

#[test]
fn codes_are_unique_and_documented() {
    let mut seen = std::collections::BTreeSet::new();
    for code in CODES {
        let own = ["CH02", "CH083", "CH109"]
            .iter()
            .any(|range| code.code.starts_with(range));
        assert!(own, "{}", code.code);
        assert!(seen.insert(code.code), "{} is used twice", code.code);
        let headings: Vec<&str> = code
            .documentation
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        assert_eq!(
            headings,
            [
                "## What it checks",
                "## Why it matters",
                "## Example",
                "## Reference"
            ],
            "{}",
            code.code
        );
    }
}
