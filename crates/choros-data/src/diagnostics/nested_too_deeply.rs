//! Brackets within brackets, too many of them.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0004",
    name: "nested-too-deeply",
    severity: Severity::Error,
    documentation: "\
## What it checks
Brackets and operators nest at most 200 deep.

## Why it matters
Readers of nested text need memory for every level; a limit keeps a hostile or damaged file from exhausting it.

## Example
```
((((((((… x …))))))))      // more than 200 of them
```

## Reference
Chains such as `a + b + c` or `a; b; c` are not nested and may be as long as you like.
",
};

/// Too deep here.
pub(crate) fn diagnostic(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("this is nested more than {limit} deep"),
        span,
        "too deep from here on",
    )
    .note("give the inner part a name of its own, or remove parentheses that are not needed")
}
