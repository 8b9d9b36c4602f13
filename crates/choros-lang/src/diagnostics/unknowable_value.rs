//! A role that uses a value it cannot know.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0126",
    name: "unknowable-value",
    severity: Severity::Warning,
    documentation: "\
## What it checks
In a choreography, a role that sends a value has sent or received all variables in it before; a role that begins a branch knows the variables of its condition.
Every role knows the parameters and constants.

## Why it matters
A service has only what it sent and received.
The choreography is well defined, but services cannot implement it like this: the value must be passed on first.

## Example
```
buyer -> vendor: Request(amount: Int)
bank -> vendor: Reserve(amount)      // how does the bank know the amount?
```

## Reference
Nguyen's thesis, section 4.1 (conditions on the knowledge of roles).
",
};

/// The role `role`, which acts at `acts`, cannot know `variable`, which is read at `span`.
pub(crate) fn diagnostic(
    span: Span,
    role: &str,
    variable: &str,
    acts: Span,
    knows: &[&str],
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("{} cannot know {} here", quoted(role), quoted(variable)),
        span,
        "used here",
    );
    let (used, acting) = (span.range(), acts.range());
    let diagnostic = if acting.start <= used.start && used.end <= acting.end {
        diagnostic
    } else {
        diagnostic.label(acts, format!("{} decides or sends here", quoted(role)))
    };
    match knows {
        [] => diagnostic,
        knows => {
            let knows: Vec<String> = knows.iter().take(4).map(|role| quoted(role)).collect();
            diagnostic.note(format!(
                "{} knows it and could send it to {} first",
                knows.join(" or "),
                quoted(role)
            ))
        }
    }
}
