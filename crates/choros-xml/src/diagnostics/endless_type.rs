//! A type whose values never end.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1108",
    name: "endless-type",
    severity: Severity::Error,
    documentation: "\
## What it checks
A type that contains itself does so in an optional place (`minOccurs='0'`, a choice).

## Why it matters
Otherwise every value of it would be infinite, so it has no values.

## Example
```
<xs:complexType name='T'><xs:sequence><xs:element name='t' type='T'/></xs:sequence></xs:complexType>
```

## Reference
XML Schema allows such a declaration; no document can be valid against it.
",
};

/// The type called `name` contains itself at `span`.
pub(crate) fn diagnostic(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("every value of `{name}` contains another one, without end"),
        span,
        "contains itself here",
    )
    .note("make the element optional with minOccurs='0'")
}

/// The group called `name` refers to itself at `span`.
pub(crate) fn group(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the group `{name}` contains itself, without an element between"),
        span,
        "contains itself here",
    )
}
