//! A metavariable that the left side of its rule does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0711",
    name: "unbound-metavariable",
    severity: Severity::Error,
    documentation: "\
## What it checks
The right side of a rule uses literals and metavariables of its left side; `*` is allowed only on the left.

## Why it matters
The rule would make an action with a hole.

## Example
```
Action bank.charge<*,$id> -> request(charge,$di)     // $id
```

## Reference
Fantechi et al., section 5.2.
",
};

/// `known` are the metavariables of the left side.
pub(crate) fn diagnostic(span: Span, name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("metavariable `${name}` is not on the left side of the rule"),
        span,
        "has no value",
    );
    match choros_base::nearest(name, known.iter().copied()) {
        Some(similar) => diagnostic.suggest(
            "the left side has a similar one",
            span,
            format!("${similar}"),
        ),
        None => diagnostic,
    }
}
