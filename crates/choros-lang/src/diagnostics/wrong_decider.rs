//! An `at` that does not hold.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0125",
    name: "wrong-decider",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choice at R` and `repeat at R` claim that R decides: the first message of every branch is sent by R.

## Why it matters
If two roles can begin different branches at the same time, each can take its own, and they no longer follow the same choreography.

## Example
```
choice at vendor {
    vendor -> buyer: Confirm
} or {
    buyer -> vendor: Cancel      // sent by the buyer, not by the vendor
}
```

## Reference
The condition of Bultan and Fu on choices; `docs/language.md`.
",
};

/// The claim at `claim` says `role`, but the message at `span` is sent by `sender`.
pub(crate) fn diagnostic(claim: Span, role: &str, span: Span, sender: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{} does not decide this alone: {} can begin too", quoted(role), quoted(sender)),
        claim,
        format!("says that {} begins", quoted(role)),
    )
    .label(span, format!("sent by {}", quoted(sender)))
    .note("the role after `at` must send the first message of every branch; remove `at` if another role can begin")
}
