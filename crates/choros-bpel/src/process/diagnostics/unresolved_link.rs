//! A link without both its ends.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1147",
    name: "unresolved-link",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every link is declared by a flow around its ends, and is the source of one activity and the target of one other.

## Why it matters
An activity would wait for a status that is never set, or for none.

## Example
```
<links><link name='a'/></links> … <sources><source linkName='b'/></sources>
```

## Reference
WS-BPEL 2.0, section 11.6.1 ([SA00065], [SA00066]).
",
};

/// No link of this name; `known` are those that there are.
pub(crate) fn diagnostic<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("no link `{name}` is declared");
    super::unknown(&CODE, message, name, known, span)
}

/// The link has `found` ends of this kind, and should have one.
pub(crate) fn ends(name: &str, end: &str, found: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the link `{name}` has {found} {end}s, and not one"),
        span,
        "declared here",
    )
}
