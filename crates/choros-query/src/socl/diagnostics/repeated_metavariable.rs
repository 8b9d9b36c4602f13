//! A metavariable twice on the left side of a rule.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0713",
    name: "metavariable-repeated",
    severity: Severity::Error,
    documentation: "\
## What it checks
A metavariable occurs once on the left side of its rule.

## Why it matters
Two occurrences would have to be given one value, which matching does not do: the rule could never match.

## Example
```
Action bank.transfer<$id,$id> -> request(transfer,$id)     // <$from,$to>
```

## Reference
Fantechi et al., section 5.2: matching joins disjoint substitutions.
",
};

/// The second occurrence.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("metavariable `${name}` occurs twice on the left side"),
        span,
        "introduced already",
    )
    .note("use `*` where a part does not matter")
}
