//! A variable that occurs twice in a tuple.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0608",
    name: "repeated-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
The variables of the tuple of a receive differ from each other.

## Why it matters
Matching gives each variable one value; two components cannot both give it.

## Example
```
[X] p.o?<X,X>
```

## Reference
Fantechi et al., section 4.1: variables inside one tuple are pairwise distinct.
",
};

/// It occurs again.
pub(crate) fn diagnostic(first: Span, again: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the variable `{name}` occurs twice in this tuple"),
        again,
        "occurs again",
    )
    .label(first, "first here")
}
