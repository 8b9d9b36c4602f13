//! A transition from or to a state that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0105",
    name: "undeclared-state",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every state that a transition of an `STG` component starts in or leads to is listed among its states.

## Why it matters
The first state of the list is where runs begin, so the list is more than a convenience; and a wrong number would silently change the graph.

## Example
```
component shop STG
    0; 1;
    0 -> 2 [label=\"Request[b,v]\"];      // `2` is not listed
end component
```

## Reference
Nguyen's thesis, Listing A.2.
",
};

/// There is no state `name`; it could be listed before what stands at `place`.
pub(crate) fn diagnostic<'a>(
    span: Span,
    name: &str,
    declared: impl IntoIterator<Item = &'a str>,
    place: Option<Span>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no state {}", quoted(name)),
        span,
        "not among the states of this component",
    );
    // Numbers are always near to others, which tells nothing.
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    let similar = if is_number {
        None
    } else {
        nearest(name, declared)
    };
    match (similar, place) {
        (Some(similar), _) => diagnostic.suggest(
            "a state with a similar name exists",
            span,
            similar.to_owned(),
        ),
        (None, Some(place)) => {
            let before = Span::new(place.file(), place.start().offset, place.start().offset);
            diagnostic.suggest("list the state", before, format!("{name}; "))
        }
        (None, None) => diagnostic,
    }
}
