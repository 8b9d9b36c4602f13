//! Runs of services as evidence.

use choros_model::evidence::{Binding, Step, StepEvent, Trace};
use choros_model::lts::{Action, ActionId, Argument, Census, Lts, StateId};

use crate::CowsLts;

/// A shortest run to a state.
pub fn run_to(state: StateId, census: &Census, system: &mut CowsLts) -> Trace {
    let steps = census
        .run_to(state)
        .into_iter()
        .map(|(source, action, target)| step(source, action, target, system))
        .collect();
    Trace {
        steps,
        conclusion: String::new(),
        ..Trace::default()
    }
}

/// A step with the variables it gave values to and the place of its invoke or kill.
fn step(source: StateId, action: ActionId, target: StateId, system: &mut CowsLts) -> Step {
    let event = StepEvent::Other(system.action(action).text(system.terms()));
    let details = system.details(source, action, target);
    let halves = details.and_then(|details| details.halves);
    let bindings = match halves {
        Some((invoke, receive)) => bindings(system.action(invoke), system.action(receive), system),
        None => Vec::new(),
    };
    Step {
        event,
        guard: None,
        bindings,
        states: Some((system.describe(source), system.describe(target))),
        origin: details.and_then(|details| details.place),
    }
}

fn bindings(invoke: &Action, receive: &Action, system: &CowsLts) -> Vec<Binding> {
    let (
        Action::Offered {
            arguments: sent, ..
        },
        Action::Offered {
            arguments: pattern, ..
        },
    ) = (invoke, receive)
    else {
        return Vec::new();
    };
    let terms = system.terms();
    pattern
        .iter()
        .zip(sent)
        .filter_map(|(expected, sent)| match (expected, sent) {
            (Argument::Variable(name), Argument::Value(value)) => Some(Binding {
                variable: terms.names.text(*name).to_owned(),
                value: terms.print_value(value),
            }),
            _ => None,
        })
        .collect()
}

/// Longer terms are cut: no one reads them in a line.
const MAX_TERM_LENGTH: usize = 1000;

/// What is left in a state when nothing can happen any more.
pub fn left(state: StateId, system: &CowsLts) -> String {
    let residue = system.residue(state);
    let besides = match (residue.has_services, &residue.rest) {
        (true, None) => return "nothing is left but replicated services".to_owned(),
        (false, None) => return "nothing is left".to_owned(),
        (true, Some(_)) => "left besides replicated services",
        (false, Some(_)) => "left",
    };
    let rest = residue.rest.unwrap_or_default();
    match rest.char_indices().nth(MAX_TERM_LENGTH) {
        Some((end, _)) => format!("{besides}: {}…", &rest[..end]),
        None => format!("{besides}: {rest}"),
    }
}
