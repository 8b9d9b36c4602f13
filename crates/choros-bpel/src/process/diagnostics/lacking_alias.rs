//! A property that a message does not carry.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1146",
    name: "lacking-alias",
    severity: Severity::Error,
    documentation: "\
## What it checks
A message that takes part in a correlation carries each property of the set: a property alias says where.

## Why it matters
Without it there is nothing to compare.

## Example
```
<vprop:propertyAlias propertyName='t:id' messageType='t:requestIn' part='part1'/>
```

## Reference
WS-BPEL 2.0, section 7.3 ([SA00021]).
",
};

/// Messages of type `message` have no alias of `property`.
pub(crate) fn diagnostic(property: &str, message: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("messages of type `{message}` do not carry the property `{property}`"),
        span,
        "cannot be correlated",
    )
    .note("a `propertyAlias` in one of the imported WSDL documents says where a message carries a property")
}
