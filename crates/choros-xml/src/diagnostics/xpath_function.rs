//! A call of a function that is not there, or with other arguments.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1116",
    name: "xpath-function",
    severity: Severity::Error,
    documentation: "\
## What it checks
A function is one of XPath 1.0, or `getVariableProperty` of BPEL, and is called with as many arguments as it takes.

## Why it matters
Functions of engines and vendors mean nothing elsewhere.

## Example
```
substring-befor($order/id, '-')
```

## Reference
XML Path Language (XPath) 1.0, section 4; WS-BPEL 2.0, section 8.3.
",
};

/// No such function.
pub(crate) fn unknown(name: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("no function is called `{name}`"),
        span,
        "not a function of XPath 1.0 or BPEL",
    );
    match near {
        Some(near) => diagnostic.suggest("a function with a similar name exists", span, near),
        None => diagnostic,
    }
}

/// It takes another number of arguments.
pub(crate) fn arguments(name: &str, takes: &str, given: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` takes {takes}, not {given}"),
        span,
        format!("{given} given"),
    )
}
