//! A variable without a value.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0703",
    name: "unbound-correlation-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every correlation variable of a formula is bound before it is used: some `[ … $v … ]`, `{ … $v … }` or `< … $v … >` around
it gives it a value.

## Why it matters
Only closed formulas have a meaning; a free variable would match nothing, and the formula would be true or false for
an unintended reason.

## Example
```
AF {response(i,%v)} true                 // [ request(i,$v) ] AF {response(i,%v)} true
A[p(%v) {tt} U {a($v)} true]             // v is bound on the right side only
```

## Reference
Fantechi et al., section 2.2: closed formulas.
A name without `$` or `%` is a literal.
",
};

/// `bound` are the variables that have values here.
pub(crate) fn diagnostic(span: Span, name: &str, bound: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("variable `{name}` has no value here"),
        span,
        "no binder before it reaches here",
    )
    .note("a binder `$v` in an action reaches into the formula to the right of its operator, and nowhere else");
    match choros_base::nearest(name, bound.iter().copied()) {
        Some(similar) => diagnostic.suggest(
            "a similar variable has a value",
            span,
            format!("%{similar}"),
        ),
        None => diagnostic.note(format!("write `{name}` without a sign if it is a literal")),
    }
}
