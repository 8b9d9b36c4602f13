//! An `again` with which no round can begin.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0137",
    name: "misplaced-again",
    severity: Severity::Error,
    documentation: "\
## What it checks
`again X` is the last step of a round of `loop X`: nothing follows it, it is not inside a `par`, `try`, `while` or `repeat` within the loop, and something has happened earlier in the round.

## Why it matters
A statement after `again` would wait for the end of the next round, and so on forever: such a model has infinitely many states. A round in which nothing happens is pointless.

## Example
```
loop Ask {
    a -> b: Question
    choice {
        b -> a: What
        again Ask
    } or {
        b -> a: Answer
    }
}
```

## Reference
Tail recursion in process calculi; `repeat` and `while` are loops that end in one place only.
",
};

/// Something follows `again`, or runs beside it.
pub(crate) fn not_last(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "`again` is not the last thing that happens in the loop {}",
            quoted(name)
        ),
        span,
        "the round continues after this",
    )
    .note("nothing can follow it, and it cannot be inside `par`, `try`, `while` or `repeat`")
}

/// Nothing has happened since the round began.
pub(crate) fn empty_round(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("nothing happens in this round of the loop {}", quoted(name)),
        span,
        "the round begins again here",
    )
    .note("a message, a `wait` or an assignment must come before it")
}
