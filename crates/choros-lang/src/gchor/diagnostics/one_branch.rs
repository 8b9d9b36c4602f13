//! A choice that leaves no choice.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0807",
    name: "one-branch",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A block `sel { … }` or `branch { … }` has at least two branches.

## Why it matters
With one branch there is nothing to decide; a `+` may be missing.

## Example
```
sel A { A -> B : yes }
```

## Reference
E. Tuosto's ChorGram.
",
};

/// The block has one branch.
pub(in crate::gchor) fn diagnostic(keyword: Span, whole: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this choice has only one branch",
        keyword,
        "nothing to decide",
    )
    .label(whole, "branches are separated by `+`")
}
