//! A recursive type that was unfolded.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1109",
    name: "recursion-bound",
    severity: Severity::Information,
    documentation: "\
## What it checks
Types that contain themselves are unfolded to a bound, because sorts are finite.

## Why it matters
Deeper values are not generated, and deeper messages cannot be read.

## Example
```
<xs:complexType name='Node'><xs:sequence><xs:element name='child' type='Node' minOccurs='0'/></xs:sequence></xs:complexType>
```

## Reference
The bound is 3 levels.
",
};

/// The type called `name` was unfolded `levels` times.
pub(crate) fn diagnostic(name: &str, levels: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` contains itself and is unfolded to {levels} levels"),
        span,
        "contains itself here",
    )
}
