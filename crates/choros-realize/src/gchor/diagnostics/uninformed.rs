//! A participant that cannot tell which branch was chosen.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0812",
    name: "uninformed-participant",
    severity: Severity::Information,
    documentation: "\
## What it checks
Every participant that does not decide a choice is *passive*: it begins every branch by receiving, and no two branches with the same message from the same sender; or it takes part in no branch at all.
For a loop, it must learn in the same way that another round begins and that the loop has ended.
`--tolerate-equal-branches` lets those pass who do the same in every branch.

## Why it matters
A participant that is not informed keeps waiting for the branch that was not chosen, or confuses one branch with another.

## Example
```
A -> B : m + A -> C : m ; A -> B : m      .. `B` begins both branches alike, `C` does not learn of the first
```

## Reference
A. Coto, *A choreographic approach to model-driven testing of message-passing systems*, Definition 2.1 and example 2.5. The printed definition would let `C` pass; the example says that it must not.
",
};
