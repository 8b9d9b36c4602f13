//! A log of a role that the model does not have.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0971",
    name: "unknown-log-role",
    severity: Severity::Error,
    documentation: "\
## What it checks
The role before `=` in `--log ROLE=FILE` takes part in the model.

## Why it matters
A log that is not checked would go unnoticed.

## Example
```
choros audit order.pact --log buyer=b.jsonl
```

## Reference
`choros draw` shows the roles of a model; `--map` maps addresses to roles.
",
};

/// The model has these roles.
pub fn diagnostic(role: &str, known: &[String], similar: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::without_place(&CODE, format!("the model has no role `{role}` to log"));
    match similar {
        Some(similar) => diagnostic.note(format!("did you mean `{similar}`?")),
        None => diagnostic.note(format!("it has {}", known.join(", "))),
    }
}
