//! An option of symbolic tests that does not fit.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0995",
    name: "symbolic-option",
    severity: Severity::Error,
    documentation: "\
## What it checks
The options of `choros tests` fit the model: `--coverage purpose` comes with `--purpose`, and options of symbolic tests with a graph that has data.

## Why it matters
An option that is silently ignored looks as if it had been obeyed.

## Example
```
choros tests loan.stg --coverage purpose          // which purpose?
```

## Reference
`choros tests --help`.
",
};

/// The option does not fit, and why.
pub fn diagnostic(message: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, message)
}
