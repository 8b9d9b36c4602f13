//! A choice between something else than receives.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0607",
    name: "unguarded-choice",
    severity: Severity::Error,
    documentation: "\
## What it checks
The operands of `+` are receives, choices of receives, or `nil`.

## Why it matters
A choice is made by the message that arrives, so each branch must begin with one.

## Example
```
p.o?<> + q.r!<>                          -- an invoke waits for nothing
p.o?<> + [X] q.r?<X>                     -- delimited inside
[X] (p.o?<> + q.r?<X>)                   -- delimited around the choice
```

## Reference
Fantechi et al., Table II: `g ::= 0 | p.o?w.s | g + g`.
",
};

/// An operand that begins with no receive.
pub(crate) fn diagnostic(span: Span, what: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("{what} in a choice"),
        span,
        "an operand of `+` must begin with a receive",
    );
    match what {
        "a delimitation" => {
            diagnostic.note("put the delimitation before the whole choice, in parentheses")
        }
        "a parallel composition" => diagnostic.note("`+` binds tighter than `|`"),
        _ => diagnostic,
    }
}
