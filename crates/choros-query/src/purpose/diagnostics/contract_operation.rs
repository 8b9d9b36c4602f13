//! A contract about no two-way operation of a partner.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1209",
    name: "contract-without-operation",
    severity: Severity::Error,
    documentation: "\
## What it checks
A contract is about an operation that a partner offers and answers.

## Why it matters
A contract relates what was sent to an operation and what came back; for an operation that does not exist, answers nothing or is offered by the orchestrator itself, it says nothing.

## Example
```
contract BK.aprove: out.rtr    // the model has BK.approve
```

## Reference
Definition 3.3.1 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\": π(o).
",
};

/// Why the operation can have no contract.
pub(crate) fn diagnostic(
    span: Span,
    operation: &str,
    why: &str,
    similar: Option<&str>,
) -> Diagnostic {
    let found = Diagnostic::new(
        &CODE,
        format!("a contract for `{operation}` has no effect"),
        span,
        why,
    );
    match similar {
        Some(similar) => found.note(format!("there is an operation `{similar}`")),
        None => found,
    }
}
