//! A delimitation in a form that does not fit.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0618",
    name: "wrong-delimitation",
    severity: Severity::Error,
    documentation: "\
## What it checks
Variables begin with a capital letter and are delimited as `[X]`; names begin with a small letter and are delimited as `[n#]`.

## Why it matters
The sign `#` distinguishes private names from killer labels, so it cannot follow a variable.

## Example
```
[X#] p.o?<X>
```

## Reference
The three kinds of what is delimited: `[X]` variable, `[n#]` name, `[k]` killer label.
",
};

/// A variable with the sign of a name.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    let lower: String = name.chars().flat_map(char::to_lowercase).collect();
    Diagnostic::new(
        &CODE,
        format!("`{name}#` is not a delimitation"),
        span,
        "a variable without `#`, or a name with a small letter",
    )
    .note(format!("write `[{name}]` or `[{lower}#]`"))
}
