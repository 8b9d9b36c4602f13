//! A mapping or an option that speaks of an operation or a role which the model does not have.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0991",
    name: "unknown-operation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The names in the mapping of `choros drive` are those of the model; one that the model does not have must not look like a misspelt one that it has.
One mapping may serve several models, so unknown names are ignored, unless the model has none of the names.
The roles of `--mock-at` are in the model.

## Why it matters
An operation that is misspelt in the mapping is sent as the default rule says, and not as the mapping says: the service would be
blamed for it.

## Example
```
{ \"operations\": { \"Reqest\": { \"path\": \"/orders\" } } }        the model has `Request`
```

## Reference
The chapter on driving services in the book.
",
};

/// `what` is `operation` or `role`; `known` are those of the model.
pub fn diagnostic(
    path: &str,
    what: &str,
    name: &str,
    similar: Option<&str>,
    known: &[&str],
) -> Diagnostic {
    let diagnostic =
        Diagnostic::without_place(&CODE, format!("{path}: the model has no {what} `{name}`"));
    match similar {
        Some(similar) => diagnostic.note(format!("did you mean `{similar}`?")),
        None => diagnostic.note(format!("it has {}", known.join(", "))),
    }
}
