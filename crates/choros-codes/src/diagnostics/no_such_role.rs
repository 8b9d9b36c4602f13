//! A role that a choreography does not have.

use choros_base::{CodeInfo, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0510",
    name: "no-such-role",
    severity: Severity::Error,
    documentation: "\
## What it checks
The role after `--role` takes part in the choreography.

## Why it matters
The projection on a role that does nothing is empty, which looks like an answer.

## Example
```
choros project shop.schora#shop --role buyer
```
is rejected when the roles are called `b`, `v` and `w`.

## Reference
`choros draw` shows the roles of a model.
",
};

/// One line for a report.
pub fn message(choreography: &str, role: &str, similar: Option<&str>, known: &[String]) -> String {
    match similar {
        Some(similar) => {
            format!("`{choreography}` has no role `{role}`; did you mean `{similar}`?")
        }
        None if known.is_empty() => {
            format!("`{choreography}` exchanges no message, so there is nothing to say of `{role}`")
        }
        None => format!(
            "`{choreography}` has no role `{role}`; it has {}",
            known.join(", ")
        ),
    }
}
