//! Tests that cannot be written, none of them.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0986",
    name: "nothing-emitted",
    severity: Severity::Error,
    documentation: "\
## What it checks
At least one of the tests of a model can be written as an executable test.

## Why it matters
A file without tests passes, whatever the service does.

## Example
A service that calls its user back cannot be tested by requests alone:
```
stg back explicit
initial 0
0 -> 1: Call[S,USER]!
1: end
```

## Reference
The chapter on executable tests in the book.
",
};

/// `left_out` names the tests and why they cannot be written.
pub fn diagnostic(service: &str, left_out: &[(String, String)]) -> Diagnostic {
    let Some((name, reason)) = left_out.first() else {
        let message = format!("`{service}` has no tests to write");
        return Diagnostic::without_place(&CODE, message)
            .note("`-k` follows longer paths, and `--coverage paths` chooses all of them");
    };
    let message = format!("no test of `{service}` can be written; of {name}, because {reason}");
    let help = match reason.as_str() {
        it if it.contains("end of the service") => "`-k` follows longer paths",
        it if it.contains("calls the tester") => "`--play ROLE` lets the tests play that partner",
        _ => "`choros drive` runs tests that cannot be written",
    };
    Diagnostic::without_place(&CODE, message).note(help)
}
