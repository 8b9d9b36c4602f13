//! `--map` for a service that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0910",
    name: "no-such-service",
    severity: Severity::Error,
    documentation: "\
## What it checks
`--map service=role` names a sender or receiver of messages of the implementation.

## Why it matters
A misspelt service would silently keep its name, and its messages would not be matched with those of the specification.

## Example
```
choros conform shop.schora#services shop.schora#shop --map wharehouse=w
```

## Reference
`choros draw` shows the senders and receivers of each message.
",
};

/// Nothing sends or receives under this name.
pub fn diagnostic(name: &str, similar: Option<&str>) -> Diagnostic {
    let message = format!("nothing in the implementation sends or receives as `{name}`");
    let diagnostic = Diagnostic::without_place(&CODE, message);
    match similar {
        Some(similar) => diagnostic.note(format!("a similar name exists: `{similar}`")),
        None => diagnostic,
    }
}
