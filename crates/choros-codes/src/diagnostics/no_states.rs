//! A model that has no states to unfold.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0940",
    name: "no-states",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros explore -o` and `--minimize` are given models that are unfolded state by state, and `--interactive` a term of services.

## Why it matters
The states of a graph with data are its nodes together with values. There may be infinitely many, so they cannot be listed.

## Example
```
choros explore shop.chor --minimize strong
```

## Reference
`.cows`, `.fsa` and `.aut` have states. `choros draw` shows graphs with data.
",
};

/// It is of another kind.
pub fn diagnostic(path: &str, kind: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is a {kind} and is not unfolded into states"),
    )
    .note("`choros draw` writes it as a graph")
}

/// No one can step through it.
pub fn not_stepped(path: &str, kind: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is a {kind}, which cannot be stepped through"),
    )
    .note("`--interactive` steps through `.cows` files")
}
