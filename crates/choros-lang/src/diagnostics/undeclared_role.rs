//! A role that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0121",
    name: "undeclared-role",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every role that a message, an `at` or a `do` names is declared: in the list of its choreography, or for a role in its list of partners or anywhere in the file.

## Why it matters
A misspelt name would silently add a participant that no service implements, and the others would wait for it.

## Example
```
choreography Shop[buyer, vendor] {
    buyer -> vendro: Request      // `vendro` is not in the list
}
```

## Reference
`docs/language.md`.
",
};

/// There is no role `name`; `declared` are those that there are, and `list` is where one could be added.
pub(crate) fn diagnostic(
    span: Span,
    name: &str,
    declared: &[&str],
    list: Option<Span>,
) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no role {}", quoted(name)),
        span,
        "not declared",
    );
    if !declared.is_empty() {
        let known: Vec<String> = declared.iter().take(8).map(|role| quoted(role)).collect();
        let more = if declared.len() > 8 { ", …" } else { "" };
        diagnostic = diagnostic.note(format!("the roles here are {}{more}", known.join(", ")));
    }
    match (nearest(name, declared.iter().copied()), list) {
        (Some(similar), _) => {
            diagnostic.suggest("a role with a similar name exists", span, similar)
        }
        (None, Some(last)) => diagnostic.suggest(
            "add it to the list of roles",
            last.after(),
            format!(", {name}"),
        ),
        (None, None) => diagnostic.note(
            "list roles after the name, as in `choreography Shop[buyer, vendor]`; for a role, list its partners, as in `role buyer[vendor]`",
        ),
    }
}
