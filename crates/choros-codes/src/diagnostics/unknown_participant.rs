//! A participant that a model does not have.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0956",
    name: "unknown-participant",
    severity: Severity::Error,
    documentation: "\
## What it checks
The participant of `--role`, or the machine that is to be tested, exists.

## Why it matters
The tests of somebody who does not take part are none, which looks like an answer.

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
        None => diagnostic.note(format!("participants: {}", known.join(", "))),
    }
}
