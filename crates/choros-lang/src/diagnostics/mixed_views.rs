//! A component that is a choreography here and a service there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0110",
    name: "mixed-views",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A component consists either of interactions, or of sends and receives.

## Why it matters
Interactions are the view from outside, of a whole choreography; sends (`!`) and receives (`?`) are the view of one participant.
An event without a direction is an interaction, so this is most often a forgotten `!` or `?`: in a composition such an event happens without its partner.

## Example
```
component buyer chorD
    Request[b,v]!<x> ; Confirm[v,b]      // `Confirm[v,b]?` was meant
end component
```

## Reference
Nguyen's thesis, Table 3.1: global and local events.
",
};

/// The component has the one-sided event at `local` and the interaction at `global`.
pub(crate) fn diagnostic(component: &str, global: Span, local: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "the component {} mixes interactions with sends and receives",
            quoted(component)
        ),
        global,
        "this is an interaction",
    )
    .label(local, "this is the view of one side only")
    .note("an event without `!` or `?` is an interaction")
}
