//! A graph whose data cannot all be tried.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_model::lts::OpenData;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0945",
    name: "endless-data",
    severity: Severity::Error,
    documentation: "\
## What it checks
A graph that is explored state by state has finitely many data: its parameters have values, and every variable that a
message brings is a truth value, a value of an enumeration, or has values given by `--domain`.
`verify` without `--domain` answers for all data and needs none of this; a certificate does.

## Why it matters
Verification visits each state; with all integers there would be infinitely many, and *holds* could never be the answer.

## Example
```
choros verify shop.chor#shop --formula 'AG EX true' --param limit=10 --domain quantity=0..3
```

## Reference
`choros conform`, `choros check` and `choros verify` without `--domain` answer for all data at once.
",
};

/// The variables that keep the graph from being unfolded.
pub fn diagnostic(name: &str, open: &OpenData) -> Diagnostic {
    let mut diagnostic = Diagnostic::without_place(
        &CODE,
        format!("`{name}` has unbounded data, so its states cannot all be explored"),
    );
    for (parameter, sort) in &open.parameters {
        diagnostic = diagnostic.note(format!(
            "give the parameter `{parameter}` ({sort}) a value with `--param {parameter}=…`"
        ));
    }
    for (variable, sort) in &open.bound {
        diagnostic = diagnostic.note(format!(
            "say which values of `{variable}` ({sort}) are tried, such as `--domain {variable}=0..3`"
        ));
    }
    diagnostic
}
