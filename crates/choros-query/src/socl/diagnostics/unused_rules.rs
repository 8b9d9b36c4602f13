//! Rules that no group uses.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0723",
    name: "unused-rules",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every set of rules of a file of formulas is named by a group.

## Why it matters
A group that forgets its rules asks about other actions than it seems to, and often of none at all.

## Example
```
rules A { Action bank.charge<*,$id> -> request(charge,$id) }
group charging { F1: AG [request(charge,$v)] true; }          // using A
```

## Reference
The language of `.socl` files.
",
};

/// No group names the set of rules `name`.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("no group uses the rules `{name}`"),
        span,
        "not used",
    )
    .note(format!(
        "`group … using {name} {{ … }}` asks its questions under these rules"
    ))
}
