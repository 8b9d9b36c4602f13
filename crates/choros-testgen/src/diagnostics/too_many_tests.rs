//! More tests than anyone would run.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0845",
    name: "too-many-tests",
    severity: Severity::Error,
    documentation: "\
## What it checks
The number of tests stays within the bound of `--max-states`.

## Why it matters
Tests are combined from the decisions of all other participants, so their number is a product.

## Example
```
choros tests forty-choices.fsa
```

## Reference
Coto's thesis, equation 3.2.
`--role R` asks for the tests of one component, `--trim` leaves out decisions that cannot be reached.
",
};

/// The tests of a component, or the machines of a participant, are too many.
pub fn diagnostic(participant: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("too many tests because of `{participant}`: {reason}"),
    )
    .note("raise the bound with --max-states, or ask for the tests of one component with --role")
}
