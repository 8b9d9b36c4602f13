//! A choice that no one decides.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0810",
    name: "no-decider",
    severity: Severity::Information,
    documentation: "\
## What it checks
In every choice one participant is *active*: it begins every branch by sending, and no two branches with the same message to the same receiver.
A loop is the choice between another round and what follows it.

## Why it matters
Without one decider, several participants decide on their own: two branches can begin at once, and messages of one of them are never received.

## Example
```
A -> C : m + B -> C : m
```

## Reference
A. Coto, *A choreographic approach to model-driven testing of message-passing systems*, Definition 2.1 and example 2.5 (which names two active participants here; by the definition there are none).
",
};
