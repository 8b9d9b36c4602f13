//! A line of an `.fsa` file that says nothing.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0830",
    name: "fsa-line",
    severity: Severity::Error,
    documentation: "\
## What it checks
A file of machines is made of blocks `.outputs NAME`, `.state graph`, transitions, `.marking STATE`, `.end`.
A transition has five words: source, partner, `!` or `?`, message, target.

## Why it matters
A transition that is not understood would silently be missing from the machine.

## Example
```
.outputs A
.state graph
0 1 ! hello
.marking 0
.end
```
The state that `hello` leads to is missing.

## Reference
The `.fsa` form of ChorGram: `<state> <partner> !|? <message> <state>`, one transition per line.
",
};

/// The line at `span` is not a transition, because `wrong`.
pub(crate) fn malformed(span: Span, wrong: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("a transition is `source partner !|? message target`; {wrong}"),
        span,
        "this is not a transition and is ignored",
    )
}

/// The line at `span` belongs to no machine.
pub(crate) fn outside(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this line is outside any machine",
        span,
        "a machine begins with `.outputs NAME` and stops at `.end`",
    )
}

/// The block that begins at `span` never ends.
pub(crate) fn no_end(span: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &CODE,
        "this machine has no `.end`",
        span,
        "it is read up to the next machine or the end of the file",
    );
    diagnostic.severity = Severity::Warning;
    diagnostic
}

/// A marking without a state.
pub(crate) fn no_state(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "`.marking` names no state",
        span,
        "write the state in which runs start: `.marking 0`",
    )
}

/// A file without machines.
pub(crate) fn no_machine(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "there is no machine in this file",
        span,
        "a machine begins with `.outputs NAME`",
    )
}

/// More lines like those.
pub(crate) fn further(count: usize) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{count} further lines are malformed"))
}
