//! A fault of a message or a role that the model does not have.

use choros_base::{CodeInfo, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0553",
    name: "unknown-fault-name",
    severity: Severity::Error,
    documentation: "\
## What it checks
Messages and roles that `--faults` names occur in the model.

## Why it matters
A misspelt name would ask about a fault that never happens, and every model survives that.

## Example
```
choros check shop.chor --faults lose:Chargd
```
is rejected when the message is called `Charged`.

## Reference
The page *Faults* of the book.
",
};

/// One line for a report.
pub fn message(model: &str, mistake: &str) -> String {
    format!("`--faults` does not fit `{model}`: {mistake}")
}
