//! A global model compared with a local one.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_model::stg::{Direction, Stg};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0403",
    name: "compared-views",
    severity: Severity::Error,
    documentation: "\
## What it checks
The implementation and the specification speak of messages from the same point of view: both of whole interactions \
(`o[a,b].x`), or both of sendings and receptions (`o[a,b]!x`, `o[a,b]?<x>`).

## Why it matters
A sending is not an interaction: nothing of a single service could ever match a choreography, and *fails* would not \
be worth knowing.
Compose the services first (`buyer || vendor`, or `a.schora#buyer+a.schora#vendor` on the command line).

## Example
```
component shop chorD Request[b,v] end component
component buyer chorD Request[b,v]! end component
conformance buyer shop
```

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, Definition 5: what \
conforms is the product of the services.
",
};

/// The finding; `None` when both sides have the same view, or one has no messages.
pub fn diagnostic(implementation: &Stg, specification: &Stg) -> Option<Diagnostic> {
    let local = |stg: &Stg| {
        let mut messages = stg
            .messages()
            .map(|message| message.direction != Direction::Interaction);
        messages.next()
    };
    let (own, other) = (local(implementation)?, local(specification)?);
    if own == other {
        return None;
    }
    let view = |local: bool| {
        if local {
            "sendings and receptions"
        } else {
            "whole interactions"
        }
    };
    let message = format!(
        "`{}` speaks of {}, `{}` of {}",
        implementation.name(),
        view(own),
        specification.name(),
        view(other)
    );
    let (stg, label) = match own {
        true => (implementation, "one end of a message"),
        false => (specification, "one end of a message"),
    };
    let origin = stg
        .edges()
        .iter()
        .find(|edge| edge.event.message().is_some())
        .and_then(|edge| edge.origin);
    let diagnostic = match origin {
        Some(span) => Diagnostic::new(&CODE, message, span, label),
        None => Diagnostic::without_place(&CODE, message),
    };
    Some(
        diagnostic
            .note("compose the services, or compare one service with the projection on its role"),
    )
}
