//! A global model compared with a local one.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_model::stg::{Direction, Edge, Stg};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0403",
    name: "compared-views",
    severity: Severity::Error,
    documentation: "\
## What it checks
The implementation and the specification describe messages from the same point of view: both as whole interactions (`o[a,b].x`), or both as sends and receives (`o[a,b]!x`, `o[a,b]?<x>`).

## Why it matters
A send is not an interaction: nothing of a single service could ever match a choreography, and *fails* would not \
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

/// The finding; `None` when all messages are seen from the same side.
pub fn diagnostic(implementation: &Stg, specification: &Stg) -> Option<Diagnostic> {
    let sides = [implementation, specification];
    let half = sides.into_iter().find_map(|stg| find(stg, false))?;
    sides.into_iter().find_map(|stg| find(stg, true))?;
    let view = |stg: &Stg| match (find(stg, false).is_some(), find(stg, true).is_some()) {
        (true, true) => "both of whole interactions and of single sends or receives",
        (true, false) => "of sends and receives",
        (false, true) => "of whole interactions",
        (false, false) => "of no messages",
    };
    let [own, other] = sides.map(view);
    let message = if own == other {
        format!(
            "`{}` and `{}` speak {own}",
            implementation.name(),
            specification.name()
        )
    } else {
        format!(
            "`{}` speaks {own}, `{}` {other}",
            implementation.name(),
            specification.name()
        )
    };
    let diagnostic = match half.origin {
        Some(span) => Diagnostic::new(&CODE, message, span, "one end of a message"),
        None => Diagnostic::without_place(&CODE, message),
    };
    Some(
        diagnostic
            .note("compose the services, or compare one service with the projection on its role"),
    )
}

/// The first edge with a whole interaction, or with one end of a message.
fn find(stg: &Stg, whole: bool) -> Option<&Edge> {
    stg.edges().iter().find(|edge| {
        let message = edge.event.message();
        message.is_some_and(|message| (message.direction == Direction::Interaction) == whole)
    })
}
