//! A line that is not a statement.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1200",
    name: "purpose-statement",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every line of a test purpose is a declaration (`purpose`, `variables`, `initial`, `contract`) or a transition (`T0 -> T1: label`, `T0: label`).

## Why it matters
A line that is not understood would be left out without a word.

## Example
```
T0 => T1: USER.select?        // `->`
```

## Reference
Our text form of Definition 3.3.7 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\".
",
};

/// What stands here begins no statement.
pub(crate) fn diagnostic(span: Span, similar: Option<&str>) -> Diagnostic {
    let found = Diagnostic::new(
        &CODE,
        "this line is not a statement of a test purpose",
        span,
        "a transition begins with a state and `->` or `:`",
    );
    match similar {
        Some(word) => found.suggest("a statement with a similar name exists", span, word),
        None => found,
    }
}

/// The file is for contracts only.
pub(crate) fn only_contracts(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a file of contracts holds contracts only",
        span,
        "this belongs into a test purpose (`.tp`)",
    )
}
