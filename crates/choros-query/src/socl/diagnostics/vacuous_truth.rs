//! A formula that is true because what it speaks of never happens.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0730",
    name: "vacuous-truth",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A formula that holds about what follows some action also sees that action happen.

## Why it matters
`AG [ request(i,$v) ] …` is true in every model without requests: a misspelt interaction or a missing rule looks like
success.

## Example
```
AG [ request(chrage,$v) ] AF {responseOk(charge,%v)} true     // charge
```

## Reference
I. Beer, S. Ben-David, C. Eisner, Y. Rodeh: \"Efficient detection of vacuity in temporal model checking\", 2001, from whom
this is a simple case.
The verdict stays *holds*.
",
};

/// `actions` never happen where the formula looks for them.
pub fn diagnostic(span: Span, formula: &str, actions: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{formula}` holds only because no step is `{actions}`"),
        span,
        "no explored step of the model matches this",
    )
}
