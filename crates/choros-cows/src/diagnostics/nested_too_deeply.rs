//! Terms within terms, too many of them.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0603",
    name: "term-nested-too-deeply",
    severity: Severity::Error,
    documentation: "\
## What it checks
Terms nest at most 200 deep in the text, and at most 400 deep after substituting definitions for their calls.

## Why it matters
Everything that walks over a term needs memory for every level; a limit keeps a damaged or hostile file from exhausting it.

## Example
```
((((((((… p.o!<> …))))))))      -- more than 200 of them
```

## Reference
Chains such as `a | b | c` or `a + b + c` are not nested and may be as long as you like.
",
};

/// Too deep in the text.
pub(crate) fn in_text(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("this is nested more than {limit} deep"),
        span,
        "too deep from here on",
    )
    .note("give the inner part a name of its own, or remove parentheses that are not needed")
}

/// Too deep with definitions in place of their calls.
pub(crate) fn in_calls(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "with definitions substituted for their calls, this is nested more than {limit} deep"
        ),
        span,
        "too deep from here on",
    )
}
