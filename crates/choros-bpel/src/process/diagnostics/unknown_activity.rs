//! An element that stands where an activity should.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1140",
    name: "unknown-activity",
    severity: Severity::Error,
    documentation: "\
## What it checks
Where an activity is expected, there is an activity of WS-BPEL 2.0.

## Why it matters
It is unknown what the process does there; the rest is still read.

## Example
```
<sequence><recieve partnerLink='USER' operation='request'/></sequence>
```

## Reference
WS-BPEL 2.0, sections 10 to 12.
",
};

/// `name` is not an activity.
pub(crate) fn diagnostic(name: &str, known: &[&str], span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("`{name}` is not an activity"),
        span,
        "an activity is expected",
    );
    match choros_base::nearest(name, known.iter().copied()) {
        Some(near) => diagnostic.note(format!("there is `{near}`, which is similar")),
        None => diagnostic,
    }
}

/// `container` holds no activity.
pub(crate) fn lacking(container: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{container}` holds no activity"),
        span,
        "an activity is expected inside",
    )
}
