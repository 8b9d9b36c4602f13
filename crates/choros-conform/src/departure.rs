//! Where a run leaves what was agreed.

use choros_data::Terms;
use choros_model::evidence::{Departure, Expected, StepEvent, WrongEvent};
use choros_model::stg::{event_with_values, offers};

use crate::clauses::{Challenge, System};
use crate::distinguish::Walk;

impl Walk {
    /// What one side can do that the other cannot, what that one offers instead, and the values that decide it.
    pub(crate) fn departure(
        &self,
        system: &System<'_>,
        challenge: Challenge,
        terms: &Terms,
    ) -> Departure {
        let wrong = match challenge {
            Challenge::LeftEnds => WrongEvent::Next(Box::new(StepEvent::Termination)),
            Challenge::Left(edge) => {
                let event = &system.left.edge(edge).event;
                WrongEvent::Next(Box::new(event_with_values(event, &self.left.values, terms)))
            }
            Challenge::Silent(_) | Challenge::Right(_) | Challenge::RightEnds => {
                WrongEvent::Nothing
            }
        };
        let expected = match challenge {
            Challenge::RightEnds => vec![StepEvent::Termination],
            Challenge::Right(edge) => {
                let event = &system.right.edge(edge).event;
                vec![event_with_values(event, &self.right.values, terms)]
            }
            Challenge::Left(_) | Challenge::LeftEnds => offers(system.right, &self.right, terms),
            Challenge::Silent(_) => Vec::new(),
        };
        let mut decisive: Vec<String> = Vec::new();
        for (stg, node) in [
            (system.left, self.left.node),
            (system.right, self.right.node),
        ] {
            let guards = stg.outgoing(node).map(|(_, edge)| edge.guard);
            for variable in guards.flat_map(|guard| terms.free_variables(guard)) {
                let name = terms.variable_text(variable).to_owned();
                if !decisive.contains(&name) {
                    decisive.push(name);
                }
            }
        }
        Departure {
            wrong,
            expected: expected.into_iter().map(Expected::from).collect(),
            decisive,
        }
    }

    /// The same in a sentence.
    pub(crate) fn conclusion(
        &self,
        system: &System<'_>,
        challenge: Challenge,
        terms: &Terms,
    ) -> String {
        let left = format!(
            "the implementation (state {})",
            system.left.node(self.left.node).label
        );
        let right = format!(
            "the specification (state {})",
            system.right.node(self.right.node).label
        );
        let text = match challenge {
            Challenge::LeftEnds => format!("{left} can end here, {right} cannot"),
            Challenge::RightEnds => format!("{right} can end here, {left} cannot"),
            Challenge::Left(edge) | Challenge::Silent(edge) => {
                let event = system.left.edge(edge).event.shown(terms);
                format!("{left} can do `{event}` here, {right} cannot")
            }
            Challenge::Right(edge) => {
                let event = system.right.edge(edge).event.shown(terms);
                format!("{right} can do `{event}` here, {left} cannot")
            }
        };
        if self.others {
            format!("{text} (other answers on the way fail too)")
        } else {
            text
        }
    }
}
