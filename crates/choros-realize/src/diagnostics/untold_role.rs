//! A role that cannot tell two states apart.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0506",
    name: "untold-role",
    severity: Severity::Information,
    documentation: "\
## What it checks
Two states *look alike* to a role if runs lead to them in which it sends and receives the same.
Such states must ask the same of it: what it may send in one it may send in the other, it does not send in one and wait in the other, everything it waits for comes from one role, and it does not wait where the others have ended or continue without it.
No two branches begin with the same message.
In the mode `receiver` sending does not decide, because this mode does not show it.

## Why it matters
A role knows what it has sent and received, and nothing else.
Where that is the same in two states it does the same in both, and in one of them that is wrong.
The condition CH0505 of the thesis counts a role as informed if it receives anything later; here it must learn in time.

## Example
```
(m0[b,a] + m1[b,c]) ; m2[a,c]
```
After `m1[b,c]` the role `a` must send `m2`, but it cannot know that it no longer has to wait for `m0`.

## Reference
The README of choros-realize, *The corrected conditions*; where they hold and interactions are in order (CH0502), a \
choreography without data is realizable.
",
};
