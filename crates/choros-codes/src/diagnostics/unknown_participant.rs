//! A participant that a model does not have.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0956",
    name: "unknown-participant",
    severity: Severity::Error,
    documentation: "\
## What it checks
The participant given with `--role`, or the machine under test, exists.

## Why it matters
A participant that does not exist has no tests, which would look like an answer.

## Example
```
choros tests atm.fsa --role ATM
```
is rejected when the participants are called `A`, `B` and `C`.

## Reference
`choros explore` and `choros draw` show the participants of a model.
",
};

/// The model has no such participant.
pub fn diagnostic(path: &str, role: &str, similar: Option<&str>, known: &[&str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::without_place(&CODE, format!("`{path}` has no participant `{role}`"));
    match similar {
        Some(similar) => diagnostic.note(format!("did you mean `{similar}`?")),
        None if known.is_empty() => diagnostic.note("no message is exchanged in it"),
        None => diagnostic.note(format!("participants: {}", known.join(", "))),
    }
}
