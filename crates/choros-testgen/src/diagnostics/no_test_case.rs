//! Machines that are no test.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0842",
    name: "no-test-case",
    severity: Severity::Error,
    documentation: "\
## What it checks
The machines of a test do not play the component under test; a state that offers an output offers nothing else, and no state has two targets for one label; no participant is played twice.

## Why it matters
A test must be able to run against a component alone, and two runs of it must differ only by what the component does.

## Example
```
.outputs B
.state graph
0 0 ? request 1
1 0 ! allow 2
1 0 ! deny 2
.marking 0
.end
```

## Reference
Coto's thesis, Definition 3.5, conditions 1 to 3.
`choros tests` makes decided machines of undecided ones.
",
};

/// The test called `name` breaks a condition, in words.
pub fn diagnostic(name: &str, breach: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{name}` is not a test case: {breach}"))
}
