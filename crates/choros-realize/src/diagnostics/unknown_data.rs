//! A sender that does not know what it sends or decides on.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0503",
    name: "unknown-data",
    severity: Severity::Information,
    documentation: "\
## What it checks
The sender of an interaction knows every variable of its guard and of the data it carries: it sent or received the value on every path there. Every role knows the parameters. After a message that binds a variable again, only its two ends know the value.

## Why it matters
A service cannot send, or decide on, a value that it has never seen.

## Example
```
order[a,b].<x> ; report[c,d].x
```
`c` has never seen `x`; only `a` and `b` have.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, 3.4.2 and \
Algorithm 4; owners are intersected where ways meet. `choros realize --repair` proposes messages that carry the \
value, marked `+da`.
",
};
