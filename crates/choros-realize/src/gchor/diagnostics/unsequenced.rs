//! Something that does not wait for what is written before it.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0814",
    name: "unsequenced",
    severity: Severity::Information,
    documentation: "\
## What it checks
In `G ; G'` every last event of `G` comes before every first event of `G'`: `G` ends with one receiver, and that one begins `G'`.
It is worth knowing, but not a mistake; `--strict` makes it one.

## Why it matters
`;` orders only what the same participant does.
A reader who expects \"first all of this, then all of that\" is surprised by runs in which the second part overtakes the first; and only with this condition are the other two known to suffice.

## Example
```
A -> B : x ; A -> C : y      .. `A` may send `y` before `B` has received `x`
```

## Reference
*Well-sequencedness* in ChorGram.
",
};
