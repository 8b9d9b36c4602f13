//! A file that is not XML, or no graph in XML.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1090",
    name: "stga-xml",
    severity: Severity::Error,
    documentation: "\
## What it checks
A `.stga` file is a well-formed XML document whose root is `STGA`.

## Why it matters
Prop-tester's models, properties and logs are all XML; which one a file is, its root says.

## Example
```
<STGA name=\"s\" initstate=\"0\"><states><state name=\"0\"></states></STGA>
```
The element `state` is not closed.

## Reference
Nguyen, Poizat, Zaidi: Online Verification of Value-Passing Choreographies through Property-Oriented Passive Testing, HASE 2012; the form is that of the tool Prop-tester.
",
};

/// The document is not well-formed.
pub(crate) fn malformed(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "the file is not well-formed XML",
        span,
        reason.to_owned(),
    )
}

/// The root is another element.
pub(crate) fn root(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the root element is `{found}`, not `STGA`"),
        span,
        "a graph was expected",
    )
}
