//! A declaration of a problem that cannot be used.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1125",
    name: "problem-declaration",
    severity: Severity::Error,
    documentation: "\
## What it checks
The lines of a problem for `solve` declare types, variables and words once, and name types that exist.

## Why it matters
A constraint over variables without a type cannot be solved.

## Example
```
var y: T1    # where no type T1 is declared
```

## Reference
The chapter on `solve` of the book has the grammar.
",
};

/// `message` says what is wrong at `span`.
pub(crate) fn diagnostic(message: impl Into<String>, span: Span, label: &str) -> Diagnostic {
    Diagnostic::new(&CODE, message, span, label)
}
