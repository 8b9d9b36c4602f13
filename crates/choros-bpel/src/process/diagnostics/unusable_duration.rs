//! A time whose length is not known.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1148",
    name: "unusable-duration",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Durations are literals such as `'PT2H'`: their greatest common divisor is the unit of time.

## Why it matters
A time that is computed, or that is a date, is taken to be one unit.

## Example
```
<wait><until>$order/deadline</until></wait>
```

## Reference
L. Bentakouk, section 3.3.1.2; ISO 8601.
",
};

/// `text` is not a literal duration.
pub(crate) fn diagnostic(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{}` is not a literal duration", text.trim()),
        span,
        "taken to be one unit of time",
    )
}

/// A duration with months or years.
pub(crate) fn uneven(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{}` is not always equally long", text.trim()),
        span,
        "a month is taken to have 30 days, and a year 365",
    )
}
