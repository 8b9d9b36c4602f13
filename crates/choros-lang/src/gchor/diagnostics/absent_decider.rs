//! A decider that takes no part in what it decides.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0806",
    name: "absent-decider",
    severity: Severity::Error,
    documentation: "\
## What it checks
The participant after `sel`, `repeat` or `@` takes part in the choice or loop.

## Why it matters
A participant that does not take part cannot decide; its name is probably misspelt.

## Example
```
sel X { A -> B : yes + A -> B : no }
```

## Reference
E. Tuosto's ChorGram: the controller of a loop occurs in the loop.
",
};

/// `name` is said to decide, and takes no part.
pub(in crate::gchor) fn diagnostic(
    span: Span,
    name: &str,
    is_loop: bool,
    present: &[&str],
) -> Diagnostic {
    let what = if is_loop { "loop" } else { "choice" };
    let listed: Vec<String> = present.iter().take(8).map(|it| quoted(it)).collect();
    let more = if present.len() > 8 { ", …" } else { "" };
    let diagnostic = Diagnostic::new(
        &CODE,
        format!(
            "{} is named as the decider of this {what} but does not take part in it",
            quoted(name)
        ),
        span,
        "not a participant here",
    );
    let diagnostic = if listed.is_empty() {
        diagnostic.note(format!("this {what} has no participants"))
    } else {
        diagnostic.note(format!(
            "the participants here are {}{more}",
            listed.join(", ")
        ))
    };
    match choros_base::nearest(name, present.iter().copied()) {
        Some(similar) => {
            diagnostic.suggest("a participant with a similar name exists", span, similar)
        }
        None => diagnostic,
    }
}
