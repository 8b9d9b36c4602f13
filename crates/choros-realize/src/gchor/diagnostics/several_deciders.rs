//! A choice that several participants decide.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0811",
    name: "several-deciders",
    severity: Severity::Information,
    documentation: "\
## What it checks
In every choice not more than one participant begins every branch by sending.

## Why it matters
Two participants that decide by themselves may decide differently.

## Example
```
{ A -> B : x | C -> D : x } + { A -> B : y | C -> D : y }
```

## Reference
A. Coto, *A choreographic approach to model-driven testing of message-passing systems*, Definition 2.1: the active participant is unique.
",
};
