//! Two consecutive interactions that nothing keeps in order.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0502",
    name: "unordered-interactions",
    severity: Severity::Information,
    documentation: "\
## What it checks
The role that starts an interaction can see that the one before it has happened.
What has to be seen depends on the mode, for `α₁` from `s₁` to `r₁` and then `α₂` from `s₂` to `r₂`:
`sync` asks for a common role; `sender` for `s₂` among `s₁`, `r₁`; `receiver` for `r₁` among `s₂`, `r₂`; `disjoint` for \
`s₂ = r₁`.

## Why it matters
The choreography says *first this, then that*, but those who do *that* take no part in *this*.
Nothing in their own behaviour makes them wait, so the two will be seen in the wrong order.

## Example
```
request[buyer,vendor] ; ship[warehouse,shipper]
```
The warehouse cannot know when the request was made; a message from the buyer or the vendor to the warehouse would fix that.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, 3.4.1. \
`choros realize --repair` proposes messages, marked `+or`.
",
};
