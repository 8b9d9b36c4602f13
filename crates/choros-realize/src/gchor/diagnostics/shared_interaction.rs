//! An interaction in two threads.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0813",
    name: "shared-interaction",
    severity: Severity::Information,
    documentation: "\
## What it checks
No interaction `A -> B : m` belongs to two threads of one fork.

## Why it matters
The receiver cannot know which thread a message belongs to, and may continue in the wrong one.

## Example
```
{ A -> B : m ; B -> C : x } | { A -> B : m ; B -> D : y }
```

## Reference
*Well-forkedness* in ChorGram; E. Tuosto and R. Guanciale, *Semantics of global view of choreographies*, 2018.
",
};
