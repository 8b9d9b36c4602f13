//! A variable of a sentence whose value nothing settles.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0706",
    name: "sentence-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
A variable that occurs twice in a sentence occurs in something that happens, and not only in what the sentence asks for.
If the sentence begins with alternatives, each of them gives the variable a value.

## Why it matters
`eventually Order($id) then Confirm($id)` asks for some value, and which one may depend on the run.
SocL gives a variable its value at one step, so it cannot say that.

## Example
```
eventually Order($id) then Confirm($id)          // after Order($id) eventually Confirm($id)
```

## Reference
The chapter on formulas of the book.
",
};

/// No step that the sentence takes for granted has the variable.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("nothing that happens gives `${name}` a value in this sentence"),
        span,
        format!("asks for two things with the same `${name}`"),
    )
    .note(format!(
        "write `*` for a value that does not matter, or begin with `after …(${name})`"
    ))
}

/// An alternative leaves the variable open.
pub(crate) fn not_in_all(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("not every alternative gives `${name}` a value"),
        span,
        "these are alternatives",
    )
    .note(format!(
        "use `${name}` in each of them, or write one sentence for each"
    ))
}

/// A sentence about all values of variables is part of a larger formula.
pub(crate) fn within(span: Span, names: &[&str]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|it| format!("`${it}`")).collect();
    let names = names.join(" and ");
    Diagnostic::new(
        &CODE,
        format!("a sentence about all values of {names} cannot be part of another formula"),
        span,
        "a part",
    )
    .note("ask it alone, or join sentences with `and` only")
}
