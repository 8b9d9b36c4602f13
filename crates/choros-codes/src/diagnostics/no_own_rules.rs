//! A group under the rules of a model that has none.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0947",
    name: "no-own-rules",
    severity: Severity::Error,
    documentation: "\
## What it checks
`using model` in a file of formulas is for models that hold abstraction rules, which COWS files do in their block
`Abstractions { … }`.

## Why it matters
Without rules the questions of the group mean something else.

## Example
```
group using model { F1: AG accepting_request(charge); }      // with a model that has no Abstractions
```

## Reference
`using none` asks about the actions of the model as they are.
",
};

/// `using model`.
pub fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "the model has no abstraction rules",
        span,
        "the model has none",
    )
    .note("give rules in this file, in a file of rules, or write `using none`")
}
