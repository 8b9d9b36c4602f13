//! An `abort` that cannot end a saga.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0154",
    name: "misplaced-abort",
    severity: Severity::Error,
    documentation: "\
## What it checks
`abort` stands in a step of a saga and is the last thing in its block: nothing follows it there, and it is not inside a `par`, `try`, `while`, `repeat`, `late` or `undo` within the step.

## Why it matters
`abort` ends the saga: the steps that are done are undone, the last one first, and then what follows the saga happens. What still ran beside it would go on in a saga that is over.

## Example
```
saga {
    step { order -> inventory: Reserve(id) } undo { order -> inventory: Release(id) }
    step {
        order -> payment: Charge(id)
        choice {
            payment -> order: Declined(id)
            abort
        } or {
            payment -> order: Charged(id)
        }
    }
}
```

## Reference
H. Garcia-Molina, K. Salem, *Sagas*, SIGMOD 1987; the meaning is written down in `docs/language.md`.
",
};

/// It is in no step of a saga.
pub(crate) fn outside(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "`abort` is in no step of a saga",
        span,
        "nothing can be undone here",
    )
    .note("it ends a `saga { step { … } undo { … } … }`; in `undo` there is nothing to abort")
}

/// Something runs beside it, or it is in rounds.
pub(crate) fn kept(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "`abort` cannot end the saga from here",
        span,
        "what is around it would go on",
    )
    .note("it cannot be inside `par`, `try`, `while`, `repeat` or `late`")
}

/// Something follows.
pub(crate) fn not_last(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "`abort` is not the last thing in its block",
        span,
        "what follows in the block never happens",
    )
}
