//! A hidden message that brings a new value again and again.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_data::Terms;
use choros_model::stg::Stg;

use crate::Conformance;

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0405",
    name: "recurring-value",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A message that the specification does not speak of, and that binds a variable which is read later, does so once in a \
run and alone.

## Why it matters
Hiding a message turns what it binds into a parameter: one unknown value for the whole run, and the answer says for \
which values the implementation conforms.
A message in a loop brings a new value each time, and a variable that another message binds too has several; no \
single parameter stands for them, so the answer is one about the runs in which the hidden value never changes.

## Example
```
component spec chorD [true] * Request[b,v] end component
component impl chorD [true] * (Ask[v,w].<x>; [x > 0] |> Request[b,v]) end component
```
`conform` answers `x > 0`, but `Ask` may bring a positive value once and another one later.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, Definition 2: \
restriction makes hidden bound variables free.
",
};

/// The finding for the first such message; `None` when there is none.
pub fn diagnostic(
    implementation: &Stg,
    found: &Conformance<'_>,
    terms: &Terms,
) -> Option<Diagnostic> {
    let edge = implementation.edge(*found.recurring.first()?);
    let message = format!(
        "the hidden `{}` in `{}` may bring several values, and is taken to bring one",
        edge.event.text(terms),
        implementation.name()
    );
    let diagnostic = match edge.origin {
        Some(span) => Diagnostic::new(&CODE, message, span, "not in the specification"),
        None => Diagnostic::without_place(&CODE, message),
    };
    Some(diagnostic.note("the answer is about runs in which that value stays the same"))
}
