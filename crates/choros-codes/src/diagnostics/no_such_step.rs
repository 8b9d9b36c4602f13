//! A step that cannot be taken.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0943",
    name: "no-such-step",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros explore --walk` takes the steps that are named, one after the other: each has the number of a step that may follow, and values for the variables that it binds.

## Why it matters
A run that the model does not have shows nothing about it.

## Example
```
choros explore online-shopping.chor#order --walk '1 x1=3; 2'
```
After three pieces were ordered, the second step (`Abort`) is refused: its guard is `x1 >= 5`.

## Reference
`choros explore MODEL --walk ''` shows what may happen first.
",
};

/// The model does not have it.
pub fn diagnostic(position: usize, reason: &str) -> Diagnostic {
    let message = format!("choice {position} cannot be taken: {reason}");
    Diagnostic::without_place(&CODE, message)
}

/// Before the first step, parameters get their values.
pub fn open_parameters(names: &[&str]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    let message = format!(
        "nothing can be stepped through before {} have values",
        names.join(", ")
    );
    Diagnostic::without_place(&CODE, message)
        .note("`--param NAME=VALUE` gives a parameter its value")
}
