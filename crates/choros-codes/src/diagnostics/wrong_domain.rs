//! `--domain` for nothing, or with something that is not a value.

use choros_base::{CodeInfo, Diagnostic, Severity, nearest};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0946",
    name: "wrong-domain",
    severity: Severity::Error,
    documentation: "\
## What it checks
`--domain` names a variable that some message of the model binds, and lists values of its sort.

## Why it matters
The values would not be tried.

## Example
```
choros verify shop.chor#shop --domain quantty=0..3 …      // quantity
```

## Reference
A domain is a range `0..3` or a list `1,5,9`.
",
};

/// What the text of a domain is called among the sources.
pub fn source_of(name: &str) -> String {
    format!("--domain {name}")
}

/// No message binds such a variable.
pub fn no_variable(name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::without_place(
        &CODE,
        format!("no message of the model binds a variable `{name}`"),
    );
    match nearest(name, known.iter().copied()) {
        Some(similar) => diagnostic.note(format!("there is `{similar}`")),
        None => diagnostic,
    }
}

/// Something in the list has no value.
pub fn no_value(name: &str, text: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{text}` in the domain of `{name}` is not a value"),
    )
}
