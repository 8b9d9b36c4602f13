//! A binder where nothing can be bound.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0704",
    name: "misplaced-binder",
    severity: Severity::Error,
    documentation: "\
## What it checks
A new variable `$v` is allowed only in an action that ends a step: in `[ … ]`, `< … >`, or the braces after `X`, `F`, `U` or `W`,
and the action is alone there.

## Why it matters
The braces before `U` and `W` and propositions only test; `not`, `and` and `or` of actions could bind a variable or not,
and the rest of the formula would have no meaning.

## Example
```
E[p {request(i,$v)} U {tt} true]         // E[p {request(i)} U {tt} true]
EF accepting_undo(i,$v)                  // EF {responseOk(i,$v)} EF accepting_undo(i,%v)
```

## Reference
Fantechi et al., definitions 2.6, 2.10 and 2.11.
",
};

/// In the braces before `U` or `W`.
pub(crate) fn in_steps(span: Span, name: &str) -> Diagnostic {
    diagnostic(span, name, "the braces before `U` and `W`")
}

pub(crate) fn in_proposition(span: Span, name: &str) -> Diagnostic {
    diagnostic(span, name, "a proposition")
}

/// Under `not`, `and` or `or`.
pub(crate) fn in_connective(span: Span, name: &str) -> Diagnostic {
    diagnostic(span, name, "`not`, `and` and `or` of actions")
}

fn diagnostic(span: Span, name: &str, place: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`${name}` would bind a variable, which {place} cannot do"),
        span,
        "a new variable",
    )
    .note(format!(
        "bind `{name}` in an enclosing `[ … ]` or `{{ … }}` first, or leave the argument out at the end of the action"
    ))
}
