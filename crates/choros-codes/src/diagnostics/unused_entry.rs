//! An entry of a baseline that nothing needs.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1309",
    name: "unused-entry",
    severity: Severity::Information,
    documentation: "\
## What it checks
Every entry of the baseline knows something that was found, and no two know the same.

## Why it matters
A fixed problem needs no entry, and a leftover entry would hide the same mistake if it came back.
`deny = [\"CH1309\"]` makes it count.

## Example
```toml
[[baseline]]
code = \"CH0301\"
file = \"shop.chor\"           # where every step can happen now
reason = \"the old warehouse\"
expires = 2027-01-31
```

## Reference
The chapter on continuous integration in the book.
",
};

/// `name` says what the entry knows.
pub fn diagnostic(name: &str, place: Span) -> Diagnostic {
    let message = format!("the baseline knows {name}, which was not found");
    Diagnostic::new(&CODE, message, place, "remove this entry")
}

/// Another entry, before this one, knows the same.
pub fn twice(name: &str, first: Span, place: Span) -> Diagnostic {
    let message = format!("the baseline knows {name} twice");
    Diagnostic::new(&CODE, message, place, "remove this entry").label(first, "known here")
}
