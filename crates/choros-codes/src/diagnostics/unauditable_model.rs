//! A model that mixes whole messages with sends and receives.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0970",
    name: "unauditable-model",
    severity: Severity::Error,
    documentation: "\
## What it checks
The model of an audit consists of interactions, or of sends and receives.

## Why it matters
Logs are judged by what happens between roles, or by what each of them does.
A model that mixes sends with interactions says neither.

## Example
```
choros audit mixed.schora#odd --log b=buyer.jsonl
```

## Reference
`choros draw` shows the messages of a model; `a || b` composes roles into a choreography.
",
};

/// The component has messages of several views.
pub fn diagnostic(component: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{component}` mixes whole messages with sends and receives"),
    )
    .note("logs are judged by interactions, or by sends and receives")
}
