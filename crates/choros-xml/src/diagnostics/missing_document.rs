//! A document that another one names and that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1103",
    name: "missing-document",
    severity: Severity::Error,
    documentation: "\
## What it checks
What `import` and `include` name can be read, from a path relative to the document that names it.

## Why it matters
Without it, the types and messages declared there are unknown.

## Example
```
<import namespace='urn:bank' location='Bank.wsdl'/>
```

## Reference
Nothing is ever fetched from a network: save the document next to the others and give its path as the location.
",
};

/// The world did not give it.
pub(crate) fn unreadable(error: &choros_base::SourceError, asked_at: Option<Span>) -> Diagnostic {
    at(format!("{error}"), asked_at, "named here")
}

/// It would have to be fetched.
pub(crate) fn remote(path: &str, asked_at: Option<Span>) -> Diagnostic {
    at(
        format!("`{path}` is not on this machine, and nothing is fetched"),
        asked_at,
        "named here",
    )
    .note("save the document next to the others and give its path as the location")
}

fn at(message: String, asked_at: Option<Span>, label: &str) -> Diagnostic {
    match asked_at {
        Some(span) => Diagnostic::new(&CODE, message, span, label),
        None => Diagnostic::without_place(&CODE, message),
    }
}
