//! A number with an absurd number of digits.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0009",
    name: "number-too-long",
    severity: Severity::Error,
    documentation: "\
## What it checks
A number has at most 4096 digits.

## Why it matters
Reading a number takes time that grows with the square of its length; a limit keeps a damaged file from stopping the tool.

## Example
```
[x < 1000000…] |> Confirm[v,b]      // thousands of digits
```

## Reference
Integers are otherwise unbounded, and Reals are exact.
",
};

/// Too many digits.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("this number has more than {MAX_DIGITS} digits"),
        span,
        "too long",
    )
}

/// As many digits are read.
pub(crate) const MAX_DIGITS: usize = 4096;
