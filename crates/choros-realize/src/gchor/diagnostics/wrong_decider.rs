//! A participant that is said to decide and does not.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0815",
    name: "wrong-decider-of-choice",
    severity: Severity::Information,
    documentation: "\
## What it checks
The participant after `sel` or `repeat` sends the first message of every branch.

## Why it matters
It misleads readers about who decides: services in which that participant decides do something else, so `check` and `realize` both say no.

## Example
```
sel B { A -> B : yes + A -> B : no }      .. `A` decides
```

## Reference
E. Tuosto's ChorGram, where the participant may be named.
",
};
