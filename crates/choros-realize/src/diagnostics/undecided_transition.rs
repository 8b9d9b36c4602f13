//! A transition of which the solver could not tell whether it can fire.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};
use choros_model::stg::Stg;

use crate::Liveness;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0302",
    name: "undecided-transition",
    severity: Severity::Information,
    documentation: "\
## What it checks
The solver can decide for every transition whether it can fire.

## Why it matters
A transition that was not decided is kept, so nothing that can happen is lost; but it may still be dead.

## Example
```
req[b,v].<x>; [x * x * x == 3 * x + 1] |> confirm[v,b]
```
Equations between products of integers have no general procedure; a solver may give up on them.

## Reference
`--solver-budget` raises the bound of each query, in the solver's own units.
",
};

/// The finding for one transition of a graph; `None` when it was decided.
pub fn diagnostic(
    stg: &Stg,
    what: &str,
    own: Option<Span>,
    liveness: &Liveness,
) -> Option<Diagnostic> {
    let Liveness::Undecided(reason) = liveness else {
        return None;
    };
    let message = format!(
        "it is not known whether {what} can happen in `{}`",
        stg.name()
    );
    let diagnostic = match own {
        Some(span) => Diagnostic::new(&CODE, message, span, "kept, because nothing was shown"),
        None => Diagnostic::without_place(&CODE, message),
    };
    Some(diagnostic.note(reason.clone()))
}
