//! Sessions of which no one graph can be made.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0914",
    name: "no-joint-graph",
    severity: Severity::Error,
    documentation: "\
## What it checks
Most verbs look at a model of several sessions as one graph, in which the sessions take turns. There is no such graph for any number of sessions, nor for sessions that measure time.

## Why it matters
An answer about one session, or about a few, is not an answer about all of them.

## Example
```
choros draw shop.chor --sessions any      // --sessions 2
```

## Reference
`realize`, `conform` and `verify` answer for any number where a theorem says how; the chapter on sessions in the book has it.
",
};

/// There may be any number of them.
pub fn any_number(model: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{model}` has any number of sessions, and no graph"),
    )
    .note("say how many: `--sessions 2`")
}

/// They measure time.
pub fn timed(model: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("the roles of `{model}` measure time, so its sessions have no joint graph"),
    )
}
