//! An activity that can never happen.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0993",
    name: "dead-activity",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every activity and every handler of a process happens in some run.

## Why it matters
A step that can never happen was written for a case that its author thought possible: a fault that is never raised, a branch whose condition contradicts what holds there, a step after a loop that never ends.

## Example
```
<if><condition>$n &gt; 5</condition> … <elseif><condition>$n &gt; 7</condition> … </elseif></if>
```

## Reference
The graph of the process and its transitions that cannot fire (CH0301); `choros draw` shows it.
",
};

/// `what` can never happen.
pub fn diagnostic(what: &str, process: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{what} can never happen in `{process}`"),
        span,
        "no run gets here",
    )
}
