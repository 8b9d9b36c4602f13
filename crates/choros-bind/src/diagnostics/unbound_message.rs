//! A message of the model that a binding does not mention.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0974",
    name: "unbound-message",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A binding that names its model says how each message of the model looks outside.

## Why it matters
A message that is not bound is looked for under its own name, and sent as `POST /Name`. If your systems use another name for it, its records are not recognised, and the message is not judged.

## Example
```toml
model = \"order.chor\"                 # has PlaceOrder and Cancel

[messages.PlaceOrder]
request = \"POST /orders\"
```

## Reference
An empty table, `[messages.Cancel]`, says that this rule is meant.
",
};

pub(crate) fn diagnostic(names: &[&str], place: Span) -> Diagnostic {
    let listed: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    let message = format!("the binding does not mention {}", listed.join(", "));
    Diagnostic::new(&CODE, message, place, "of this model").note(
        "it is looked for under its own name and sent as `POST /Name`; an empty table `[messages.Name]` says that this is meant",
    )
}
