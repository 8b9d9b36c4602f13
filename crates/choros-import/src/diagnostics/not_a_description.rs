//! A document that is not an OpenAPI description.

use choros_base::{CodeInfo, Diagnostic, FileId, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1161",
    name: "not-a-description",
    severity: Severity::Error,
    documentation: "\
## What it checks
The document is an OpenAPI description of version 3.0 or 3.1 with at least one operation.

## Why it matters
Swagger 2.0 and other versions place bodies, parameters and servers elsewhere; read as 3.x, they would lose most of what they say.

## Example
```
swagger: \"2.0\"       # convert it, for example with `npx swagger2openapi old.yaml -o new.yaml`
```

## Reference
OpenAPI Specification 3.0.4 and 3.1.1, section *OpenAPI Object*.
",
};

/// It says of itself nothing that would be a version.
pub(crate) fn diagnostic(file: FileId) -> Diagnostic {
    let start = Span::new(file, 0, 0);
    Diagnostic::new(
        &CODE,
        "the file is not an OpenAPI description",
        start,
        "expected `openapi: 3.1.0` or `openapi: 3.0.3`",
    )
}

/// It is of another version.
pub(crate) fn other_version(kind: &str, version: &str, span: Span) -> Diagnostic {
    let message = format!("{kind} {version} is not read");
    let diagnostic = Diagnostic::new(&CODE, message, span, "expected OpenAPI 3.0 or 3.1");
    match kind {
        "Swagger" => diagnostic
            .note("convert it, for example with `npx swagger2openapi old.yaml -o new.yaml`"),
        _ => diagnostic,
    }
}

pub(crate) fn without_operations(file: FileId) -> Diagnostic {
    let start = Span::new(file, 0, 0);
    let message = "the description has no operations";
    Diagnostic::new(
        &CODE,
        message,
        start,
        "no path has a method that is imported",
    )
}
