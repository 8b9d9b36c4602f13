//! A formula about data where none can be seen.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0731",
    name: "data-formula",
    severity: Severity::Error,
    documentation: "\
## What it checks
A formula with comparisons, `where` or `at` is asked about a choreography, a role or another graph, for all data.

## Why it matters
Other systems have no variables that a formula could name, and with `--domain` the states of a graph are explored one
by one, where a formula sees their steps alone.

## Example
```
choros verify account.stg --formula 'AG b >= 0'
```

## Reference
The chapter on `verify` of the book.
",
};

/// The system has no data, or samples of them are explored.
pub fn explored(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "the formula is about data, and only a graph that is answered for all data has them",
        span,
        "leave out `--domain`, or ask about a graph",
    )
}
