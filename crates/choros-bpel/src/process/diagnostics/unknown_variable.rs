//! A variable that no one declares.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1144",
    name: "unknown-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every variable that an activity names is declared in a scope around it.

## Why it matters
It would have neither type nor value.

## Example
```
<receive partnerLink='USER' operation='request' variable='requset'/>
```

## Reference
WS-BPEL 2.0, section 8.1; names of one scope are different ([SA00023], CH1110).
",
};

/// No variable of this name; `known` are those that there are.
pub(crate) fn diagnostic<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("no variable `{name}` is declared");
    super::unknown(&CODE, message, name, known, span)
}
