//! A message that races with a timer.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0551",
    name: "race-with-time",
    severity: Severity::Information,
    documentation: "\
## What it checks
While a role measures time, no message that it awaits can be in transit when the time is over, unless `late` says what becomes of it.

## Why it matters
The role that sends does not know that the time is over, and the role that measures does not know that the message was sent.
Both decide, each in its own way.

## Example
```
payment -> order: Charged(id) within 3s else {
    order -> payment: Void(id)
}
```
The payment can be charged and void.
Repaired: `late Charged { order -> payment: Refund(id) }` after the block says that a late charge is refunded; `late Charged {}` ignores it.
A role that never learns that no message comes any more has to be a service: `service order` in the list of roles.

## Reference
L. Bocchi, W. Yang, N. Yoshida, *Timed Multiparty Session Types*, CONCUR 2014; the README of choros-realize, *Time*.
",
};
