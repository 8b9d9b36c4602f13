//! A path of which the solver could not tell whether it can be taken.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1210",
    name: "undecided-path",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The solver decides for every step of a symbolic execution tree whether it can be taken.

## Why it matters
A step that it cannot decide is left out, so that no test asks for what cannot happen; with it, tests may be left out that could be run.
The suite is not complete.

## Example
```
0 -> 1: [x * x * x == y * y + 7] tau      // no solver decides this for all integers
```

## Reference
Bentakouk, \"Symbolic Testing Approach of Composite Web Services\", section 3.4.1: if the solver gives neither answer, the path is cut and the user is warned.
`--solver-budget` raises the bound of each query.
",
};

/// This many steps were left out.
pub fn diagnostic(model: &str, count: usize, first: &str, reason: &str) -> Diagnostic {
    let (steps, they) = match count {
        1 => ("one step was".to_owned(), "it"),
        many => (format!("{many} steps were"), "they"),
    };
    Diagnostic::without_place(
        &CODE,
        format!("{steps} left out of the tree of `{model}`: the solver could not decide whether {they} can be taken"),
    )
    .note(format!("the first is {first}: {reason}"))
    .note("tests may be missing; `--solver-budget` raises the bound of each query")
}
