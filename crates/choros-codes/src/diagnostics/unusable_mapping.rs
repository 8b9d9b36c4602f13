//! A mapping file that cannot be used.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0966",
    name: "unusable-mapping",
    severity: Severity::Error,
    documentation: "\
## What it checks
A mapping is one JSON object that says where the operation stands, and perhaps the rest.

## Why it matters
A log of another form cannot be read without it.

## Example
```
{ \"operation\": \"message.name\" }      // it is \"op\"
```

## Reference
`op`, `at`, `time`, `by`, `dir`, `send`, `recv`, `from`, `to`, `id`, `session`, `data`, `element`, `messages`; see the chapter on monitoring in the book.
",
};

/// Why it cannot be used.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("cannot use the mapping `{path}`: {reason}"))
}
