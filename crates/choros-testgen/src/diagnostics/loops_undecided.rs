//! Machines that go round, and no one said how often.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0844",
    name: "loops-undecided",
    severity: Severity::Error,
    documentation: "\
## What it checks
Tests are made from machines without loops, unless `--loops` says how to handle them; with `--loops fair` every machine can always reach an end.

## Why it matters
A test machine decides every choice once and for all, so in a loop it would always stay or always leave.
And success is the end of all machines by default, which a machine that goes round forever never reaches.

## Example
```
choros tests ping-pong.fsa
```

## Reference
Coto's thesis, section 3.3, unfolds loops a fixed number of times and so loses the decision to leave.
`--loops up-to:N` keeps it; `--loops fair` does not unfold and lets only those runs fail from which success cannot be reached any more.
",
};

/// The machine of a participant goes round.
pub fn diagnostic(participant: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("the machine of `{participant}` has loops"))
        .note("`--loops up-to:2` unfolds them and keeps every decision to leave; `--loops fair` needs no unfolding")
}

/// The machine of a participant cannot end, so fairness does not help.
pub fn endless(participant: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("the machine of `{participant}` can reach a state from which it never ends, so `--loops fair` cannot succeed"),
    )
    .note("`--loops up-to:2` cuts such machines; `--oracle FILE` can say where they have succeeded")
}
