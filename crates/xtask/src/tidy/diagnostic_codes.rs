//! Every diagnostic code is used for one check, and a spec shows it.

use std::collections::BTreeMap;

use super::Finding;
use crate::Repository;
use crate::rust_code::{line_of, product_code, words};

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut places: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    for (_, file) in repository.sources() {
        for (code, line) in codes(&file.text) {
            if let Some((path, first)) = places.get(code) {
                let message = format!("`{code}` already means something at {path}:{first}");
                findings.push(Finding::new(&file.path, line, message));
            } else {
                places.insert(code, (&file.path, line));
            }
        }
    }
    for (code, (path, line)) in places {
        let is_shown = repository
            .files()
            .iter()
            .filter(|file| file.path.starts_with("specs/"))
            .any(|file| words(&file.text, code).next().is_some());
        if !is_shown {
            let message = format!("no file under specs/ mentions `{code}`");
            findings.push(Finding::new(path, line, message));
        }
    }
    findings
}

/// The codes that fields `code: "CH0000"` declare, each with its line.
fn codes(text: &str) -> Vec<(&str, usize)> {
    let code = product_code(text);
    words(&code, "code")
        .filter_map(|offset| {
            let value = text[offset + "code".len()..].trim_start();
            let value = value.strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let value = &value[..value.find('"')?];
            is_code(value).then(|| (value, line_of(text, offset)))
        })
        .collect()
}

fn is_code(value: &str) -> bool {
    value.strip_prefix("CH").is_some_and(|digits| {
        digits.len() == 4 && digits.chars().all(|digit| digit.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    const UNKNOWN: (&str, &str) = (
        "crates/choros-lang/src/unknown.rs",
        "pub static CODE: CodeInfo = CodeInfo {\n    code: \"CH0101\",\n};\n\
         #[cfg(test)] mod tests { const C: CodeInfo = CodeInfo { code: \"CH0102\" }; }",
    );

    #[test]
    fn a_code_with_a_spec_passes() {
        let spec = ("specs/schora/language.md", "// error: [CH0101]");
        assert_eq!(findings(check, [UNKNOWN, spec]), [""; 0]);
    }

    #[test]
    fn a_code_without_a_spec() {
        let other = ("specs/schora/language.md", "CH01019");
        assert_eq!(
            findings(check, [UNKNOWN, other]),
            ["crates/choros-lang/src/unknown.rs:2: no file under specs/ mentions `CH0101`"]
        );
    }

    #[test]
    fn a_code_with_two_meanings() {
        let twin = (
            "crates/choros-model/src/twin.rs",
            "const CODE: CodeInfo = CodeInfo { code: \"CH0101\" };",
        );
        let spec = ("specs/x.md", "CH0101");
        assert_eq!(
            findings(check, [UNKNOWN, twin, spec]),
            [
                "crates/choros-model/src/twin.rs:1: `CH0101` already means something at crates/choros-lang/src/unknown.rs:2"
            ]
        );
    }
}
