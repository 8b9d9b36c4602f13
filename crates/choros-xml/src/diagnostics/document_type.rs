//! A document type declaration.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1101",
    name: "document-type-declaration",
    severity: Severity::Error,
    documentation: "\
## What it checks
A document has no `<!DOCTYPE …>`.

## Why it matters
Such a declaration may define entities that name other files or hosts, or that grow a thousandfold when they are replaced.
Services do not need them, SOAP forbids them, and none is ever followed here.

## Example
```
<!DOCTYPE bomb [<!ENTITY a '&b;&b;'> <!ENTITY b SYSTEM 'file:///etc/passwd'>]>
```

## Reference
SOAP 1.1, section 3: a message must not contain a document type declaration.
",
};

/// The declaration stands at `span`.
pub(crate) fn diagnostic(path: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{path}` has a document type declaration"),
        span,
        "refused, with all entities it may declare",
    )
    .note("nothing it names was fetched; remove the declaration and write the text of its entities in their place")
}
