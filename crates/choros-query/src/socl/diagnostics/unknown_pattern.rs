//! A pattern that does not exist.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0722",
    name: "unknown-pattern",
    severity: Severity::Error,
    documentation: "\
## What it checks
A pattern is written NAME:interaction, with the name of one of the patterns of service properties, or `all`.

## Why it matters
There is no formula for it.

## Example
```
choros verify bank.cows --pattern respnsive:charge     // responsive:charge
```

## Reference
Fantechi et al., section 2.3: available, weakly-available, parallel, sequential, one-shot, off-line, cancelable,
cancelable-service, revocable, revocable-strong, responsive, single-response, multiple-response, no-response, reliable,
single-responsive.
",
};

/// `span` is the place in a file, if it stands in one.
pub fn diagnostic(span: Option<Span>, name: &str) -> Diagnostic {
    let message = format!("there is no pattern `{name}`");
    let diagnostic = match span {
        Some(span) => Diagnostic::new(&CODE, message, span, "unknown"),
        None => Diagnostic::without_place(&CODE, message),
    };
    let known = crate::socl::Pattern::EVERY.map(crate::socl::Pattern::name);
    let alone = name.split(':').next().unwrap_or(name);
    match choros_base::nearest(alone, known) {
        Some(similar) => {
            diagnostic.note(format!("a pattern with a similar name exists: `{similar}`"))
        }
        None => diagnostic.note(format!("there are {}", known.join(", "))),
    }
}
