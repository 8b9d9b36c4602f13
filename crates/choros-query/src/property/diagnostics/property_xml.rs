//! An XML file that is not one of properties.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1007",
    name: "property-xml",
    severity: Severity::Error,
    documentation: "\
## What it checks
The root is `properties`, its children are `property` elements with a name, a type, a distance, a `context` and a `consequence`, which hold `candidateEvent` elements (local) or `name` elements (global).

## Why it matters
A part that is not understood could change what the property says.

## Example
```
<property name=\"p\" type=\"sometimes\" distance=\"1\"> … </property>
```

## Reference
Listing 5.2 of Nguyen's thesis. Attributes of `event` may be left out: they match anything.
",
};

/// Something in the file is not as it must be.
pub(crate) fn diagnostic(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&CODE, message, span, "here")
}
