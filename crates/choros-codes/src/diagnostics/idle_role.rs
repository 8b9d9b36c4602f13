//! A role without executable tests.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0960",
    name: "idle-role",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A role for which executable tests are to be written sends or receives something.

## Why it matters
A test sees messages and nothing else, so a role without any would pass whatever it does.
Of several roles, one that is idle is left out; if it is the only one, nothing is written.

## Example
```
.outputs Auditor
.state graph
.marking 0
.end
```
No test is written for `Auditor`.

## Reference
`choros tests MODEL` shows the tests of every role.
",
};

/// `is_all`: the role was named, or no other one has tests: then nothing is written.
pub fn diagnostic(role: &str, is_all: bool) -> Diagnostic {
    let message = format!("no test is written for `{role}`, which neither sends nor receives");
    let mut diagnostic = Diagnostic::without_place(&CODE, message);
    if is_all {
        diagnostic.severity = Severity::Error;
    }
    diagnostic
}
