//! A variable that has no value.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0122",
    name: "unbound-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every variable that is read has a value on every path to this place: it is a parameter, a constant, or was bound earlier by a message or an assignment.
A variable bound in a branch, a loop or an interrupted part is available afterwards only if every path through that part binds it.

## Why it matters
On the paths that do not bind it, the value would be arbitrary.

## Example
```
try { buyer -> vendor: Order(x: Int) } interrupt { buyer -> vendor: Cancel }
vendor -> buyer: Bill(sum = x)      // after the interrupt, there is no `x`
```

## Reference
Nguyen's thesis, Definition 1 (free variables); there, such a variable is silently a parameter.
",
};

/// The variable `name` has no value; `sometimes` is where one way gives it one, with the reason why that is not enough.
pub(crate) fn diagnostic<'a>(
    span: Span,
    name: &str,
    sometimes: Option<(Span, &str)>,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    match sometimes {
        Some((bound, why)) => Diagnostic::new(
            &CODE,
            format!("the variable {} may have no value here", quoted(name)),
            span,
            "read here",
        )
        .label(bound, format!("bound here, {why}")),
        None => {
            let diagnostic = Diagnostic::new(
                &CODE,
                format!("the variable {} has no value here", quoted(name)),
                span,
                "not bound before this",
            );
            match nearest(name, known) {
                Some(similar) => {
                    diagnostic.suggest("a variable with a similar name exists", span, similar)
                }
                None => diagnostic.note(
                    "a variable gets its value from a message, as in `Request(x: Int)`, from an assignment, as in `x: Int := 0`, or as a parameter",
                ),
            }
        }
    }
}

/// What is received is compared with the variable `name`, which has no value.
pub(crate) fn received(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the variable {} has no value here", quoted(name)),
        span,
        "not bound before this",
    )
    .note("without a type, this receives only the value that the variable already has")
    .suggest(
        "to receive a new value, add its type",
        span.after(),
        ": Int",
    )
}
