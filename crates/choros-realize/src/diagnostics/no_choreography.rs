//! A model that is not a choreography.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_data::Terms;
use choros_model::stg::{Direction, Disturbance, Event, Stg, is_split};

use crate::AnalysisStop;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0501",
    name: "no-choreography",
    severity: Severity::Error,
    documentation: "\
## What it checks
The model is a choreography: everything that happens in it is an interaction between two roles.

## Why it matters
`realize` and `project` ask what the roles of a choreography must do.
A model of one role, with sends `!` and receives `?`, is an answer to that question.

## Example
```
component buyer chorD Request[b,v]!<x> end component
```
`choros project shop.schora#buyer` is rejected: `Request[b,v]!<x>` is the buyer's half of an interaction.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, Definition 6 and \
Table 3.3: projection is defined on interactions.
",
};

/// Stops an analysis of what is not a choreography.
pub(crate) fn refuse(stg: &Stg, terms: &Terms) -> Result<(), AnalysisStop> {
    match diagnostic(stg, terms) {
        Some(found) => Err(AnalysisStop::Unfit(Box::new(found))),
        None => Ok(()),
    }
}

/// The finding for the first edge that is not an interaction, or for a graph without any.
pub fn diagnostic(stg: &Stg, terms: &Terms) -> Option<Diagnostic> {
    let is_split = is_split(stg);
    for edge in stg.edges() {
        let why = match &edge.event {
            Event::Message(message) => match message.direction {
                Direction::Interaction => continue,
                // Where a timeout and a message race, they are steps of their own.
                Direction::Send | Direction::Receive if is_split => continue,
                Direction::Send | Direction::Receive => "this is one role's half of an interaction",
            },
            Event::TickOf(_) | Event::Disturbance(Disturbance::Noticed { .. }) => continue,
            Event::Tick => "no role measures this time: name one, as in `wait 3 at order`",
            Event::Silent | Event::Choose(_) | Event::Raise(_) | Event::Disturbance(_) => {
                "this is something that no two roles do"
            }
        };
        let message = format!(
            "`{}` is not a choreography: `{}` is not an interaction",
            stg.name(),
            edge.event.shown(terms)
        );
        return Some(match edge.origin {
            Some(span) => Diagnostic::new(&CODE, message, span, why),
            None => Diagnostic::without_place(&CODE, message).note(why),
        });
    }
    None
}
