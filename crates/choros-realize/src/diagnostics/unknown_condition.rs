//! A receiver that cannot tell which branch data chose.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0504",
    name: "unknown-condition",
    severity: Severity::Information,
    documentation: "\
## What it checks
Where the guards of all branches exclude each other pairwise, data decide.
The receiver of a guarded branch must then know the variables of the guard, or else see the decision by what it \
receives: on every branch, the first thing it does is receive. Branches that only terminate do not count.

## Why it matters
A role that does not know whether to wait for a message or whether it is done either waits forever or leaves too early.

## Example
```
req[b,v].<x> ; ([x <= 0] |> error[v,b] + [x > 0] |> sell[v,w].x)
```
The warehouse `w` does not know `x`. If the vendor answers with an error, `w` receives nothing and cannot know that nothing will come.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, 3.4.3. \
`choros realize --repair` proposes a message that carries the value before the branching, marked `+cbr`.
",
};
