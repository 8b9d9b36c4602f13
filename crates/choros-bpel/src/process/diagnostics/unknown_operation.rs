//! An operation that the partner does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1142",
    name: "unknown-operation",
    severity: Severity::Error,
    documentation: "\
## What it checks
The operation of every activity that communicates belongs to the port type of its partner link: of `myRole` for what is received and replied, of `partnerRole` for what is invoked.

## Why it matters
Such a call can never be made, so the process does not fit its partners.

## Example
```
<invoke partnerLink='BK' operation='aprove' inputVariable='AI' outputVariable='AO'/>
```

## Reference
L. Bentakouk, Definition 3.3.6; WS-BPEL 2.0, section 10.3.
",
};

/// The port type has no operation of this name; `known` are those that it has.
pub(crate) fn diagnostic<'a>(
    operation: &str,
    partner: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("`{partner}` has no operation `{operation}`");
    super::unknown(&CODE, message, operation, known, span)
}

/// The operation has no fault of this name.
pub(crate) fn without_fault<'a>(
    operation: &str,
    fault: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("the operation `{operation}` has no fault `{fault}`");
    let diagnostic = Diagnostic::new(&CODE, message, span, "not declared");
    match choros_base::nearest(fault, known) {
        Some(near) => diagnostic.note(format!("there is `{near}`, which is similar")),
        None => diagnostic,
    }
}

/// A one-way operation has no answer.
pub(crate) fn one_way(operation: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the operation `{operation}` has no answer"),
        span,
        "is one-way",
    )
}
