//! A message of a composition that can never be exchanged.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};
use choros_model::stg::ProductNote;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0303",
    name: "unmatched-message",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every message that a component of a composition sends is received by another one with data that fit, and the other way \
round.

## Why it matters
A send without a matching receive never happens in the composition; everything after it is silently lost, and the composition may get stuck.

## Example
```
component buyer chorD Request[b,v]!<x>; Answer[v,b]? end component
component vendor chorD Request[b,v]?<y>; Reply[v,b]! end component
component shop chorD buyer || vendor end component
```
`Answer` is never sent, and `Reply` is never received.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, Figure 3.3: \
unsynchronised sends and receives do not appear in a product.
",
};

/// The finding in a composition.
pub fn diagnostic(composition: &str, note: &ProductNote) -> Diagnostic {
    let message = format!("in `{composition}`, {note}");
    let places: Vec<(Option<Span>, &str)> = match note {
        ProductNote::Incompatible {
            sender, receiver, ..
        } => {
            vec![(sender.1, "sent here"), (receiver.1, "received here")]
        }
        ProductNote::Partnerless { component, .. } => {
            vec![(component.1, "never happens in the composition")]
        }
        ProductNote::MixedEndings { .. } => Vec::new(),
    };
    let mut diagnostic = Diagnostic::without_place(&CODE, message);
    for (span, label) in places {
        if let Some(span) = span {
            diagnostic = diagnostic.label(span, label);
        }
    }
    diagnostic
}
