//! A line of a `.stg` file that is not a statement.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0208",
    name: "stg-statement",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every line of a `.stg` file is a statement: it begins with the number of a node or with one of `stg`, `sort`, `constant`, `variables`, `initial`, `node`.

## Why it matters
What is not understood is left out of the graph.

## Example
```
initail 0
```

## Reference
```
stg shop explicit
sort Status = OK | KO
sort Colour
constant RED: Colour
variables x: Int, y: Status
initial 0
0 -> 1: Request[b,v].<x>
1 -> 2: [x < 5] Confirm[v,b] / y := OK
2: end [x > 0]
3: stuck
node 2 \"done\"
```
Constants are values of uninterpreted sorts; comments begin with `//`.
",
};

/// The word at `span` begins no statement; `similar` is one that does.
pub(crate) fn diagnostic(span: Span, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        "this is not a statement of a `.stg` file",
        span,
        "expected the number of a node, or a word such as `initial`",
    );
    match similar {
        Some(word) => diagnostic.suggest("a statement with a similar word exists", span, word),
        None => diagnostic,
    }
}

/// The constant at `span` is declared with a sort that has its own literals.
pub(crate) fn constant(span: Span, sort: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("constants are values of uninterpreted sorts, and {sort} is none"),
        span,
        "this name cannot be given a value",
    )
}
