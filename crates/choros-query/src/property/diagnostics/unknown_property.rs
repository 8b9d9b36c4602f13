//! A global property over a local one that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1006",
    name: "unknown-property",
    severity: Severity::Error,
    documentation: "\
## What it checks
The names in a global property are those of local properties of the same file, unless the file has global properties only.

## Why it matters
A verdict that never comes leaves the global property open forever.

## Example
```
property fee on s { … }
global property g { when { fees } then { fee } }
```

## Reference
Definition 16. A file with only global properties is for a tester that reads the verdicts of others (`--verdicts-from`).
",
};

/// `global` asks for a property `name` that is not there.
pub(crate) fn diagnostic(
    span: Span,
    global: &str,
    name: &str,
    similar: Option<&str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("`{global}` asks for a local property `{name}`, which is not there"),
        span,
        format!("it names `{name}`"),
    );
    match similar {
        Some(similar) => diagnostic.note(format!("there is `{similar}`")),
        None => diagnostic,
    }
}
