//! A model without roles that faults could happen to.

use choros_base::{CodeInfo, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0554",
    name: "no-roles",
    severity: Severity::Error,
    documentation: "\
## What it checks
A model that is examined under `--faults` has roles that send each other messages: it is a choreography, a
g-choreography, communicating machines, or components of which each is one role.

## Why it matters
Faults happen to messages between roles, and to roles. Services of COWS and processes of WS-BPEL have neither queues
nor partners in their model.

## Example
```
choros check bank.cows --faults lose
```
is rejected.

## Reference
The page *Faults* of the book.
",
};

/// One line for a report.
pub fn message(name: &str, words: &str) -> String {
    format!("`{name}` is a {words}: faults are about roles that send each other messages")
}
