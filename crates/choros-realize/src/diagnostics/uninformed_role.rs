//! A role that does not learn which branch was chosen.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0505",
    name: "uninformed-role",
    severity: Severity::Information,
    documentation: "\
## What it checks
Where guards do not decide between branches, one role must: the *dominant initiator*, which can start most of them \
(either end of an interaction in the mode `sync`, otherwise its sender).
Every other role that takes part in anything from there on must receive something on each branch, at once or later.
A branch that only terminates needs no notification, and the steps of a parallel are not branches.

## Why it matters
Two roles that each decide on their own may decide differently; a role that is not informed keeps waiting for the branch that was not taken.

## Example
```
request[buyer,vendor] + ship[warehouse,shipper]
```
If the buyer decides, the warehouse must be informed not to ship.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, 3.4.3; the condition \
printed in Algorithm 5 is true for nearly every role, and this is what its text means. \
`choros realize --repair` proposes messages, marked `+br`.
",
};
