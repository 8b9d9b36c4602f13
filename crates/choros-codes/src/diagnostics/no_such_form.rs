//! A model that has no such text form.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0920",
    name: "no-such-form",
    severity: Severity::Error,
    documentation: "\
## What it checks
A model can be written in the form that was asked for.

## Why it matters
Aldebaran's `.aut` form has no conditions and no data, so a graph with conditions would lose them; our `.stg` form
describes such graphs and not systems of states.

## Example
```
choros draw shop.schora#shop -o shop.aut      // shop.stg
```

## Reference
Pictures (`.svg`, `.dot`, `.mmd`, `.txt`) exist for all models.
",
};

/// `what` names the kind of model, `form` the extension.
pub fn diagnostic(name: &str, what: &str, form: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{name}` is {what}, which has no {form} form"),
    )
}
