//! Runs of a graph with concrete values: the naive semantics that everything symbolic must agree with.
//!
//! An edge fires when its guard holds; it reads its free fields, takes a value for each bound one or for each variable
//! that a silent step chooses, and carries out its updates one after the other.
//! It does not fire for values with which an update is undefined.
//! Engines replay what they found here before anyone is told of it.

use choros_data::{Assignment, NoValue, Terms, Value, Var};

use super::{Edge, EdgeId, Event, FieldValue, NodeId, Stg};
use crate::evidence::{Binding, Step, StepEvent, Trace};

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunState {
    pub node: NodeId,
    /// Values of the variables; those that nothing reads before they are written need none.
    pub values: Assignment,
}

/// One step of a run: an edge, and a value for each variable that it binds, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStep {
    pub edge: EdgeId,
    /// What the event brings.
    pub bound_values: Vec<Value>,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepResult {
    /// Where the run stands now.
    pub state: RunState,
    /// The values of all fields of the message, in their order; empty where there is none.
    pub carried: Vec<Value>,
}

/// Why a step cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The graph has no such edge, or it starts elsewhere.
    Elsewhere,
    /// The guard does not hold.
    Guard,
    /// The event binds another number of fields than there are values.
    Count {
        /// How many it binds.
        expected: usize,
        /// How many values there are.
        given: usize,
    },
    /// A value does not have the sort of the variable.
    Sort(Var),
    /// A term has no value: a partial operation is undefined, or a parameter was given no value.
    NoValue(NoValue),
}

/// Where a run starts, given the values of the parameters.
pub fn start(stg: &Stg, parameters: Assignment) -> RunState {
    RunState {
        node: stg.initial(),
        values: parameters,
    }
}

/// Takes one step.
pub fn fire(
    stg: &Stg,
    situation: &RunState,
    choice: &RunStep,
    terms: &Terms,
) -> Result<StepResult, Refusal> {
    let edge = stg
        .edges()
        .get(choice.edge.index())
        .filter(|edge| edge.source == situation.node)
        .ok_or(Refusal::Elsewhere)?;
    let before = &situation.values;
    if !terms.evaluate_guard(edge.guard, before)? {
        return Err(Refusal::Guard);
    }
    let expected = edge.event.bound_variables().count();
    if expected != choice.bound_values.len() {
        return Err(Refusal::Count {
            expected,
            given: choice.bound_values.len(),
        });
    }
    let mut brought = choice.bound_values.iter();
    let mut carried = Vec::new();
    let mut after = before.clone();
    for field in edge
        .event
        .message()
        .map_or(&[][..], |message| &message.fields)
    {
        match field.value {
            FieldValue::Free(term) => carried.push(terms.evaluate(term, before)?),
            FieldValue::Bind(variable) => {
                // There are as many values as bound fields.
                if let Some(value) = brought.next() {
                    if value.sort() != terms.variable_sort(variable) {
                        return Err(Refusal::Sort(variable));
                    }
                    carried.push(value.clone());
                    after.insert(variable, value.clone());
                }
            }
        }
    }
    if let Event::Choose(chosen) = &edge.event {
        for (&variable, value) in chosen.iter().zip(brought) {
            if value.sort() != terms.variable_sort(variable) {
                return Err(Refusal::Sort(variable));
            }
            after.insert(variable, value.clone());
        }
    }
    for update in &edge.updates {
        let value = terms.evaluate(update.value, &after)?;
        after.insert(update.variable, value);
    }
    Ok(StepResult {
        state: RunState {
            node: edge.target,
            values: after,
        },
        carried,
    })
}

/// The edges whose guards hold, in their order.
pub fn enabled(stg: &Stg, situation: &RunState, terms: &Terms) -> Result<Vec<EdgeId>, NoValue> {
    let mut enabled = Vec::new();
    for (id, edge) in stg.outgoing(situation.node) {
        if terms.evaluate_guard(edge.guard, &situation.values)? {
            enabled.push(id);
        }
    }
    Ok(enabled)
}

/// Whether the run may end here.
pub fn may_end(stg: &Stg, situation: &RunState, terms: &Terms) -> Result<bool, NoValue> {
    for termination in &stg.node(situation.node).terminations {
        if terms.evaluate_guard(termination.guard, &situation.values)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes all steps from the start and tells the run; on a refusal, which step it was, from 0.
///
/// The caller adds its conclusion to the trace.
pub fn replay(
    stg: &Stg,
    parameters: Assignment,
    choices: &[RunStep],
    terms: &Terms,
) -> Result<(RunState, Trace), (usize, Refusal)> {
    let mut situation = start(stg, parameters);
    let mut trace = Trace {
        start: bindings(&situation.values, terms),
        ..Trace::default()
    };
    for (position, choice) in choices.iter().enumerate() {
        let fired = fire(stg, &situation, choice, terms).map_err(|refusal| (position, refusal))?;
        trace
            .steps
            .push(step(stg, stg.edge(choice.edge), &fired, terms));
        situation = fired.state;
    }
    Ok((situation, trace))
}

/// A step as evidence.
fn step(stg: &Stg, edge: &Edge, fired: &StepResult, terms: &Terms) -> Step {
    let text = |name| terms.names.text(name).to_owned();
    let event = match &edge.event {
        Event::Silent | Event::Choose(_) => StepEvent::Silent,
        Event::Message(message) => StepEvent::Message {
            operation: text(message.operation.0),
            from: text(message.from.0),
            to: text(message.to.0),
            direction: message.direction,
            fields: message
                .fields
                .iter()
                .zip(&fired.carried)
                .map(|(field, value)| {
                    let label = field.label.map(text).unwrap_or_default();
                    (label, terms.print_value(value))
                })
                .collect(),
        },
        Event::Disturbance(it) => StepEvent::Fault(it.step(terms)),
        other => StepEvent::Other(other.text(terms)),
    };
    let mut written: Vec<Var> = edge.event.bound_variables().collect();
    written.extend(edge.updates.iter().map(|update| update.variable));
    let mut seen = rustc_hash::FxHashSet::default();
    Step {
        event,
        guard: (edge.guard != choros_data::Term::TRUE).then(|| terms.print(edge.guard)),
        bindings: written
            .into_iter()
            .filter(|&variable| seen.insert(variable))
            .filter_map(|variable| {
                let value = fired.state.values.get(&variable)?;
                Some(binding(variable, value, terms))
            })
            .collect(),
        states: Some((
            stg.node(edge.source).label.clone(),
            stg.node(edge.target).label.clone(),
        )),
        origin: edge.origin,
    }
}

/// Values sorted by name.
fn bindings(values: &Assignment, terms: &Terms) -> Vec<Binding> {
    let mut bindings: Vec<Binding> = values
        .iter()
        .map(|(&variable, value)| binding(variable, value, terms))
        .collect();
    bindings.sort_by(|left, right| left.variable.cmp(&right.variable));
    bindings
}

fn binding(variable: Var, value: &Value, terms: &Terms) -> Binding {
    Binding {
        variable: terms.variable_text(variable).to_owned(),
        value: terms.print_value(value),
    }
}

impl From<NoValue> for Refusal {
    fn from(reason: NoValue) -> Self {
        Refusal::NoValue(reason)
    }
}
