//! An entry of a baseline whose day has passed.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1308",
    name: "expired-entry",
    severity: Severity::Warning,
    documentation: "\
## What it checks
What an entry of the baseline knows is known until the day that it names, that day included.

## Why it matters
The finding counts again.
Either fix it now, or decide again, with a new date.

## Example
```toml
[[baseline]]
code = \"CH0301\"
file = \"shop.chor\"
reason = \"the old warehouse, which is switched off in January\"
expires = 2027-01-31
```

## Reference
The chapter on continuous integration in the book.
",
};

/// `name` says what the entry knows.
pub fn diagnostic(name: &str, expired: &str, place: Span) -> Diagnostic {
    let message = format!("the baseline knew {name} until {expired}, and it is still there");
    Diagnostic::new(&CODE, message, place, "this entry has expired")
}
