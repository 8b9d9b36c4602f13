//! A model that is neither a choreography nor the model of one role.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0970",
    name: "unauditable-model",
    severity: Severity::Error,
    documentation: "\
## What it checks
The model of an audit consists of interactions, or of the sendings and receptions of one role.

## Why it matters
Logs of several roles are judged by what happens between them; logs of one role by what it does.
A model of sendings here and interactions there says neither.

## Example
```
choros audit mixed.schora#odd --log b=buyer.jsonl
```

## Reference
`choros draw` shows the messages of a model; `a || b` composes roles into a choreography.
",
};

/// The component has messages of several views.
pub(crate) fn diagnostic(component: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{component}` is neither a choreography nor the model of one role"),
    )
    .note("logs are judged by interactions, or by the sendings and receptions of a single role")
}
