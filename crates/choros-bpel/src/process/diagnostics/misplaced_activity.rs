//! An activity that has no meaning where it stands.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1149",
    name: "misplaced-activity",
    severity: Severity::Error,
    documentation: "\
## What it checks
`rethrow` is inside a fault handler; `compensate` and `compensateScope` are inside a handler of the scope whose inner scopes they compensate.

## Why it matters
Elsewhere there is no fault to raise again, or nothing to compensate.

## Example
```
<sequence><rethrow/></sequence>
```

## Reference
WS-BPEL 2.0, sections 11.5 and 12.4.3 ([SA00006], [SA00007], [SA00008]).
",
};

/// `message` says why.
pub(crate) fn diagnostic(message: impl Into<String>, label: &str, span: Span) -> Diagnostic {
    Diagnostic::new(&CODE, message, span, label)
}
