//! A run of the search with values, replayed.

use choros_data::{Assignment, Term};
use choros_model::evidence::{Departure, Expected, StepEvent, Trace, WrongEvent};
use choros_model::stg::run::{RunStep, replay};
use choros_model::stg::{Direction, EdgeId, Event, Stg, event_with_values};
use choros_smt::{Satisfiability, some_value};

use super::search::{Excess, Search};
use crate::AnalysisStop;
use crate::tools::Tools;

/// A run with values, and the faults in it, in words.
pub(super) struct Run {
    pub(super) trace: Trace,
    pub(super) faults: Vec<String>,
}

impl Run {
    /// What went wrong before its end, in words.
    pub(super) fn after(&self) -> String {
        match &self.faults[..] {
            [] => "even without a fault".to_owned(),
            faults => format!("after {}", faults.join(", then ")),
        }
    }
}

/// The run to a state, and one step more if that is not allowed; `None` if no values are found.
pub(super) fn run(
    search: &Search<'_>,
    roles: &Stg,
    to: usize,
    excess: Option<&Excess>,
    tools: &mut Tools<'_>,
) -> Result<Option<Run>, AnalysisStop> {
    let mut steps: Vec<(EdgeId, &[Term])> = Vec::new();
    let mut conditions: Vec<Term> = Vec::new();
    if let Some(last) = excess {
        steps.push((last.edge, &last.brought));
        conditions.extend(&last.conditions);
    }
    let mut at = to;
    loop {
        let state = &search.states[at];
        conditions.extend(&state.conditions);
        let Some((before, step)) = state.came else {
            break;
        };
        if let Some(step) = step {
            steps.push((step, &state.brought));
        }
        at = before;
    }
    steps.reverse();
    let parameters = roles.parameters(tools.terms);
    let mut free = parameters.clone();
    for &term in steps.iter().flat_map(|it| it.1) {
        free.extend(tools.terms.as_variable(term));
    }
    for &condition in &conditions {
        for variable in tools.terms.free_variables(condition) {
            if !free.contains(&variable) {
                free.push(variable);
            }
        }
    }
    let mut values = Assignment::default();
    if conditions.is_empty() {
        for &variable in &free {
            let sort = tools.terms.variable_sort(variable);
            let Some(value) = some_value(tools.terms, sort) else {
                return Ok(None);
            };
            values.insert(variable, value);
        }
    } else {
        if tools.solver.satisfiable(tools.terms, &conditions)? != Satisfiability::Sat {
            return Ok(None);
        }
        let Some(model) = tools.solver.model(tools.terms, &free) else {
            return Ok(None);
        };
        values = model;
    }
    let mut choices = Vec::new();
    for (edge, brought) in steps {
        let mut bound_values = Vec::new();
        for &term in brought {
            let Ok(value) = tools.terms.evaluate(term, &values) else {
                return Ok(None);
            };
            bound_values.push(value);
        }
        choices.push(RunStep { edge, bound_values });
    }
    values.retain(|variable, _| parameters.contains(variable));
    let Ok((_, mut trace)) = replay(roles, values, &choices, tools.terms) else {
        return Ok(None);
    };
    let mut faults = Vec::new();
    for (step, choice) in trace.steps.iter_mut().zip(&choices) {
        if let Event::Disturbance(it) = roles.edge(choice.edge).event {
            step.event = StepEvent::Fault(it.step(tools.terms));
            if it.is_fault() {
                faults.push(it.shown(tools.terms));
            }
        }
        // What waits is in the messages, and where the roles stand is of no use without their graphs.
        step.bindings.clear();
        step.states = None;
    }
    Ok(Some(Run { trace, faults }))
}

/// What the specification has instead of the last step.
pub(super) fn departure(
    search: &Search<'_>,
    allowed: &Stg,
    excess: &Excess,
    tools: &Tools<'_>,
) -> Departure {
    let mut expected: Vec<Expected> = Vec::new();
    let mut nodes: Vec<_> = search.states[excess.state]
        .places
        .iter()
        .map(|it| it.0)
        .collect();
    let mut next = 0;
    while next < nodes.len() {
        for (_, edge) in allowed.outgoing(nodes[next]) {
            match &edge.event {
                Event::Message(message) if message.direction != Direction::Receive => {
                    let mut event =
                        event_with_values(&edge.event, &Assignment::default(), tools.terms);
                    if let StepEvent::Message { direction, .. } = &mut event {
                        *direction = Direction::Send;
                    }
                    let guard = (edge.guard != Term::TRUE).then(|| tools.terms.print(edge.guard));
                    let it = Expected { event, guard };
                    if !expected.contains(&it) {
                        expected.push(it);
                    }
                }
                _ if !nodes.contains(&edge.target) => nodes.push(edge.target),
                _ => {}
            }
        }
        next += 1;
    }
    Departure {
        wrong: WrongEvent::LastStep,
        expected,
        decisive: Vec::new(),
    }
}
