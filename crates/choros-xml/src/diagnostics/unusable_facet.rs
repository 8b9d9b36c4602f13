//! A facet whose value does not fit.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1111",
    name: "unusable-facet",
    severity: Severity::Error,
    documentation: "\
## What it checks
The value of a facet is a value of the type it restricts: a number for a range, a count for a length.

## Why it matters
The restriction would mean nothing.

## Example
```
<xs:restriction base='xs:int'><xs:maxInclusive value='many'/></xs:restriction>
```

## Reference
XML Schema Part 2, section 4.3.
",
};

/// The facet called `facet` has the value `value`, which is no `expected`.
pub(crate) fn diagnostic(facet: &str, value: &str, expected: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{value}` is not a value of `{facet}`"),
        span,
        format!("{expected} is expected"),
    )
}
