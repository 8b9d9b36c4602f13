//! A block without its end.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0120",
    name: "unclosed-block",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every `{` of a choreography, a role or a statement has its `}`.

## Why it matters
Without it, the end of the block is unknown.
The block is read up to the next declaration, so that other mistakes are found in the same run.

## Example
```
choreography Shop[buyer, vendor] {
    choice {
        buyer -> vendor: Buy
    or { buyer -> vendor: Leave }      // `}` is missing before `or`
}
```

## Reference
`docs/language.md`.
",
};

/// The block that `open` begins has not ended at `next`; it may be the body of a declaration.
pub(crate) fn diagnostic(open: Span, body_of: Option<(&str, &str)>, next: Span) -> Diagnostic {
    let message = match body_of {
        Some((what, name)) => format!("the {what} {} has no closing `}}`", quoted(name)),
        None => "this block has no closing `}`".to_owned(),
    };
    let before = Span::new(next.file(), next.start().offset, next.start().offset);
    Diagnostic::new(&CODE, message, open, "this `{` is never closed")
        .label(before, "a `}` is missing before this, or further up")
}
