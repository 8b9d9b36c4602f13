//! An oracle that speaks of what is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0841",
    name: "oracle-state",
    severity: Severity::Error,
    documentation: "\
## What it checks
The participants of an oracle have machines in the test, their success states are states of these machines, and its channels lie between participants.

## Why it matters
A success state that does not exist is never reached, so the test could not pass.

## Example
```
success_states:
  B: [17]
```

## Reference
Coto's thesis, Definition 3.5: success states are states of the test machine.
",
};

/// No machine plays the participant at `span`.
pub(crate) fn participant(span: Span, participant: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("no machine of the test plays `{participant}`"),
        span,
        "no such participant",
    );
    match nearest(participant, known.iter().copied()) {
        Some(near) => diagnostic.suggest("a participant with a similar name exists", span, near),
        None => diagnostic.note(format!("participants: {}", known.join(", "))),
    }
}

/// The machine of the participant has no state as at `span`.
pub(crate) fn state(span: Span, state: &str, participant: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the machine of `{participant}` has no state `{state}`"),
        span,
        "no such state",
    )
}

/// What is written at `span` is not a channel.
pub(crate) fn channel(span: Span, channel: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{channel}` is not a channel between participants"),
        span,
        "write it as `SENDER-RECEIVER`",
    )
}
