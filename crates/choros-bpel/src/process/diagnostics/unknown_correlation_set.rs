//! A correlation set that no one declares.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1145",
    name: "unknown-correlation-set",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every correlation set that an activity names is declared in a scope around it.

## Why it matters
Messages of different conversations could not be separated.

## Example
```
<correlation set='LS' initiate='yes'/>
```

## Reference
WS-BPEL 2.0, sections 9 and 12.7.1 ([SA00088]).
",
};

/// No correlation set of this name; `known` are those that there are.
pub(crate) fn diagnostic<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("no correlation set `{name}` is declared");
    super::unknown(&CODE, message, name, known, span)
}
