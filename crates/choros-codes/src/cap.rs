//! Findings that no one would read.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, FileId, Severity};

use crate::diagnostics::further_problems;

/// The first `most` findings of every file; of the others, how many there are of each kind.
///
/// A file with 20,000 mistakes, in whatever language, is told of in seconds and pages, not in minutes and megabytes.
/// What is left out stays as bad as it was: if there is an error among it, so is the finding that counts it.
pub fn capped(diagnostics: &[Diagnostic], most: usize) -> Vec<Diagnostic> {
    let mut shown: BTreeMap<Option<FileId>, usize> = BTreeMap::new();
    let mut left: BTreeMap<(Severity, &'static str), (&'static choros_base::CodeInfo, u64)> =
        BTreeMap::new();
    let mut kept = Vec::new();
    for diagnostic in diagnostics {
        let file = diagnostic.labels.first().map(|label| label.span.file());
        let count = shown.entry(file).or_default();
        *count += 1;
        if *count <= most {
            kept.push(diagnostic.clone());
            continue;
        }
        let key = (diagnostic.severity, diagnostic.code.code);
        left.entry(key).or_insert((diagnostic.code, 0)).1 += 1;
    }
    for ((severity, _), (code, count)) in left {
        let mut more = further_problems::diagnostic(code, count);
        more.severity = severity;
        kept.push(more);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::capped;
    use choros_base::{CodeInfo, Diagnostic, Severity};

    static CODE: CodeInfo = CodeInfo {
        code: "CH0101",
        name: "mistake",
        severity: Severity::Error,
        documentation: "",
    };

    #[test]
    fn the_first_are_shown_and_the_others_counted() {
        let mistakes = |count: usize| {
            (0..count)
                .map(|number| Diagnostic::without_place(&CODE, number.to_string()))
                .collect::<Vec<_>>()
        };
        assert_eq!(capped(&mistakes(100), 100), mistakes(100));
        let found = capped(&mistakes(20_000), 100);
        assert_eq!(found[..100], mistakes(100));
        let [more] = &found[100..] else {
            panic!("{found:?}");
        };
        assert_eq!(more.message, "19900 more of CH0101 (mistake)");
        assert_eq!(more.severity, Severity::Error);
    }
}
