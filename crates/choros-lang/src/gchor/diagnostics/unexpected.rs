//! Something in a `.gc` file that cannot stand where it stands.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0801",
    name: "unexpected-in-gc",
    severity: Severity::Error,
    documentation: "\
## What it checks
A `.gc` file is interactions `A -> B : m` and `(o)`, put together with `;`, `+`, `|`, `sel`, `repeat` and braces.
Names are made of anything but white space and the signs `@ . , ; : ( ) [ ] { } | + - * / ^ ! ? % §`; those of participants start with a letter.

## Why it matters
What cannot be read is left out, up to the next operator, so that other mistakes are found in the same run; nothing is analysed until all are fixed.

## Example
```
C -> A withdraw      .. `:` is missing
```

## Reference
E. Tuosto's ChorGram defines the format; A. Coto, *A choreographic approach to model-driven testing of message-passing systems*, section 2.1.2, the g-choreographies.
",
};

/// Something else was expected at `span`.
pub(in crate::gchor) fn diagnostic(
    span: Span,
    found: &str,
    is_end: bool,
    expected: &str,
) -> Diagnostic {
    let message = if is_end {
        "the file ends too early".to_owned()
    } else {
        format!("unexpected {}", quoted(found))
    };
    Diagnostic::new(&CODE, message, span, format!("expected {expected}"))
}

/// Signs that mean nothing.
pub(in crate::gchor) fn unknown_sign(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this character has no meaning in a g-choreography",
        span,
        "left out",
    )
    .note("comments start with `..`, or are enclosed in `[[` and `]]`")
}

/// A comment without its end.
pub(in crate::gchor) fn unclosed_comment(span: Span) -> Diagnostic {
    let start = Span::new(span.file(), span.start().offset, span.start().offset + 2);
    Diagnostic::new(
        &CODE,
        "this comment is never closed",
        start,
        "`]]` is missing; everything after this is ignored",
    )
}

/// A participant whose name does not start with a letter.
pub(in crate::gchor) fn no_participant(span: Span, text: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{} is not a valid name for a participant", quoted(text)),
        span,
        "it must start with a letter",
    )
}
