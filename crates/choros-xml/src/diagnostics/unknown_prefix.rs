//! A prefix that is not bound.

use crate::names::Namespaces;
use choros_base::{CodeInfo, Diagnostic, Severity, Span};

/// Its code and documentation.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH1104",
    name: "unknown-prefix",
    severity: Severity::Error,
    documentation: "\
## What it checks
The prefix of a name is bound by an `xmlns` attribute here or further out.

## Why it matters
A name without its namespace has no meaning.

## Example
```
<part name='body' element='bk:offer'/>
```

## Reference
Namespaces in XML 1.0, section 5.
",
};

/// `prefix` was used at `span`, where only these are bound.
pub fn diagnostic(prefix: &str, bound: &Namespaces, span: Span) -> Diagnostic {
    let known: Vec<&str> = bound
        .iter()
        .map(|(prefix, _)| prefix)
        .filter(|prefix| !prefix.is_empty() && *prefix != "xml")
        .collect();
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("the prefix `{prefix}` is not bound"),
        span,
        "no `xmlns` attribute binds it here",
    );
    match (
        choros_base::nearest(prefix, known.iter().copied()),
        known.is_empty(),
    ) {
        (Some(near), _) => diagnostic.note(format!("`{near}` is bound, and similar")),
        (None, false) => diagnostic.note(format!("bound are: {}", known.join(", "))),
        (None, true) => diagnostic.note("no prefix is bound here"),
    }
}
