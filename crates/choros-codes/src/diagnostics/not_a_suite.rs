//! Tests that cannot be read.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0957",
    name: "not-a-suite",
    severity: Severity::Error,
    documentation: "\
## What it checks
The tests that a machine is run against are a suite as `choros tests --emit json` writes it, an `.fsa` file with an oracle next to it, or a model from which tests can be made; and some of them test the machine.

## Why it matters
A test that is not understood would silently not be run, and a machine that nothing tested would look compliant.

## Example
```
choros comply bank.fsa notes.json
```

## Reference
`docs/schema/suite.schema.json`; an oracle is the file `oracle.yaml` in the same folder, or `NAME.oracle.yaml`.
",
};

/// The file is not a suite.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` is not a test suite: {reason}"))
}

/// No test is about the machine.
pub fn nothing_to_run(machine: &str, roles: &[&str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::without_place(&CODE, format!("no test is about a machine of `{machine}`"));
    if roles.is_empty() {
        diagnostic.note("there are no tests at all")
    } else {
        diagnostic.note(format!("tested: {}", roles.join(", ")))
    }
}
